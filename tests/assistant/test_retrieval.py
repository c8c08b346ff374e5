"""Which readings of a question are embedded: with the owner's name, without it, and joined with what came before."""

import pytest

from assistant.question import Exchange
from assistant.retrieval import Wish, retrieve
from guardrails.followup import follow_up
from guardrails.owner import Owner
from metering.embedders import embedder
from records import spaces
from records.access import PUBLIC
from records.embedding import knowing_questions

pytestmark = pytest.mark.django_db

NAME = "Livia Aramesh"
BEFORE = Exchange("Which bridges did Livia Aramesh measure?", "The bridge at Skerrin.")


@pytest.fixture(autouse=True)
def active_space():
    space = spaces.prepare(embedder())
    space.active = True
    space.save()


def embedded(text, about_owner=None, previous=None):
    wish = Wish(
        text=text,
        language="en",
        previous=previous,
        follow_up=follow_up(text, "en", previous.question, [previous.answer], ()) if previous else None,
        about_owner=about_owner,
        named=Owner(NAME),
        subject="test",
    )
    known = {}
    with knowing_questions(known):
        assert retrieve(wish, PUBLIC, 8).embedded
    return [" ".join(each.split()) for each in known]


def test_a_question_that_names_the_owner_is_read_without_the_name_too():
    assert embedded("What does Livia Aramesh advise?", about_owner=NAME) == [
        "What does Livia Aramesh advise?",
        "What does advise?",
    ]


def test_one_that_only_means_the_owner_is_read_with_the_name_too():
    assert embedded("What does she advise?", about_owner=NAME) == [
        "What does she advise?",
        "Livia Aramesh: What does she advise?",
    ]


def test_one_that_does_neither_is_read_once():
    assert embedded("What was advised?") == ["What was advised?"]


def test_one_that_is_nothing_but_the_name_is_embedded_as_it_stands():
    assert embedded("Livia Aramesh?") == ["Livia Aramesh?"]


def test_a_follow_up_is_not_ordered_by_what_it_says_alone():
    assert embedded("And which of them moved?", about_owner=NAME, previous=BEFORE) == [
        "And which of them moved?",
        "Which bridges did Livia Aramesh measure? And which of them moved?",
    ]
