"""A visitor's own conversations: what is handed out of them, and their deletion.

Both reach everything that hangs on a conversation. Nothing exported stays on the server, so there is nothing more to
reach; the ledger keeps what answers cost, and knows no word of them.
"""

from typing import Any

from django.db import transaction

from assistant.journal import sentences_of
from assistant.models import Conversation, Feedback, Turn
from assistant.retention import erase_turns
from records.access import Viewer


def of_session(session: str) -> list[Conversation]:
    """Return the conversations that began in a session, the newest first."""
    return list(Conversation.objects.filter(session=session).order_by("-last_turn_at")) if session else []


def as_json(conversation: Conversation, viewer: Viewer) -> dict[str, Any]:
    """Return all that is kept of it as JSON's own types; closed or revoked sentences as this reader may see them."""
    feedback = {word.turn_id: word for word in Feedback.objects.filter(turn__conversation=conversation)}
    return {
        "conversation": str(conversation.pk),
        "language": conversation.language,
        "began": conversation.created_at.isoformat(),
        "turns": [_turn(turn, viewer, feedback.get(turn.pk)) for turn in conversation.turns.order_by("ordinal")],
    }


@transaction.atomic
def erase(conversation: Conversation) -> None:
    """Delete it for ever, and keep the day's figures. An answer that is still running ends with a notice."""
    # The lock that a new question takes: one that comes meanwhile begins another conversation.
    if Conversation.objects.select_for_update().filter(pk=conversation.pk).first():
        erase_turns([turn.pk for turn in conversation.turns.select_for_update().only("pk")])
        conversation.delete()


def _turn(turn: Turn, viewer: Viewer, feedback: Feedback | None) -> dict[str, Any]:
    sentences = [
        {"text": released.text, "language": released.lang, "sources": [source.url for source in released.sources]}
        for _ordinal, released in sentences_of(turn, viewer)
    ]
    return {
        "turn": str(turn.pk),
        "asked": turn.created_at.isoformat(),
        "question": turn.question,
        "language": turn.language,
        "sentences": sentences,
        "refusal": turn.refusal,
        "notice": turn.notice,
        "feedback": feedback
        and {"verdict": feedback.verdict, "comment": feedback.comment, "reported": feedback.reported},
    }
