"""Two texts as one, with what was taken out and what was put in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.differences import Piece, compare

TEXTS = st.text(st.sampled_from('ab 漢字हि۱,.\n"|'), max_size=40)


def marked(old, new):
    signs = {"same": "{}", "removed": "[-{}-]", "added": "[+{}+]"}
    return "".join(signs[piece.kind].format(piece.text) for piece in compare(old, new))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("fell by 36 per cent.", "fell by 41 per cent.", "fell by [-36-][+41+] per cent."),
        ("about 1,200 litres", "about 1,300 litres", "about [-1,200-][+1,300+] litres"),
        ("It ended.", "It ended, late.", "It ended[+, late+]."),
        ("two old words here", "three new words here", "[-two old-][+three new+] words here"),
        ("把三百篇文章", "把四百篇文章", "把[-三-][+四+]百篇文章"),
        ("در زمستان ۲۰۱۸", "در زمستان ۲۰۱۹", "در زمستان [-۲۰۱۸-][+۲۰۱۹+]"),
        ("हिन्दी में", "हिन्दू में", "[-हिन्दी-][+हिन्दू+] में"),
        ("One.\n\nTwo.\n\n", "One.\n\nNew.\n\nTwo.\n\n", "One.\n\n[+New.\n\n+]Two.\n\n"),
        ("same", "same", "same"),
        ("", "new", "[+new+]"),
    ],
)
def test_words_that_changed_are_marked_whole(old, new, expected):
    assert marked(old, new) == expected


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_from_it(old, new):
    pieces = compare(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "added") == old
    assert "".join(piece.text for piece in pieces if piece.kind != "removed") == new


@given(TEXTS)
def test_a_text_differs_in_nothing_from_itself(text):
    assert compare(text, text) == ([Piece("same", text)] if text else [])
