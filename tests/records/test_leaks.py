"""Drafts, withdrawn, restricted and private records leave no trace in anything that the public can ask for.

Each case publishes a public record, notes what the site says, adds a hidden one that is like it, and looks again.
"""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.db import connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from records.access import PUBLIC, Viewer
from records.importing import resume_export
from records.models import Access, Kind, RecordText
from records.publishing import publish, revoke, withdraw
from tests.records.drafts import ask, draft, published, records_of

pytestmark = pytest.mark.django_db

SECRET = "Corvane"
TEXT = f"The conductivity sensors of {SECRET} Bay count 512 pulses."
QUESTION = f"conductivity sensors of {SECRET} Bay"


def _draft(kind):
    draft("corvane", TEXT, kind=kind)


def _private(kind):
    published("corvane", TEXT, kind=kind, access=Access.PRIVATE)


def _restricted(kind):
    published("corvane", TEXT, kind=kind, access=Access.RESTRICTED, group=Group.objects.create(name="Clients"))


def _withdrawn(kind):
    withdraw(published("corvane", TEXT, kind=kind).record)


def _revoked(kind):
    revoke(published("corvane", TEXT, kind=kind).record)


def _closed_since(kind):
    published("corvane", TEXT, kind=kind)
    published("corvane", TEXT, kind=kind, access=Access.PRIVATE)


def _draft_translation(kind):
    record = draft("night", "Night flow fell.", kind=kind)
    RecordText.objects.create(record=record, language="fa", title=SECRET, body=TEXT)


HIDDEN = [_draft, _private, _restricted, _withdrawn, _revoked, _closed_since, _draft_translation]
PAGES = ["/en/", "/fa/", "/en/{kind}/", "/fa/{kind}/", "/en/{kind}/night/", "/en/feed.xml", "/fa/feed.xml"]


@pytest.fixture(params=HIDDEN, ids=lambda hide: hide.__name__.strip("_"))
def hide(request):
    return request.param


@pytest.fixture(params=Kind.values)
def kind(request):
    return request.param


def asked(call):
    """What a call returns, and how many statements it took: what could be timed from outside."""
    with CaptureQueriesContext(connections["default"]) as captured:
        found = call()
    return found, len(captured)


def _stable(page):
    """A feed without entries is dated by the moment at which it is asked for."""
    return page if b"<entry>" in page else re.sub(rb"<updated>.*?</updated>", b"", page)


def test_no_page_changes_by_what_is_hidden(client, hide, kind):
    published("night", "Night flow fell.", kind=kind)
    paths = [path.format(kind=kind) for path in [*PAGES, "/sitemap.xml"]]

    def look():
        return [_stable(client.get(path).content) for path in paths]

    before = asked(look)
    hide(kind)
    after = asked(look)
    for path, then, now in zip(paths, before[0], after[0], strict=True):
        assert now.decode().splitlines() == then.decode().splitlines(), path
    assert after[1] == before[1]
    assert SECRET.encode() not in b"".join(after[0])


def test_search_changes_by_nothing_that_is_hidden(hide):
    published("night", f"Night flow in {SECRET} Bay fell by forty per cent.", kind=Kind.ARTICLE)
    ask(QUESTION)  # what the corpus holds is counted once for all questions
    before = asked(lambda: ask(QUESTION))
    hide(Kind.ARTICLE)
    ask(QUESTION)
    after = asked(lambda: ask(QUESTION))
    assert records_of(after[0]) == ["night"]
    assert after[0].best_words > 0
    assert (after[0].best_words, after[1]) == (before[0].best_words, before[1])


def test_an_export_has_nothing_that_is_hidden(hide):
    published("night", "Night flow fell.", kind=Kind.CV)
    before = resume_export.write("en")
    hide(Kind.CV)
    assert resume_export.write("en") == before


@pytest.mark.parametrize("path", ["/en/article/corvane/", "/fa/article/corvane/"])
@pytest.mark.parametrize("hide", [_draft, _withdrawn, _revoked])
def test_what_is_not_published_answers_like_what_never_was(client, hide, path):
    unknown = asked(lambda: client.get(path.replace("corvane", "unknown")))
    hide(Kind.ARTICLE)
    hidden = asked(lambda: client.get(path))
    assert hidden[0].status_code == unknown[0].status_code == 404
    assert hidden[1] == unknown[1]
    assert hidden[0].content == unknown[0].content


def test_two_closed_records_answer_alike_however_much_they_hold(client):
    _private(Kind.ARTICLE)
    long = published(
        "long", "\n\n".join(f"# {n}\n\n{TEXT} {n}" for n in range(40)), kind=Kind.ARTICLE, access="private"
    )
    publish(draft("long", texts=dict.fromkeys(("en", "fa", "zh"), TEXT), kind=Kind.ARTICLE, access="private"))
    short = asked(lambda: client.get("/en/article/corvane/"))
    assert asked(lambda: client.get("/en/article/long/"))[1] == short[1]
    cited = asked(lambda: client.get(f"/passages/{long.pk}/{long.placements.first().passage_id}/"))
    assert cited[0].status_code == short[0].status_code == 403
    assert SECRET.encode() not in cited[0].content + short[0].content


def test_a_member_finds_what_their_group_may_read_and_no_more(client):
    _restricted(Kind.ARTICLE)
    published("other", TEXT, kind=Kind.ARTICLE, access=Access.RESTRICTED, group=Group.objects.create(name="Others"))
    user = User.objects.create_user("ines")
    user.groups.add(Group.objects.get(name="Clients"))
    client.force_login(user)
    page = client.get("/en/article/").content.decode()
    assert "corvane in en" in page
    assert "other in en" not in page
    assert records_of(ask(QUESTION, viewer=Viewer.of(user))) == ["corvane"]
    assert records_of(ask(QUESTION, viewer=PUBLIC)) == []


def test_what_expired_is_listed_as_history_and_hidden_from_nobody(client):
    published("corvane", TEXT, valid_to=timezone.localdate() - timedelta(days=1))
    assert "corvane in en" in client.get("/en/case-study/").content.decode()
