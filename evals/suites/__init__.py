"""Every suite, in the order in which a run tells them: first those that must be perfect."""

from evals.report import Suite
from evals.suites import (
    access,
    answerable,
    commitment,
    false_premise,
    floor,
    followups,
    near_miss,
    no_evidence,
    refusal,
    routing,
    unanswerable,
)

SUITES: dict[str, Suite] = {
    module.SUITE.name: module.SUITE
    for module in (
        refusal,
        near_miss,
        no_evidence,
        access,
        commitment,
        floor,
        routing,
        answerable,
        followups,
        false_premise,
        unanswerable,
    )
}
