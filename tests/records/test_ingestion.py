"""Work survives whoever does it: leases, pauses, sweeps; and a step done twice is done once."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO

import psycopg.conninfo
import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.utils import timezone

from metering.models import Charge
from records import embedding, ingestion, spaces, vectors
from records.models import IngestionStep, SearchEntry
from tests.records.vector_space import embedder_name, published

BREAD = "Knead flour, water and yeast for ten minutes."
MOON = "The moon has neither air nor sound."


def step_of(version):
    return IngestionStep.objects.get(version=version, step="embeddings")


def time_passes(step):
    """Let a lease or a pause end."""
    IngestionStep.objects.filter(pk=step.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def without_vector():
    return SearchEntry.objects.filter(vector=None).count()


@pytest.fixture
def outage():
    """No embedder runs here: its CPU lacks what it needs."""
    from metering import embedders
    from metering.embedders import bundled

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedders, "_made", {})
        patch.setattr(bundled, "CPU_INFO", bundled.Path(__file__))
        patch.setattr(bundled.platform, "machine", lambda: "x86_64")
        yield


@pytest.mark.django_db
class TestRun:
    def test_a_published_version_is_embedded_once(self):
        version = published("bread", BREAD)
        assert [ingestion.run(version.pk), ingestion.run(version.pk)] == [True, False]
        assert (step_of(version).state, without_vector(), Charge.objects.count()) == ("done", 0, 1)

    def test_a_version_nobody_asked_for_is_left_alone(self):
        assert not ingestion.run(4711)

    def test_an_outage_is_waited_for_however_long_it_lasts(self, outage):
        version = published("bread", BREAD)
        for _ in range(ingestion.ATTEMPTS + 2):
            assert ingestion.run(version.pk)
            step = step_of(version)
            assert (step.state, step.lease_until > timezone.now()) == ("waiting", True)
            assert not ingestion.run(version.pk)
            time_passes(step)
        assert "AVX2" in step_of(version).error

    def test_what_fails_for_no_outside_reason_is_given_up_and_says_why(self, tmp_path, monkeypatch, caplog):
        monkeypatch.setattr(embedding, "DEMO", tmp_path / "vectors.txt")
        embedding.DEMO.write_text(f"{embedder_name()}\nno vector at all\n")
        version = published("bread", BREAD)
        for _ in range(ingestion.ATTEMPTS):
            assert step_of(version).state == "waiting"
            ingestion.run(version.pk)
            time_passes(step_of(version))
        assert not ingestion.run(version.pk)
        assert step_of(version).state == "failed"
        assert step_of(version).error.startswith("ValueError: ")
        assert "could not be embedded" in caplog.text

    def test_without_an_embedder_there_is_nothing_to_do(self, settings):
        settings.TRAVA = settings.TRAVA.model_copy(update={"EMBEDDER": "none"})
        version = published("bread", BREAD)
        assert ingestion.sweep(10) == 1
        assert ingestion.sweep(10) == 0
        assert (step_of(version).state, without_vector()) == ("done", 1)

    def test_whoever_lost_the_lease_does_not_write_the_outcome(self):
        version = published("bread", BREAD)
        slow = ingestion._take(ingestion._due())
        time_passes(slow)
        assert ingestion._take(ingestion._due()) == slow
        ingestion._do(slow)
        assert (step_of(version).state, step_of(version).attempts) == ("running", 2)


@pytest.mark.django_db
class TestSweep:
    def test_waiting_steps_are_done_oldest_first(self):
        versions = [published("bread", BREAD), published("moon", MOON)]
        seen = []
        assert ingestion.work(60, lambda step: seen.append(step.version)) == 2
        assert seen == versions

    def test_no_step_is_begun_after_the_time_is_up(self):
        published("bread", BREAD)
        assert ingestion.work(0) == 0

    def test_what_was_published_without_an_embedder_is_embedded_when_there_is_one(self, settings):
        chosen = settings.TRAVA
        settings.TRAVA = chosen.model_copy(update={"EMBEDDER": "none"})
        published("bread", BREAD)
        ingestion.sweep(60)
        settings.TRAVA = chosen
        assert ingestion.sweep(60) == 1
        assert without_vector() == 0

    def test_a_new_background_gives_every_entry_a_new_vector_and_embeds_no_passage(self, tmp_path, monkeypatch):
        versions = [published("bread", BREAD), published("moon", MOON)]
        ingestion.sweep(60)
        before = dict(SearchEntry.objects.values_list("pk", "vector"))
        monkeypatch.setattr(spaces, "BACKGROUND", tmp_path)
        monkeypatch.setattr(spaces, "SHIPPED", tmp_path / "vectors.txt")
        (tmp_path / "en.txt").write_text("Rain?\n\nRain.\n")
        spaces.background.cache_clear()
        Charge.objects.all().delete()
        try:
            assert ingestion.sweep(60) == len(versions)
            assert ingestion.sweep(60) == 0
        finally:
            spaces.background.cache_clear()
        after = dict(SearchEntry.objects.values_list("pk", "vector"))
        assert all(after[pk] != before[pk] for pk in before)
        assert Charge.objects.count() == 2  # one background question and one statement


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_two_workers_never_do_the_same_step(self):
        version = published("bread", BREAD)

        def call(_):
            try:
                return ingestion.run(version.pk)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(4) as threads:
            assert sorted(threads.map(call, range(4))) == [False, False, False, True]
        assert Charge.objects.count() == 1

    def test_the_sweep_takes_up_what_a_killed_worker_left(self):
        text = "A long paragraph about flour, water, salt, yeast, ovens and patience. " * 8
        version = published("bread", "\n\n".join(f"# Part {part}\n\n{part} {text}" for part in "ABC"))
        worker = worker_process(f"from records import ingestion; ingestion.run({version.pk})")
        wait_until(lambda: step_of(version).state == "running")
        worker.send_signal(signal.SIGKILL)
        worker.wait(20)
        assert (step_of(version).state, without_vector()) == ("running", 3)
        assert ingestion.sweep(0.5) == 0
        time_passes(step_of(version))
        assert ingestion.sweep(60) == 1
        assert (step_of(version).state, without_vector()) == ("done", 0)


@pytest.mark.django_db
class TestCommands:
    def test_ingest_does_what_is_due_and_names_it(self):
        published("bread", BREAD)
        out = StringIO()
        call_command("ingest", stdout=out)
        assert out.getvalue().splitlines() == ["bread (en) v1: done", "1 of 1 due versions done"]
        assert without_vector() == 0

    def test_ingest_all_looks_again_at_what_failed(self):
        version = published("bread", BREAD)
        IngestionStep.objects.filter(version=version).update(state="failed", attempts=9, error="ValueError: x")
        call_command("ingest", stdout=StringIO())
        assert step_of(version).state == "failed"
        call_command("ingest", "--all", stdout=StringIO())
        assert (step_of(version).state, step_of(version).error) == ("done", "")

    def test_ingest_fails_where_something_is_left_undone(self, outage):
        published("bread", BREAD)
        out = StringIO()
        with pytest.raises(CommandError, match="1 versions are not embedded"):
            call_command("ingest", stdout=out)
        assert "bread (en) v1: waiting EmbeddingUnavailable" in out.getvalue()

    def test_ship_vectors_writes_what_a_first_start_needs(self, tmp_path, monkeypatch):
        monkeypatch.setattr(spaces, "SHIPPED", tmp_path / "background.txt")
        monkeypatch.setattr(spaces, "BACKGROUND", tmp_path)
        (tmp_path / "en.txt").write_text("Rain?\n\nRain.\n")
        spaces.background.cache_clear()
        monkeypatch.setattr(embedding, "DEMO", tmp_path / "demo.txt")
        version = published("bread", BREAD)
        try:
            call_command("ship_vectors", stdout=StringIO())
            background = spaces.background()
        finally:
            spaces.background.cache_clear()
        assert list(background) == ["en"]
        assert len(vectors.read(tmp_path / "background.txt", embedder_name())) == 2
        entry = SearchEntry.objects.get(placement__version=version)
        assert list(vectors.read(tmp_path / "demo.txt", embedder_name())) == [entry.content_hash]


def worker_process(code):
    """Run code in a process of its own on this test's database."""
    parts = connections["default"].settings_dict
    address = psycopg.conninfo.make_conninfo(
        host=parts["HOST"],
        port=parts["PORT"] or None,
        user=parts["USER"],
        password=parts["PASSWORD"],
        dbname=parts["NAME"],
    )
    environment = {**os.environ, "DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.Popen([sys.executable, "-c", f"import django; django.setup(); {code}"], env=environment)


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
