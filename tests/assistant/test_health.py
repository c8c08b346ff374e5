"""What the process says about itself, and to whom."""

import pytest
from django.db import connections
from django.utils import timezone
from pydantic import SecretStr

from assistant import health
from assistant.models import Floor
from records import alerts, corpus
from records.models import EmbeddingSpace

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def environment(settings):
    def change(**values) -> None:
        settings.TRAVA = settings.TRAVA.model_copy(update=values)

    return change


@pytest.fixture
def unreachable_database(settings):
    """Point the connection at a socket that is not there, as after PostgreSQL's death."""
    connection = connections["default"]
    connection.close()
    connection.close_pool()
    before = connection.settings_dict
    connection.settings_dict = {**before, "HOST": "/nowhere", "OPTIONS": {"connect_timeout": 1}}
    yield
    connection.close()
    connection.settings_dict = before


def degraded(client) -> list[str]:
    response = client.get("/readyz")
    assert response.status_code == 200
    return list(response.json()["degraded"])


def metrics_of(client) -> str:
    return client.get("/metrics", headers={"Authorization": "Bearer " + "t" * 20}).content.decode()


def test_a_living_process_says_so_without_a_database(client, unreachable_database):
    assert client.get("/healthz").status_code == 200


def test_without_a_database_nobody_can_be_served(client, unreachable_database):
    assert client.get("/readyz").status_code == 503


def test_alerts_that_nobody_was_told_of_are_counted(client, environment):
    environment(METRICS_TOKEN=SecretStr("t" * 20))
    alerts.alert("ingestion:1", "bread could not be embedded")
    assert "trava_alerts_untold 1.0" in metrics_of(client)


def test_without_a_database_metrics_are_still_served(client, environment, unreachable_database):
    environment(METRICS_TOKEN=SecretStr("t" * 20))
    assert "trava_alerts_untold NaN" in metrics_of(client)


def test_without_its_migrations_nobody_can_be_served(client):
    with connections["default"].cursor() as cursor:
        cursor.execute("UPDATE django_migrations SET app = 'gone' WHERE app = 'assistant'")
    try:
        assert client.get("/readyz").status_code == 503
    finally:
        with connections["default"].cursor() as cursor:
            cursor.execute("UPDATE django_migrations SET app = 'assistant' WHERE app = 'gone'")
    assert client.get("/readyz").status_code == 200


def test_a_site_without_worker_embeddings_and_calibration_is_ready_and_says_what_is_missing(client, environment):
    environment(EMBEDDER="none")
    assert degraded(client) == ["worker", "embedder", "uncalibrated"]


def test_a_dead_redis_degrades(client, environment):
    environment(REDIS_URL=SecretStr("redis://127.0.0.1:1/0"))
    assert degraded(client)[:2] == ["redis", "worker"]


def test_a_floor_belongs_to_its_space_and_corpus(client, small_site):
    space = EmbeddingSpace.objects.create(fingerprint="f", embedder="e", dimensions=2, active=True)
    Floor.objects.create(dense=0.2, words=0.5, space="f", corpus=corpus.fingerprint(), set_at=timezone.now())
    assert not {"uncalibrated", "calibration stale"} & set(degraded(client))
    space.fingerprint = "another"
    space.save()
    assert "calibration stale" in degraded(client)


class TestMetrics:
    def test_without_a_token_in_the_settings_there_is_no_such_page(self, client):
        assert client.get("/metrics").status_code == 404

    @pytest.mark.parametrize("given", [None, "Bearer ", "Bearer wrong", "secret", "Bearer sécret"])
    def test_without_the_token_nothing_is_told(self, client, environment, given):
        environment(METRICS_TOKEN=SecretStr("secret"))
        response = client.get("/metrics", headers={"authorization": given} if given else {})
        assert response.status_code == 401
        assert b"trava" not in response.content

    def test_the_bearer_reads_the_counts(self, client, environment):
        environment(METRICS_TOKEN=SecretStr("secret"))
        response = client.get("/metrics", headers={"authorization": "Bearer secret"})
        assert response.status_code == 200
        assert b"trava_streams" in response.content


def test_the_pending_migrations_are_those_on_disk():
    assert ("assistant", "0001_initial") not in health._last_migrations()
    assert {app for app, _name in health._last_migrations()} >= {"assistant", "records", "metering", "evals"}
