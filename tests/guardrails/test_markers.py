import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.markers import HALF_MARKER, MARKER, take_out

MARKERS = {
    "[1]": (1,), "[12]": (12,), "[1, 2]": (1, 2), "[1,2]": (1, 2), "[1-3]": (1, 2, 3), "[1–3]": (1, 2, 3),
    "[[1]]": (1,),
    "【1】": (1,), "［1］": (1,), "[۱]": (1,), "[١، ٢]": (1, 2), "[१]": (1,), "【1†source】": (1,), "[1][2]": (1, 2),
    "[1、2]": (1, 2),
    "[2], [1]": (2, 1), "[ 1 ]": (1,), "[3-1]": (3, 1),
}  # fmt: skip


@pytest.mark.parametrize(("marker", "numbers"), MARKERS.items())
def test_markers_are_read_and_taken_out_with_the_space_before_them(marker, numbers):
    assert take_out(f"It ran {marker}.") == ("It ran.", numbers)
    assert take_out(f"It ran. {marker}") == ("It ran.", numbers)


@pytest.mark.parametrize(
    "text", ["[2021]", "(source 1)", "[chunk:42]", "[a]", "[1", "1]", "[source 1]", "[]", "[1]]"[3:], "[-1]"]
)
def test_what_is_not_exactly_a_marker_is_text(text):
    assert take_out(f"It ran {text} there.") == (f"It ran {text} there.", ())


@given(st.sampled_from(list(MARKERS)).filter(lambda marker: marker.count("]") < 2))
def test_every_beginning_of_a_marker_may_still_become_one(marker):
    for end in range(1, len(marker)):
        assert HALF_MARKER.match(marker[:end])
    assert MARKER.fullmatch(marker)


@given(st.text(alphabet="[]12, -ab【】", max_size=40))
def test_text_outside_markers_is_kept(text):
    kept = take_out(text)
    assert [c for c in kept.text if c in "ab"] == [c for c in text if c in "ab"]
