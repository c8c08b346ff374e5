"""One turn, from question to released sentences: the layers in order, top to bottom.

`answer` is an async generator: closing it stops the turn, closes whoever generates, and keeps what was released.
Each generator closes the one that it reads from (`aclosing`): Python leaves that to the garbage collector.
Whatever breaks, the reader gets a text that we wrote.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing
from dataclasses import dataclass

import structlog
from django.conf import settings
from django.db import Error as DatabaseError

from assistant import conversations, evidence, floors, journal, model_alerts, owner_rules, warm_up
from assistant.cancelling import to_its_end
from assistant.database import in_database, in_search
from assistant.events import (
    Event,
    LeadIn,
    Notice,
    NoticeReason,
    Refusal,
    RefusalReason,
    Released,
    Similarities,
    TopPassage,
)
from assistant.evidence import Evidence
from assistant.joining import join
from assistant.later import later
from assistant.layers import Sourced, Tried
from assistant.models import Turn
from assistant.owner_rules import Rules
from assistant.providers import Assignment, Provider, provider
from assistant.question import Exchange, Question, clean, is_askable
from assistant.reader_language import reader_language
from assistant.retrieval import Wish, retrieve
from assistant.texts import lead_in_text, notice_text, refusal_text
from assistant.trace import Trace
from assistant.wording import Wording
from guardrails import floor, refusal, routing
from guardrails.floor import Floors
from guardrails.followup import FollowUp, follow_up
from guardrails.latch import ReleasedSentence
from guardrails.routing import Route
from metering import shares
from metering.errors import BudgetExhausted, LedgerUnavailable, PriceUnknown
from records import selectors
from records.models import Owner
from records.search import Found

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Context:
    """What the layers need to know beside the question, and what layer 1 and the routes say of it."""

    owner: str
    named: refusal.Owner | None
    floors: Floors
    rules: Rules
    previous: Exchange | None
    follow_up: FollowUp | None
    refused: refusal.Refusal | None
    route: Route


async def answer(question: Question, worded_by: Provider | None = None) -> AsyncGenerator[Event, None]:
    """Yield the events of one turn; `Done` is the last. `worded_by` replaces the configured provider."""
    trace = Trace()
    await warm_up.finished()
    text = clean(question.text)
    language = reader_language(text, question.language)
    if not is_askable(text):
        yield _notice(trace, "invalid", language)
        yield trace.done(None)
        return
    try:
        stored = await _begin(question, text, language, trace) if question.stored else None
    except journal.TurnExists:
        async with aclosing(join(question, language)) as events:
            async for event in events:
                yield event
        return
    except DatabaseError:
        log.exception("turn.not_stored", turn=str(question.id))
        yield _notice(trace, "unavailable", language)
        yield trace.done(None)
        return
    async with aclosing(_guarded(_Turn(question, text, language, stored, trace, worded_by))) as events:
        async for event in events:
            yield event
    yield trace.done(conversations.sign(stored.conversation) if stored else None)


@dataclass(frozen=True, slots=True)
class _Turn:
    """One question under way. `stored` is its row, where turns are kept."""

    question: Question
    text: str
    language: str
    stored: Turn | None
    trace: Trace
    worded_by: Provider | None


async def _guarded(turn: _Turn) -> AsyncGenerator[Event, None]:
    """Run the layers so that every end is stored, and every failure is a text that we wrote."""
    layers = _layers(turn)
    ended = gone = False
    try:
        async for event in layers:
            yield event
        ended = True
    except journal.TurnGone:  # its reader deleted the conversation: nothing has failed
        ended = True
        yield _notice(turn.trace, "unavailable", turn.language)
    except Exception as error:  # the last line of defence: the reader gets a text, the owner a log line
        log.exception("turn.failed", turn=str(turn.question.id))
        gone = isinstance(error, DatabaseError)
        turn.trace.guards.append(("failure", ""))
        ended = True
        yield _notice(turn.trace, "unavailable", turn.language)
    finally:
        if not ended:
            turn.trace.notice = turn.trace.notice or "stopped"
        await layers.aclose()
        if turn.stored is not None and gone:
            later(_finish(turn.stored, turn.trace))
        elif turn.stored is not None:
            await _finish(turn.stored, turn.trace)


async def _layers(turn: _Turn) -> AsyncGenerator[Event, None]:
    trace = turn.trace
    context = await in_database(_gather, turn)
    trace.floor = Similarities(dense=context.floors.dense, words=context.floors.words)

    refused, route = context.refused, context.route
    trace.route = "refusal" if refused else "records" if route.kind == "records" else "search"
    if turn.question.retrieval_only:
        await _search(turn, context, route)
        return
    turn.question.watch(_tried(context.rules, refused))
    if refused:
        trace.guards.append(("refusal", f"{refused.category}: {refused.pattern}"))
        yield _refusal(trace, refused.category, turn.language)
        return

    sources = await _evidence(turn, context, route)
    turn.question.watch(Sourced(trace.route, trace.best, trace.floor, trace.top, len(sources)))
    if not sources:
        yield _refusal(trace, "no_evidence", turn.language)
        return
    async with aclosing(_word(turn, context, sources)) as events:
        async for event in events:
            yield event


def _tried(rules: Rules, refused: refusal.Refusal | None) -> Tried:
    category, pattern = (refused.category, refused.pattern) if refused else (None, "")
    return Tried(refusal.pattern_count(), len(rules.extra), category, pattern)


async def _evidence(turn: _Turn, context: _Context, route: Route) -> tuple[Evidence, ...]:
    """Return the numbered sources that this question may be answered from; none: it is refused."""
    if route.kind == "records":
        views = await in_database(
            selectors.overview, route.topic or "overview", turn.language, turn.question.viewer, settings.TRAVA.TOP_K
        )
        return evidence.from_records(views, turn.language, context.owner)
    found = await _search(turn, context, route)
    if floor.decide(found.best_dense, found.best_words, context.floors).passed:
        return await in_database(evidence.from_hits, found.hits, turn.question.viewer)
    turn.trace.guards.append(("floor", ""))
    if route.kind != "about":
        return ()
    turn.trace.route = "panorama"
    views = await in_database(selectors.panorama, turn.language, turn.question.viewer)
    return evidence.from_records(views, turn.language, context.owner)


async def _search(turn: _Turn, context: _Context, route: Route) -> Found:
    wish = Wish(
        text=turn.text,
        language=turn.language,
        previous=context.previous,
        follow_up=context.follow_up,
        about_owner=context.owner if route.kind == "about" else None,
        named=context.named,
        subject=str(turn.question.id),
        shares=_shares(turn),
    )
    retrieved = await in_search(retrieve, wish, turn.question.viewer, settings.TRAVA.TOP_K)
    found = retrieved.found
    turn.trace.embedded = retrieved.embedded
    turn.trace.best = Similarities(dense=found.best_dense, words=found.best_words)
    turn.trace.top = tuple(TopPassage(hit.passage, hit.record, hit.dense, hit.words) for hit in found.hits)
    return found


async def _word(turn: _Turn, context: _Context, sources: tuple[Evidence, ...]) -> AsyncGenerator[Event, None]:
    """Reserve, ask the provider, release through the latch, settle; then say how it ended."""
    worded = Wording(
        turn.worded_by or provider(),
        _assignment(turn, context, sources),
        context.rules.latch,
        strong=_is_strong(turn.trace, context.floors),
        subject=str(turn.question.id),
        shares=_shares(turn),
        deadline=_deadline(turn.trace),
        watch=turn.question.watch,
    )
    released = 0
    try:
        async with aclosing(worded.sentences()) as sentences:
            async for sentence, cited in sentences:
                released += 1
                for event in await _kept(turn, released, sentence, cited):
                    yield event
    except (BudgetExhausted, LedgerUnavailable, PriceUnknown) as refused:
        yield await _not_paid_for(turn, refused)
        return
    except DatabaseError:
        worded.without_database()
        raise
    finally:
        await worded.close()
        worded.note(turn.trace)
    if worded.asked_a_model:
        await in_database(model_alerts.after, worded.failure)
    ending = worded.ending()
    if ending == "not_covered" and not released:
        yield _refusal(turn.trace, "not_covered", turn.language)
    elif ending is not None:
        yield _notice(turn.trace, ending, turn.language, released=released > 0)


async def _not_paid_for(turn: _Turn, refused: BudgetExhausted | LedgerUnavailable | PriceUnknown) -> Notice:
    turn.trace.guards.append(("budget", type(refused).__name__))
    if isinstance(refused, PriceUnknown):
        await in_database(model_alerts.after, refused)
    return _notice(turn.trace, "budget" if isinstance(refused, BudgetExhausted) else "unavailable", turn.language)


def _assignment(turn: _Turn, context: _Context, sources: tuple[Evidence, ...]) -> Assignment:
    before = ""
    if context.follow_up and context.previous:
        before = context.follow_up.item or context.previous.question
    return Assignment(turn.text, turn.language, turn.trace.route, sources, owner=context.owner, before=before)


def _is_strong(trace: Trace, floors: Floors) -> bool:
    """Whether a model that declines has no reason to: records that a pattern chose, or passages far over the floor."""
    match trace.route:
        case "records":
            return True
        case "search":
            return floor.is_strong(trace.best.dense, trace.best.words or 0.0, floors)
        case _:  # a panorama may well not answer: there the model's word counts
            return False


async def _kept(turn: _Turn, ordinal: int, sentence: ReleasedSentence, cited: tuple[Evidence, ...]) -> list[Released]:
    """Store a released sentence, and a lead-in before a first one in another language; return what can now be sent."""
    events: list[Released] = []
    if ordinal == 1 and sentence.language != turn.language:
        events.append(await _lead_in(turn, sentence.language, cited))
    if turn.stored is not None:
        await in_database(journal.release, turn.stored, ordinal, sentence, cited)
    return [*events, Released(sentence.text, sentence.language, tuple(item.reference for item in cited))]


async def _lead_in(turn: _Turn, spoken: str, cited: tuple[Evidence, ...]) -> LeadIn:
    """Say in the reader's language in which other language the answer stands; kept as what follows it is kept."""
    text = lead_in_text(spoken, turn.language)
    if turn.stored is not None:
        await in_database(journal.lead_in, turn.stored, text, turn.language, cited)
    return LeadIn(text, turn.language, tuple(item.reference for item in cited))


def _gather(turn: _Turn) -> _Context:
    """Read the owner, the floors and rules in force and the exchange before this one; try layer 1 and the routes.

    All in one visit to the database: patterns compile at their first use, which is no work for the event loop.
    """
    question = turn.question
    owner = Owner.objects.first()
    named, rules = owner_rules.named(owner), owner_rules.current(owner)
    history = question.history
    if question.conversation is not None:
        history = conversations.history(question.conversation, question.viewer)
    previous = history[-1] if history else None
    before = previous.question if previous else None
    return _Context(
        owner=owner.name_in(question.language) if owner else "",
        named=named,
        floors=floors.current(),
        rules=rules,
        previous=previous,
        follow_up=_follow_up(turn, previous) if previous else None,
        refused=refusal.check(turn.text, before, named, rules.extra),
        route=routing.route(turn.text, before, named),
    )


def _follow_up(turn: _Turn, previous: Exchange) -> FollowUp | None:
    answered = previous.answer.splitlines()
    return follow_up(turn.text, turn.language, previous.question, answered, previous.titles)


def _shares(turn: _Turn) -> tuple[str, ...]:
    """Return the shares of the month that this turn takes from: its reader's, and its conversation's."""
    if turn.stored is None:
        return turn.question.shares
    return (*turn.question.shares, shares.key(shares.Kind.CONVERSATION, str(turn.stored.conversation_id)))


def _refusal(trace: Trace, reason: RefusalReason, language: str) -> Refusal:
    trace.refusal = reason
    return Refusal(reason=reason, text=refusal_text(reason, language))


def _notice(trace: Trace, reason: NoticeReason, language: str, *, released: bool = True) -> Notice:
    trace.notice = reason
    return Notice(reason=reason, text=notice_text(reason, language, released=released))


def _deadline(trace: Trace) -> float:
    """Return the loop time by which this turn must have ended."""
    spent = time.monotonic() - trace.started
    return asyncio.get_running_loop().time() + settings.TRAVA.TURN_DEADLINE - spent


async def _begin(question: Question, text: str, language: str, trace: Trace) -> Turn:
    """Store the question; one that is stopped meanwhile is stored as stopped. Raises what `journal.begin` raises."""

    def stopped(stored: Turn) -> Awaitable[None]:
        trace.notice = "stopped"
        return _finish(stored, trace)

    beginning = in_database(journal.begin, question, text, language)
    return await to_its_end(beginning, stopped, (journal.TurnExists, DatabaseError))


async def _finish(stored: Turn, trace: Trace) -> None:
    """Store the end even where the task itself is being cancelled."""
    try:
        await asyncio.shield(asyncio.ensure_future(in_database(journal.finish, stored, trace)))
    except DatabaseError:
        # The turn stays open in the database; the sweeper closes it past its deadline.
        log.exception("turn.not_finished", turn=str(stored.pk))
