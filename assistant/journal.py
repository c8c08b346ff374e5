"""What is kept of a turn, written as it happens: a sentence is stored before it is sent."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta

from django.conf import settings
from django.db import (
    IntegrityError,
    connection,  # noqa: TID251  # a sentence and what it cites are stored by one statement
    transaction,
)
from django.db.models import Max, Prefetch
from django.utils import timezone

from assistant.events import LeadIn, Released, SourceReference
from assistant.evidence import Evidence, fields_reference, passage_reference
from assistant.models import Citation, Conversation, GuardrailEvent, Sentence, Turn
from assistant.question import Question
from assistant.readable import citations, unreadable
from assistant.texts import gone_text
from assistant.trace import Trace
from guardrails.latch import ReleasedSentence
from records.access import Viewer

# One statement, two tables: a transaction around two statements is four round trips, and its reader waits for each.
_STORE = """
WITH sentence AS (
    INSERT INTO assistant_sentence (turn_id, ordinal, text, language) VALUES (%s, %s, %s, %s) RETURNING id
)
INSERT INTO assistant_citation (sentence_id, version_id, passage_id, start, "end", ordinal)
SELECT sentence.id, cited.*
FROM sentence, unnest(%s::bigint[], %s::varchar[], %s::integer[], %s::integer[]) WITH ORDINALITY AS cited
"""


class TurnExists(Exception):
    """This turn id is in the database already: join that turn instead of asking twice."""


class TurnGone(Exception):
    """The turn was deleted while it ran."""


def begin(question: Question, text: str, language: str) -> Turn:
    """Store the cleaned text as a running turn; raises TurnExists where the client sends an id again."""
    try:
        with transaction.atomic():
            conversation, ordinal = _place(question)
            return Turn.objects.create(
                id=question.id,
                conversation=conversation,
                ordinal=ordinal,
                question=text,
                language=language,
                live_check=question.live_check,
                deadline=timezone.now() + timedelta(seconds=settings.TRAVA.TURN_DEADLINE),
            )
    except IntegrityError as error:
        if Turn.objects.filter(pk=question.id).exists():
            raise TurnExists from error
        raise


def _place(question: Question) -> tuple[Conversation, int]:
    """Return the turn's conversation and its number there; one that was deleted since it was opened begins anew."""
    opened = question.conversation
    # The update locks the row, so that two questions at once get two numbers.
    if opened and Conversation.objects.filter(pk=opened.pk).update(last_turn_at=timezone.now()):
        last = opened.turns.aggregate(last=Max("ordinal"))["last"] or 0
        return opened, last + 1
    return Conversation.objects.create(session=question.session, language=question.language), 1


def find(turn_id: uuid.UUID, session: str) -> Turn | None:
    """Return the turn if it belongs to this session."""
    return Turn.objects.select_related("conversation").filter(pk=turn_id, conversation__session=session).first()


def release(turn: Turn, ordinal: int, sentence: ReleasedSentence, cited: Sequence[Evidence]) -> None:
    """Store a released sentence with its citations; raises TurnGone."""
    _store(turn, ordinal, sentence.text, sentence.language, cited)


def lead_in(turn: Turn, text: str, language: str, cited: Sequence[Evidence]) -> None:
    """Store the fixed text before the first sentence, with what that sentence cites: the two go together.

    Raises TurnGone.
    """
    _store(turn, Sentence.LEAD_IN, text, language, cited)


def _store(turn: Turn, ordinal: int, text: str, language: str, cited: Sequence[Evidence]) -> None:
    places = [item.reference for item in cited]
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                _STORE,
                [
                    *(turn.pk, ordinal, text, language),
                    [item.version for item in cited],
                    [place.passage for place in places],
                    [place.start for place in places],
                    [place.end for place in places],
                ],
            )
    except IntegrityError as error:
        if Turn.objects.filter(pk=turn.pk).exists():
            raise
        raise TurnGone from error


def finish(turn: Turn, trace: Trace) -> None:
    """Store what the layers decided and close the turn; a turn that is closed already stays as it is."""
    closed = Turn.objects.filter(pk=turn.pk, state=Turn.State.RUNNING).update(
        state=Turn.State.DONE,
        route=trace.route,
        refusal=trace.refusal or "",
        notice=trace.notice or "",
        stop=trace.stop or "",
        model_called=trace.model_called,
        embedded=trace.embedded,
        provider=trace.provider,
        prompt_version=trace.prompt_version,
        trace={
            "best": asdict(trace.best),
            "floor": asdict(trace.floor),
            "top": [asdict(passage) for passage in trace.top],
        },
        cost_microusd=trace.cost_microusd,
        ms=trace.ms(),
    )
    if closed:
        GuardrailEvent.objects.bulk_create(
            GuardrailEvent(turn=turn, guard=guard, detail=detail[:200]) for guard, detail in trace.guards
        )


def sentences_of(turn: Turn, viewer: Viewer, after: int = -1) -> list[tuple[int, Released]]:
    """Return the stored sentences after a number, each with its own.

    In the place of one that this reader may not read (any more) stands a fixed text; a lead-in to it is left out.
    """
    stored = list(turn.sentences.filter(ordinal__gt=after).prefetch_related(Prefetch("citations", citations())))
    closed = unreadable(stored, viewer)
    return [
        (sentence.ordinal, _gone(turn) if sentence.pk in closed else _released(sentence, turn.language))
        for sentence in stored
        if not (sentence.pk in closed and sentence.ordinal == Sentence.LEAD_IN)
    ]


def close_abandoned() -> int:
    """Close turns whose process died: past their deadline and still running. Returns how many."""
    return Turn.objects.filter(state=Turn.State.RUNNING, deadline__lt=timezone.now()).update(
        state=Turn.State.DONE, notice="unavailable"
    )


def _released(sentence: Sentence, language: str) -> Released:
    references = tuple(reference(citation, language) for citation in sentence.citations.all())
    event = LeadIn if sentence.ordinal == Sentence.LEAD_IN else Released
    return event(sentence.text, sentence.language, references)


def _gone(turn: Turn) -> Released:
    return Released(gone_text(turn.language), turn.language, ())


def reference(citation: Citation, language: str) -> SourceReference:
    """Return what a stored citation refers to; its version and record should be fetched already."""
    version = citation.version
    record = version.record
    if citation.passage_id is None or citation.start is None or citation.end is None:
        return fields_reference(record.slug, record.kind, version.title, version.pk, language, version.valid_to)
    return passage_reference(
        record.slug,
        record.kind,
        version.title,
        version.pk,
        citation.passage_id,
        citation.start,
        citation.end,
        version.valid_to,
    )
