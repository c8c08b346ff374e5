import random
import sys

import pytest

from launcher.console import say
from tests.launcher import kill_rounds

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the rounds read /proc")


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    made = tmp_path_factory.mktemp("killed")
    for folder in (made, *made.parents[:2]):
        folder.chmod(0o711)
    return made, kill_rounds.make_table(made, "services")


@pytest.mark.parametrize(("number", "victim"), [*enumerate(kill_rounds.VICTIMS["services"], 1)])
def test_a_kill_at_a_random_moment_leaves_nothing_running_and_loses_nothing(state, number, victim):
    seed = random.SystemRandom().randrange(10**6)
    say(f"seed {seed}")
    folder, span = state
    kill_rounds.play(folder, "services", victim, number, random.Random(seed), span)
