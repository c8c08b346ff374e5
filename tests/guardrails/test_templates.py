import pytest

from guardrails.templates import Atom, TemplateError, parse, phrases

GAP = 4
AROUND = {"ü": "ue"}


def written(text):
    return sorted(" ".join(atom.text for atom in phrase) for phrase in phrases(text, AROUND))


def test_choices_options_and_bare_words():
    (line,) = parse("how much {charge|ask for} [please]", GAP).lines
    assert [choice.text for choice in line.choices] == ["how much", "charge|ask for", "please"]
    assert [choice.optional for choice in line.choices] == [False, False, True]
    assert line.required == ["how much", "charge|ask for"]
    assert written("charge|ask for") == ["ask for", "charge"]


def test_gaps_and_anchors():
    (line,) = parse("^a … b$", GAP).lines
    assert [choice.gap for choice in line.choices] == [0, 4]
    assert line.at_start
    assert line.at_end


def test_words_are_folded_and_parted_as_in_questions():
    assert written("what's|É-mail|多少") == ["e mail", "what s", "多 少"]


def test_wild_words_know_their_beginning_or_end():
    assert set(phrases("cobr*|*satz", {})) == {(Atom("cobr", "prefix"),), (Atom("satz", "suffix"),)}


def test_the_end_of_a_word_may_begin_with_a_vowel_sign():
    assert set(phrases("*ेंगे", {})) == {(Atom("ेंगे", "suffix"),)}


def test_sets_and_stand_ins_stand_alone_or_among_words():
    assert set(phrases("<subject>|<subject> time|<number> words", {})) == {
        (Atom("subject", "set"),),
        (Atom("subject", "set"), Atom("time")),
        (Atom("<number>"), Atom("words")),
    }


def test_a_letter_is_also_spelled_around():
    assert written("verfügbar") == ["verfuegbar", "verfugbar"]


def test_both_orders_of_two_parts_within_a_wider_gap():
    first, second = parse("a & b c", GAP).lines
    assert [choice.gap for choice in (*first.choices, *second.choices)] == [0, 8, 0, 8]


def test_before_and_now():
    template = parse("{review} >> how much", GAP)
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
        "a ... b",
        "a & b & c & d",
        "/(/",
    ],
)
def test_what_cannot_be_read_stops_with_the_template(source):
    with pytest.raises(TemplateError):
        parse(source, GAP)


@pytest.mark.parametrize("text", ["a|", "*x", "*word*", "a (b)"])
def test_what_is_no_phrase_stops(text):
    with pytest.raises(TemplateError):
        phrases(text, {})
