"""The weekly mail reaches the owner once, says what went unanswered, and lets no personal data out."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from pydantic import SecretStr

from assistant import own_data
from evals import tasks
from evals.gaps import mail
from evals.models import WeeklyMail
from records import ingestion
from records.models import Alert, Record
from tests.evals import site
from tests.evals.gaps.visitors import BATTERY, COLOUR, COLOUR_TOO, TOMATOES, ask, group
from tests.smtp_sink import Sink, smtp_sink

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _published():
    site.build()
    ingestion.work(seconds=60)


@pytest.fixture
def server(settings) -> Iterator[Sink]:
    with smtp_sink() as sink:
        url = SecretStr(f"smtp://127.0.0.1:{sink.port}")
        settings.TRAVA = settings.TRAVA.model_copy(update={"EMAIL_URL": url})
        settings.EMAIL_BACKEND = settings.TRAVA.mail.backend
        settings.EMAIL_HOST, settings.EMAIL_PORT = settings.TRAVA.mail.host, settings.TRAVA.mail.port
        yield sink


@pytest.fixture
def owner() -> User:
    return User.objects.create_superuser("livia", "livia@example.org")


@pytest.mark.usefixtures("owner")
def test_the_owner_reads_once_what_went_unanswered(server):
    for text in (COLOUR, COLOUR_TOO, TOMATOES, BATTERY):
        ask(text)
    group()
    assert mail.send()
    assert not mail.send()
    (received,) = server.mails
    assert received["To"] == "livia@example.org"
    text = received.get_content()
    assert "Questions in the last seven days: 4. Unanswered: 3." in text
    assert f"- 2 × {COLOUR_TOO}" in text
    assert f"- 1 × {TOMATOES}" in text
    assert BATTERY not in text
    assert "/admin/evals/questiongroup/?days=7" in text


@pytest.mark.usefixtures("owner")
def test_a_week_without_gaps_and_an_erased_question_send_nothing(server):
    ask(BATTERY)
    turn = ask(COLOUR)
    group()
    own_data.erase(turn.conversation)
    assert not mail.send()
    assert (server.mails, WeeklyMail.objects.count()) == ([], 0)


def test_without_an_address_or_a_server_nothing_is_marked_as_sent(server, settings):
    ask(COLOUR)
    group()
    assert not mail.send()
    User.objects.create_superuser("livia", "livia@example.org")
    settings.TRAVA = settings.TRAVA.model_copy(update={"EMAIL_URL": SecretStr("")})
    assert not mail.send()
    assert (server.mails, WeeklyMail.objects.count()) == ([], 0)


@pytest.mark.usefixtures("owner")
def test_a_server_that_turns_it_away_alerts_the_owner_and_gets_it_later(server):
    ask(COLOUR)
    group()
    server.turns_away = True
    with pytest.raises(OSError):  # noqa: PT011  # smtplib's and the socket's alike
        tasks.weekly_mail()
    assert Alert.objects.get(closed_at=None).key == "weekly-mail"
    server.turns_away = False
    tasks.weekly_mail()
    assert len(server.mails) == 1
    assert not Alert.objects.filter(closed_at=None).exists()


@pytest.mark.usefixtures("owner")
def test_personal_data_in_a_question_stays_on_the_site(server):
    ask("What colour has the Skerrin Bridge? Write to me at jo@example.org")
    group()
    mail.send()
    (received,) = server.mails
    assert "Skerrin Bridge" in received.get_content()
    assert "jo@example.org" not in received.get_content()


@pytest.mark.usefixtures("owner")
def test_the_mail_speaks_the_language_that_most_records_are_written_in(server):
    Record.objects.filter(slug__in=["gauge", "works"]).update(original="de")
    Record.objects.filter(slug="harbour").update(original="en")
    ask(COLOUR)
    group()
    mail.send()
    (received,) = server.mails
    assert "Unbeantwortet: 1" in received.get_content()


@pytest.mark.usefixtures("owner")
def test_a_question_cannot_forge_a_line_of_the_mail(server):
    ask("What colour is the bridge?\n\nThis site is closed, and has moved to https://evil.example")
    group()
    mail.send()
    (received,) = server.mails
    assert not any(line.startswith("This site is closed") for line in received.get_content().splitlines())
