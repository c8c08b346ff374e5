"""What the checks did with real traffic over a period: how turns ended, what was stopped, what answers cite.

Groundedness here is what the checks found, never that a sentence is true. Every figure has its count and what it is
a share of; a share of nothing is None. Turns that were deleted count by their figures of the day, as far as those go:
`KEPT_ALONE` names the parts that only turns still kept can tell. What the site asked itself is in none.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from assistant.models import Citation, DayFigure, Feedback, GuardrailEvent, Sentence, Turn
from records.models import RecordVersion
from records.standing import Standing, is_expired, standing

PERIODS = (7, 30, 90)  # days
KEPT_ALONE = frozenset({"sources", "standing", "feedback"})
ALL = "all"

_Kind = DayFigure.Kind
_Counts = Counter[tuple[str, str, str]]  # kind, name, language
_MODEL_GUARDS = ("second_try", "model_refusal", "undue_refusal", "not_covered", "language")


@dataclass(frozen=True, slots=True)
class Row:
    """`count` of `of`; `language` where the row is of one."""

    name: str
    count: int
    of: int
    language: str = ""

    @property
    def share(self) -> float | None:
        return self.count / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the figures. `of` says in a word what its rows are shares of."""

    name: str
    of: str
    rows: tuple[Row, ...]

    @property
    def kept_alone(self) -> bool:
        """Whether turns that were deleted are not in it."""
        return self.name in KEPT_ALONE


def parts(days: int, today: date | None = None) -> list[Part]:
    """Return the figures of the last days, `today` included (reads the database, a fixed number of statements)."""
    last = today or timezone.localdate(timezone=settings.TRAVA.zone)
    first = last - timedelta(days=days - 1)
    begin = datetime.combine(first, datetime.min.time(), tzinfo=settings.TRAVA.zone)
    turns = Turn.objects.filter(live_check=False, state=Turn.State.DONE, created_at__gte=begin)
    counts = _of_turns(turns) + _of_days(first)
    return [
        Part("outcomes", "turns", tuple(_outcomes(counts))),
        Part("stopped", "sentences", tuple(_stopped(counts))),
        Part("sources", "sentences", tuple(_sources(turns))),
        Part("standing", "citations", tuple(_standing(turns))),
        Part("opened", "answers", tuple(_opened(counts))),
        Part("model", "turns", tuple(_model(counts))),
        Part("feedback", "votes", tuple(_feedback(turns))),
    ]


def _of_turns(turns: QuerySet[Turn]) -> _Counts:
    counts: _Counts = Counter()
    grouped = turns.order_by().values_list("language", "refusal", "notice", "stop").annotate(n=Count("pk"))
    for language, refusal, notice, stop, n in grouped:
        counts[_Kind.TURNS, "", language] += n
        if refusal:
            counts[_Kind.REFUSAL, refusal, language] += n
        elif notice:
            counts[_Kind.NOTICE, notice, language] += n
        if stop:
            counts[_Kind.STOP, stop, language] += n
    released = Sentence.objects.filter(turn__in=turns, ordinal__gt=Sentence.LEAD_IN).order_by()
    for language, n in released.values_list("turn__language").annotate(n=Count("pk")):
        counts[_Kind.SENTENCES, "", language] += n
    events = GuardrailEvent.objects.filter(turn__in=turns, guard__in=_MODEL_GUARDS).order_by()
    for guard, language, n in events.values_list("guard", "turn__language").annotate(n=Count("pk")):
        counts[_Kind.GUARD, guard, language] += n
    return counts


def _of_days(first: date) -> _Counts:
    counts: _Counts = Counter()
    kept = DayFigure.objects.filter(day__gte=first).values_list("kind", "name", "language", "count")
    for kind, name, language, count in kept:
        counts[kind, name, language] += count
    return counts


def _outcomes(counts: _Counts) -> Iterator[Row]:
    turns = _total(counts, _Kind.TURNS)
    refusals, notices = _by_name(counts, _Kind.REFUSAL), _by_name(counts, _Kind.NOTICE)
    whole = max(0, turns - refusals.total() - notices.total())
    yield Row("answered", whole, turns)
    yield from (Row(f"refused: {name}", count, turns) for name, count in refusals.most_common())
    yield from (Row(f"notice: {name}", count, turns) for name, count in notices.most_common())


def _stopped(counts: _Counts) -> Iterator[Row]:
    """A stop withholds one sentence, and ends the answer; its language's sentences are those released and that one."""
    for language in sorted({code for _, _, code in counts}):
        stops = {name: n for (kind, name, code), n in counts.items() if kind == _Kind.STOP and code == language}
        sentences = counts[_Kind.SENTENCES, "", language] + sum(stops.values())
        if sentences:
            yield Row(ALL, sum(stops.values()), sentences, language)
            yield from (Row(name, n, sentences, language) for name, n in sorted(stops.items()))


def _sources(turns: QuerySet[Turn]) -> Iterator[Row]:
    released = Sentence.objects.filter(turn__in=turns, ordinal__gt=Sentence.LEAD_IN)
    cited = Count("pk", filter=Q(citations__isnull=False), distinct=True)
    quoted = Count("pk", filter=Q(citations__passage__isnull=False), distinct=True)
    found = released.aggregate(n=Count("pk", distinct=True), cited=cited, quoted=quoted)
    yield Row("with a source", found["cited"], found["n"])
    yield Row("with a passage", found["quoted"], found["n"])
    yield Row("without a source", found["n"] - found["cited"], found["n"])


def _standing(turns: QuerySet[Turn]) -> Iterator[Row]:
    """How the versions that answers cite stand today, as the page of an answer says it."""
    citations = Citation.objects.filter(sentence__turn__in=turns, sentence__ordinal__gt=Sentence.LEAD_IN).order_by()
    cited = dict(citations.values_list("version").annotate(n=Count("pk")))
    versions = list(RecordVersion.objects.filter(pk__in=cited).defer("body", "text"))
    records = {version.record_id for version in versions}
    live = RecordVersion.objects.filter(record__in=records, retired_at=None).defer("body", "text")
    today = {(version.record_id, version.language): version for version in live}
    found: Counter[str] = Counter()
    for version in versions:
        stands = standing(version, today.get((version.record_id, version.language)))
        found[stands.value] += cited[version.pk]
        if is_expired(version):
            found["expired"] += cited[version.pk]
    total = sum(cited.values())
    yield from (Row(name, found[name], total) for name in (*(each.value for each in Standing), "expired"))


def _opened(counts: _Counts) -> Iterator[Row]:
    turns, refused = _total(counts, _Kind.TURNS), _total(counts, _Kind.REFUSAL)
    yield Row("opened", _total(counts, _Kind.OPENED), max(0, turns - refused))


def _model(counts: _Counts) -> Iterator[Row]:
    turns, guards = _total(counts, _Kind.TURNS), _by_name(counts, _Kind.GUARD)
    yield from (Row(name, guards[name], turns) for name in _MODEL_GUARDS)


def _feedback(turns: QuerySet[Turn]) -> Iterator[Row]:
    words = Feedback.objects.filter(turn__in=turns)
    found = words.aggregate(
        up=Count("pk", filter=Q(verdict=Feedback.Verdict.UP)),
        down=Count("pk", filter=Q(verdict=Feedback.Verdict.DOWN)),
        reported=Count("pk", filter=Q(reported=True)),
        n=Count("pk"),
    )
    yield from (Row(name, found[name], found["n"]) for name in ("up", "down", "reported"))


def _total(counts: _Counts, kind: str) -> int:
    return sum(n for (each, _, _), n in counts.items() if each == kind)


def _by_name(counts: _Counts, kind: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for (each, name, _), n in counts.items():
        if each == kind:
            found[name] += n
    return found
