"""The note says what is so: the days that are set, and the provider that is asked."""

import pytest
from django.conf import settings as site

pytestmark = pytest.mark.django_db

LANGUAGES = [code for code, _name in site.LANGUAGES]


def test_it_names_the_days_that_are_set(client, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RETENTION_DAYS": 37})
    assert "deleted after this many days: 37." in client.get("/en/privacy/").content.decode()
    assert "۳۷" in client.get("/fa/privacy/").content.decode()


def test_without_a_provider_outside_it_says_so(client, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"LLM_PROVIDER": "quoting", "EMBEDDER": "bundled"})
    page = client.get("/en/privacy/").content.decode()
    assert "No outside provider words the answers" in page
    assert "are sent to" not in page


@pytest.mark.parametrize(
    ("provider", "address", "host"),
    [
        ("openai", "", "api.openai.com"),
        ("anthropic", "", "api.anthropic.com"),
        ("openai", "https://user:secret@models.example:8443/v1?key=abc", "models.example"),
    ],
)
def test_a_provider_outside_is_named_without_its_secrets(client, settings, provider, address, host):
    changed = {"LLM_PROVIDER": provider, "LLM_BASE_URL": address, "LLM_MODEL": "small-9", "EMBEDDER": "bundled"}
    settings.TRAVA = settings.TRAVA.model_copy(update=changed)
    page = client.get("/en/privacy/").content.decode()
    assert f"are sent to {host}, where the model small-9 words the answer." in page
    assert "secret" not in page
    assert "key=abc" not in page


def test_an_embedder_outside_is_named_too(client, settings):
    changed = {"EMBEDDER": "openai", "EMBEDDING_BASE_URL": "", "EMBEDDING_MODEL": "vectors-1"}
    settings.TRAVA = settings.TRAVA.model_copy(update=changed)
    assert "sent to api.openai.com, where the model vectors-1" in client.get("/en/privacy/").content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", ["privacy", "accessibility", "chat"])
def test_every_language_has_its_page(client, language, page):
    response = client.get(f"/{language}/{page}/")
    assert response.status_code == 200
    assert f'<html lang="{language}"' in response.content.decode()


@pytest.mark.parametrize("page", ["privacy", "accessibility"])
def test_another_language_has_none(client, page):
    assert client.get(f"/xx/{page}/").status_code == 404
