"""What a server's process loads before the first question is no work for the garbage collector afterwards."""

import subprocess
import sys

PROGRAM = """
import gc
import config.asgi
from assistant import warm_up
warm_up._thread.join()
print(gc.get_freeze_count() > 10 * len(gc.get_objects()))
"""


def test_what_was_loaded_is_taken_out_of_the_collectors_sight():
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True"]
