"""Every language file keeps what its examples and its case files promise."""

from pathlib import Path

import pytest

from guardrails.check import EXAMPLE_OWNER, failures, patterns, spoken
from guardrails.followup import follow_up
from guardrails.language import available, load
from guardrails.refusal import check
from guardrails.routing import route

CASES = Path(__file__).parent / "cases"


def cases(name, code):
    path = CASES / f"{name}.{code}.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            expected, example = (part.strip() for part in line.split("|", 1))
            yield expected, example


@pytest.mark.parametrize("code", available())
def test_every_pattern_keeps_its_own_examples(code):
    assert [str(failure) for failure in failures(code)] == []


@pytest.mark.parametrize("code", available())
def test_names_of_patterns_are_unique_in_their_category(code):
    names = [(section, kind, pattern.name) for section, kind, pattern in patterns(load(code))]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("code", available())
def test_what_one_language_allows_no_other_refuses(code):
    for section, kind, pattern in patterns(load(code)):
        for example in pattern.allows if section == "refusal" else ():
            assert check(*spoken(example, code), EXAMPLE_OWNER) is None, (kind, pattern.name, example)


@pytest.mark.parametrize("code", available())
def test_expressions_are_few_since_each_runs_on_every_question(code):
    templates = [template for _, _, pattern in patterns(load(code)) for template in pattern.templates]
    assert sum(template.startswith("/") for template in templates) <= 3


# Names are often written in Latin letters, which stand glued to Chinese.
NAMES = [None, EXAMPLE_OWNER.name]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("code", available())
def test_refused_in_its_category(code, name):
    missed = []
    for category, example in cases("refuse", code):
        refusal = check(*spoken(example, code, name), EXAMPLE_OWNER, language=code)
        if not refusal or refusal.category != category:
            missed.append((category, example, refusal))
    assert missed == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("code", available())
def test_not_refused_and_sent_where_it_belongs(code, name):
    missed = []
    for destination, example in cases("pass", code):
        question, before = spoken(example, code, name)
        refusal = check(question, before, EXAMPLE_OWNER, language=code)
        kind = route(question, before, EXAMPLE_OWNER).kind
        if refusal or destination != ("search" if kind == "about" else kind):
            missed.append((destination, example, refusal or kind))
    assert missed == []


@pytest.mark.parametrize("code", available())
def test_follow_ups_by_wording(code):
    missed = []
    for kind, example in cases("follow", code):
        found = follow_up(spoken(example, code)[0], code, "the question before", (), ())
        if kind != (found.kind if found else "alone"):
            missed.append((kind, example, found))
    assert missed == []
