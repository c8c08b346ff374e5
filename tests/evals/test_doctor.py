"""The doctor sees what is missing, stale or unwise, says what to do, and shows no secret."""

import io
import json
import os
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.utils import timezone
from django_celery_beat.models import IntervalSchedule, PeriodicTask
from pydantic import SecretStr

from assistant import floors
from assistant.models import Conversation, Floor, Turn
from config.environment import Environment, read
from evals.doctor import configuration, content, services
from evals.doctor.finding import State
from records import alerts, corpus
from records.models import IngestionStep, Owner, SearchEntry
from records.publishing import publish
from tests.evals import site
from tests.records.drafts import draft

NOBODY = "redis://127.0.0.1:1/0"  # a port that is never served


class TestConfiguration:
    def test_every_setting_is_listed_with_its_description(self):
        listed = {item.name: item.description for item in configuration.settings(read())}
        assert set(listed) == set(Environment.model_fields)
        assert all(listed.values())

    def test_a_secret_is_masked_and_an_empty_one_shows_as_empty(self):
        environment = read().model_copy(update={"SECRET_KEY": SecretStr("hunter2")})
        shown = {item.name: item.value for item in configuration.settings(environment)}
        assert shown["SECRET_KEY"] == configuration.HIDDEN
        assert shown["METRICS_TOKEN"] == ""
        assert "hunter2" not in repr(configuration.settings(environment))

    @pytest.mark.parametrize(
        ("secret_key", "debug", "site_url", "bare", "noted"),
        [
            ("", False, "http://localhost:8000", False, {"SECRET_KEY"}),
            ("short", False, "http://localhost:8000", False, {"SECRET_KEY"}),
            ("x" * 50, True, "http://localhost:8000", False, set()),
            ("x" * 50, True, "https://livia.example", False, {"DEBUG"}),
            ("x" * 50, False, "http://livia.example", False, {"SITE_URL"}),
            ("x" * 50, False, "https://livia.example", True, {"EMAIL_URL"}),
        ],
    )
    def test_what_is_unwise_in_public_is_noted(self, secret_key, debug, site_url, bare, noted):
        found = configuration.examine(secret_key, debug, site_url, bare)
        assert {finding.check for finding in found if finding.state is State.NOTE} == noted

    def test_what_is_set_without_effect_is_noted(self):
        assert list(configuration.idle(Environment.model_construct())) == []
        (finding,) = configuration.idle(Environment.model_construct({"RERANKER"}, RERANKER="none"))
        assert finding.state is State.NOTE
        assert finding.seen.startswith("RERANKER: ")


class TestServices:
    @pytest.mark.django_db
    def test_the_database_and_its_extension_are_well(self):
        assert services.database(os.environ["DATABASE_URL"]).state is State.OK
        assert services.pgvector().state is State.OK
        assert services.migrations().state is State.OK

    def test_a_database_that_does_not_answer_is_a_problem_with_a_remedy(self):
        finding = services.database("postgresql://somebody:hunter2@127.0.0.1:1/none")
        assert finding.state is State.PROBLEM
        assert "DATABASE_URL" in finding.remedy
        assert "hunter2" not in finding.seen

    def test_redis_is_asked_for_its_version(self, valkey):
        url = "redis://{username}:{password}@{host}:{port}/{db}"
        arguments = valkey.connection_pool.connection_kwargs
        finding = services.redis_server(url.format(**{"username": "", **arguments}))
        assert finding.state is State.OK
        assert any(character.isdigit() for character in finding.seen)

    def test_redis_that_does_not_answer_is_a_problem_with_a_remedy(self):
        finding = services.redis_server(NOBODY)
        assert finding.state is State.PROBLEM
        assert "REDIS_URL" in finding.remedy

    def test_no_worker_is_a_problem(self, valkey):
        assert services.worker().state is State.PROBLEM

    @pytest.mark.django_db
    @pytest.mark.parametrize(
        ("age", "began", "state"),
        [
            (None, timedelta(hours=1), State.PROBLEM),
            (timedelta(minutes=1), timedelta(hours=1), State.OK),
            (timedelta(hours=1), timedelta(hours=1), State.PROBLEM),
            (None, timedelta(minutes=2), State.NOTE),
            (timedelta(hours=1), timedelta(minutes=2), State.NOTE),
        ],
    )
    def test_beat_that_fell_silent_is_found_and_one_that_just_began_is_given_time(self, age, began, state):
        now = timezone.now()
        PeriodicTask.objects.all().delete()
        every_minute, _ = IntervalSchedule.objects.get_or_create(every=60, period="seconds")
        PeriodicTask.objects.create(name="sweep", task="t", interval=every_minute, last_run_at=age and now - age)
        PeriodicTask.objects.update(date_changed=now - began)
        [finding] = services.repeated_work(now)
        assert finding.state == state
        assert ("2 min since it began" in finding.seen) is (state == State.NOTE)


@pytest.mark.django_db
class TestContent:
    def test_steps_that_wait_are_noted_and_failed_ones_are_a_problem(self):
        site.build()
        (waiting,) = content.ingestion()
        assert waiting.state is State.NOTE
        IngestionStep.objects.update(state="done")
        IngestionStep.objects.filter(pk=IngestionStep.objects.first().pk).update(state="failed", error="Odd: text")
        (failed,) = content.ingestion()
        assert failed.state is State.PROBLEM
        assert "Odd: text" in failed.seen

    def test_missing_vectors_are_counted(self):
        assert "nothing is published" in content.vectors().seen
        site.build()
        total = SearchEntry.objects.count()
        assert f"{total} of {total}" in content.vectors().seen

    def test_floors_go_from_uncalibrated_over_calibrated_to_stale(self):
        assert floors.state() == "uncalibrated"
        Floor.objects.create(dense=0.3, words=0.5, space="", corpus=corpus.fingerprint())
        assert floors.state() == "calibrated"
        site.build()
        assert floors.state() == "stale"
        assert content.calibration().state is State.NOTE

    def test_personal_data_that_waits_for_the_owner_is_noted_with_its_record(self):
        site.build()
        assert content.personal_data().state is State.OK
        publish(draft("quay", "Write to a@holm.example."))
        assert content.personal_data().state is State.NOTE
        assert "1 values wait for a decision, in quay" in content.personal_data().seen
        Owner.objects.update(allowed=["a@holm.example"])
        assert content.personal_data().state is State.OK

    def test_questions_that_should_be_gone_are_a_problem(self):
        assert content.retention_kept().state is State.OK
        talk = Conversation.objects.create(language="en")
        turn = Turn.objects.create(conversation=talk, ordinal=1, question="?", language="en", deadline=timezone.now())
        Turn.objects.filter(pk=turn.pk).update(created_at=timezone.now() - timedelta(days=92))
        assert content.retention_kept().state is State.PROBLEM

    def test_alerts_that_reach_nobody_are_noted_and_untold_ones_are_a_problem(self, settings):
        (nobody,) = content.alerting()
        assert nobody.state is State.NOTE
        url = SecretStr("http://127.0.0.1:1/hook")
        settings.TRAVA = settings.TRAVA.model_copy(update={"ALERT_WEBHOOK_URL": url})
        (well,) = content.alerting()
        assert (well.state, "webhook" in well.seen) == (State.OK, True)
        alerts.alert("ingestion:1", "bread could not be embedded")
        alerts.tell_waiting()
        (untold,) = content.alerting()
        assert (untold.state, "bread" in untold.seen) == (State.PROBLEM, True)


@pytest.mark.django_db
class TestCommand:
    def test_a_problem_fails_the_command_and_is_told_with_what_to_do(self, settings, valkey):
        settings.TRAVA = settings.TRAVA.model_copy(update={"REDIS_URL": SecretStr(NOBODY)})
        out = io.StringIO()
        with pytest.raises(CommandError, match="Redis"):
            call_command("doctor", stdout=out)
        told = out.getvalue()
        assert "→" in told
        assert all(name in told for name in Environment.model_fields)

    def test_json_shows_settings_and_findings_and_no_password(self, settings, valkey):
        settings.TRAVA = settings.TRAVA.model_copy(update={"REDIS_URL": SecretStr(NOBODY)})
        out = io.StringIO()
        with pytest.raises(CommandError):
            call_command("doctor", "--json", stdout=out)
        document = json.loads(out.getvalue())
        assert {item["name"] for item in document["settings"]} == set(Environment.model_fields)
        assert {"PostgreSQL", "pgvector", "Redis", "embedder", "floors"} <= {
            item["check"] for item in document["findings"]
        }
        password = connections["default"].settings_dict["PASSWORD"]
        assert not password or password not in out.getvalue()
