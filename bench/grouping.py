"""How well questions that mean the same are told from others: `texts/paraphrases.toml`, eight questions in ten
languages and two wordings, and the golden sets beside them. Nothing but the last lines is timed.

Pairs show what a threshold would join; then the product's own grouping takes in all wordings, in five orders.
"""

import random
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from assistant.models import Conversation, Turn
from bench import database
from evals import golden
from evals.gaps import grouping
from evals.golden import AnswerableCase, NoEvidenceCase, UnanswerableCase
from evals.models import GroupedQuestion, QuestionGroup
from metering.embedders import embedder
from records import spaces
from records.embedding import query_vector
from records.models import EmbeddingSpace

TEXTS = Path(__file__).parent / "texts" / "paraphrases.toml"
GOLDEN = (("answerable", AnswerableCase), ("no_evidence", NoEvidenceCase), ("unanswerable", UnanswerableCase))
THRESHOLDS = (0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80)
ORDERS = 5
OWNER = "Livia Aramesh"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what it means: its name among the paraphrases, else a name that no other question has."""

    meaning: str
    language: str
    text: str


def measure() -> None:
    """Prints every figure as it is known; needs a database server, whose test database it makes and drops."""
    with database.made_for_it():
        for line in _lines():
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


def _lines() -> Iterator[str]:
    used = embedder()
    if used is None:
        yield "grouping      EMBEDDER is none: nothing to measure"
        return
    EmbeddingSpace.objects.filter(pk=spaces.prepare(used).pk).update(active=True)
    wordings, others = list(_wordings()), list(_golden())
    yield f"grouping      {used.name}: {len(wordings)} wordings, {len(others)} other golden questions"
    yield "cosine from   same meaning, of its language / of others     other meaning, of its language / of others"
    vectors = {asked: np.array(query_vector(asked.text, asked.language, "bench")) for asked in (*wordings, *others)}
    same, translated = _split(vectors, combinations(wordings, 2), lambda one, other: one.meaning == other.meaning)
    near, far = _split(
        vectors,
        (*combinations(wordings, 2), *product(wordings, others), *_in_one_language(others)),
        lambda one, other: one.meaning != other.meaning,
    )
    for least in THRESHOLDS:
        figures = (f"{np.sum(pairs >= least):>6} of {len(pairs):<7}" for pairs in (same, translated, near, far))
        yield f"{least:.2f}          {'    '.join(figures)}"
    for seed in range(ORDERS):
        yield _grouped(random.Random(seed).sample(wordings, len(wordings)))  # noqa: S311  # an order, no secret


def _wordings() -> Iterator[Asked]:
    for meaning, languages in tomllib.loads(TEXTS.read_text("utf-8")).items():
        for language, texts in languages.items():
            yield from (Asked(meaning, language, text) for text in texts)


def _golden() -> Iterator[Asked]:
    """Yield the golden questions that are no wording. Across languages many of them translate each other."""
    wordings = {asked.text for asked in _wordings()}
    for language in golden.languages():
        for suite, shape in GOLDEN:
            for case in golden.load(shape, suite, language):
                text = case.question.replace("{owner}", OWNER)
                if text not in wordings:
                    yield Asked(case.id, language, text)


def _in_one_language(asked: Sequence[Asked]) -> Iterator[tuple[Asked, Asked]]:
    return (pair for pair in combinations(asked, 2) if pair[0].language == pair[1].language)


def _split(
    vectors: dict[Asked, NDArray[np.float64]],
    pairs: Iterable[tuple[Asked, Asked]],
    counts: Callable[[Asked, Asked], bool],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the cosines of the pairs that count: within a language, and across."""
    found: dict[bool, list[float]] = defaultdict(list)
    for one, other in pairs:
        if counts(one, other):
            found[one.language == other.language].append(float(vectors[one] @ vectors[other]))
    return np.array(found[True]), np.array(found[False])


def _grouped(asked: Sequence[Asked]) -> str:
    QuestionGroup.objects.all().delete()
    Turn.objects.all().delete()
    meanings = {_turn(each).pk: each.meaning for each in asked}
    started = time.perf_counter()
    while grouping.group_new(60):
        pass
    taken = time.perf_counter() - started
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for turn, group in GroupedQuestion.objects.values_list("turn", "group"):
        found[group][meanings[turn]] += 1
    pure = sum(max(counts.values()) for counts in found.values()) / len(asked)
    return (
        f"grouped       {len(asked)} wordings of {len(set(meanings.values()))} questions in {len(found)} groups, "
        f"{pure:.3f} among their own; {taken / len(asked) * 1e3:.0f} ms each"
    )


def _turn(asked: Asked) -> Turn:
    return Turn.objects.create(
        conversation=Conversation.objects.create(language=asked.language), ordinal=1, question=asked.text,
        language=asked.language, state=Turn.State.DONE, route=Turn.Route.SEARCH, deadline=timezone.now(),
    )  # fmt: skip
