"""The HTML that the socket sends: each function returns one message of htmx out-of-band fragments.

Everything is escaped by the templates; nothing here marks a text as safe.
"""

import uuid

from django.template.loader import render_to_string
from django.utils.translation import override

from assistant.events import Notice
from assistant.presentation import ShownSentence, ShownTurn


def accepted(turn: ShownTurn, language: str, *, placed: bool, fresh_form: bool) -> str:
    """The question as a new entry of the log, a fresh form with a new turn id, and a button to stop.

    `placed`: the page has reserved the entry's place, so that a resend fills it again instead of adding another.
    `fresh_form` is off for the page that follows a turn again: what the reader types meanwhile is kept.
    """
    return _render("accepted", language, turn=turn, placed=placed, fresh_form=fresh_form, next_turn=uuid.uuid4())


def sentence(turn: ShownTurn, released: ShownSentence, language: str) -> str:
    """One released sentence at the answer's end, and the sources that it brings."""
    return _render("sentence_fragment", language, turn=turn, sentence=released)


def finished(turn: ShownTurn, language: str, conversation: str | None) -> str:
    """How the turn ended, and the conversation that the next question continues."""
    return _render("finished", language, turn=turn, conversation=conversation)


def declined(notice: Notice, language: str, *, forget_conversation: bool) -> str:
    """A notice beside the form, which keeps what was typed."""
    return _render("declined", language, notice=notice, forget_conversation=forget_conversation)


def _render(name: str, language: str, **context: object) -> str:
    with override(language):
        return render_to_string(f"chat/{name}.html", {**context, "language": language})
