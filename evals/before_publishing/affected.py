"""Which cases a publication may affect: what the site suggests to ask, what expects the record, what comes near to it.

Near is by cosine to what the record says on the site today and to what it would say: a case whose answer lies in the
record now, or would, is near to it. Each kind is bounded, and how many that expect it were left out is told.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals import golden
from evals.asking import Asker
from evals.before_publishing import suggested
from evals.before_publishing.models import QuestionVector
from evals.golden import (
    AccessCase,
    AnswerableCase,
    Case,
    FalsePremiseCase,
    FollowUpCase,
    RoutingCase,
)
from evals.models import OwnCase
from metering.embedders import Vector, embedder
from metering.embedding import embed_queries
from records.centring import Role, centring_of
from records.models import EmbeddingSpace, Record, SearchEntry
from records.rehearsal import Drafted, space_of

SUGGESTED = 40  # questions at most that the site suggests
EXPECTING = 120  # cases at most that expect the record
NEAREST = 30  # further ones at most, the nearest
BATCH = 20  # questions embedded at once

# The suites whose outcome rests on what is published. Layer 1 and the latch on fixed outputs know no records.
SHAPES: Mapping[str, type[Case]] = {
    **{suite: shape for suite, shape in golden.SHAPES.items() if suite not in {"refusal", "near_miss", "commitment"}},
    suggested.NAME: Case,
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The cases to ask, by suite. `left_out` expect the record and are too many; `near`: whether nearness was known."""

    cases: tuple[tuple[str, Case], ...]
    suggested: int
    expecting: int
    left_out: int
    near: bool


def choose(records: Sequence[Record], drafts: Drafted, asker: Asker, tell: Callable[[int, int], None]) -> Chosen:
    """Return the cases to ask; embeds golden questions that nobody embedded yet, and `tell`s how many of how many.

    Raises any MeteringError.
    """
    kinds: dict[str, list[tuple[str, Case]]] = {"suggested": [], "expecting": [], "other": []}
    slugs = {record.slug for record in records}
    for suite, case in _all(asker):
        is_suggested, expects = suite == suggested.NAME, not slugs.isdisjoint(_expected(case))
        kinds["suggested" if is_suggested else "expecting" if expects else "other"].append((suite, case))
    space = space_of(embedder())
    near: Sequence[tuple[str, Case]] = ()
    if space and (targets := _passages(records, drafts, space)).size:
        near = _nearest(kinds["other"], targets, space, asker, tell)
    offered, expecting = kinds["suggested"][:SUGGESTED], kinds["expecting"][:EXPECTING]
    left_out = len(kinds["expecting"]) - len(expecting)
    return Chosen((*offered, *expecting, *near), len(offered), len(expecting), left_out, bool(near))


def _all(asker: Asker) -> Iterator[tuple[str, Case]]:
    """Every case of these suites: own cases first, for they are about this site."""
    codes = {*golden.languages(), *asker.own_languages()}
    cases = [
        (suite, case)
        for language in sorted(codes)
        for suite, shape in SHAPES.items()
        for case in asker.cases(shape, suite, language)
    ]
    yield from sorted(cases, key=lambda each: not _is_own(each[1]))


def _is_own(case: Case) -> bool:
    return case.id.startswith(OwnCase.PREFIX)


def _expected(case: Case) -> frozenset[str]:
    """The records that a case names."""
    match case:
        case AnswerableCase() | FollowUpCase() | FalsePremiseCase():
            return frozenset(answer.record for answer in case.answers)
        case RoutingCase():
            return frozenset(case.records)
        case AccessCase():
            return frozenset({case.record})
        case _:
            return frozenset()


def _passages(records: Sequence[Record], drafts: Drafted, space: EmbeddingSpace) -> NDArray[np.float64]:
    """What the records say on the site and would say, a centred vector a row."""
    entries = SearchEntry.objects.filter(record__in=records, vector__isnull=False)
    live = [list(vector) for vector in entries.values_list("vector", flat=True) if vector is not None]
    centring = centring_of(space)
    coming = (
        centring.centre(vector, drafts.languages[key], Role.PASSAGE)
        for key, vector in drafts.vectors.items()
        if key in drafts.languages
    )
    return np.array([*live, *coming], dtype=np.float64)


def _nearest(
    cases: Sequence[tuple[str, Case]],
    targets: NDArray[np.float64],
    space: EmbeddingSpace,
    asker: Asker,
    tell: Callable[[int, int], None],
) -> list[tuple[str, Case]]:
    raw = _question_vectors([(case, asker.text(case.question, case.language)) for _suite, case in cases], space, tell)
    centring = centring_of(space)
    questions = np.array(
        [centring.centre(vector, case.language, Role.QUERY) for vector, (_, case) in zip(raw, cases, strict=True)]
    )
    nearness = (questions @ targets.T).max(axis=1)
    return [cases[place] for place in np.argsort(-nearness, kind="stable")[:NEAREST]]


def _question_vectors(
    asked: Sequence[tuple[Case, str]], space: EmbeddingSpace, tell: Callable[[int, int], None]
) -> list[Vector]:
    """The raw vectors of the questions in their order. Those of golden files are kept, those of own cases are not."""
    keys = {text: hashlib.sha256(text.encode()).hexdigest() for _, text in asked}
    stored = QuestionVector.objects.filter(embedder=space.embedder, key__in=set(keys.values()))
    known: dict[str, Vector] = dict(stored.values_list("key", "vector"))
    missing = list(dict.fromkeys(text for _, text in asked if keys[text] not in known))
    lasting = {text for case, text in asked if not _is_own(case)}
    for begin in range(0, len(missing), BATCH):
        texts = missing[begin : begin + BATCH]
        made = dict(zip(texts, embed_queries(texts, "rehearsal"), strict=True))
        known |= {keys[text]: vector for text, vector in made.items()}
        _keep(space, {keys[text]: vector for text, vector in made.items() if text in lasting})
        tell(min(begin + BATCH, len(missing)), len(missing))
    return [known[keys[text]] for _, text in asked]


def _keep(space: EmbeddingSpace, vectors: Mapping[str, Iterable[float]]) -> None:
    rows = (QuestionVector(embedder=space.embedder, key=key, vector=vector) for key, vector in vectors.items())
    QuestionVector.objects.bulk_create(rows, ignore_conflicts=True)
