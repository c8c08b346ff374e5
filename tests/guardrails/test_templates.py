import pytest

from guardrails.templates import Atom, Grammar, TemplateError, parse

SUBJECT = frozenset({(Atom("she"),), (Atom("the"), Atom("boss"))})
GRAMMAR = Grammar(gap=4, respellings={"ü": "ue"}, sets={"subject": SUBJECT})


def phrases(source):
    (line,) = parse(source, GRAMMAR).lines
    return [sorted(" ".join(atom.text for atom in phrase) for phrase in choice.phrases) for choice in line.choices]


def test_choices_options_and_bare_words():
    assert phrases("how much {charge|ask for} [please]") == [["how much"], ["ask for", "charge"], ["please"]]
    (line,) = parse("a [b]", GRAMMAR).lines
    assert [choice.optional for choice in line.choices] == [False, True]


def test_gaps_and_anchors():
    (line,) = parse("^a … b$", GRAMMAR).lines
    assert [choice.gap for choice in line.choices] == [0, 4]
    assert line.at_start
    assert line.at_end


def test_words_are_folded_and_parted_as_in_questions():
    assert phrases("{what's|É-mail|多少}") == [["e mail", "what s", "多 少"]]


def test_wild_words_know_their_beginning_or_end():
    (line,) = parse("{cobr*|*satz}", GRAMMAR).lines
    assert line.choices[0].phrases == {(Atom("cobr", "prefix"),), (Atom("satz", "suffix"),)}


def test_the_end_of_a_word_may_begin_with_a_vowel_sign():
    (line,) = parse("*ेंगे", GRAMMAR).lines
    assert line.choices[0].phrases == {(Atom("ेंगे", "suffix"),)}


def test_sets_stand_alone_or_among_words():
    (line,) = parse("{<subject>|<subject> time}", GRAMMAR).lines
    assert line.choices[0].sets == {"subject"}
    assert phrases("{<subject> time}") == [["she time", "the boss time"]]


def test_a_letter_is_also_spelled_around():
    assert phrases("verfügbar") == [["verfuegbar", "verfugbar"]]


def test_both_orders_of_two_parts_within_a_wider_gap():
    first, second = parse("a & b c", GRAMMAR).lines
    assert [choice.gap for choice in (*first.choices, *second.choices)] == [0, 8, 0, 8]


def test_before_and_now():
    template = parse("{review} >> how much", GRAMMAR)
    assert len(template.before) == 1
    assert len(template.lines) == 1


@pytest.mark.parametrize(
    "source",
    [
        "",
        "…",
        "[a]",
        "a …",
        "{a {b|c}}",
        "{a|}",
        "<nobody>",
        "{a|<nobody> b}",
        "*x",
        "*word*",
        "a ... b",
        "a & b & c & d",
        "/(/",
    ],
)
def test_what_cannot_be_read_stops_with_the_template(source):
    with pytest.raises(TemplateError):
        parse(source, GRAMMAR)
