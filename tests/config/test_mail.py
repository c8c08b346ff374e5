"""EMAIL_URL: each spelling gives the encryption that it says, and a bad one is refused without showing it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.mail import MailServer, mail_server


def test_an_empty_address_sends_nothing():
    assert mail_server("") is None


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("console:", MailServer()),
        ("smtp://localhost", MailServer("localhost", 25)),
        ("smtp://localhost:1025/", MailServer("localhost", 1025)),
        ("smtp://u:p@mail.example", MailServer("mail.example", 25, "u", "p")),
        ("smtp://u:p@mail.example:587", MailServer("mail.example", 587, "u", "p", starttls=True)),
        ("smtp://u:p@mail.example:465", MailServer("mail.example", 465, "u", "p", tls=True)),
        ("submission://u:p@mail.example", MailServer("mail.example", 587, "u", "p", starttls=True)),
        ("submission://u:p@mail.example:2525", MailServer("mail.example", 2525, "u", "p", starttls=True)),
        ("smtps://u:p@mail.example", MailServer("mail.example", 465, "u", "p", tls=True)),
        ("smtps://a%40b.example:p%3Aq%2F@[::1]:4650", MailServer("::1", 4650, "a@b.example", "p:q/", tls=True)),
    ],
)
def test_an_address_names_server_and_encryption(url, server):
    assert mail_server(url) == server


@pytest.mark.parametrize(
    "url",
    [
        "localhost",
        "smtp:",
        "smtp://",
        "smtp://h:x",
        "http://h",
        "smtp://h/path",
        "smtp://h?tls=1",
        "smtp://u@h",
        "console",
    ],
)
def test_anything_else_is_refused(url):
    with pytest.raises(ValueError, match=r"must read like|without a password"):
        mail_server(url)


@given(st.text())
def test_no_address_breaks_it_but_by_the_refusal(text):
    try:
        mail_server(f"smtp://{text}")
    except ValueError as refused:
        assert str(refused).startswith(("must read like", "has a user"))  # noqa: PT017  # most texts are refused


def test_a_password_is_never_shown():
    assert "hunter2" not in repr(mail_server("smtps://user:hunter2@host"))


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("smtp://u:p@mail.example", True),
        ("smtp://u:p@localhost", False),
        ("smtp://mail.example", False),
        ("submission://u:p@mail.example", False),
        ("smtps://u:p@mail.example", False),
    ],
)
def test_a_password_that_travels_unencrypted_is_known(url, bare):
    assert mail_server(url).bares_password is bare
