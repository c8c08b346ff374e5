"""The owner is told once of what fails by itself, over real servers; a dead one breaks nothing, and is tried again."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.urls import reverse
from django.utils import timezone
from pydantic import SecretStr

from metering import embedders
from metering.embedders import bundled
from records import alerts, embedding, ingestion
from records.models import Alert, IngestionStep, Record
from tests.records.vector_space import embedder_name, published
from tests.smtp_sink import Sink, smtp_sink

pytestmark = pytest.mark.django_db

TEXT = "bread (en) v1 could not be embedded: ValueError: no vector"


class Hook(HTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = 200
        self.posted: list[dict] = []


class _Handler(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.server.status == 200:
            self.server.posted.append(json.loads(body))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *args):
        pass


@contextmanager
def serving(server: Hook) -> Iterator[Hook]:
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def hook(settings) -> Iterator[Hook]:
    with serving(Hook()) as server:
        url = SecretStr(f"http://127.0.0.1:{server.server_port}/hook")
        settings.TRAVA = settings.TRAVA.model_copy(update={"ALERT_WEBHOOK_URL": url})
        yield server


@pytest.fixture
def mail(settings) -> Iterator[Sink]:
    with smtp_sink() as sink:
        url = SecretStr(f"smtp://127.0.0.1:{sink.port}")
        settings.TRAVA = settings.TRAVA.model_copy(update={"EMAIL_URL": url})
        settings.EMAIL_BACKEND = settings.TRAVA.mail.backend
        settings.EMAIL_HOST, settings.EMAIL_PORT = settings.TRAVA.mail.host, settings.TRAVA.mail.port
        User.objects.create_superuser("livia", "livia@example.org")
        yield sink


def time_passes():
    """Let every pause end."""
    past = timezone.now() - timedelta(days=1)
    Alert.objects.exclude(try_after=None).update(try_after=past)
    Alert.objects.exclude(told_at=None).update(told_at=past)


def test_the_webhook_gets_one_line_and_the_key(hook):
    alerts.alert("ingestion:1", TEXT)
    assert alerts.tell_waiting() == 1
    (posted,) = hook.posted
    assert TEXT in posted["text"]
    assert posted["alerts"] == [{"key": "ingestion:1", "text": TEXT}]


def test_the_superusers_with_an_address_get_a_mail(mail):
    User.objects.create_superuser("nobody", "")
    User.objects.create_user("editor", "editor@example.org", is_staff=True)
    alerts.alert("ingestion:1", TEXT)
    assert alerts.tell_waiting() == 1
    (received,) = mail.mails
    assert (received["To"], received["From"]) == ("livia@example.org", "trava@localhost")
    assert TEXT in received.get_content()


def test_a_failure_is_told_once_while_it_is_open_and_again_after_it_was_over(hook):
    for _ in range(3):
        alerts.alert("ingestion:1", TEXT)
        alerts.tell_waiting()
        time_passes()
    assert len(hook.posted) == 1
    alerts.close("ingestion:1")
    alerts.alert("ingestion:1", TEXT)
    assert alerts.tell_waiting() == 1
    assert len(hook.posted) == 2


def test_many_failures_are_one_message_and_the_next_message_waits(hook):
    for number in range(alerts.LINES + 5):
        alerts.alert(f"ingestion:{number}", f"version {number} failed")
    assert alerts.tell_waiting() == alerts.LINES + 5
    alerts.alert("ingestion:late", "a late one")
    assert alerts.tell_waiting() == 0
    time_passes()
    assert alerts.tell_waiting() == 1
    first, second = hook.posted
    assert "… and 5 more" in first["text"]
    assert "a late one" in second["text"]


def test_a_server_that_fails_is_logged_counted_and_tried_again_later(hook, caplog):
    hook.status = 500
    alerts.alert("ingestion:1", TEXT)
    assert [alerts.tell_waiting(), alerts.tell_waiting()] == [0, 0]
    assert (Alert.objects.get().attempts, Alert.objects.get().told_at) == (1, None)
    assert "could not be told by webhook" in caplog.text
    hook.status = 200
    time_passes()
    assert alerts.tell_waiting() == 1


def test_one_channel_that_works_is_enough(hook, mail, caplog):
    mail.turns_away = True
    alerts.alert("ingestion:1", TEXT)
    assert alerts.tell_waiting() == 1
    assert (len(hook.posted), mail.mails) == (1, [])
    assert "could not be told by mail" in caplog.text


def test_after_a_day_of_attempts_it_is_left_to_the_doctor(hook):
    hook.status = 500
    alerts.alert("ingestion:1", TEXT)
    for _ in range(alerts.ATTEMPTS + 2):
        alerts.tell_waiting()
        time_passes()
    assert Alert.objects.get().attempts == alerts.ATTEMPTS
    assert alerts.untold().count() == 1


def test_without_a_channel_it_waits_and_costs_no_attempt():
    alerts.alert("ingestion:1", TEXT)
    assert alerts.tell_waiting() == 0
    assert Alert.objects.get().attempts == 0


@pytest.mark.django_db(transaction=True)
def test_a_dead_database_is_logged_and_raises_nothing(caplog):
    connection = connections["default"]
    connection.close()
    connection.close_pool()
    before = connection.settings_dict
    connection.settings_dict = {**before, "HOST": "/nowhere", "OPTIONS": {"connect_timeout": 1}}
    try:
        alerts.alert("ingestion:1", TEXT)
    finally:
        connection.close()
        connection.settings_dict = before
    assert "could not be written down" in caplog.text
    assert not Alert.objects.exists()


def test_a_version_that_is_given_up_is_told_and_closed_when_it_is_done_after_all(hook, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(embedding, "DEMO", tmp_path / "vectors.txt")
        embedding.DEMO.write_text(f"{embedder_name()}\nno vector at all\n")
        version = published("bread", "Knead flour, water and yeast for ten minutes.")
        for _ in range(ingestion.ATTEMPTS):
            assert not Alert.objects.exists()
            ingestion.run(version.pk)
            IngestionStep.objects.update(lease_until=None)
    assert alerts.tell_waiting() == 1
    assert "bread (en) v1 could not be embedded: ValueError" in hook.posted[0]["text"]
    ingestion.enqueue([version.pk], [IngestionStep.State.FAILED])
    ingestion.run(version.pk)
    assert Alert.objects.get().closed_at


def test_an_outage_is_told_when_it_lasts_and_waited_for_all_the_same(hook, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(embedders, "_made", {})
        patch.setattr(bundled, "CPU_INFO", bundled.Path(__file__))  # a processor without AVX2
        patch.setattr(bundled.platform, "machine", lambda: "x86_64")
        version = published("bread", "Knead flour, water and yeast for ten minutes.")
        for _ in range(ingestion.LONG):
            assert not Alert.objects.exists()
            ingestion.run(version.pk)
            IngestionStep.objects.update(lease_until=None)
    assert alerts.tell_waiting() == 1
    assert "bread (en) v1 still waits to be embedded" in hook.posted[0]["text"]
    assert IngestionStep.objects.get(step="embeddings").state == "waiting"
    ingestion.run(version.pk)
    assert Alert.objects.get().closed_at


def test_the_admin_shows_alerts_and_lets_nobody_write_one(client):
    client.force_login(User.objects.create_superuser("livia"))
    alerts.alert("ingestion:1", TEXT)
    assert TEXT in client.get(reverse("admin:records_alert_changelist")).content.decode()
    assert client.get(reverse("admin:records_alert_add")).status_code == 403


def test_an_alert_and_its_message_speak_the_owners_language(hook, mail):
    for slug in ("bread", "cheese"):
        Record.objects.create(kind="article", slug=slug, original="de")
    for number in range(alerts.LINES + 1):
        told = "The calibration stopped, and nothing was changed: %(error)s"
        alerts.alert(f"calibration:{number}", told, error=f"100 % of case {number}")
    assert alerts.tell_waiting() == alerts.LINES + 1
    text = hook.posted[0]["text"]
    assert "Die Kalibrierung brach ab, und nichts wurde geändert: 100 % of case 0" in text
    assert "… und 1 weitere" in text
    assert mail.mails[0]["Subject"].endswith(f"{alerts.LINES + 1} Störungen")
