import pytest

from guardrails.followup import FollowUp, follow_up
from guardrails.listing import items

PROJECTS = ["Ledger", "Search engine", "Telemetry gateway"]


def ask(question, answer=PROJECTS, titles=PROJECTS):
    return follow_up(question, "en", "Which projects did she do?", answer, titles)


@pytest.mark.parametrize(
    ("question", "position", "item"),
    [
        ("Tell me more about the second", 2, "Search engine"),
        ("the last one?", -1, "Telemetry gateway"),
        ("What about number 3?", 3, "Telemetry gateway"),
        ("the penultimate one", -2, "Search engine"),
        ("and the fifth?", 5, None),
        ("the first or the second one?", None, None),
    ],
)
def test_a_position_is_resolved_where_there_is_no_doubt(question, position, item):
    assert ask(question) == FollowUp("position", position, item)


def test_other_wordings_resolve_nothing():
    assert ask("And why?") == FollowUp("ellipsis", None, None)
    assert ask("Where was this project done?") == FollowUp("pronoun", None, None)


def test_a_question_that_stands_alone_leans_on_nothing():
    assert ask("What does the article on consistent hashing say about queues?") is None


def test_without_a_question_before_nothing_is_a_follow_up():
    assert follow_up("the second one", "en", None, PROJECTS, PROJECTS) is None


@pytest.mark.parametrize(
    ("answer", "titles", "expected"),
    [
        ("- Ledger: an account book [1]\n- Search engine [2]\n", (), ["Ledger", "Search engine"]),
        ("1. **Ledger** ran in 2019.\n2. **Gateway** came later.", (), ["Ledger", "Gateway"]),
        ("She built the search engine and, before it, the Ledger.", PROJECTS, ["Search engine", "Ledger"]),
        ('She wrote "Small indexes" and “Queues without drama”.', (), ["Small indexes", "Queues without drama"]),
        ("她写了《小索引》和《没有戏剧的队列》。", (), ["小索引", "没有戏剧的队列"]),
        ("She built many things in ten years.", PROJECTS, []),
        ('The Ledger is described in "Accounts".', PROJECTS, []),
        (["Ledger", "Gateway"], (), ["Ledger", "Gateway"]),
        (["Ledger ran in 2019.", "The gateway came later."], (), []),
    ],
)
def test_items_of_an_answer(answer, titles, expected):
    assert items(answer, titles) == expected
