"""A conversation's id travels signed and opens only in the session that it began in."""

import uuid

from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

from assistant.models import Conversation, Sentence, Turn
from assistant.question import Exchange
from assistant.readable import unreadable
from records.access import Viewer

_SALT = "assistant.conversation"


def session_hash(session_key: str) -> str:
    """Return what is stored of a session: enough to recognise it, useless to steal."""
    return salted_hmac(_SALT, session_key).hexdigest() if session_key else ""


def sign(conversation: Conversation) -> str:
    """Return the signed id that the client sends back."""
    return signing.dumps(str(conversation.id), salt=_SALT)


def open_signed(token: str, session: str) -> Conversation | None:
    """Return the conversation, or None where the token is forged, unknown or another session's.

    A conversation that began without a session (an API client) opens by its token alone.
    """
    try:
        identity = uuid.UUID(signing.loads(token, salt=_SALT))
    except (signing.BadSignature, ValueError):
        return None
    conversation = Conversation.objects.filter(pk=identity).first()
    if conversation is None or not constant_time_compare(conversation.session, conversation.session and session):
        return None
    return conversation


def history(
    conversation: Conversation, viewer: Viewer, turns: int = 1, before: int | None = None
) -> tuple[Exchange, ...]:
    """Return the last finished exchanges, oldest first, without what this reader may not read today.

    `before`: those before the turn of this number alone.
    """
    finished = conversation.turns.filter(state=Turn.State.DONE)
    last = (
        (finished if before is None else finished.filter(ordinal__lt=before))
        .order_by("-ordinal")
        .prefetch_related("sentences__citations__version")[:turns]
    )
    return tuple(_exchange(turn, viewer) for turn in reversed(last))


def _exchange(turn: Turn, viewer: Viewer) -> Exchange:
    stored = [sentence for sentence in turn.sentences.all() if sentence.ordinal != Sentence.LEAD_IN]
    closed = unreadable(stored, viewer)
    sentences = [sentence for sentence in stored if sentence.pk not in closed]
    titles = (citation.version.title for sentence in sentences for citation in sentence.citations.all())
    return Exchange(
        question=turn.question,
        answer="\n".join(sentence.text for sentence in sentences),
        titles=tuple(dict.fromkeys(titles)),
    )
