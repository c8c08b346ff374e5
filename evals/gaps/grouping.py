"""Groups visitors' questions by meaning, each once, as they come: a question joins the group whose leader it is nearest
to, or leads one of its own.

A follow-up is read together with the question that it leans on, and so is always near to that one: it joins its group
only where it means the same by itself.

Who joined stays, so groups are the same tomorrow. When a group's leader is erased with its conversation, the oldest
question left leads. Without an embedder only questions with the same content words are one group.
"""

import time
import uuid
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from pgvector.django import CosineDistance

from assistant.models import Turn
from evals.models import GroupedQuestion, QuestionGroup
from guardrails.followup import follow_up
from guardrails.text import content_words
from metering.embedders import Vector, embedder
from records import spaces
from records.embedding import query_vector

# Least centred cosine to a group's leader, in the same language and in another one. Chosen on eight questions of the
# golden sets in ten languages and two wordings each, with the bundled multilingual-e5-small (4 bit): docs/measured.md.
SAME_LANGUAGE, OTHER_LANGUAGE = 0.70, 0.55

BATCH = 500  # questions a run; the next one comes a minute later
SUBJECT = "grouping"  # what the ledger knows of an embedding's purpose here


@dataclass(frozen=True, slots=True)
class _Read:
    """A question as it is compared: its text with what it leans on, and its vector in a space.

    `alone`: the vector of its own words.
    """

    text: str
    language: str
    follows: Turn | None
    space: str
    vector: Vector | None
    alone: Vector | None


def group_new(seconds: float) -> int:
    """Group the questions that no group has yet, the oldest first; return how many. Raises EmbeddingUnavailable.

    Commits one by one, so it must not run inside a transaction.
    """
    deadline, count = time.monotonic() + seconds, 0
    for turn in _waiting()[:BATCH]:
        if time.monotonic() > deadline:
            break
        count += _take_in(turn.pk, _read(turn))
    return count


def mend(seconds: float) -> bool:
    """Bring vectors into today's space, give a leader to groups that lost theirs, drop empty groups.

    Return whether that is finished: a new question can only be compared with leaders of today's space. Raises
    EmbeddingUnavailable.
    """
    deadline, today = time.monotonic() + seconds, _space()
    old = GroupedQuestion.objects.exclude(space=today).select_related("turn").order_by("-leads", "pk")
    for question in old[:BATCH]:
        if time.monotonic() > deadline:
            break
        read = _read(question.turn)
        GroupedQuestion.objects.filter(pk=question.pk).update(space=read.space, vector=read.vector)
    for group in QuestionGroup.objects.filter(~Exists(_leaders().filter(group=OuterRef("pk")))):
        _choose_leader(group)
    return not old.filter(leads=True).exists()


def _space() -> str:
    """Return the fingerprint of the space that questions are embedded in today; empty: in none."""
    used, space = embedder(), spaces.active()
    return space.fingerprint if used and space and space.embedder == used.name else ""


def _waiting() -> QuerySet[Turn]:
    """Return what visitors asked and layer 1 let through."""
    asked = Turn.objects.filter(state=Turn.State.DONE, live_check=False, grouped=None).exclude(route="")
    return asked.exclude(route=Turn.Route.REFUSAL).exclude(notice="invalid").order_by("created_at", "pk")


def _read(turn: Turn) -> _Read:
    before = Turn.objects.filter(conversation=turn.conversation_id, ordinal__lt=turn.ordinal).order_by("-ordinal")
    previous = before.first()
    leans = previous and follow_up(turn.question, turn.language, previous.question, "", ())
    text = f"{previous.question} {turn.question}" if previous and leans else turn.question
    space = _space()
    vector = query_vector(text, turn.language, SUBJECT) if space else None
    alone = query_vector(turn.question, turn.language, SUBJECT) if space and leans else vector
    return _Read(text, turn.language, previous if leans else None, space, vector, alone)


@transaction.atomic
def _take_in(turn: uuid.UUID, read: _Read) -> bool:
    """Keep it, unless another process did or its visitor has erased it meanwhile."""
    is_there = Turn.objects.select_for_update().filter(pk=turn).exists()
    if not is_there or GroupedQuestion.objects.filter(turn=turn).exists():
        return False
    group = _nearest(read)
    GroupedQuestion.objects.create(
        turn_id=turn,
        follows=read.follows,
        group=group or QuestionGroup.objects.create(),
        leads=group is None,
        space=read.space,
        vector=read.vector,
    )
    return True


def _nearest(read: _Read) -> QuestionGroup | None:
    """Return the group that a question belongs to. One in its own language goes before one in another."""
    if read.vector is None or read.alone is None:
        return _same_words(read)
    leaders = _leaders().filter(space=read.space)
    leant_on = GroupedQuestion.objects.filter(turn=read.follows).values("group")
    by_itself = _within(leaders.filter(group__in=leant_on), read.alone, read.language)
    return by_itself or _within(leaders.exclude(group__in=leant_on), read.vector, read.language)


def _within(leaders: QuerySet[GroupedQuestion], vector: Vector, language: str) -> QuestionGroup | None:
    leaders = leaders.annotate(distance=CosineDistance("vector", vector))
    same = Q(turn__language=language)
    for where, least in ((same, SAME_LANGUAGE), (~same, OTHER_LANGUAGE)):
        leader = leaders.filter(where).order_by("distance").first()
        if leader and leader.distance <= 1 - least:
            return leader.group
    return None


def _same_words(read: _Read) -> QuestionGroup | None:
    wanted = set(content_words(read.text, read.language))
    for leader in _leaders().filter(vector=None, turn__language=read.language).select_related("turn", "follows"):
        if wanted and wanted == set(content_words(text_of(leader), read.language)):
            return leader.group
    return None


def text_of(question: GroupedQuestion) -> str:
    """Return a question with the one that it leans on."""
    return f"{question.follows.question} {question.turn.question}" if question.follows else question.turn.question


def _leaders() -> QuerySet[GroupedQuestion]:
    return GroupedQuestion.objects.filter(leads=True).select_related("group")


@transaction.atomic
def _choose_leader(group: QuestionGroup) -> None:
    """Make the oldest question lead; a group without any goes, and what the owner made of it too."""
    is_there = QuestionGroup.objects.select_for_update().filter(pk=group.pk).exists()
    if not is_there or GroupedQuestion.objects.filter(group=group, leads=True).exists():
        return
    oldest = group.questions.order_by("turn__created_at", "pk").first()
    if oldest is None:
        group.delete()
    else:
        GroupedQuestion.objects.filter(pk=oldest.pk).update(leads=True)
