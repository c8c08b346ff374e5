"""CSV that a spreadsheet opens as text."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.spreadsheet import BOM, lines


def read(rows):
    text = "".join(lines(rows))
    assert text.startswith(BOM)
    return list(csv.reader(io.StringIO(text.removeprefix(BOM), newline="")))


@pytest.mark.parametrize("evil", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_no_cell_begins_as_a_formula(evil):
    assert read([[evil]]) == [["'" + evil]]


def test_numbers_stay_numbers():
    assert read([[-5, 1.5, None, True]]) == [["-5", "1.5", "", "True"]]


@given(st.lists(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=1), min_size=1))
def test_what_is_written_can_be_read_again(rows):
    found = read(rows)
    plain = [[cell.removeprefix("'") for cell in row] for row in found]
    assert plain == [[cell.removeprefix("'") for cell in row] for row in rows]
