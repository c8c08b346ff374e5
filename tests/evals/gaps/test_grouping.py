"""Questions that mean the same are one group, in whatever language; they leave it with their conversation."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db.models import F
from pydantic import SecretStr

from assistant import own_data
from assistant.models import Conversation, Turn
from assistant.retention import erase_expired
from evals import tasks
from evals.gaps import grouping
from evals.models import GroupedQuestion, QuestionGroup
from metering.embedders import embedder
from records import ingestion
from records.models import EmbeddingSpace
from tests.evals import site
from tests.evals.gaps.visitors import BATTERY, CHARGE, COLOUR, COLOUR_TOO, FARBE, TOMATOES, ask, group

pytestmark = pytest.mark.django_db(transaction=True)

ONE_DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _published():
    site.build()
    ingestion.work(seconds=60)


def groups() -> list[set[str]]:
    """The questions of each group, the larger groups first."""
    found: dict[int, set[str]] = {}
    for question in GroupedQuestion.objects.select_related("turn"):
        found.setdefault(question.group_id, set()).add(question.turn.question)
    return sorted(found.values(), key=lambda each: (-len(each), min(each)))


def test_paraphrases_and_translations_are_one_group():
    for text, language in [(COLOUR, "en"), (TOMATOES, "en"), (COLOUR_TOO, "en"), (FARBE, "de")]:
        ask(text, language)
    group()
    assert groups() == [{COLOUR, COLOUR_TOO, FARBE}, {TOMATOES}]
    assert GroupedQuestion.objects.filter(leads=True).count() == QuestionGroup.objects.count() == 2


def test_who_joined_stays():
    ask(COLOUR)
    ask(COLOUR_TOO)
    group()
    before = set(GroupedQuestion.objects.values_list("turn", "group", "leads"))
    ask(FARBE, "de")
    group()
    assert before < set(GroupedQuestion.objects.values_list("turn", "group", "leads"))
    assert grouping.group_new(60) == 0


def test_what_must_be_refused_and_what_the_site_asked_itself_is_in_no_group():
    ask(CHARGE)
    Turn.objects.filter(pk=ask(COLOUR).pk).update(live_check=True)
    group()
    assert groups() == []


def test_a_follow_up_means_what_it_says_together_with_the_question_before():
    first = ask("What colour is the Skerrin Bridge?")
    ask("and when was it painted?", conversation=first.conversation)
    second = ask("Which tomatoes grow at Hollin & Vray?")
    ask("and when was it painted?", conversation=second.conversation)
    group()
    follow_ups = GroupedQuestion.objects.filter(turn__ordinal=2)
    assert {question.follows for question in follow_ups} == {first, second}
    assert len({question.group_id for question in follow_ups}) == 2


def test_a_question_that_could_lean_on_the_one_before_and_asks_something_else_is_another_group():
    first = ask(COLOUR)
    ask("What is her favourite cheese?", conversation=first.conversation)
    group()
    assert groups() == [{COLOUR}, {"What is her favourite cheese?"}]


def test_a_question_worded_anew_in_its_conversation_is_the_same_group():
    first = ask(COLOUR)
    ask("the colour of its paint, the Skerrin Bridge?", conversation=first.conversation)
    group()
    assert len(groups()) == 1
    assert GroupedQuestion.objects.get(leads=False).follows == first


def test_an_erased_question_leaves_and_the_oldest_left_leads():
    first = ask(COLOUR, days_ago=2)
    second = ask(COLOUR_TOO, days_ago=1)
    group()
    own_data.erase(first.conversation)
    assert groups() == [{COLOUR_TOO}]
    group()
    assert GroupedQuestion.objects.get(leads=True).turn == second
    ask(FARBE, "de")
    group()
    assert groups() == [{COLOUR_TOO, FARBE}]


def test_a_group_ends_with_its_last_question(settings):
    ask(COLOUR)
    group()
    Turn.objects.update(created_at=F("created_at") - settings.TRAVA.RETENTION_DAYS * (2 * ONE_DAY))
    erase_expired(60)
    group()
    assert not QuestionGroup.objects.exists()


def test_a_conversation_deleted_while_its_question_is_read_leaves_nothing(monkeypatch):
    ask(COLOUR)
    read = grouping._read

    def erased_meanwhile(turn):
        own_data.erase(Conversation.objects.get())
        return read(turn)

    monkeypatch.setattr(grouping, "_read", erased_meanwhile)
    assert grouping.group_new(60) == 0
    assert not QuestionGroup.objects.exists()


def test_without_an_embedder_the_same_words_are_one_group(settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"EMBEDDER": "none"})
    ask("What is the colour of the Skerrin Bridge?")
    ask("the Skerrin Bridge: what colour?")
    ask("Who painted the Skerrin Bridge?")
    group()
    assert [len(each) for each in groups()] == [2, 1]


def test_groups_outlive_a_change_of_the_embedder():
    ask(COLOUR)
    ask(TOMATOES)
    group()
    before = groups()
    GroupedQuestion.objects.update(space="of another embedder", vector=[1.0, 0.0])
    ask(COLOUR_TOO)
    group()
    assert groups() == [{COLOUR, COLOUR_TOO}, {TOMATOES}]
    assert len(before) == 2


def test_nothing_is_grouped_before_all_leaders_can_be_compared():
    ask(COLOUR)
    group()
    GroupedQuestion.objects.update(space="of another embedder", vector=[1.0, 0.0])
    assert not grouping.mend(-1)
    assert grouping.mend(60)


def test_an_answered_question_is_grouped_too():
    ask(BATTERY)
    group()
    assert groups() == [{BATTERY}]


def test_the_worker_waits_while_the_embedder_is_out_of_reach_and_then_groups(settings, caplog):
    ask(COLOUR)
    bundled = settings.TRAVA
    away = {
        "EMBEDDER": "openai", "EMBEDDING_BASE_URL": "http://127.0.0.1:9", "EMBEDDING_MODEL": "m",
        "EMBEDDING_DIMENSIONS": 8, "EMBEDDING_USD_PER_MTOK": Decimal(0), "EMBEDDING_API_KEY": SecretStr("k"),
    }  # fmt: skip
    settings.TRAVA = bundled.model_copy(update=away)
    EmbeddingSpace.objects.filter(active=True).update(embedder=settings.TRAVA.outside_embedder)
    tasks.group_questions()
    assert "questions wait to be grouped" in caplog.text
    assert groups() == []
    settings.TRAVA = bundled
    used = embedder()
    assert used
    EmbeddingSpace.objects.filter(active=True).update(embedder=used.name)
    tasks.group_questions()
    assert groups() == [{COLOUR}]
