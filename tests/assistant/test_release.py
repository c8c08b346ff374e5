"""The token is found however the text is cut, and text that could become it is held."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from assistant.release import Release
from guardrails.latch import Latch, Source

TOKEN = "<<NOT_COVERED>>"
SOURCE = Source(text="The gauge reports every six minutes.", language="en")


def release_all(text: str, cuts: list[int]) -> tuple[list[str], bool]:
    release = Release(Latch("en", [SOURCE]), TOKEN)
    places = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    released = []
    for start, end in pairwise(places):
        released += release.feed(text[start:end])
    released += release.flush("stop")
    return [sentence.text for sentence in released], release.not_covered


@given(
    before=st.sampled_from(["", "The gauge reports every six minutes [1]. ", "A < b and <<NOT a token [1]. "]),
    after=st.sampled_from(["", " more text [1].", TOKEN]),
    cuts=st.lists(st.integers(0, 200), max_size=12),
)
def test_any_cutting_finds_the_token_and_releases_the_same(before, after, cuts):
    text = before + TOKEN + after
    assert release_all(text, cuts) == release_all(text, [])
    assert release_all(text, cuts)[1]


def test_nothing_after_the_token_is_released():
    released, not_covered = release_all(f"The gauge reports every six minutes [1]. {TOKEN} Late [1].", [])
    assert released == ["The gauge reports every six minutes."]
    assert not_covered


def test_what_only_looks_like_the_token_is_text():
    text = "The gauge reports every six minutes <<NOT_ [1]."
    assert release_all(text, list(range(len(text)))) == (["The gauge reports every six minutes <<NOT_."], False)
