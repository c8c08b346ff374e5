"""Turns for a spreadsheet (CSV) or a program (JSON): what was asked, what was released, what the layers decided.

Made when it is asked for and kept nowhere; each turn says until when its copy may be kept. Revoked text is in none.
"""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from assistant import spreadsheet
from assistant.models import Feedback, Sentence, Turn

MOST = 5_000  # turns in one file


def rows(turns: QuerySet[Turn]) -> Iterator[dict[str, Any]]:
    """Yield one flat object a turn, the newest first, MOST at most."""
    related = ("sentences__citations__version__record", "guardrail_events")
    for turn in turns.select_related("feedback").prefetch_related(*related).order_by("-created_at")[:MOST]:
        yield _row(turn)


def as_json(turns: QuerySet[Turn]) -> str:
    """Return a JSON list of the rows."""
    return json.dumps(list(rows(turns)), ensure_ascii=False, indent=2)


def as_csv(turns: QuerySet[Turn]) -> str:
    """Return the rows as CSV; empty where there is no turn."""
    found = list(rows(turns))
    return "".join(spreadsheet.lines([list(found[0]), *(list(row.values()) for row in found)])) if found else ""


def feedback_of(turn: Turn) -> Feedback | None:
    """Return what the visitor said of a turn, None where nothing was said."""
    return turn.feedback if hasattr(turn, "feedback") else None


def _row(turn: Turn) -> dict[str, Any]:
    answer, sources = _released(turn)
    feedback = feedback_of(turn)
    return {
        "turn": str(turn.pk),
        "conversation": str(turn.conversation_id),
        "asked": turn.created_at.isoformat(),
        "keep_until": (turn.created_at + timedelta(days=settings.TRAVA.RETENTION_DAYS)).date().isoformat(),
        "live_check": turn.live_check,
        "language": turn.language,
        "question": turn.question,
        "answer": answer,
        "sources": sources,
        "route": turn.route,
        "refusal": turn.refusal,
        "notice": turn.notice,
        "stop": turn.stop,
        "guards": [f"{event.guard}: {event.detail}" for event in turn.guardrail_events.all()],
        "best_dense": turn.trace.get("best", {}).get("dense"),
        "best_words": turn.trace.get("best", {}).get("words"),
        "floor_dense": turn.trace.get("floor", {}).get("dense"),
        "floor_words": turn.trace.get("floor", {}).get("words"),
        "provider": turn.provider,
        "prompt_version": turn.prompt_version,
        "cost_microusd": turn.cost_microusd,
        "ms": turn.ms,
        "verdict": feedback.verdict if feedback else "",
        "reported": feedback.reported if feedback else False,
        "comment": feedback.comment if feedback else "",
    }


def _released(turn: Turn) -> tuple[list[str], list[str]]:
    """Return the sentences, and the versions that they cite; what is revoked is in neither."""
    said: list[str] = []
    sources: dict[str, None] = {}
    for sentence in turn.sentences.all():
        versions = [citation.version for citation in sentence.citations.all()]
        if sentence.ordinal == Sentence.LEAD_IN or any(version.revoked_at for version in versions):
            continue
        said.append(sentence.text)
        sources.update(dict.fromkeys(str(version) for version in versions))
    return said, list(sources)
