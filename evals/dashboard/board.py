"""Every suite in every language: how it stands, how it went, and what had changed when it broke."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from evals import baseline
from evals.models import Run
from evals.suites import SUITES

SHOWN = 30  # runs of a suite and language, the newest

# What a run's figures belong to, by the name of the column: where one of them differs, so may the figures.
GROUND: dict[str, Promise] = {
    "code_version": _("the program's code"),
    "golden_hash": _("the golden questions"),
    "prompt_version": _("the prompt"),
    "embedder": _("the embedder"),
    "space": _("the embedding space (embedder and centring)"),
    "corpus": _("what is published"),
    "provider": _("who words answers (provider and model)"),
    "floors": _("the floors"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a later run rests on and an earlier one did not: the column and both its values."""

    column: str
    was: str
    now: str

    @property
    def name(self) -> Promise:
        """The column in the owner's words."""
        return GROUND[self.column]


@dataclass(frozen=True, slots=True)
class Line:
    """One suite in one language. `runs`: the oldest first, one at least."""

    suite: str
    language: str
    runs: tuple[Run, ...]

    @property
    def newest(self) -> Run:
        return self.runs[-1]

    @property
    def figure(self) -> str:
        """The name of the figure that speaks for the suite; of one that states none, the first there is."""
        suite = SUITES.get(self.suite)
        return suite.figure if suite else next(iter(self.newest.figures), "")

    @property
    def points(self) -> list[tuple[Run, float | None, int]]:
        """Each run with that figure and its n."""
        figures = (run.figures.get(self.figure, {}) for run in self.runs)
        return [(run, each.get("value"), each.get("n", 0)) for run, each in zip(self.runs, figures, strict=True)]

    @property
    def values(self) -> list[float | None]:
        """That figure in each run; None where it has no case."""
        return [run.figures.get(self.figure, {}).get("value") for run in self.runs]

    @property
    def broken(self) -> "tuple[Run, Run] | None":
        """The last run that held and the first after it that did not, where the newest does not hold."""
        if self.newest.passed:
            return None
        good = [place for place, run in enumerate(self.runs) if run.passed]
        return (self.runs[good[-1]], self.runs[good[-1] + 1]) if good else None

    @property
    def worse(self) -> "tuple[Run, Run] | None":
        """Where the suite has figures that may not get worse: the last two runs between which one did, and still is."""
        for earlier, later in reversed(list(pairwise(self.runs))):
            if _is_worse(self.suite, earlier, later) and _is_worse(self.suite, earlier, self.newest):
                return earlier, later
        return None

    @property
    def fell(self) -> "tuple[Run, Run] | None":
        """The two runs between which the suite broke or got worse; None: it stands as well as it did."""
        return self.broken or self.worse

    @property
    def blamed(self) -> list[Change]:
        """What changed between those two."""
        return changes(*self.fell) if self.fell else []


def changes(earlier: Run, later: Run) -> list[Change]:
    """Return what the two runs rest on and do not share."""
    pairs = ((column, getattr(earlier, column), getattr(later, column)) for column in GROUND)
    return [Change(column, was, now) for column, was, now in pairs if was != now]


def _is_worse(suite: str, earlier: Run, later: Run) -> bool:
    compared = SUITES[suite].compared if suite in SUITES else {}
    return any(
        baseline.is_worse(earlier.figures[name]["value"], later.figures[name]["value"], better)
        for name, better in compared.items()
        if name in earlier.figures and name in later.figures
    )


def lines(suite: str = "", language: str = "") -> list[Line]:
    """Return the newest runs of every suite and language, or of those asked for; two queries at most."""
    runs = Run.objects.all()
    runs = runs.filter(suite=suite) if suite else runs
    runs = runs.filter(language=language) if language else runs
    place = Window(RowNumber(), partition_by=[F("suite"), F("language")], order_by=F("started_at").desc())
    newest = runs.annotate(place=place).filter(place__lte=SHOWN).order_by("started_at", "pk")
    return list(_lines(newest))


def _lines(runs: Iterable[Run]) -> Iterable[Line]:
    grouped: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in runs:
        grouped[run.suite, run.language].append(run)
    known = list(SUITES)
    for suite, language in sorted(grouped, key=lambda key: (_place(known, key[0]), *key)):
        yield Line(suite, language, tuple(grouped[suite, language]))


def _place(known: Sequence[str], suite: str) -> int:
    """Suites stand in the order of a run; one that is known no more comes last."""
    return known.index(suite) if suite in known else len(known)
