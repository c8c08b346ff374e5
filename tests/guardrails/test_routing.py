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
