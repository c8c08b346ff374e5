"""What is written is read; what is markup, picture or code is not taken for prose."""

import pytest

from records.markdown import Block, blocks, html


def prose(markdown):
    return [line for block in blocks(markdown) if block.kind == "prose" for line in block.lines]


@pytest.mark.parametrize(
    ("markdown", "read"),
    [
        ("A *soft* **bold** `code` word", ["A soft bold code word"]),
        ("See [the report](https://example.org/r.pdf).", ["See the report."]),
        ("Write to <desk@example.org>.", ["Write to desk@example.org."]),
        ("one\ntwo  \nthree", ["one two three"]),
        ("![a chart](x.png)", []),
        ("a<br>b and <b>bold</b>ly", ["a b and boldly"]),
        ("<div class='x'>in a <i>box</i></div>", ["in a box"]),
        ("<script>alert(1)</script>", []),
        ("<!-- a note to myself -->", []),
        ("Ben &amp; Co &lt;ltd&gt;", ["Ben & Co <ltd>"]),
        ("- one\n- two\n  - deeper\n- three", ["- one", "- two", "- deeper", "- three"]),
        ("3. third\n4. fourth", ["3. third", "4. fourth"]),
        ("> quoted\n>\n> twice", ["quoted", "twice"]),
        (
            "| where | when |\n|---|---|\n| Norrow | 2019 |\n| Skerrin | |",
            ["where: Norrow; when: 2019", "where: Skerrin"],
        ),
        ("| | 2019 |\n|---|---|\n| leaks | 12 |", ["leaks; 2019: 12"]),
        ("Energy is $E = mc^2$, of $n$ parts.", ["Energy is E = mc^2, of n parts."]),
        ("It cost US$5 and R$10 or $5 to $10.", ["It cost US$5 and R$10 or $5 to $10."]),
        ("cafe\u0301 \x00\ud800ok", ["café ok"]),
    ],
)
def test_a_block_is_read_as_plain_text(markdown, read):
    assert prose(markdown) == read


def test_a_footnote_follows_the_paragraph_that_points_to_it():
    text = "First.[^a]\n\nSecond.\n\n[^a]: *Only* in winter."
    assert prose(text) == ["First.", "Only in winter.", "Second."]


def test_code_is_kept_apart_from_prose():
    assert list(blocks("Text\n\n```sql\nSELECT 1;\n\nSELECT 2;\n```")) == [
        Block("prose", ("Text",)),
        Block("code", ("SELECT 1;", "", "SELECT 2;")),
    ]


def test_a_formula_on_lines_of_its_own_is_kept_apart_and_as_it_is():
    assert list(blocks("Text\n\n$$\n\\int_0^1 x\\,dx\n$$")) == [
        Block("prose", ("Text",)),
        Block("code", ("\\int_0^1 x\\,dx",)),
    ]
    assert html("If $a_1 < b$, US$5 or R$10.") == "<p>If <code>a_1 &lt; b</code>, US$5 or R$10.</p>\n"


def test_a_footnote_can_be_reached_and_left_again():
    shown = html("First.[^a]\n\n[^a]: Only in winter.")
    assert 'href="#fn1" id="fnref1"' in shown
    assert '<li id="fn1">' in shown
    assert 'href="#fnref1"' in shown


def test_what_scrolls_sideways_is_reached_by_keyboard():
    assert html("```\ncode\n```\n\n| a |\n|---|\n| b |").count('tabindex="0"') == 2


def test_headings_keep_their_level():
    assert list(blocks("# One\n\nTwo\n===\n\n### `Three`")) == [
        Block("heading", ("One",), 1),
        Block("heading", ("Two",), 1),
        Block("heading", ("Three",), 3),
    ]


@pytest.mark.parametrize(
    "attack",
    [
        "<script>x()</script>",
        '<li id="question">x</li>',
        "[x](javascript:x)",
        "<img src=x onerror=x()>",
        "<a onclick=x()>y</a>",
    ],
)
def test_what_markdown_renders_to_is_safe_to_show(attack):
    shown = html(f"Hello\n\n{attack}")
    assert "Hello" in shown
    assert not any(danger in shown for danger in ("<script", "question", 'href="javascript', "onerror", "onclick"))
