"""How the site was used: what was asked most, in which languages, what was cited, what answers cost and took.

Counted from the turns that are kept: what retention has deleted is in no figure here. The site's own live checks and,
but for the languages and days, what layer 1 refused are left out.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from assistant.models import Citation, Sentence, Turn
from evals.gaps.found import MOST
from evals.gaps.titles import Named, named
from evals.gaps.unanswered import unanswered
from evals.models import GroupedQuestion
from records.access import PUBLIC, visible
from records.models import Record, RecordVersion


@dataclass(frozen=True, slots=True)
class Asked:
    """How often something was asked, and how often that went unanswered or was refused by layer 1."""

    name: str
    count: int
    unanswered: int
    refused: int

    @property
    def day(self) -> date:
        """The name, where days are counted."""
        return date.fromisoformat(self.name)


@dataclass(frozen=True, slots=True)
class TopQuestion:
    """A group of questions: the newest of them, how often it was asked, how often in vain, and in which languages."""

    turn: Turn
    count: int
    unanswered: int
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Used:
    """In how many answers a record was cited."""

    record: Named
    answers: int


@dataclass(frozen=True, slots=True)
class Spread:
    """Half and 95 % of the values lie at or under these; `total`: all of them together."""

    half: int
    most: int
    total: int


@dataclass(frozen=True, slots=True)
class Answers:
    """What the answers of one provider took and cost: `n` of them, milliseconds and micro-USD."""

    provider: str
    n: int
    ms: Spread
    cost: Spread


def languages(start: datetime) -> list[Asked]:
    """Return the split of all questions by the reader's language, the most frequent first."""
    return _asked(_turns(start), "language")


def days(start: datetime, language: str = "") -> list[Asked]:
    """Return every day of the period by the owner's calendar, the oldest first."""
    turns = _in(_turns(start), language).annotate(day=TruncDate("created_at", tzinfo=settings.TRAVA.zone))
    found = {each.name: each for each in _asked(turns, "day")}
    first, today = timezone.localdate(start), timezone.localdate()
    every = [str(first + timedelta(days=step)) for step in range((today - first).days + 1)]
    return [found.get(day, Asked(day, 0, 0, 0)) for day in every]


def top_questions(start: datetime, language: str = "") -> list[TopQuestion]:
    """Return the groups that were asked about most, MOST at most."""
    questions = GroupedQuestion.objects.filter(turn__created_at__gte=start)
    questions = questions.filter(turn__language=language) if language else questions
    rows = (
        questions.values("group")
        .annotate(
            count=Count("pk"), unanswered=Count("pk", filter=unanswered("turn__")), newest=Max("turn__created_at")
        )
        .order_by("-count", "-newest")[:MOST]
    )
    wordings = _newest([row["group"] for row in rows], questions)
    return [
        TopQuestion(
            turn=wordings[row["group"]][0],
            count=row["count"],
            unanswered=row["unanswered"],
            languages=wordings[row["group"]][1],
        )
        for row in rows
    ]


def records(start: datetime, language: str = "") -> list[Used]:
    """Return every record that the public finds today, by the number of answers that cited it, the most used first."""
    cited = Citation.objects.filter(sentence__turn__in=_in(_turns(start), language))
    counts = dict(
        cited.order_by()
        .values_list("version__record")
        .annotate(answers=Count("sentence__turn", distinct=True))
    )  # fmt: skip
    live = RecordVersion.objects.filter(visible(PUBLIC), retired_at=None)
    found = Record.objects.filter(pk__in=live.values("record")).prefetch_related("texts")
    used = [Used(name, counts.get(pk, 0)) for pk, name in named(found).items()]
    return sorted(used, key=lambda each: (-each.answers, each.record.slug))


def answers(start: datetime, language: str = "") -> list[Answers]:
    """Return what answers took and cost, by who worded them; an answer is a turn with a released sentence."""
    said = Exists(Sentence.objects.filter(turn=OuterRef("pk"), ordinal__gt=Sentence.LEAD_IN))
    turns = _in(_turns(start), language).filter(said, ms__isnull=False)
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for provider, ms, cost in turns.values_list("provider", "ms", "cost_microusd"):
        found[provider].append((ms or 0, cost))
    return [
        Answers(provider, len(values), spread([ms for ms, _ in values]), spread([cost for _, cost in values]))
        for provider, values in sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def spread(values: Sequence[int]) -> Spread:
    """Return half, 95 % and sum of at least one value; by nearest rank, so each is a value that occurred."""
    ranked = sorted(values)
    half, most = (ranked[math.ceil(share * len(ranked) / 100) - 1] for share in (50, 95))
    return Spread(half, most, sum(ranked))


def _turns(start: datetime) -> QuerySet[Turn]:
    return Turn.objects.filter(created_at__gte=start, live_check=False).order_by()


def _in(turns: QuerySet[Turn], language: str) -> QuerySet[Turn]:
    return turns.filter(language=language) if language else turns


def _asked(turns: QuerySet[Turn], column: str) -> list[Asked]:
    rows = turns.values_list(column).annotate(
        count=Count("pk"),
        unanswered=Count("pk", filter=unanswered()),
        refused=Count("pk", filter=Q(route=Turn.Route.REFUSAL)),
    )
    return [Asked(str(row[0]), *row[1:]) for row in rows.order_by("-count", column)]


def _newest(groups: Sequence[int], questions: QuerySet[GroupedQuestion]) -> dict[int, tuple[Turn, tuple[str, ...]]]:
    """Return the newest question of each group and the languages of all, the most frequent first."""
    within = questions.filter(group__in=groups)
    newest = within.order_by("group", "-turn__created_at").distinct("group").select_related("turn")
    spoken: dict[int, Counter[str]] = defaultdict(Counter)
    for group, language, count in within.order_by().values_list("group", "turn__language").annotate(count=Count("pk")):
        spoken[group][language] = count
    return {
        each.group_id: (each.turn, tuple(code for code, _ in spoken[each.group_id].most_common())) for each in newest
    }
