import pytest

from bench.model_site import scripted
from bench.streaming import _product_waits, _relay_waits
from guardrails.latch import Latch, LatchRules, Source

SNOW = "Snow melts slowly on the northern slopes of the hill. The river rises in the last days of the month."
WIND = "The mast was repaired by the crew of the old harbour. It stands beside the gate of the pumping station."


def test_the_bench_model_says_what_the_latch_releases_sentence_by_sentence():
    script = scripted((("1", SNOW), ("2", WIND)), 200)
    assert len(script.tokens) >= 200
    latch = Latch("en", [Source(SNOW, "en"), Source(WIND, "en")], LatchRules(by_model=True))
    released, after = [], []
    for place, token in enumerate(script.tokens):
        for sentence in latch.feed(token):
            released.append(sentence)
            after.append(place)
    released += latch.flush()
    assert latch.stop is None
    assert {sentence.sources for sentence in released} == {(1,), (2,)}
    # Its end is known with the token after it.
    assert after == [place + 1 for place, _length in script.ends[: len(after)]]
    assert len(released) == len(script.ends)
    text = "".join(script.tokens)
    assert all(text[length - 1] == "." for _place, length in script.ends)


def test_a_prompt_without_a_source_cannot_be_quoted():
    with pytest.raises(ValueError, match="no source"):
        scripted((("1", "Too short."),), 10)


LEFT = {"stamps": {"0": [1.0, 2.0, 3.0, 4.0, 5.0]}, "ends": {"0": [[1, 8], [3, 16]]}}


def test_a_sentence_waits_from_its_last_token_and_from_the_one_after():
    waits = _product_waits([[3.5, 5.25]], LEFT)
    assert (waits.whole, waits.ended) == ([1.5, 1.25], [0.5, 0.25])


def test_a_caveat_that_the_product_adds_waits_for_no_token():
    waits = _product_waits([[3.5, 5.25, 5.5]], LEFT)
    assert waits.ended == [0.5, 0.25]


def test_a_reader_who_misses_a_sentence_spoils_the_measurement():
    with pytest.raises(AssertionError, match="1 sentences of 2"):
        _product_waits([[3.5]], LEFT)


def test_a_relayed_sentence_has_arrived_with_its_last_character():
    waits = _relay_waits([[(4, 1.5), (8, 2.5), (12, 3.125), (16, 4.125)]], LEFT)
    assert waits.whole == [0.5, 0.125]
    assert waits.ended == [0.125]  # the last has no token after it
