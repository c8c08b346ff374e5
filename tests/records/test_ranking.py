import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.grams import MOST, OWN, grams, numbers, pack
from records.ranking import BM25_B, BM25_K1, LIST_LENGTH, Candidate, bm25, rank
from records.rarity import Rarity

TEXTS = st.lists(st.lists(st.sampled_from(["night", "flow", "leak", "of"]), min_size=1, max_size=9), max_size=6)


def rarity_of(texts):
    """As `rarity` reads it from a corpus of these texts."""
    of_each = [numbers(text) for text in texts]
    joined = np.concatenate([np.empty(0, dtype=np.uint32), *of_each])
    found, counts = np.unique(joined, return_counts=True)
    return Rarity(1, len(texts), len(texts), {}, found, counts, 0.0)


def plain_bm25(texts, question):
    """The formula as textbooks write it, gram by gram."""
    of_each = [list(grams(text)) for text in texts]
    lengths = [sum(min(own.count(gram), MOST / OWN) for gram in set(own)) for own in of_each]
    mean = max(sum(lengths) / len(of_each), 1)
    scores = []
    for own, length in zip(of_each, lengths, strict=True):
        score = 0.0
        for gram in set(grams(question)):
            holding = sum(gram in other for other in of_each)
            weight = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
            count = min(own.count(gram), MOST / OWN)
            score += weight * count * (BM25_K1 + 1) / (count + BM25_K1 * (1 - BM25_B + BM25_B * length / mean))
        scores.append(score)
    return scores


@given(TEXTS, st.lists(st.sampled_from(["night", "flow", "leak", "of", "other"]), max_size=4))
def test_scores_are_those_of_the_formula(texts, question):
    scores = bm25([pack(text, []) for text in texts], [numbers(question)], rarity_of(texts))[0].tolist()
    assert scores == pytest.approx(plain_bm25(texts, question) if texts else [])


def candidate(entry, dense=None, words=0.0, record=None, language="en", text=()):
    distance = None if dense is None else 1 - dense
    return Candidate(entry, entry, f"p{entry}", record or entry, language, [distance], dense, words, pack(text, []))


def order(candidates, question=(), language="en", k=8):
    texts = rarity_of([["night"], ["flow"]])
    return [each.candidate.entry for each in rank(candidates, {0: numbers(question)}, texts, language, k)]


def test_nothing_gives_nothing():
    assert order([]) == []


def test_both_lists_count():
    near, both, worded = candidate(1, 0.9), candidate(2, 0.8, text=["night"]), candidate(3, text=["flow"])
    assert order([near, both, worded], ["night"]) == [2, 1]


def test_scraps_in_the_question_s_language_do_not_outrank_the_answer_in_another():
    question = ["night", "flow", "leak", "valve", "meter", "pump"]
    answer = candidate(1, 0.9, language="de")
    scraps = candidate(2, 0.5, text=["pump", *["other"] * 20])
    worded = candidate(3, 0.4, text=question)
    assert order([answer, scraps], question) == [1, 2]
    assert order([answer, scraps, worded], question)[0] == 3


def test_who_decides_is_delivered_and_keeps_its_place():
    candidates = [candidate(number, dense=0.9 - number / 100) for number in range(1, 6)]
    worded = candidate(6, dense=0.1, words=1.0)
    assert order([*candidates, worded], k=2) == [1, 6]


def test_of_two_translations_the_one_in_the_question_s_language_is_delivered():
    english, persian = candidate(1, 0.9, record=7), candidate(2, 0.8, record=7, language="fa")
    assert order([english, persian], language="fa") == [2]
    assert order([english, persian], language="de") == [1]


def test_translations_that_are_not_delivered_take_no_places_in_the_lists():
    said = [candidate(1, 0.9, record=1), candidate(2, 0.3, record=2)]
    translated = [candidate(10 + number, 0.8, record=1, language=f"x{number}") for number in range(LIST_LENGTH)]
    assert order([*said, *translated]) == [1, 2]


def test_a_record_that_the_question_s_language_lacks_is_delivered_in_the_language_of_its_best_passage():
    german, further, spanish = (
        candidate(1, 0.9, record=7, language="de"),
        candidate(2, 0.2, record=7, language="de"),
        candidate(3, 0.8, record=7, language="es"),
    )
    assert order([german, further, spanish]) == [1, 2]


def test_a_reading_that_does_not_order_leaves_no_trace():
    candidates = [candidate(1, 0.9), candidate(2, 0.8)]
    assert rank(candidates, {}, rarity_of([]), "en", 8) == []


def test_equal_candidates_have_one_order():
    assert order([candidate(2, 0.5), candidate(1, 0.5)]) == order([candidate(1, 0.5), candidate(2, 0.5)])
