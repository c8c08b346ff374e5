"""Versions in the admin: who published what and when, and what differs, word by word, for eyes and ears."""

import pytest

from records.admin.addresses import page
from records.models import Record
from records.publishing import publish, revoke
from tests.records.desk import sign_in, text
from tests.records.drafts import draft, published

pytestmark = pytest.mark.django_db

OLD, NEW = "Night flow fell by 36 per cent.", "Night flow fell by 41 per cent."


@pytest.fixture(autouse=True)
def owner(client):
    return sign_in(client, "owner")


@pytest.fixture
def record():
    """Two versions and a draft that differs from both."""
    published("leaks", texts={"en": OLD, "fa": "جریان کم شد"}, fields={"technologies": ["LoRaWAN"]})
    draft("leaks", NEW, current=True)
    publish(Record.objects.get())
    draft("leaks", NEW + " Twice.")
    return Record.objects.get()


def versions(client, record, **query):
    return text(client.get(page(record, "versions"), query))


def test_they_are_listed_with_who_published_them(client, record, owner):
    record.versions.update(published_by=owner)
    shown = versions(client, record, language="en")
    assert shown.count("<td>owner</td>") == 2
    assert f"?version={record.versions.get(language='en', number=1).pk}" in shown


def test_two_are_compared_word_by_word(client, record):
    shown = versions(client, record, language="en", old="1", new="2")
    assert '<del><span class="visually-hidden">[removed: </span>36<span class="visually-hidden">]</span></del>' in shown
    assert '<ins><span class="visually-hidden">[added: </span>41<span class="visually-hidden">]</span></ins>' in shown
    assert "It goes on, or still holds" in shown  # a fact that changed, by its name
    assert "LoRaWAN" not in shown  # and none that did not


def test_unasked_the_draft_is_compared_with_what_was_published_last(client, record):
    shown = versions(client, record)
    assert "[added: </span> Twice." in shown
    assert "41 per cent" in shown
    assert "[removed:" not in shown


def test_what_says_the_same_is_told(client, record):
    assert "Both say the same." in versions(client, record, language="fa", old="2", new="2")


@pytest.mark.parametrize("query", [{"old": "9", "new": "1"}, {"old": "draft", "new": "x"}, {"language": "xx"}])
def test_nonsense_compares_nothing_and_breaks_nothing(client, record, query):
    response = client.get(page(record, "versions"), query)
    assert response.status_code == 200


def test_a_text_is_shown_in_its_own_direction(client, record):
    draft("leaks", texts={"fa": "جریان زیاد شد"})
    assert 'lang="fa" dir="rtl"' in versions(client, record, language="fa")


def test_a_revoked_one_says_nothing_any_more(client, record):
    revoke(record)
    shown = versions(client, record, language="en", old="1", new="2")
    assert "36 per cent" not in shown
    assert "revoked on" in shown
