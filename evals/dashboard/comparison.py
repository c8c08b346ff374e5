"""Two runs case by case, and one case over all its runs: what changed stands first, what is unstable is marked."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.contrib.postgres.aggregates import BoolAnd, BoolOr
from django.db.models import QuerySet

from evals.dashboard.board import GROUND
from evals.models import CaseResult, Run


class Verdict(StrEnum):
    """What became of a case between two runs, in the order of a reader's interest."""

    BROKEN = "broken"
    MENDED = "mended"
    NEW = "new"
    GONE = "gone"
    FAILING = "failing"
    OTHERWISE = "otherwise"  # passes as before, and differs in what it gave
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Pair:
    """A case in the earlier and the later run; None where that run did not have it. `question`: empty if it is gone."""

    case: str
    question: str
    was: CaseResult | None
    now: CaseResult | None

    @property
    def verdict(self) -> Verdict:
        if self.was is None:
            return Verdict.NEW
        if self.now is None:
            return Verdict.GONE
        if self.was.passed != self.now.passed:
            return Verdict.MENDED if self.now.passed else Verdict.BROKEN
        if not self.now.passed:
            return Verdict.FAILING
        return Verdict.SAME if self.was.detail == self.now.detail else Verdict.OTHERWISE

    @property
    def details(self) -> list[tuple[str, object, object]]:
        """Every detail that either run gave: its name and both values."""
        was, now = (each.detail if each else {} for each in (self.was, self.now))
        return [(name, was.get(name), now.get(name)) for name in dict.fromkeys([*was, *now])]


def compare(earlier: Run, later: Run, questions: Mapping[str, str]) -> list[Pair]:
    """Return every case of either run: first what changed, what broke before all."""
    was, now = ({result.case: result for result in run.cases.all()} for run in (earlier, later))
    pairs = [
        Pair(case, questions.get(case, ""), was.get(case), now.get(case)) for case in sorted(was.keys() | now.keys())
    ]
    order = list(Verdict)
    return sorted(pairs, key=lambda pair: (order.index(pair.verdict), pair.case))


def alone(run: Run, questions: Mapping[str, str]) -> list[Pair]:
    """Return every case of a run that has none before it, in the order of their names."""
    return [Pair(each.case, questions.get(each.case, ""), None, each) for each in run.cases.order_by("case")]


def unstable(results: QuerySet[CaseResult]) -> frozenset[str]:
    """Return the cases that both passed and failed on the same ground: nothing but chance can tell such runs apart."""
    grounds = results.order_by().values("case", *(f"run__{column}" for column in GROUND))
    verdicts = grounds.annotate(all_passed=BoolAnd("passed"), one_passed=BoolOr("passed"))
    return frozenset(verdicts.filter(all_passed=False, one_passed=True).values_list("case", flat=True))


def unstable_in(run: Run, looked_back: int = 30) -> frozenset[str]:
    """Return the unstable cases of a run's suite and language, told from its last runs."""
    recent = Run.objects.filter(suite=run.suite, language=run.language).values_list("pk", flat=True)[:looked_back]
    return unstable(CaseResult.objects.filter(run__in=list(recent)))


def history(case: str, limit: int = 200) -> list[CaseResult]:
    """Return what one case gave in its runs, the newest first."""
    results = CaseResult.objects.filter(case=case).select_related("run").defer("run__figures")
    return list(results.order_by("-run__started_at")[:limit])
