"""Over random histories a citation opens exactly the text that was cited, and says truly whether it still stands.

`HISTORIES=500` plays more of them, and longer ones.
"""

import os
import random
import re
from dataclasses import dataclass

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from assistant.evidence import fields_reference, passage_reference
from records import chunking
from records.indexing import rebuild
from records.models import Access, Kind, PassagePlacement, Record, RecordText, SearchEntry
from records.publishing import publish, revoke, withdraw
from tests.records.drafts import draft, published

HISTORIES = int(os.environ.get("HISTORIES", "10"))
SLUGS, LANGUAGES = ("leaks", "bridge"), ("en", "pt")
# Of seven words at most a sentence: they are cut between sentences. Some are parts of others, some end without a
# full stop: what is nearly the same is what goes wrong.
PARAGRAPHS = (
    "Night flow fell by forty per cent.",
    "Night flow fell by forty",
    "Night flow fell by forty per cent. Nobody knows why.",
    "Nobody knows why.",
    "The flow",
    "Flow: 3.5 litres. Flow: 3.5 litres. Flow: 3.5 litres.",
    "Flow: 3.5 litres.",
)
bodies = st.lists(
    st.tuples(st.sampled_from(["", "Results", "Caveats"]), st.lists(st.sampled_from(PARAGRAPHS), min_size=1)),
    min_size=1,
    max_size=3,
).map(lambda sections: "\n\n".join(p for head, own in sections for p in ([f"# {head}"] if head else []) + own))


@dataclass(frozen=True)
class Cited:
    """What an answer wrote down when it cited a passage."""

    slug: str
    language: str
    version: int
    number: int
    title: str
    url: str
    start: int
    text: str


@dataclass
class Version:
    """What the history knows of a version without asking the code."""

    text: str
    access: str
    live: bool = True
    revoked: bool = False


class Histories(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        self.client = Client()
        self.versions: dict[tuple[str, str], dict[int, Version]] = {}
        self.cited: list[Cited] = []
        self.chance = random.Random(0)
        self.usual = chunking.MOST_WORDS

    def teardown(self):
        chunking.MOST_WORDS = self.usual
        transaction.set_rollback(True)
        self.transaction.__exit__(None, None, None)

    @rule(slug=st.sampled_from(SLUGS), language=st.sampled_from(LANGUAGES), title=st.sampled_from("AB"), body=bodies)
    def edit_and_publish(self, slug, language, title, body):
        record, _ = Record.objects.get_or_create(slug=slug, defaults={"kind": Kind.CASE_STUDY})
        RecordText.objects.update_or_create(record=record, language=language, defaults={"title": title, "body": body})
        self.publish(record)

    @rule(slug=st.sampled_from(SLUGS), access=st.sampled_from([Access.PUBLIC, Access.PRIVATE]))
    def change_access(self, slug, access):
        if record := Record.objects.filter(slug=slug).first():
            record.access = access
            record.save()
            self.publish(record)

    @rule(slug=st.sampled_from(SLUGS), language=st.sampled_from(LANGUAGES))
    def drop_a_translation(self, slug, language):
        if record := Record.objects.filter(slug=slug).first():
            record.texts.filter(language=language).delete()
            self.publish(record)

    @rule(slug=st.sampled_from(SLUGS), into=st.sampled_from(LANGUAGES))
    def change_a_language(self, slug, into):
        text = RecordText.objects.filter(record__slug=slug).exclude(language=into).first()
        if text and not RecordText.objects.filter(record__slug=slug, language=into).exists():
            RecordText.objects.filter(pk=text.pk).update(language=into)
            self.publish(text.record)

    @rule(slug=st.sampled_from(SLUGS))
    def take_off(self, slug):
        if record := Record.objects.filter(slug=slug).first():
            withdraw(record)
            self.retire(slug)

    @rule(slug=st.sampled_from(SLUGS))
    def take_back(self, slug):
        if record := Record.objects.filter(slug=slug).first():
            revoke(record)
            self.retire(slug)
            for versions in self.of(slug):
                for version in versions.values():
                    version.revoked = True

    @rule(most=st.sampled_from([7, 12, 150]))
    def cut_anew(self, most):
        chunking.MOST_WORDS = most
        for record in Record.objects.all():
            for version in record.versions.filter(retired_at=None):
                rebuild(version)
        self.cite()

    def of(self, slug):
        return [versions for (known, _), versions in self.versions.items() if known == slug]

    def retire(self, slug, languages=LANGUAGES):
        for language in languages:
            for version in self.versions.get((slug, language), {}).values():
                version.live = False

    def publish(self, record):
        made = publish(record)
        drafts = set(record.texts.values_list("language", flat=True))
        self.retire(record.slug, [*(set(LANGUAGES) - drafts), *(version.language for version in made)])
        for version in made:
            known = self.versions.setdefault((record.slug, version.language), {})
            known[version.pk] = Version(version.text, version.access)
        self.cite()

    def cite(self):
        """Let answers cite some of what search can find now."""
        known = {(cited.url, cited.start) for cited in self.cited}
        entries = list(SearchEntry.objects.select_related("placement__version__record", "placement__passage"))
        for entry in self.chance.sample(entries, min(3, len(entries))):
            placement, version = entry.placement, entry.placement.version
            slug, text = version.record.slug, placement.passage.text
            url = passage_reference(
                slug,
                Kind.CASE_STUDY,
                version.title,
                version.pk,
                placement.passage_id,
                placement.start,
                placement.end,
                None,
            ).url
            if (url, placement.start) not in known:
                self.cited.append(
                    Cited(slug, version.language, version.pk, version.number, version.title, url, placement.start, text)
                )

    @invariant()
    def every_citation_opens_what_was_cited(self):
        for cited in self.chance.sample(self.cited, min(3, len(self.cited))):
            versions = self.versions[cited.slug, cited.language]
            version, newest = versions[cited.version], versions[max(versions)]
            live = next((known for known in versions.values() if known.live), None)
            response = self.client.get(cited.url)
            if Access.PRIVATE in {version.access, newest.access}:
                assert (response.status_code, cited.text in response.content.decode()) == (403, False)
            elif version.revoked:
                assert (response.status_code, cited.text in response.content.decode()) == (410, False)
            else:
                self.check(response, cited, version, live)

    def check(self, response, cited, version, live):
        assert response.status_code == 200, cited
        page = response.context["page"]
        assert (page.passage, len(page.before)) == (cited.text, cited.start)
        assert page.before + page.passage + page.after == version.text
        assert page.standing == ("live" if version.live else "superseded" if live else "withdrawn")
        if live:
            assert page.stands_today == stands(cited.text, live.text), (cited, live)
        if page.stands_today:
            again = self.client.get(f"/passages/{page.today.pk}/{page.uid}/").context["page"]
            assert (again.passage, again.standing) == (cited.text, "live")

    @invariant()
    def every_citation_of_fields_opens_its_version(self):
        for cited in self.chance.sample(self.cited, min(1, len(self.cited))):
            versions = self.versions[cited.slug, cited.language]
            version, newest = versions[cited.version], versions[max(versions)]
            closed = Access.PRIVATE in {version.access, newest.access}
            url = fields_reference(cited.slug, Kind.CASE_STUDY, cited.title, cited.version, cited.language, None).url
            response = self.client.get(url)
            assert response.status_code == (403 if closed else 410 if version.revoked else 200)
            if response.status_code == 200:
                assert (response.context["version"].number, response.context["record"].title) == (
                    cited.number,
                    cited.title,
                )

    @invariant()
    def search_has_what_is_live_and_nothing_else(self):
        live = {pk for versions in self.versions.values() for pk, version in versions.items() if version.live}
        found = SearchEntry.objects.values_list("placement_id", flat=True)
        assert set(found) == set(PassagePlacement.objects.filter(version__in=live).values_list("pk", flat=True))
        for placement in PassagePlacement.objects.filter(version__in=live).select_related("version", "passage"):
            assert placement.version.text[placement.start : placement.end] == placement.passage.text


def stands(text, live):
    """Whether a live text has this one from the beginning of a sentence or line to the end of one."""
    return bool(re.search(rf"(?:\A|\n|[.:] ?){re.escape(text)}(?:\n|\Z|(?<=[.:]))", live))


@pytest.mark.django_db
def test_a_citation_always_opens_the_text_that_was_cited_and_says_whether_it_stands():
    run_state_machine_as_test(
        Histories,
        settings=settings(
            max_examples=HISTORIES,
            stateful_step_count=10 if HISTORIES < 100 else 30,
            suppress_health_check=list(HealthCheck),
        ),
    )


class TestPlaces:
    """What the histories would seldom meet."""

    def test_a_repeated_text_keeps_its_place_however_it_is_cut(self, client, db, monkeypatch):
        text = "One.\n\nTwo.\n\nOne."
        monkeypatch.setattr(chunking, "MOST_WORDS", 1)
        version = published("leaks", text)
        last = version.placements.order_by("ordinal").last()
        url = f"/passages/{version.pk}/{last.passage_id}/"
        monkeypatch.setattr(chunking, "MOST_WORDS", 150)
        rebuild(version)
        page = client.get(url).context["page"]
        assert (page.before, page.passage, page.stands_today) == ("One.\n\nTwo.\n\n", "One.", True)

    def test_a_piece_of_a_text_without_full_stops_keeps_its_place(self, client, db, monkeypatch):
        version = published("leaks", " ".join(f"word{number % 40}" for number in range(400)))
        second = version.placements.order_by("ordinal")[1]
        monkeypatch.setattr(chunking, "MOST_WORDS", 90)
        rebuild(version)
        page = client.get(f"/passages/{version.pk}/{second.passage_id}/").context["page"]
        assert (len(page.before), page.passage) == (second.start, second.passage.text)

    def test_half_a_sentence_of_today_is_not_the_passage(self, client, db):
        old = published("leaks", "Night flow fell by 4")
        url = f"/passages/{old.pk}/{old.placements.get().passage_id}/"
        published("leaks", "Night flow fell by 40 per cent")
        assert client.get(url).context["page"].stands_today is False

    def test_chinese_sentences_stand_without_a_space_between_them(self, client, db):
        record = draft("leaks", texts={"zh": "夜间流量下降了四成。"})
        publish(record)
        old = record.versions.get()
        url = f"/passages/{old.pk}/{old.placements.get().passage_id}/"
        draft("leaks", texts={"zh": "起初无人知晓。夜间流量下降了四成。后来查明了原因。"})
        publish(record)
        assert client.get(url).context["page"].stands_today is True
