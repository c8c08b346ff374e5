"""Dates say no more than the owner wrote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.dates import PartialDate


@given(st.dates(), st.sampled_from([4, 7, 10]))
def test_what_is_written_is_read_and_shown_alike(day, length):
    written = day.isoformat()[:length]
    assert str(PartialDate.read(written)) == written


@pytest.mark.parametrize("written", ["", "last year", "2018-13", "2018-02-30", "18", "2018-09-03-01", "2018/09"])
def test_anything_else_is_refused(written):
    with pytest.raises(ValueError, match=r"."):
        PartialDate.read(written)
