from guardrails.belt import BELT, first_violation
from guardrails.candidate import Candidate, LatchRules
from guardrails.latch import Latch
from guardrails.sources import Source


def candidate(text, numbers=(1,), source="Orchard opened in 2017."):
    return Candidate(text, numbers, "en", [Source(source, "en")], LatchRules())


def broken(_):
    raise KeyError("no such thing")


def test_the_guards_stand_in_their_fixed_order():
    names = [name for name, _ in BELT]
    assert names == [
        "model_refusal", "code", "instructions", "marker_range", "marker_missing", "value", "quote", "first_person",
        "commitment", "currently", "leak", "support",
    ]  # fmt: skip


def test_the_first_objection_decides():
    both = candidate("I opened it in 2018.")
    assert first_violation(both).code == "value"
    assert first_violation(candidate("I opened it in 2018.", numbers=(7,))).code == "marker_range"
    assert first_violation(candidate("I opened it in 2018.", numbers=())).code == "marker_missing"


def test_a_guard_that_raises_has_objected():
    violation = first_violation(candidate("Orchard opened."), (("quote", broken),))
    assert (violation.code, violation.detail) == ("quote", "the check failed: KeyError")


def test_a_sentence_without_fault_passes():
    assert first_violation(candidate("Orchard opened in 2017.")) is None


def test_a_quoted_title_is_no_claim_and_no_speech_but_must_be_the_sources_own():
    named = Source("The sensor was right.", "en", title="How I lost 3 days to a 2G modem in the field")
    quoted = "“How I lost 3 days to a 2G modem in the field”: “The sensor was right.” [1]"
    assert [sentence.text for sentence in released(quoted, [named])] == [quoted.removesuffix(" [1]")]
    assert not released(quoted, [Source("The sensor was right.", "en", title="Another")])
    assert not released("It took 3 days [1].", [named])


def released(stream, sources):
    latch = Latch("en", sources)
    return [*latch.feed(stream), *latch.flush()]
