import pytest

from guardrails.owner import Owner
from guardrails.routing import route

OWNER = Owner("Maya Lind")


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("What is she working on now?", "now"),
        ("What has Maya been up to lately?", "recent"),
        ("Where did Maya Lind study?", "education"),
        ("Who is Maya Lind?", "overview"),
        ("What services do you offer?", "services"),
    ],
)
def test_the_work_as_a_whole_goes_to_the_records(question, topic):
    routed = route(question, owner=OWNER)
    assert (routed.kind, routed.topic, routed.language) == ("records", topic, "en")


def test_the_owner_but_not_the_whole_work():
    assert route("Did Maya use Kafka?", owner=OWNER).kind == "about"
    assert route("Did he use Kafka?").kind == "about"


def test_anything_else_is_searched():
    routed = route("What is the capital of Mongolia?", owner=OWNER)
    assert (routed.kind, routed.topic, routed.language, routed.pattern) == ("search", None, None, None)


@pytest.mark.parametrize(
    "question",
    [
        "Quelle est l'altitude du Kilimandjaro ?",  # German "du"
        "¿Cuáles son los síntomas de la alergia al polen?",  # French "son"
        "Warum fahren die Trupps dorthin, wo die Leute anrufen?",  # Hindi "wo", in Latin letters
        "En quelle année Constantinople est-elle tombée ?",  # the town, not the owner
        "Pourquoi les chats ronronnent-ils ?",
    ],
)
def test_a_word_that_means_the_owner_elsewhere_does_not(question):
    assert route(question, owner=OWNER).kind == "search"


@pytest.mark.parametrize(
    "question", ["A-t-elle utilisé Kafka ?", "Hat er Kafka benutzt?", "¿Usa ella Kafka?", "Unhone Kafka kab use kiya?"]
)
def test_a_pronoun_of_the_language_that_is_asked_in_means_the_owner(question):
    assert route(question, owner=OWNER).kind == "about"
