"""Orders candidates: Okapi BM25 over n-grams, reciprocal rank fusion, one translation a record. Pure.

What a floor compares comes with the candidates and is not touched here; the passages with the best of either measure
are always among those delivered.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guardrails.coverage import HITS_MINIMUM
from records.grams import Numbers, unpack
from records.rarity import Rarity

LIST_LENGTH = 50  # of each ranked list
RRF_K = 60
BM25_K1, BM25_B = 1.2, 0.75  # Okapi BM25 with its usual constants
# Of the highest score that a question allows, by the rarity of its grams in its own language. Passages in another
# language than the question's share scraps with it (names, numbers, loanwords), and so do unrelated ones in its own;
# either would outrank the answer that only its vector finds. Chosen on tuning halves in ten languages
# (docs/measured.md).
LEAST_MATCH = 0.16


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that some list may hold. `distances`: one a reading, None without a vector on either side."""

    entry: int
    placement: int
    passage: str
    record: int
    language: str
    distances: Sequence[float | None]
    dense: float | None
    words: float
    grams: bytes


@dataclass(frozen=True, slots=True)
class Ranked:
    candidate: Candidate
    fused: float


# Candidates by their index, best first; one that does not count is only there to be measured.
_List = list[tuple[int, bool]]


def rank(
    candidates: Sequence[Candidate], readings: Mapping[int, Numbers], rarity: Rarity, language: str, k: int
) -> list[Ranked]:
    """The k best in fused order. `readings`: by their place among the candidates' distances, the grams of each."""
    candidates = _without_other_translations(candidates, language)
    dense, keyword = _dense_lists(candidates, readings), _keyword_lists(candidates, list(readings.values()), rarity)
    fused = _fuse(candidates, dense + keyword)
    spoken = _one_translation_a_record(fused)
    best_dense = min(spoken, key=lambda each: (-_or_nothing(each.candidate.dense), *_order(each)), default=None)
    best_words = min(spoken, key=lambda each: (-each.candidate.words, *_order(each)), default=None)
    deciding = {id(best_dense), id(best_words)}
    in_order = sorted(spoken, key=_order)
    delivered = sorted(in_order, key=lambda each: id(each) not in deciding)[:k]
    return sorted(delivered, key=_order)


def _dense_lists(candidates: Sequence[Candidate], readings: Iterable[int]) -> list[_List]:
    lists: list[_List] = []
    for number in readings:
        near = [
            (distance, candidate.entry, index)
            for index, candidate in enumerate(candidates)
            if (distance := candidate.distances[number]) is not None
        ]
        lists.append([(index, True) for _, _, index in sorted(near)[:LIST_LENGTH]])
    return lists


def _keyword_lists(candidates: Sequence[Candidate], readings: Sequence[Numbers], rarity: Rarity) -> list[_List]:
    scores = bm25([candidate.grams for candidate in candidates], readings, rarity)
    lists: list[_List] = []
    for row, reading in zip(scores, readings, strict=True):
        least = LEAST_MATCH * (BM25_K1 + 1) * float(rarity.weights(reading).sum())
        scored = [(-score, candidates[index].entry, index) for index, score in enumerate(row.tolist()) if score > 0]
        lists.append([(index, -score >= least) for score, _, index in sorted(scored)[:LIST_LENGTH]])
    return lists


def bm25(texts: Sequence[bytes], readings: Sequence[Numbers], rarity: Rarity) -> NDArray[np.float64]:
    """The score of each text (packed grams) for each reading: an array of readings by texts."""
    scores = np.zeros((len(readings), len(texts)))
    wanted = np.unique(np.concatenate([np.empty(0, dtype=np.uint32), *readings]))
    if not texts or not wanted.size:
        return scores
    grams, counts = unpack(b"".join(texts))
    owner = np.repeat(np.arange(len(texts)), [len(text) // 4 for text in texts])
    lengths = np.bincount(owner, weights=counts, minlength=len(texts))
    place = np.minimum(np.searchsorted(wanted, grams), wanted.size - 1)
    found = np.flatnonzero(wanted[place] == grams)
    place, owner, counts = place[found], owner[found], counts[found]
    longer = lengths / max(float(lengths.mean()), 1.0)
    saturated = counts * (BM25_K1 + 1) / (counts + BM25_K1 * (1 - BM25_B + BM25_B * longer[owner]))
    weights = rarity.weights(wanted)
    for row, reading in zip(scores, readings, strict=True):
        own = np.where(np.isin(wanted, reading), weights, 0.0)
        row += np.bincount(owner, weights=saturated * own[place], minlength=len(texts))
    return scores


def coverages(texts: Sequence[bytes], questions: Sequence[Numbers]) -> list[float]:
    """For each text (its words' numbers) the best share of a question's words that it has; one word alone is none."""
    best = np.zeros(len(texts))
    own = np.frombuffer(b"".join(texts), dtype="<u4")
    owner = np.repeat(np.arange(len(texts)), [len(text) // 4 for text in texts])
    for question in questions:
        found = np.bincount(owner[np.isin(own, question)], minlength=len(texts))
        best = np.maximum(best, np.where(found >= HITS_MINIMUM, found / max(question.size, 1), 0.0))
    return best.tolist()


def _fuse(candidates: Sequence[Candidate], lists: Iterable[_List]) -> list[Ranked]:
    scores: dict[int, float] = {}
    for members in lists:
        for place, (index, counts) in enumerate(members, 1):
            scores[index] = scores.get(index, 0.0) + (1 / (RRF_K + place) if counts else 0.0)
    return [Ranked(candidates[index], score) for index, score in scores.items()]


def _without_other_translations(candidates: Sequence[Candidate], language: str) -> list[Candidate]:
    """Without those whose record is there in the question's language: they would only take the places of others."""
    spoken = {candidate.record for candidate in candidates if candidate.language == language}
    return [each for each in candidates if each.language == language or each.record not in spoken]


def _one_translation_a_record(fused: Sequence[Ranked]) -> list[Ranked]:
    """Of each record the passages in the language of its best one."""
    best: dict[int, Ranked] = {}
    for each in fused:
        other = best.get(each.candidate.record)
        if other is None or _order(each) < _order(other):
            best[each.candidate.record] = each
    return [each for each in fused if each.candidate.language == best[each.candidate.record].candidate.language]


def _order(each: Ranked) -> tuple[float, float, float, str]:
    return -each.fused, -_or_nothing(each.candidate.dense), -each.candidate.words, each.candidate.passage


def _or_nothing(dense: float | None) -> float:
    return -1.0 if dense is None else dense
