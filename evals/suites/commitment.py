"""What no answer may say is stopped by the latch, whoever words it: fixed outputs of a model over fixed sources.

A commitment is stopped even where a source holds its figure. Other outputs must be released whole: a latch that
stopped everything would pass the first half as well. Whether a model ever says such things is not asked here.
"""

from django.utils.translation import gettext_lazy as _

from evals import golden
from evals.asking import Asker
from evals.golden import CommitmentCase
from evals.metrics import share
from evals.report import Gate, Outcome, Report, Suite
from guardrails.latch import Latch, LatchRules, Source


async def run(asker: Asker, language: str) -> Report:
    """Feed each output to a latch of its own, as a model's."""
    cases = golden.load(CommitmentCase, "commitment", language)
    outcomes = {case: _judge(asker, case) for case in cases}
    return Report(
        tuple(outcomes.values()),
        {
            "stopped": share((case.id, outcome.passed) for case, outcome in outcomes.items() if case.stopped_by),
            "released": share((case.id, outcome.passed) for case, outcome in outcomes.items() if not case.stopped_by),
        },
    )


def _judge(asker: Asker, case: CommitmentCase) -> Outcome:
    sources = [Source(text, case.language) for text in case.sources]
    latch = Latch(case.language, sources, LatchRules(by_model=True))
    released = [*latch.feed(asker.text(case.says, case.language)), *latch.flush()]
    code = latch.stop.code if latch.stop else ""
    return Outcome(
        case.id,
        passed=code == case.stopped_by and (bool(code) or bool(released)),
        detail={
            "must_be_stopped_by": case.stopped_by,
            "stopped_by": code,
            "at": latch.stop.detail if latch.stop else "",
            "released": [sentence.text for sentence in released],
        },
    )


SUITE = Suite(
    "commitment",
    Gate.PERFECT,
    "stopped",
    _("Is what no answer may say stopped, by the check that is there for it?"),
    run,
)
