"""A turn as the page shows it: sentences with numbered sources, and the one notice or refusal at its end.

The same objects are rendered while a turn streams and when the page is loaded again. Renders nothing itself.
"""

import logging
import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.conf import settings
from django.db import Error as DatabaseError

from assistant.events import Done, LeadIn, Notice, Refusal, Released, SourceReference
from assistant.journal import sentences_of
from assistant.models import Conversation, Feedback, Turn
from assistant.proofs import Proven, proofs_of
from assistant.suggestions import BELOW_A_REFUSAL, suggested
from assistant.texts import notice_text, refusal_text
from guardrails.leak import REDACTED
from records.access import Viewer

logger = logging.getLogger(__name__)

_LEFT_WITHOUT = frozenset({"withheld", "not_covered", "budget", "unavailable"})
_MARK = re.compile(r"\s*(?:(?P<heading>#{1,6}\s+)|[-*•]\s+|(?P<number>\d{1,3}[.)]\s+))")


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A source as it is listed under an answer, with its number there."""

    number: int
    reference: SourceReference


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a sentence in one weight."""

    text: str
    bold: bool


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """A released sentence and the sources it rests on; `new` are those that the list does not have yet."""

    text: str
    language: str
    sources: tuple[ShownSource, ...]
    new: tuple[ShownSource, ...]
    lead_in: bool = False

    @property
    def shape(self) -> str:
        """`lead-in`, or by the mark that the sentence begins with: `heading`, `item` (of a list) or `plain`."""
        if self.lead_in:
            return "lead-in"
        mark = _MARK.match(self.text)
        return "plain" if mark is None else "heading" if mark["heading"] else "item"

    @property
    def redacted(self) -> bool:
        """Whether the mark for hidden personal data stands in it and must be explained."""
        return REDACTED in self.text

    @property
    def runs(self) -> list[Run]:
        """The text without its heading or bullet mark; what stood between `**` is bold."""
        mark = _MARK.match(self.text)
        text = self.text[mark.end() :] if mark and not mark["number"] else self.text
        pieces = text.split("**")
        if len(pieces) % 2 == 0:  # an unpaired mark is text
            pieces[-2:] = ["**".join(pieces[-2:])]
        return [Run(piece, bold=index % 2 == 1) for index, piece in enumerate(pieces) if piece]


@dataclass(slots=True)
class ShownTurn:
    """Takes a turn's events in their order."""

    id: uuid.UUID
    question: str
    language: str
    sentences: list[ShownSentence] = field(default_factory=list)
    ending: Refusal | Notice | None = None
    running: bool = True
    sources: dict[str, ShownSource] = field(default_factory=dict)
    evidence: Sequence[Proven] = ()
    feedback: Feedback | None = None
    suggestions: Sequence[str] = ()

    def add(self, released: Released) -> ShownSentence:
        """Number the sentence's sources; one passage or record keeps one number through the answer.

        A lead-in shows none: the sentence after it has them.
        """
        lead_in = isinstance(released, LeadIn)
        cited = {} if lead_in else {reference.url: reference for reference in released.sources}
        new = [url for url in cited if url not in self.sources]
        for url in new:
            self.sources[url] = ShownSource(len(self.sources) + 1, cited[url])
        shown = ShownSentence(
            released.text,
            released.lang,
            tuple(self.sources[url] for url in cited),
            tuple(self.sources[url] for url in new),
            lead_in,
        )
        self.sentences.append(shown)
        return shown

    def end(self, event: Refusal | Notice | Done) -> None:
        """Take what ends the answer; a refusal or a notice stands below it."""
        self.running = False
        if not isinstance(event, Done):
            self.ending = event

    @property
    def offers_ways(self) -> bool:
        """Whether the reader is left without what was asked for, and is shown where to go on."""
        return isinstance(self.ending, Refusal) or (self.ending is not None and self.ending.reason in _LEFT_WITHOUT)

    @property
    def kind(self) -> str:
        """`refusal` or `notice`: what the ending is."""
        return "refusal" if isinstance(self.ending, Refusal) else "notice"


def shown(turns: Iterable[Turn], viewer: Viewer) -> list[ShownTurn]:
    """Return stored turns as they were released, but for what this reader may not read today (reads the database)."""
    told = [_shown(turn, viewer) for turn in turns]
    complete([turn for turn in told if not turn.running], viewer)
    return told


def complete(turns: Sequence[ShownTurn], viewer: Viewer) -> None:
    """Add what stands below answers that have ended. Without a database they stay as they are: nothing is lost."""
    try:
        evidence = proofs_of([turn.id for turn in turns], viewer)
        feedback = {kept.turn_id: kept for kept in Feedback.objects.filter(turn__in=[turn.id for turn in turns])}
        newest = turns[-1] if turns and turns[-1].offers_ways else None
        suggestions = suggested(newest.language, BELOW_A_REFUSAL, newest.question) if newest else ()
    except DatabaseError:
        logger.exception("No database: an answer is shown without what stands below it.")
        return
    for turn in turns:
        turn.evidence = evidence.get(turn.id, ())
        turn.feedback = feedback.get(turn.id)
    if newest:
        newest.suggestions = suggestions


def of_session(session: str) -> Conversation | None:
    """Return the conversation that this session spoke in last."""
    if not session:
        return None
    return Conversation.objects.filter(session=session).order_by("-last_turn_at").first()


def direction(language: str) -> str:
    """Return the writing direction of a language of the site."""
    return "rtl" if language in settings.LANGUAGES_BIDI else "ltr"


def _shown(turn: Turn, viewer: Viewer) -> ShownTurn:
    result = ShownTurn(turn.id, turn.question, turn.language, running=turn.state == Turn.State.RUNNING)
    for _ordinal, released in sentences_of(turn, viewer):
        result.add(released)
    if turn.refusal:
        result.ending = Refusal(turn.refusal, refusal_text(turn.refusal, turn.language))  # type: ignore[arg-type]  # stored from the same vocabulary
    elif turn.notice:
        text = notice_text(turn.notice, turn.language, released=bool(result.sentences))  # type: ignore[arg-type]  # likewise
        result.ending = Notice(turn.notice, text)  # type: ignore[arg-type]  # likewise
    return result
