"""The button on a record's pages and the page of a rehearsal, by role; a visitor's words only for who may read them."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from assistant.models import Citation, Conversation, Sentence, Turn
from evals import golden
from evals.asking import Asker
from evals.before_publishing import rehearsing
from evals.before_publishing.models import Rehearsal
from evals.golden import FollowUpCase
from evals.models import OwnCase
from records.admin.addresses import page
from records.models import Owner
from records.publishing import withdraw
from tests.records.desk import act, faults_for_a_screen_reader, sign_in, text
from tests.records.drafts import draft, published

pytestmark = pytest.mark.django_db

BODY = "Night flow in Norrow fell by forty per cent."
CHANGED = {"was": {"rank": 1, "why": "search"}, "now": {"rank": None, "why": "search"}}
MISSING = {"was": {"refusal": "<no>"}, "now": {"refusal": None}}


@pytest.fixture
def queued(valkey):
    """How many messages wait in the real queue."""
    return lambda: valkey.llen("celery")


def begin(client, record, act="publish"):
    return client.post(reverse("admin:evals_rehearsal_begin", args=[record.pk, act]))


def case(name, before, after, **details):
    return {
        "suite": "answerable",
        "language": "en",
        "case": name,
        "passed_before": before,
        "passed_after": after,
    } | details


def done(record, *results):
    chosen = {"asked": len(results), "suggested": 0, "expecting": 1, "left_out": 0, "near": True}
    return Rehearsal.objects.create(record=record, act="publish", state="done", chosen=chosen, results=list(results))


def shown(client, row, **headers):
    return client.get(reverse("admin:evals_rehearsal_page", args=[row.pk]), headers=headers)


def cited_by(version, question, live_check=False):
    turn = Turn.objects.create(
        conversation=Conversation.objects.create(language="en"), ordinal=1, question=question, language="en",
        deadline=timezone.now(), live_check=live_check,
    )  # fmt: skip
    sentence = Sentence.objects.create(turn=turn, ordinal=1, text="It fell.", language="en")
    placement = version.placements.first()
    Citation.objects.create(
        sentence=sentence,
        ordinal=1,
        version=version,
        passage=placement.passage,
        start=placement.start,
        end=placement.end,
    )
    return turn


def test_the_owner_begins_one_from_the_confirmation_and_the_editor_from_the_record(client, queued):
    record = draft("leaks", BODY)
    address = reverse("admin:evals_rehearsal_begin", args=[record.pk, "publish"])
    sign_in(client, "owner")
    assert f'action="{address}"' in text(client.get(page(record, "publish")))
    sign_in(client, "editor")
    assert f'action="{address}"' in text(client.get(page(record, "change")))
    answer = begin(client, record)
    row = Rehearsal.objects.get()
    assert answer.url == reverse("admin:evals_rehearsal_page", args=[row.pk])
    assert (queued(), row.state, row.started_by.username) == (1, "waiting", "editor")
    assert "waiting for the worker" in text(shown(client, row)).lower()
    assert not record.versions.exists()


def test_records_chosen_in_the_list_are_tried_out_together_by_one_button(client, queued):
    records = [draft("leaks", BODY), draft("ferries", BODY)]
    sign_in(client, "owner")
    confirmation = text(act(client, "publish_selected", *records))
    assert confirmation.count("What would this change?") == 1
    first = next(record for record in records if f"/of/{record.pk}-publish/" in confirmation)
    other = next(record for record in records if record != first)
    assert f'<input type="hidden" name="other" value="{other.pk}">' in confirmation
    begun = client.post(
        reverse("admin:evals_rehearsal_begin", args=[first.pk, "publish"]), {"other": [other.pk, "nobody"]}
    )
    row = Rehearsal.objects.get()
    assert begun.url == reverse("admin:evals_rehearsal_page", args=[row.pk])
    assert (queued(), row.together) == (1, [first, other])
    html = text(shown(client, row))
    assert all(page(record, "change") in html for record in records)
    assert f'name="other" value="{other.pk}"' in html
    assert page(first, "publish") not in html


def test_revoking_is_tried_out_as_withdrawing(client):
    record = published("leaks", BODY).record
    sign_in(client, "owner")
    assert reverse("admin:evals_rehearsal_begin", args=[record.pk, "withdraw"]) in text(
        client.get(page(record, "revoke"))
    )


def test_where_nothing_would_change_there_is_no_button(client):
    record = published("leaks", BODY).record
    sign_in(client, "owner")
    assert "/rehearsal/of/" not in text(client.get(page(record, "change")))
    assert "/rehearsal/of/" not in text(client.get(page(record, "publish")))
    assert "/rehearsal/of/" in text(client.get(page(record, "withdraw")))
    withdraw(record)
    assert "/rehearsal/of/" not in text(client.get(page(record, "withdraw")))


def test_a_suggested_question_is_shown_with_the_way_to_change_it(client):
    Owner.objects.create(pk=1, name="Livia", questions={"en": ["How far did it fall?"]})
    sign_in(client, "owner")
    told = text(shown(client, done(draft("leaks", BODY), case("suggested-en-1", True, False, **CHANGED))))
    assert "How far did it fall?" in told
    assert f'href="{reverse("admin:records_owner_changelist")}">suggested-en-1' in told


def test_a_reviewer_reads_and_begins_none(client, queued):
    record = draft("leaks", BODY)
    sign_in(client, "reviewer")
    address = reverse("admin:evals_rehearsal_begin", args=[record.pk, "publish"])
    assert address not in text(client.get(page(record, "change")))
    assert begin(client, record).status_code == 403
    assert text(shown(client, done(record, case("en-1", True, False, **CHANGED)))).count("en-1") > 0
    assert client.get(reverse("admin:evals_rehearsal_changelist")).status_code == 200
    assert queued() == 0


def test_nobody_else_sees_any_of_it(client):
    record = draft("leaks", BODY)
    assert shown(client, done(record)).status_code == 302
    assert begin(client, record).status_code == 302
    assert client.get(reverse("admin:evals_rehearsal_begin", args=[record.pk, "publish"])).status_code == 302


@pytest.mark.parametrize("act", ["revoke", "delete", "x"])
def test_an_act_that_is_none_is_not_found(client, act):
    sign_in(client, "owner")
    assert begin(client, draft("leaks", BODY), act).status_code == 404


def test_what_fails_stands_before_what_passes_with_what_it_gave(client):
    sign_in(client, "owner")
    own = OwnCase.objects.create(suite="answerable", language="en", question="<b>Why?</b>")
    row = done(
        draft("leaks", BODY),
        case("en-ans-001", False, True, **MISSING),
        case(own.case, True, False, **CHANGED),
        case("en-x", True, True, was={}, now={}),
    )
    told = text(shown(client, row))
    assert (
        told.index("Newly failing: 1")
        < told.index(own.case)
        < told.index("Newly passing: 1")
        < told.index("en-ans-001")
    )
    assert "rank: 1 → –" in told
    assert "why:" not in told
    assert "&lt;b&gt;Why?&lt;/b&gt;" in told
    assert "&lt;no&gt;" in told
    assert "As before: 1 pass, 0 fail." in told


def test_a_follow_up_is_shown_after_what_it_follows(client):
    sign_in(client, "owner")
    told = text(shown(client, done(draft("leaks", BODY), case("en-follow-001", True, False, **CHANGED))))
    follow_up = next(each for each in golden.load(FollowUpCase, "followups", "en") if each.id == "en-follow-001")
    before = Asker(None).text(follow_up.previous[-1].question, "en")
    assert escape(f"{before} → {Asker(None).text(follow_up.question, 'en')}") in told


def test_a_question_that_its_visitor_erased_is_not_shown(client):
    sign_in(client, "owner")
    own = OwnCase.objects.create(suite="answerable", language="en", question="Mine.")
    row = done(draft("leaks", BODY), case(own.case, True, False, **CHANGED))
    name = own.case
    own.delete()
    told = text(shown(client, row))
    assert name in told
    assert "Mine." not in told


def test_it_counts_the_answers_that_cite_what_leaves_and_what_they_lose(client):
    version = published("leaks", f"{BODY}\n\n# Pumps\n\nThe pumps were replaced in spring.")
    cited_by(version, "How far did it fall?")
    cited_by(version, "Is the site well?", live_check=True)
    version.record.texts.update(body=f"{BODY}\n\n# Pumps\n\nThe pumps were sold in autumn.")
    row = done(version.record)
    sign_in(client, "owner")
    told = text(shown(client, row))
    assert "cite what leaves the site: 1." in told
    assert "stand nowhere any more: 0." in told
    assert "How far did it fall?" in told
    assert "Is the site well?" not in told
    version.record.texts.update(body="The pumps were sold in autumn.")
    assert "stand nowhere any more: 1." in text(shown(client, row))


def test_an_editor_sees_how_many_answers_and_not_what_visitors_asked(client):
    version = published("leaks", BODY)
    cited_by(version, "How far did it fall?")
    version.record.texts.update(body="Another figure.")
    sign_in(client, "editor")
    told = text(shown(client, done(version.record)))
    assert "cite what leaves the site: 1." in told
    assert "How far did it fall?" not in told


def test_while_it_runs_the_part_that_changes_asks_for_itself(client):
    sign_in(client, "owner")
    row = Rehearsal.objects.create(record=draft("leaks", BODY), act="publish", state="after", done=3, total=9)
    part = text(shown(client, row, hx_request="true"))
    assert part.lstrip().startswith("<section")
    assert "3 of 9" in part
    assert 'hx-trigger="every 2s"' in part
    Rehearsal.objects.update(state="failed", error="TurnFailed: <gone>")
    part = text(shown(client, row, hx_request="true"))
    assert "hx-trigger" not in part
    assert "&lt;gone&gt;" in part


def test_one_without_a_worker_says_so_and_stops_asking(client):
    sign_in(client, "owner")
    row = Rehearsal.objects.create(record=draft("leaks", BODY), act="publish")
    Rehearsal.objects.update(updated_at=timezone.now() - rehearsing.SILENT - timedelta(seconds=1))
    told = text(shown(client, row))
    assert "No worker has said anything" in told
    assert "hx-trigger" not in told


def test_a_screen_reader_finds_nothing_wrong(client):
    sign_in(client, "owner")
    row = done(draft("leaks", BODY), case("en-1", True, False, **CHANGED))
    assert faults_for_a_screen_reader(shown(client, row)) == {"unlabelled": [], "twice": [], "skipped": [], "h1": 1}
