"""200 questions at once in two processes, and the cap holds: one round of each kind; `spend_rounds` has more."""

import pytest

from tests.assistant.live_site import database_of_this_run
from tests.metering.spend_rounds import Spender, prepare, spenders, undisturbed, with_a_kill


@pytest.mark.django_db(transaction=True)
def test_exactly_as_many_are_let_through_as_fit_and_a_kill_breaks_nothing():
    cap = prepare()
    with spenders(database_of_this_run(), cap) as running:
        undisturbed(running, cap)
        with_a_kill(running, cap, 10, lambda: Spender(database_of_this_run(), cap))
