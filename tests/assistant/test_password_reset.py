"""A forgotten password of the admin: offered only where mail is sent, by a link of the site's own, five an hour."""

import importlib
import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.urls import NoReverseMatch, clear_url_caches, reverse
from pydantic import SecretStr

import config.urls
from assistant import password_mail, password_reset
from tests.smtp_sink import Sink, smtp_sink

pytestmark = pytest.mark.django_db

ASK = "/admin/password_reset/"
OLD, NEW = "an old pass phrase", "a new pass phrase"


@pytest.fixture
def mail(settings, valkey) -> Iterator[Sink]:
    """The site with a mail server; `config.urls` is read again, as at a start."""
    before = settings.TRAVA
    with smtp_sink() as sink:
        url = SecretStr(f"smtp://127.0.0.1:{sink.port}")
        settings.TRAVA = before.model_copy(update={"EMAIL_URL": url, "SITE_URL": "https://www.example.org"})
        settings.EMAIL_BACKEND = settings.TRAVA.mail.backend
        settings.EMAIL_HOST, settings.EMAIL_PORT = settings.TRAVA.mail.host, settings.TRAVA.mail.port
        password_reset._limiter.cache_clear()
        importlib.reload(config.urls)
        clear_url_caches()
        yield sink
        settings.TRAVA = before
        importlib.reload(config.urls)
        clear_url_caches()


@pytest.fixture
def owner() -> User:
    return User.objects.create_superuser("livia", "livia@example.org", OLD)


def link_in(sink: Sink) -> str:
    (received,) = sink.mails
    (link,) = re.findall(r"https://\S+", received.get_content())
    return str(link)


def test_without_a_mail_server_nothing_is_offered(client):
    assert ASK not in client.get(reverse("admin:login")).content.decode()
    assert client.get(ASK).headers["Location"].startswith(reverse("admin:login"))  # as any page of the admin
    with pytest.raises(NoReverseMatch):
        reverse("password_reset_confirm", args=["a", "b"])


def test_the_login_page_offers_it_where_mail_is_sent(client, mail):
    assert ASK in client.get(reverse("admin:login")).content.decode()
    assert client.get(ASK).status_code == 200


def test_the_worker_gets_the_address_and_no_link(client, mail, valkey, owner):
    assert client.post(ASK, {"email": owner.email}).status_code == 302
    queued = valkey.lindex("celery", 0)
    assert b"assistant.tasks.send_password_reset" in queued
    assert mail.mails == []


def test_the_link_leads_to_the_sites_own_address_and_sets_the_password(client, mail, owner):
    password_mail.send("Livia@example.org", "en")
    link = link_in(mail)
    assert link.startswith("https://www.example.org/admin/reset/")
    form = client.get(link.removeprefix("https://www.example.org"), follow=True)
    done = client.post(form.redirect_chain[-1][0], {"new_password1": NEW, "new_password2": NEW}, follow=True)
    assert reverse("admin:login") in done.content.decode()
    assert client.login(username="livia", password=NEW, request=form.wsgi_request)
    assert not client.get(link.removeprefix("https://www.example.org"), follow=True).context["validlink"]


def test_a_new_password_lets_in_whom_wrong_ones_had_locked_out(client, mail, owner):
    login = reverse("admin:login")
    for _ in range(6):
        client.post(login, {"username": "livia", "password": "wrong"})
    assert client.post(login, {"username": "livia", "password": OLD}).status_code == 429
    password_mail.send(owner.email, "en")
    form = client.get(link_in(mail).removeprefix("https://www.example.org"), follow=True)
    client.post(form.redirect_chain[-1][0], {"new_password1": NEW, "new_password2": NEW})
    assert client.post(login, {"username": "livia", "password": NEW}).status_code == 302


def test_an_unknown_address_gets_the_same_answer_and_no_mail(client, mail, owner):
    known = client.post(ASK, {"email": owner.email})
    unknown = client.post(ASK, {"email": "nobody@example.org"})
    assert (known.status_code, known.headers["Location"]) == (unknown.status_code, unknown.headers["Location"])
    password_mail.send("nobody@example.org", "en")
    assert mail.mails == []


def test_five_an_hour_from_one_network_and_for_one_address(client, mail, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"TRUSTED_PROXIES": 1})

    def status(network: int, email: str) -> int:
        return client.post(ASK, {"email": email}, headers={"x-forwarded-for": f"192.0.2.{network}"}).status_code

    assert [status(1, f"{number}@example.org") for number in range(6)] == [302] * 5 + [429]
    assert [status(network, "livia@example.org") for network in range(10, 16)] == [302] * 5 + [429]
    assert status(10, "somebody@example.org") == 302


def test_where_nobody_counts_no_mail_is_sent(client, mail, settings, owner):
    settings.TRAVA = settings.TRAVA.model_copy(update={"REDIS_URL": SecretStr("redis://127.0.0.1:1/0")})
    password_reset._limiter.cache_clear()
    response = client.post(ASK, {"email": owner.email})
    password_reset._limiter.cache_clear()
    assert response.status_code == 429
    assert "try again later" in response.content.decode()


def test_a_mail_is_in_the_language_that_it_was_asked_in(mail, owner):
    password_mail.send(owner.email, "de")
    assert "Passwort" in mail.mails[0].get_content()
