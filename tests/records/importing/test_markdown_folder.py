import pytest
from django.utils import timezone

from records.importing import markdown_folder
from records.importing.entries import Entry, Unreadable
from records.importing.markdown_folder import Defaults
from records.models import Access, DatePrecision, Kind


def read(folder, files, **defaults):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(markdown_folder.read(folder, Defaults(**defaults)))


def only(items):
    (entry,) = items
    assert isinstance(entry, Entry), entry
    return entry


YAML = """---
title: Night flow
date: 2019-05
end: present
description: Leaks, found at night.
tags: [water, telemetry]
client: Norrow Water Board
lessons_learnt: Ask the bakery first before a crew is sent out in the rain.
params: {toc: true}
---

Seven districts were measured.
"""


def test_yaml_heads_give_dates_summary_fields_and_text(tmp_path):
    entry = only(read(tmp_path, {"projects/night-flow.md": YAML}))
    assert (entry.slug, entry.kind, entry.language) == ("night-flow", Kind.CASE_STUDY, "en")
    assert entry.title == "Night flow"
    assert entry.summary == "Leaks, found at night."
    assert entry.facts.start
    assert (str(entry.facts.start), entry.facts.start.precision) == ("2019-05", DatePrecision.MONTH)
    assert entry.facts.current
    assert entry.fields == {"tags": ["water", "telemetry"], "client": "Norrow Water Board"}
    assert entry.body.startswith("Seven districts were measured.")
    assert "## Lessons learnt\n\nAsk the bakery first" in entry.body
    assert entry.notes == ("without params of its head",)


def test_toml_heads_and_windows_line_ends(tmp_path):
    head = '+++\r\ntitle = "Queues"\r\ndate = 2021-03-04\r\n[fields]\r\nseries = "Small"\r\n+++\r\nText.\r\n'
    entry = only(read(tmp_path, {"post/queues.md": "\ufeff" + head}))
    assert (entry.title, str(entry.facts.start), entry.body) == ("Queues", "2021-03-04", "Text.")
    assert entry.fields == {"series": "Small"}


def test_a_file_without_a_head_takes_its_title_from_its_heading(tmp_path):
    entry = only(read(tmp_path, {"p0001.md": "# A paragraph\n\nIts text."}))
    assert (entry.slug, entry.title, entry.body, entry.kind) == ("p0001", "A paragraph", "Its text.", Kind.ARTICLE)


@pytest.mark.parametrize(
    ("name", "slug", "language"),
    [
        ("a.pt.md", "a", "pt"),
        ("pt/a.md", "a", "pt"),
        ("a.zh-CN.md", "a", "zh"),
        ("a.pt-br.md", "a", "pt"),
        ("blog/a/index.fa.md", "a", "fa"),
        ("fa/a/index.md", "a", "fa"),
        ("2019-03-02-a.md", "a", "de"),
        ("v1.2.md", "v12", "de"),
    ],
)
def test_language_and_name_come_from_suffix_folder_or_default(tmp_path, name, slug, language):
    entry = only(read(tmp_path, {name: "text"}, language="de"))
    assert (entry.slug, entry.language) == (slug, language)


def test_json_heads_are_read(tmp_path):
    entry = only(read(tmp_path, {"a.md": '{\n "title": "Queues",\n "date": "2021-03"\n}\n\nText.\n'}))
    assert (entry.title, str(entry.facts.start), entry.body) == ("Queues", "2021-03", "Text.")


def test_a_line_before_the_text_is_no_head(tmp_path):
    assert only(read(tmp_path, {"a.md": "---\n\nOnly text.\n\n---\n\nMore."})).body.endswith("More.")


@pytest.mark.parametrize(
    ("written", "start"),
    [("2019/03/02", "2019-03-02"), ("2019-03-02 14:00:00 +0100", "2019-03-02"), ("2019-03-02T14:00:00Z", "2019-03-02")],
)
def test_dates_keep_all_that_is_known(tmp_path, written, start):
    assert str(only(read(tmp_path, {"a.md": f"---\ndate: {written}\n---\ntext"})).facts.start) == start


def test_a_dated_file_name_is_a_date(tmp_path):
    entry = only(read(tmp_path, {"_posts/2019-03-02-hello.md": "text"}))
    assert str(entry.facts.start) == "2019-03-02"


def test_translations_share_a_key_though_their_names_differ(tmp_path):
    files = {
        "en/water.md": "---\ntranslationKey: w\n---\nWater.",
        "pt/agua.md": "---\ntranslationKey: w\n---\nÁgua.",
    }
    assert {entry.key for entry in read(tmp_path, files)} == {"w"}


def test_files_of_one_name_in_two_folders_are_two_records(tmp_path):
    found = read(tmp_path, {"a/intro.md": "one", "b/intro.md": "two", "b/pt/intro.md": "dois"})
    assert [(entry.slug, entry.language) for entry in found] == [
        ("a-intro", "en"),
        ("b-intro", "en"),
        ("b-intro", "pt"),
    ]


@pytest.mark.parametrize("mark", ["draft: true", "published: false", "status: draft"])
def test_drafts_are_left_out(tmp_path, mark):
    (left_out,) = read(tmp_path, {"a.md": f"---\n{mark}\n---\ntext"})
    assert (left_out.reason, left_out.bad) == ("it is a draft", False)


@pytest.mark.parametrize("name", ["_drafts/a.md", "posts/drafts/a.md"])
def test_what_lies_among_the_drafts_is_one(tmp_path, name):
    (left_out,) = read(tmp_path, {name: "text"})
    assert (left_out.reason, left_out.bad) == ("it is a draft", False)


def test_what_appears_on_a_day_to_come_waits_for_it(tmp_path):
    today = timezone.localdate()
    files = {
        "a.md": "---\ndate: 2931-01-01\n---\ntext",
        "b.md": "---\ndate: 2019\npublishDate: 2931-01-01\n---\ntext",
        "2931-01-01-c.md": "text",
    }
    assert {item.reason for item in read(tmp_path, files)} == {"its day has not come"}
    assert only(read(tmp_path / "today", {"d.md": f"---\ndate: {today}\n---\ntext"})).slug == "d"
    assert only(read(tmp_path / "job", {"e.md": "---\nfrom: 2931-01-01\n---\ntext"})).slug == "e"


@pytest.mark.parametrize("name", ["_includes/a.md", "_site/about/index.md", "archetypes/default.md"])
def test_what_the_generator_keeps_for_itself_is_left_out(tmp_path, name):
    (left_out,) = read(tmp_path, {name: "text"})
    assert (left_out.reason, left_out.bad) == ("its folder is the generator's own", False)


def test_a_collection_says_the_kind(tmp_path):
    assert only(read(tmp_path, {"_projects/a.md": "text"})).kind == Kind.CASE_STUDY


def test_a_page_of_its_folder_without_a_text_is_no_fault(tmp_path):
    (left_out,) = read(tmp_path, {"index.md": "---\nlayout: home\n---\n"})
    assert not left_out.bad


def test_a_folder_that_cannot_be_seen_stops_the_run_and_a_loop_does_not(tmp_path, monkeypatch):
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "self.md").symlink_to("self.md")
    assert only(read(tmp_path, {"a/b.md": "text"})).slug == "b"
    scandir = markdown_folder.os.scandir

    def closed(path):
        if str(path).endswith("a"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(markdown_folder.os, "scandir", closed)
    with pytest.raises(Unreadable, match="Permission denied"):
        read(tmp_path, {})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---\ntitle: Never closed\n\ntext", "no end"),
        ('{"title": "Never closed",\n\ntext', "head can't be read"),
        ("---\ndate: 2019-03-02 or so\n---\ntext", "no date"),
        ("---\ntitle: [\n---\ntext", "head can't be read"),
        ("+++\ntitle = \n+++\ntext", "head can't be read"),
        ("---\n- a\n---\ntext", "names and values"),
        ("---\ndate: yesterday\n---\ntext", "no date"),
        ("---\ndate: 2019-13\n---\ntext", "month must be"),
        ("---\naccess: friends\n---\ntext", "access must be"),
        ("---\nlang: nl\n---\ntext", "language 'nl'"),
        ("---\nauthority: much\n---\ntext", "whole number"),
        ("---\ntitle: Empty\n---\n", "no text"),
        (b"caf\xe9", "UTF-8"),
    ],
)
def test_what_cannot_be_read_is_bad_and_says_why(tmp_path, text, reason):
    (left_out,) = read(tmp_path, {"a.md": text})
    assert left_out.bad
    assert reason in left_out.reason


def test_other_files_are_named_and_hidden_ones_passed_over(tmp_path):
    (tmp_path.parent / "outside.md").write_text("secret")
    (tmp_path / "link.md").symlink_to(tmp_path.parent / "outside.md")
    files = {"README.md": "x", "_index.md": "x", "a.png": "x", "b.png": "x", ".git/c.md": "x", "node_modules/d.md": "x"}
    left_out = {item.origin: item.reason for item in read(tmp_path, files)}
    assert left_out == {
        "README.md": "it is about the folder, not a text of the site",
        "_index.md": "it is about the folder, not a text of the site",
        "link.md": "it is a link out of the folder",
        "*.png": "2 files that are no Markdown",
    }


def test_access_is_taken_over_and_never_widened(tmp_path):
    entry = only(read(tmp_path, {"a.md": "---\naccess: private\n---\ntext"}))
    assert entry.facts.access == Access.PRIVATE


def test_the_kind_of_the_head_wins_then_the_one_asked_for_then_the_folder(tmp_path):
    files = {"services/a.md": "---\ntype: project\n---\nx", "services/b.md": "x", "c.md": "x"}
    assert [entry.kind for entry in read(tmp_path, files)] == [Kind.ARTICLE, Kind.CASE_STUDY, Kind.SERVICE]
    assert [entry.kind for entry in read(tmp_path, {}, kind=Kind.CV)] == [Kind.CV, Kind.CASE_STUDY, Kind.CV]


def test_names_without_latin_letters_have_addresses_of_their_own(tmp_path):
    found = read(tmp_path, {"یادداشت پل یک.md": "x", "یادداشت پل دو.md": "z", "Über uns.md": "y"})
    assert len({entry.slug for entry in found}) == 3


def test_a_day_that_no_month_has_is_bad_and_stops_nothing(tmp_path):
    bad, taken = read(tmp_path, {"2019-04-31-a.md": "text", "b.md": "text"})
    assert (bad.bad, taken.slug) == (True, "b")


def test_notes_of_obsidian_lead_to_each_other(tmp_path):
    files = {"Log.md": "See [[Orlow|the town]].", "Places/Orlow.md": "A town."}
    assert {entry.slug: entry.body for entry in read(tmp_path, files)}["Log"] == "See [the town](/en/article/Orlow/)."


def test_no_such_path_is_said(tmp_path):
    with pytest.raises(Unreadable, match="there is no"):
        list(markdown_folder.read(tmp_path / "nowhere", Defaults()))


def test_nul_and_surrogates_of_a_head_are_dropped(tmp_path):
    assert only(read(tmp_path, {"a.md": '---\ntitle: "a\\0b"\n---\nx'})).title == "ab"


def test_a_text_that_looks_like_another_language_is_taken_and_the_report_says_so(tmp_path):
    text = "پل چهارده دهانه دارد و هر دهانه دوازده متر است و از فولاد ساخته شده است."
    entry = only(read(tmp_path, {"bridge.md": text}))
    assert (entry.language, len(entry.notes)) == ("en", 1)
    assert "looks like fa" in entry.notes[0]
    assert only(read(tmp_path / "said", {"bridge.en.md": text})).notes == ()
