"""Only pages of this site may ask in a visitor's name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.origin import is_own


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://site.example", "site.example"),
        ("https://site.example", "site.example"),
        ("https://site.example:443", "site.example"),
        ("http://localhost:8123", "localhost:8123"),
        ("http://[::1]:8000", "[::1]:8000"),
    ],
)
def test_the_host_that_was_asked_is_own(origin, host):
    assert is_own(origin, host)


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "",
        "null",
        "https://other.example",
        "https://site.example.other.example",
        "https://other.example/site.example",
        "https://site.example:8443",
        "http://site.example:99999",
        "file://site.example",
        "site.example",
    ],
)
def test_anything_else_is_foreign(origin):
    assert not is_own(origin, "site.example")


def test_the_public_address_is_own_behind_a_proxy_that_rewrites_the_host(settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"SITE_URL": "https://site.example"})
    assert is_own("https://site.example", "app:8000")


@given(st.text())
def test_no_origin_breaks_it(origin):
    assert not is_own(origin, "site.example") or "site.example" in origin.lower() or "localhost" in origin.lower()
