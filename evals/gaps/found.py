"""The gaps as the owner sees them: each group of unanswered questions with its counts, examples and nearest record."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Max, Min, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from assistant.models import Turn
from evals.gaps import titles
from evals.gaps.titles import Named
from evals.gaps.unanswered import reason, unanswered
from evals.models import GroupedQuestion

PERIODS = (7, 30, 90)  # days
MOST = 100  # gaps on a page
EXAMPLES = 5  # wordings of one gap
LOOKED_AT = 50  # of its newest questions, for other wordings


class State(StrEnum):
    """What became of a gap. It is open again when it is asked anew after it was answered, or, where the owner has set
    it aside, once it has gone unanswered more often since than before.
    """

    OPEN = "open"
    ANSWERED = "answered"
    SET_ASIDE = "set_aside"


@dataclass(frozen=True, slots=True)
class Example:
    """One wording. `follows` is the question before, where it leans on that one."""

    turn: Turn
    text: str
    language: str
    follows: str
    reason: str

    @property
    def keep_until(self) -> datetime:
        return keep_until(self.turn)


@dataclass(frozen=True, slots=True)
class Gap:
    """A group with unanswered questions. `count` and `conversations` are of the period, `first` and `last` of all that
    is kept; the examples are different wordings, the newest first.
    """

    group: int
    state: State
    count: int
    conversations: int
    first: datetime
    last: datetime
    languages: tuple[tuple[str, int], ...]
    examples: tuple[Example, ...]
    nearest: Named | None

    @property
    def text(self) -> str:
        """The newest wording."""
        return self.examples[0].text


def keep_until(turn: Turn) -> datetime:
    """Return when the site itself deletes a question: no copy should outlive it."""
    return turn.created_at + timedelta(days=settings.TRAVA.RETENTION_DAYS)


def since(days: int) -> datetime:
    """Return when a period of so many days began."""
    return timezone.now() - timedelta(days=days)


def gaps(start: datetime, language: str = "", state: State | None = State.OPEN) -> list[Gap]:
    """Return the gaps asked about since `start`, in one language or in any, the most frequent first; MOST at most."""
    within = Q(turn__created_at__gte=start)
    within &= Q(turn__language=language) if language else Q()
    rows = [row for row in _rows(within) if state is None or row["state"] is state][:MOST]
    groups = [row["group"] for row in rows]
    languages, examples = _languages(groups, within), _examples(groups, within)
    nearest = titles.by_slug(slug for found in examples.values() if (slug := _nearest(found)))
    return [
        Gap(
            **{name: row[name] for name in ("group", "state", "count", "conversations", "first", "last")},
            languages=tuple(languages[row["group"]]),
            examples=examples[row["group"]],
            nearest=nearest.get(_nearest(examples[row["group"]])),
        )
        for row in rows
    ]


def standing(groups: Iterable[int]) -> dict[int, tuple[State, datetime]]:
    """Return how groups stand and when they last went unanswered; those that never did are left out."""
    return {row["group"]: (row["state"], row["last"]) for row in _rows(Q(group__in=list(groups)))}


def times_unanswered(group: int) -> int:
    """Return how often a group's questions went unanswered in all that is kept."""
    return _unanswered().filter(group=group).count()


def _unanswered() -> QuerySet[GroupedQuestion]:
    return GroupedQuestion.objects.filter(unanswered("turn__"))


def _rows(within: Q) -> list[dict[str, Any]]:
    rows = (
        _unanswered()
        .values("group", "group__answered_at", "group__set_aside_at", "group__set_aside_count")
        .annotate(
            count=Count("pk", filter=within),
            conversations=Count("turn__conversation", distinct=True, filter=within),
            first=Min("turn__created_at"),
            last=Max("turn__created_at"),
            set_aside_since=Count("pk", filter=Q(turn__created_at__gt=F("group__set_aside_at"))),
        )
        .filter(count__gt=0)
        .order_by("-count", "-last", "group")
    )
    return [{**row, "state": _state(row)} for row in rows]


def _state(row: Mapping[str, Any]) -> State:
    if row["group__set_aside_at"] and row["set_aside_since"] <= row["group__set_aside_count"]:
        return State.SET_ASIDE
    if row["group__answered_at"] and row["last"] <= row["group__answered_at"]:
        return State.ANSWERED
    return State.OPEN


def _languages(groups: Sequence[int], within: Q) -> dict[int, list[tuple[str, int]]]:
    counted = _unanswered().filter(within, group__in=groups).values_list("group", "turn__language")
    found: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for group, language, count in counted.annotate(count=Count("pk")).order_by("-count", "turn__language"):
        found[group].append((language, count))
    return found


def _examples(groups: Sequence[int], within: Q) -> dict[int, tuple[Example, ...]]:
    questions = _unanswered().filter(within, group__in=groups).select_related("turn", "follows")
    found: dict[int, dict[str, Example]] = defaultdict(dict)
    place = Window(RowNumber(), partition_by=["group"], order_by=F("turn__created_at").desc())
    newest = questions.annotate(reason=reason("turn__"), place=place).filter(place__lte=LOOKED_AT)
    for question in newest.order_by("-turn__created_at", "pk"):
        wordings, turn = found[question.group_id], question.turn
        if len(wordings) < EXAMPLES and turn.question not in wordings:
            follows = question.follows.question if question.follows else ""
            wordings[turn.question] = Example(turn, turn.question, turn.language, follows, question.reason)
    return {group: tuple(wordings.values()) for group, wordings in found.items()}


def _nearest(examples: Sequence[Example]) -> str:
    """Return the record that came nearest to the newest wording that found any; empty: none did."""
    return next((str(top[0]["record"]) for each in examples if (top := each.turn.trace.get("top"))), "")
