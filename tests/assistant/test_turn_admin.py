"""The owner reads what was asked, released and decided, and takes it along; nobody changes it, and no cell is run."""

import csv
import io
import json
import re
import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse
from django.utils import timezone

from assistant.decision_names import decision_name
from assistant.exports import as_csv, as_json
from assistant.models import Citation, Conversation, Feedback, GuardrailEvent, Sentence, Turn
from assistant.spreadsheet import cell
from records.models import Record, RecordVersion
from records.publishing import revoke

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

LIST = reverse("admin:assistant_turn_changelist")
QUESTION = '<script>alert(1)</script> =HYPERLINK("http://x.example")'
TEXT = "Its battery lasted 412 days."
TRACE = {
    "best": {"dense": 0.8125, "words": 0.5},
    "floor": {"dense": 0.31, "words": None},
    "top": [{"passage": "uid-of-it", "record": "gauge", "dense": 0.8125, "words": 0.5}],
}


@pytest.fixture
def turn() -> Turn:
    """An answer of one sentence that was stopped by a guard and reported by its reader."""
    talk = Conversation.objects.create(language="en")
    made = Turn.objects.create(
        id=uuid.uuid4(), conversation=talk, ordinal=1, question=QUESTION, language="en", state="done", route="search",
        notice="withheld", stop="value", trace=TRACE, cost_microusd=1_250, deadline=timezone.now(),
    )  # fmt: skip
    sentence = Sentence.objects.create(turn=made, ordinal=1, text=TEXT, language="en")
    Citation.objects.create(sentence=sentence, ordinal=1, version=RecordVersion.objects.get())
    GuardrailEvent.objects.create(turn=made, guard="value", detail="413")
    Feedback.objects.create(turn=made, verdict="down", comment="=1+1 <b>is</b> wrong", reported=True)
    return made


@pytest.fixture
def owner(client) -> User:
    user = User.objects.create_superuser("livia", password="a long pass phrase")
    client.force_login(user)
    return user


def permitted(client, *names: str) -> None:
    user = User.objects.create_user("ines", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    client.force_login(user)


def page(client, turn: Turn) -> str:
    return client.get(reverse("admin:assistant_turn_change", args=[turn.pk])).content.decode()


@pytest.mark.usefixtures("owner")
def test_every_choice_of_a_filter_can_be_pressed(client, turn):
    html = client.get(reverse("admin:assistant_turn_changelist")).content.decode()
    choices = dict(re.findall(r'<a href="(\?(?:refusal|notice|stop|language)=[^"]*)">\s*(.*?)\s*</a>', html))
    assert choices == {
        "?refusal=": "–",
        "?notice=withheld": "the rest was held back",
        "?stop=value": str(decision_name("value")),
        "?language=en": "English",
    }
    assert '<td class="field-spoken">English</td>' in html


@pytest.mark.usefixtures("owner")
def test_a_turn_is_told_with_what_each_layer_decided(client, turn):
    html = page(client, turn)
    for part in ("0.813", "0.310", "uid-of-it", "gauge", TEXT, "A tide gauge in winter"):
        assert part in html
    assert f"<strong>{decision_name('value')}</strong> 413" in html
    assert "<bdi>0.001250 USD</bdi>" in html
    assert "Reported as wrong or harmful." in html
    assert "&lt;script&gt;alert(1)" in html
    assert "=1+1 &lt;b&gt;is&lt;/b&gt; wrong" in html
    assert "<script>alert" not in html
    assert "{&#x27;" not in html  # no object of Python or JSON stands there raw


@pytest.mark.usefixtures("owner")
def test_nobody_changes_deletes_or_adds(client, turn):
    assert client.post(reverse("admin:assistant_turn_change", args=[turn.pk]), {"question": "?"}).status_code == 403
    assert client.post(reverse("admin:assistant_turn_delete", args=[turn.pk]), {"post": "yes"}).status_code == 403
    assert client.get(reverse("admin:assistant_turn_add")).status_code == 403


@pytest.mark.usefixtures("owner")
def test_the_list_finds_by_guard_report_and_words(client, turn):
    for query, found in [
        ("?guard=value", True), ("?guard=floor", False), ("?feedback__reported__exact=1", True), ("?q=HYPERLINK", True),
        ("?q=nothing", False),
    ]:  # fmt: skip
        assert (str(turn.pk) in client.get(LIST + query).content.decode()) is found, query


def test_a_reviewer_reads_and_exports_and_marks_nothing(client, turn):
    permitted(client, "view_turn")
    assert TEXT in page(client, turn)
    html = client.get(LIST).content.decode()
    assert 'value="export_csv"' in html
    assert 'value="mark_handled"' not in html
    client.post(LIST, {"action": "mark_handled", "_selected_action": [str(turn.pk)]})
    assert Feedback.objects.get().handled_at is None


def test_buttons_that_make_a_case_are_for_whoever_may_make_one(client, turn):
    permitted(client, "view_turn")
    assert 'formaction="' not in page(client, turn)
    User.objects.get(username="ines").user_permissions.add(Permission.objects.get(codename="add_owncase"))
    assert 'formaction="' in page(client, turn)


def test_without_the_right_there_is_nothing_to_see(client, turn):
    permitted(client, "view_record")
    assert client.get(LIST).status_code == 403


def test_what_was_said_is_marked_as_dealt_with_and_by_whom(client, turn, owner):
    client.post(LIST, {"action": "mark_handled", "_selected_action": [str(turn.pk)]})
    feedback = Feedback.objects.get()
    assert feedback.handled_at
    assert feedback.handled_by == owner


@pytest.mark.usefixtures("owner")
@pytest.mark.parametrize(("action", "ending"), [("export_csv", "csv"), ("export_json", "json")])
def test_an_export_is_a_file(client, turn, action, ending):
    response = client.post(LIST, {"action": action, "_selected_action": [str(turn.pk)]})
    assert response["Content-Disposition"].endswith(f'.{ending}"')
    assert TEXT in response.content.decode()


def test_an_export_says_all_of_a_turn_and_until_when_it_may_be_kept(turn, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RETENTION_DAYS": 5})
    [row] = json.loads(as_json(Turn.objects.all()))
    assert (row["question"], row["answer"], row["guards"]) == (QUESTION, [TEXT], ["value: 413"])
    assert (row["best_dense"], row["floor_words"], row["comment"]) == (0.8125, None, "=1+1 <b>is</b> wrong")
    kept = (turn.created_at + timedelta(days=5)).date()
    assert row["keep_until"] == kept.isoformat()


def test_revoked_text_is_in_no_export(turn):
    revoke(Record.objects.get())
    assert TEXT not in as_csv(Turn.objects.all())


def test_a_csv_is_read_back_and_runs_nothing(turn):
    Turn.objects.update(question="=cmd|'/c calc'!A1")
    [row] = csv.DictReader(io.StringIO(as_csv(Turn.objects.all()).removeprefix("\ufeff")))
    assert row["question"] == "'=cmd|'/c calc'!A1"
    assert row["comment"] == "'=1+1 <b>is</b> wrong"


@pytest.mark.parametrize(
    "text", ["=1", "+1", "-1", "@A1", "\t=1", "\r=1", " =1", "\u200b=1", "\u202e=1", "＝1", "|calc", "%0A"]
)
def test_a_cell_that_begins_as_a_formula_is_text(text):
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["What = 1?", "412 days", "", 0.5, None, True])
def test_other_cells_stay_as_they_are(value):
    assert cell(value) == value


def test_more_turns_cost_no_more_statements(turn, django_assert_max_num_queries):
    for ordinal in range(2, 12):
        Turn.objects.create(
            conversation=turn.conversation, ordinal=ordinal, question="?", language="en", deadline=timezone.now()
        )
    with django_assert_max_num_queries(7):
        assert len(json.loads(as_json(Turn.objects.all()))) == 11
