"""What the demo offers to ask is answered, in each of its languages, by the provider that needs no key."""

import io
import json

import pytest
from django.core.management import call_command

from records.models import Owner

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def demo() -> dict[str, list[str]]:
    """The demo with its shipped vectors, and its suggested questions by language."""
    call_command("load_demo", verbosity=0)
    call_command("ingest", verbosity=0)
    return Owner.objects.get().questions


def test_every_suggested_question_is_answered(demo, monkeypatch):
    asked = [{"id": question, "question": question, "lang": code} for code, all_ in demo.items() for question in all_]
    lines = "\n".join(json.dumps(line) for line in asked)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    out = io.StringIO()
    call_command("ask", "--stdin", "--json", stdout=out)
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    answered = {event["id"] for event in events if event["event"] == "sentence"}
    assert len(demo) == 10
    assert [line["question"] for line in asked if line["id"] not in answered] == []
