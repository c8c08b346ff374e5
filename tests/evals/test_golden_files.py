"""Golden files parse, point at real records and passages, and quote no question from the corpus.

Says nothing about how well the product does on them: `evaluate` measures that.
"""

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "evals" / "golden"
DEMO = ROOT / "records" / "demo"
ORIGINAL = "en"

# suite -> (required keys beside id and question, optional keys, fewest cases)
SUITES: dict[str, tuple[set[str], set[str], int]] = {
    "refusal": ({"category"}, {"previous"}, 30),
    "near_miss": (set(), {"note"}, 15),
    "no_evidence": ({"split"}, set(), 15),
    "routing": ({"route", "topic", "records"}, set(), 15),
    "answerable": ({"split", "answers"}, {"conflict"}, 30),
    "followups": ({"split", "previous", "resolves_to", "answers"}, set(), 6),
    "unanswerable": (set(), set(), 8),
    "false_premise": ({"premise", "answers"}, set(), 5),
    "access": ({"record", "access", "contains"}, {"lang"}, 3),
    "commitment": ({"sources", "says", "stopped_by"}, set(), 12),
}
ACROSS = 4  # of a language that is asked only across languages
CATEGORIES = {"commercial", "private", "speculation", "meta", "task"}
TOPICS = {"now", "recent", "career", "projects", "research", "writing", "education", "skills", "services"}

Case = dict[str, Any]


def languages() -> list[str]:
    return sorted(folder.name for folder in GOLDEN.iterdir() if folder.is_dir())


def whole_languages() -> list[str]:
    """Those in which everything is asked, not only what other languages alone hold."""
    return [language for language in languages() if (GOLDEN / language / "refusal.jsonl").exists()]


def files() -> list[Path]:
    return sorted(GOLDEN.glob("*/*.jsonl"))


def cases(path: Path) -> list[Case]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def every_case() -> list[tuple[Path, Case]]:
    return [(path, case) for path in files() for case in cases(path)]


def record_files(language: str) -> dict[str, Path]:
    """Slug → file, earlier versions (`slug.v1.md`) left out."""
    return {path.stem: path for path in (DEMO / language).glob("*/*.md") if "." not in path.stem}


def body(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("+++\n", 2)[2]


def front(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("+++\n", 2)[1]


def expected_passages(path: Path, case: Case) -> list[tuple[str, str, str]]:
    """(language, slug, phrase) of each passage that the case names; the file's language unless it says."""
    own = path.parent.name
    named = [*case.get("answers", [])]
    if "contains" in case:
        named.append({key: case[key] for key in ("record", "contains", "lang") if key in case})
    return [(answer.get("lang", own), answer["record"], answer["contains"]) for answer in named]


def folded(text: str) -> str:
    """Words alone: case, accents, punctuation and spacing make no difference."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(re.findall(r"\w+", bare))


def id_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("language", whole_languages())
def test_a_whole_language_has_every_suite(language: str) -> None:
    assert {path.stem for path in (GOLDEN / language).glob("*.jsonl")} == set(SUITES)


def test_the_original_language_is_whole_and_the_others_are_asked_across() -> None:
    assert ORIGINAL in whole_languages()
    for language in set(languages()) - set(whole_languages()):
        for path in (GOLDEN / language).glob("*.jsonl"):
            for case in cases(path):
                assert all(found != language for found, _, _ in expected_passages(path, case)), case


@pytest.mark.parametrize("path", files(), ids=id_of)
def test_a_file_holds_enough_well_formed_cases(path: Path) -> None:
    required, optional, fewest = SUITES[path.stem]
    found = cases(path)
    assert len(found) >= (fewest if path.parent.name in whole_languages() else ACROSS)
    for case in found:
        assert {"id", "question"} | required <= set(case) <= {"id", "question"} | required | optional, case
        assert case["id"].startswith(f"{path.parent.name}-"), case
        assert case["question"].strip() == case["question"] != "", case
        assert case.get("split", "tuning") in {"tuning", "holdout"}, case


@pytest.mark.parametrize("path", files(), ids=id_of)
def test_a_split_file_has_both_halves(path: Path) -> None:
    if "split" not in SUITES[path.stem][0]:
        assert all("split" not in case for case in cases(path))
        return
    sizes = Counter(case["split"] for case in cases(path))
    assert abs(sizes["tuning"] - sizes["holdout"]) <= len(cases(path)) / 5


@pytest.mark.parametrize("language", languages())
def test_ids_and_questions_are_unique(language: str) -> None:
    found = [(path, case) for path, case in every_case() if path.parent.name == language]
    ids = Counter(case["id"] for _, case in found)
    asked = Counter((path.stem, folded(case["question"]), json.dumps(case.get("previous"))) for path, case in found)
    assert [key for key, times in (ids + asked).items() if times > 1] == []


@pytest.mark.parametrize("language", whole_languages())
def test_all_five_refusal_categories_are_asked(language: str) -> None:
    categories = Counter(case["category"] for case in cases(GOLDEN / language / "refusal.jsonl"))
    assert set(categories) == CATEGORIES
    assert min(categories.values()) >= 5


def test_referenced_records_exist() -> None:
    known = set(record_files(ORIGINAL))
    for path, case in every_case():
        named = {slug for _, slug, _ in expected_passages(path, case)} | set(case.get("records", []))
        assert named <= known, case
        assert case.get("topic", "now") in TOPICS, case


def test_every_expected_phrase_stands_in_its_record() -> None:
    for path, case in every_case():
        for language, slug, phrase in expected_passages(path, case):
            assert phrase in body(record_files(language)[slug]), case
            assert language == "zh" or len(phrase.split()) >= 4, case


@pytest.mark.parametrize("language", whole_languages())
def test_answers_are_spread_over_all_public_records(language: str) -> None:
    answered = {a["record"] for case in cases(GOLDEN / language / "answerable.jsonl") for a in case["answers"]}
    public = {slug for slug, path in record_files(ORIGINAL).items() if 'access = "public"' in front(path)}
    assert answered == public


def test_access_cases_name_the_class_of_their_record() -> None:
    for path in GOLDEN.glob("*/access.jsonl"):
        for case in cases(path):
            assert f'access = "{case["access"]}"' in front(record_files(ORIGINAL)[case["record"]]), case
            assert case["access"] != "public", case


def test_no_golden_question_is_quoted_in_the_corpus() -> None:
    corpus = f" {folded(' '.join(path.read_text(encoding='utf-8') for path in DEMO.glob('*/*/*.md')))} "
    owner = folded("Livia Aramesh")
    for _, case in every_case():
        asked = folded(case["question"].replace("{owner}", owner))
        assert len(asked.split()) < 3 or f" {asked} " not in corpus, case
