"""The pages of gaps and use, as those who may see them get them, and their CSV."""

import csv
import io
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import Group, User
from django.urls import reverse
from django.utils.html import escape

from assistant import own_data
from evals.models import OwnCase, QuestionGroup
from records import ingestion
from records.models import Record
from tests.evals import site
from tests.evals.gaps.visitors import BATTERY, CHARGE, COLOUR, COLOUR_TOO, FARBE, ask, group
from tests.records.desk import fields

pytestmark = pytest.mark.django_db(transaction=True)

GAPS, USE = "/admin/evals/questiongroup/", "/admin/evals/questiongroup/use/"


@pytest.fixture(autouse=True)
def _published():
    site.build()
    ingestion.work(seconds=60)


def signed_in(client, role):
    user = User.objects.create_user(role, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    client.force_login(user)
    return client


@pytest.fixture
def owner(client):
    return signed_in(client, "owner")


def page(client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def table(client, address: str) -> list[dict[str, str]]:
    response = client.get(address)
    assert response["Content-Type"].startswith("text/csv")
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_an_empty_site_has_empty_pages(owner):
    assert "Nothing." in page(owner, GAPS)
    assert "Nothing." in page(owner, USE)


def test_a_question_without_an_answer_is_a_golden_case_three_clicks_from_the_index(owner):
    turn = ask(COLOUR)
    group()
    assert f'href="{GAPS}"' in page(owner, "/admin/")
    asked = reverse("admin:assistant_turn_change", args=[turn.pk])
    heading = page(owner, GAPS).split("<h2", 1)[1].split("</h2>")[0]
    assert f'<a href="{asked}">' in heading
    make = reverse("admin:evals_owncase_make", args=[turn.pk])
    assert f'formaction="{make}" name="suite" value="no_evidence"' in page(owner, asked)
    owner.post(make, {"suite": "no_evidence"})
    assert OwnCase.objects.get().question == COLOUR


def test_a_question_is_shown_as_text_and_never_runs(owner):
    ask('What <script>alert("colour")</script> is the bridge?')
    ask("=HYPERLINK(1) of which colour is the Skerrin Bridge?")
    group()
    shown = page(owner, GAPS)
    assert escape('<script>alert("colour")</script>') in shown
    assert "<script>alert" not in shown
    assert "<script>alert" not in page(owner, USE)
    rows = table(owner, f"{GAPS}gaps.csv")
    assert any(row["questions"].startswith("'=") for row in rows)


def test_the_csv_has_what_the_page_shows(owner):
    ask(COLOUR)
    ask(FARBE, "de")
    group()
    (row,) = table(owner, f"{GAPS}gaps.csv?days=7")
    assert set(row["questions"].splitlines()) == {COLOUR, FARBE}
    assert (row["asked"], row["conversations"], row["state"], row["why"]) == ("2", "2", "open", "no_evidence")
    assert set(row["languages"].splitlines()) == {"en: 1", "de: 1"}
    assert row["keep_until"] > row["last_asked"][:10]
    assert table(owner, f"{GAPS}gaps.csv?state=answered") == []


def test_an_erased_question_is_on_no_page_and_in_no_csv(owner):
    turn = ask(COLOUR)
    ask(COLOUR_TOO)
    group()
    own_data.erase(turn.conversation)
    for address in (GAPS, USE):
        assert COLOUR not in page(owner, address)
    assert all(COLOUR not in str(table(owner, f"{GAPS}{name}.csv")) for name in ("gaps", "use/questions"))
    assert COLOUR_TOO in page(owner, GAPS)


def test_a_record_is_begun_with_the_question_as_its_title(owner):
    ask(FARBE, "de")
    group()
    shown = page(owner, GAPS)
    address = reverse("admin:records_article_add")
    (link,) = [part.split('"')[0] for part in shown.split('href="') if part.startswith(f"{address}?title=")]
    link = link.replace("&amp;", "&")
    assert parse_qs(urlsplit(link).query) == {"title": [FARBE], "language": ["de"]}
    form = fields(owner.get(link))
    assert (form["texts-0-title"], form["texts-0-language"]) == (FARBE, "de")
    assert owner.post(link, {**form, "slug": "bridge"}).status_code == 302
    assert Record.objects.get(slug="bridge").texts.get().title == FARBE


def test_a_gap_is_set_aside_and_taken_back(owner):
    ask(COLOUR)
    group()
    pk = QuestionGroup.objects.get().pk
    response = owner.post(reverse("admin:evals_questiongroup_aside", args=[pk]) + "?days=7")
    assert response["Location"] == f"{GAPS}?days=7"
    assert COLOUR not in page(owner, GAPS)
    assert COLOUR in page(owner, f"{GAPS}?state=set_aside")
    owner.post(reverse("admin:evals_questiongroup_back", args=[pk]))
    assert COLOUR in page(owner, GAPS)


@pytest.mark.parametrize(("role", "status"), [("owner", 200), ("reviewer", 200), ("editor", 403)])
def test_whoever_may_read_what_visitors_asked_reads_it_here(client, role, status):
    signed_in(client, role)
    for address in (GAPS, USE, f"{GAPS}gaps.csv", f"{USE}questions.csv"):
        assert client.get(address).status_code == status


def test_a_reviewer_looks_and_decides_nothing(client):
    ask(COLOUR)
    group()
    reviewer = signed_in(client, "reviewer")
    shown = page(reviewer, GAPS)
    assert COLOUR in shown
    assert "Not for this site" not in shown
    assert "Write a record" not in shown
    address = reverse("admin:evals_questiongroup_aside", args=[QuestionGroup.objects.get().pk])
    assert reviewer.post(address).status_code == 403
    assert QuestionGroup.objects.get().set_aside_at is None


def test_nothing_is_set_aside_by_a_link(owner):
    ask(COLOUR)
    group()
    assert (
        owner.get(reverse("admin:evals_questiongroup_aside", args=[QuestionGroup.objects.get().pk])).status_code == 403
    )


def test_the_tables_of_use_hold_what_was_asked_and_answered(owner):
    for text in (BATTERY, COLOUR, CHARGE):
        ask(text)
    group()
    (language,) = table(owner, f"{USE}languages.csv")
    assert language == {"language": "en", "asked": "3", "unanswered": "1", "refused": "1"}
    assert [(row["question"], row["asked"], row["unanswered"]) for row in table(owner, f"{USE}questions.csv")] == [
        (COLOUR, "1", "1"),
        (BATTERY, "1", "0"),
    ]
    assert {row["record"]: row["answers"] for row in table(owner, f"{USE}records.csv")} == {
        "gauge": "1", "harbour": "0", "works": "0",
    }  # fmt: skip
    (answers,) = table(owner, f"{USE}answers.csv")
    assert (answers["answers"], answers["ms_p50"]) == ("1", answers["ms_p95"])
    days = table(owner, f"{USE}days.csv?days=7")
    assert (len(days), days[-1]["asked"]) == (8, "3")
    assert owner.get(f"{USE}money.csv").status_code == 404


@pytest.mark.parametrize("query", ["?days=abc&language=xx&state=?", "?days=-1", "?days=7&days=9&language=%00"])
def test_an_address_that_asks_for_nothing_known_shows_the_default(owner, query):
    assert page(owner, GAPS + query)
    assert page(owner, USE + query)


def test_the_trail_names_each_page_once(owner):
    trail = page(owner, "/admin/evals/run/").split('class="breadcrumbs"')[1].split("</div>")[0]
    assert trail.count("Evaluation") == 1
    assert page(owner, GAPS).split('class="breadcrumbs"')[1].split("</div>")[0].count("Content gaps") == 1
