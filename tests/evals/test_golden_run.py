"""The whole golden set, on the demo as it ships, through the real embedder, database and turn: the gate of a change.

What must be perfect is perfect, and no figure is worse than the committed baseline's. No model is called.
"""

import pytest
from django.core.management import call_command

from evals import baseline, golden, runs
from evals.ground import Ground
from evals.models import CaseResult, Run
from evals.report import Gate
from evals.suites import SUITES

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def demo():
    """The demo with its shipped vectors: nothing of it is embedded anew."""
    call_command("load_demo", verbosity=0)
    call_command("ingest", verbosity=0)


def test_the_product_is_as_good_as_it_was(demo):
    ground = Ground.now()
    assert ground.embeds
    assert ground.without_vector == 0
    done = runs.run(ground, list(SUITES.values()), golden.languages())
    fallen = {
        f"{run.language} {run.suite.name}": {outcome.case: dict(outcome.detail) for outcome in run.report.failed()}
        for run in done
        if not run.held and run.suite.gate is Gate.PERFECT
    }
    assert fallen == {}

    committed = baseline.read()
    look = "look at the figures, then: manage.py evaluate --write-baseline"
    assert baseline.why_not_compared(committed, ground) is None, look
    assert baseline.other_sets(committed, done) == [], look
    assert baseline.regressions(committed, done) == []

    asked = {run.suite.name for run in done if run.report.outcomes}
    assert asked == set(SUITES)  # an empty suite would hold as well
    kept = runs.store(done, ground)
    assert Run.objects.count() == len(kept) == len(done)
    assert CaseResult.objects.filter(run__suite="refusal").exists()
    assert all(run.passed for run in kept if SUITES[run.suite].gate is Gate.PERFECT)
