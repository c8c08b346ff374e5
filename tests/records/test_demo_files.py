"""The demo's files hold what a first start is shown with: kinds, dates, access classes, caveats."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from records.markdown import blocks

DEMO = Path(__file__).resolve().parents[2] / "records" / "demo"
ORIGINALS = sorted((DEMO / "en").glob("*/*.md"))
LATEST = [path for path in ORIGINALS if "." not in path.stem]
TRANSLATIONS = sorted(set(DEMO.glob("*/*/*.md")) - set(ORIGINALS))
WHOLE = {"en", "fa", "pt"}  # every other language has the CV and the services
REQUIRED = {"title", "summary", "current", "access", "authority", "decided_by", "fields"}
DATES = {"start", "end", "valid_from", "valid_to"}
WORDED = {"title", "summary", "fields", "decided_by"}  # all else is a record's own and the same in every language
FIELDS = {
    "cv": {"organisation", "role", "place", "type"},
    "case-study": {"client", "sector", "place", "technologies"},
    "article": {"topics"},
    "service": {"deliverable", "for_whom"},
}
PARTIAL_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


def front(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8").split("+++\n", 2)[1])


def body(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("+++\n", 2)[2]


@pytest.mark.parametrize("path", ORIGINALS, ids=lambda path: path.stem)
def test_front_matter_is_complete(path: Path) -> None:
    found = front(path)
    assert set(found) >= REQUIRED
    assert set(found) <= REQUIRED | DATES | {"group"}
    assert set(found["fields"]) == FIELDS[path.parent.name]
    assert all(PARTIAL_DATE.fullmatch(found[key]) for key in DATES & set(found))
    assert not (found["current"] and "end" in found)


def original_of(path: Path) -> Path:
    return DEMO / "en" / path.relative_to(DEMO).relative_to(path.relative_to(DEMO).parts[0])


def id_of(path: Path) -> str:
    return "-".join(path.relative_to(DEMO).with_suffix("").parts)


@pytest.mark.parametrize("path", TRANSLATIONS, ids=id_of)
def test_a_translation_says_what_its_original_says(path: Path) -> None:
    """The same facts, sections and paragraphs; numbers and wording are the translator's."""
    own, original = front(path), front(original_of(path))
    assert {"title", "summary", "fields"} <= set(own)
    assert {name: own[name] for name in set(own) - WORDED} == {name: original.get(name) for name in set(own) - WORDED}
    assert set(own["fields"]) <= set(original["fields"])
    assert own["fields"].get("type") in {None, original["fields"].get("type")}
    assert own["title"] != original["title"]
    shapes = [[block.kind for block in blocks(body(each))] for each in (path, original_of(path))]
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("language", sorted({path.relative_to(DEMO).parts[0] for path in TRANSLATIONS}))
def test_a_language_has_all_that_it_is_to_have(language: str) -> None:
    kinds = {"cv", "service", "case-study", "article"} if language in WHOLE else {"cv", "service"}
    wanted = {path.relative_to(DEMO / "en") for path in ORIGINALS if path.parent.name in kinds}
    assert {path.relative_to(DEMO / language) for path in (DEMO / language).glob("*/*.md")} == wanted


def test_there_is_enough_of_each_kind_and_access_class() -> None:
    public = Counter(path.parent.name for path in LATEST if front(path)["access"] == "public")
    assert public >= Counter({"cv": 6, "case-study": 5, "article": 7, "service": 4})
    assert {front(path)["access"] for path in LATEST} == {"public", "restricted", "private"}


def test_slugs_are_unique_across_kinds() -> None:
    assert max(Counter(path.stem for path in LATEST).values()) == 1


def test_an_earlier_version_has_a_later_one() -> None:
    earlier = [path for path in ORIGINALS if path not in LATEST]
    assert earlier
    for path in earlier:
        later = path.with_name(f"{path.name.split('.')[0]}.md")
        assert front(path)["start"] < front(later)["start"]


def test_only_articles_speak_in_the_first_person() -> None:
    for path in LATEST:
        speaks = re.search(r"\b(I|we|our|my)\b", body(path)) is not None
        assert speaks == (path.parent.name == "article"), path.stem


def test_caveats_name_sections_that_exist() -> None:
    relations = tomllib.loads((DEMO / "relations.toml").read_text(encoding="utf-8"))["relation"]
    texts = {path.stem: body(path) for path in LATEST}
    for relation in relations:
        for key in ("section", "needs"):
            assert f"## {relation[key]}\n" in texts[relation["record"]], relation


def test_links_inside_the_site_open_a_record() -> None:
    links = [link for path in ORIGINALS for link in re.findall(r"\]\(/en/([a-z-]+)/([a-z0-9-]+)/\)", body(path))]
    assert links
    assert set(links) <= {(path.parent.name, path.stem) for path in LATEST}
