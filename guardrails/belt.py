"""The belt: small guards in one fixed order, each testable alone; the first that objects decides.

A guard is given a candidate sentence and says what is wrong with it, or nothing. A guard that raises has objected.
Schema stands before the belt, actions behind it: they judge whole answers and not sentences.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from guardrails import addresses
from guardrails.candidate import Candidate
from guardrails.commitment import commits
from guardrails.counts import counts_own_list
from guardrails.instructions import repeated
from guardrails.linking import is_linking
from guardrails.model_refusal import FIRST_SENTENCES, declines
from guardrails.plain import plain
from guardrails.present import says_today
from guardrails.quotes import is_long, stands_in
from guardrails.support import lacks_support
from guardrails.voice import first_person

Code = Literal[
    "model_refusal",
    "code",
    "instructions",
    "marker_range",
    "marker_missing",
    "value",
    "quote",
    "first_person",
    "commitment",
    "currently",
    "leak",
    "support",
]
Guard = Callable[[Candidate], str | None]
FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Violation:
    """Which guard objected, and to what."""

    code: Code
    detail: str


def model_refusal(candidate: Candidate) -> str | None:
    """A first sentence that declines, where the answer is a model's; what a source says word for word is none."""
    if not candidate.rules.by_model or candidate.ordinal >= FIRST_SENTENCES or candidate.is_quoted:
        return None
    return declines(candidate.text, candidate.language)


def code(candidate: Candidate) -> str | None:
    """A code fence."""
    if FENCES[0] in candidate.text or candidate.text.lstrip().startswith(FENCES[1]):
        return "a code fence"
    return None


def instructions(candidate: Candidate) -> str | None:
    """Words in a row of what the model was told; what a cited source says word for word is its own."""
    if not candidate.rules.instructions or candidate.is_quoted:
        return None
    return repeated(candidate.plain, candidate.rules.instructions)


def marker_range(candidate: Candidate) -> str | None:
    """A marker that points to no delivered source."""
    if not candidate.numbers:
        return None
    wrong = [number for number in candidate.numbers if not 1 <= number <= len(candidate.sources)]
    return f"[{wrong[0]}] of {len(candidate.sources)}" if wrong else None


def marker_missing(candidate: Candidate) -> str | None:
    """A substantive sentence without a marker."""
    if candidate.numbers:
        return None
    has_value = bool(candidate.values)
    sources, folded = candidate.sources, candidate.folded
    if is_linking(candidate.text, candidate.language, sources, has_value=has_value, folded=folded):
        return None
    return "no marker"


def value(candidate: Candidate) -> str | None:
    """A value that no cited source holds, or a URL outside the owner's domains."""
    if not candidate.signs:
        return None
    for wanted in () if candidate.is_quoted or candidate.has_values_alike else candidate.values:
        if not candidate.holds(wanted) and not counts_own_list(wanted, candidate.claimed, candidate.language):
            return wanted.text
    return _foreign_address(candidate)


def quote(candidate: Candidate) -> str | None:
    """A long quotation that no cited source holds word for word."""
    for quotation in candidate.quotations:
        if is_long(quotation) and not stands_in(quotation, candidate.cited_words):
            return quotation.words
    return None


def first_person_word(candidate: Candidate) -> str | None:
    """A word that speaks as the owner."""
    texts = [source.text for source in candidate.cited or candidate.sources]
    return first_person(
        candidate.text, candidate.plain, candidate.language, candidate.without_quoted, texts, candidate.words
    )


def commitment(candidate: Candidate) -> str | None:
    """A fee, an availability or a commitment."""
    return commits(candidate.text, candidate.language, candidate.folded)


def currently(candidate: Candidate) -> str | None:
    """A word for today, where no cited source is said to hold today; what a source says word for word is its own."""
    if not candidate.cited or candidate.is_quoted or any(source.current is not False for source in candidate.cited):
        return None
    return says_today(plain(candidate.without_quoted()), candidate.language)


def leak(candidate: Candidate) -> str | None:
    """Personal data that policy blocks."""
    decision = candidate.leak
    if decision is None or decision.action != "block":
        return None
    return ", ".join(sorted({found.kind for found in decision.found}))


def support(candidate: Candidate) -> str | None:
    """Words or a denial that the cited sources do not carry."""
    if not candidate.rules.support or not candidate.cited or candidate.is_quoted:
        return None
    return lacks_support(candidate.text, candidate.language, candidate.cited, candidate.sources, candidate.denies)


BELT: tuple[tuple[Code, Guard], ...] = (
    ("model_refusal", model_refusal),
    ("code", code),
    ("instructions", instructions),
    ("marker_range", marker_range),
    ("marker_missing", marker_missing),
    ("value", value),
    ("quote", quote),
    ("first_person", first_person_word),
    ("commitment", commitment),
    ("currently", currently),
    ("leak", leak),
    ("support", support),
)


def objections(candidate: Candidate, belt: tuple[tuple[Code, Guard], ...] = BELT) -> Iterator[Violation]:
    """Yield what each guard has against the sentence, in the belt's order; a guard runs when it is asked for."""
    for name, guard in belt:
        try:
            detail = guard(candidate)
        except Exception as error:  # noqa: BLE001  # a check that fails has not passed the sentence
            detail = f"the check failed: {type(error).__name__}"
        if detail is not None:
            yield Violation(name, detail)


def first_violation(candidate: Candidate, belt: tuple[tuple[Code, Guard], ...] = BELT) -> Violation | None:
    """The objection of the first guard that has one."""
    return next(objections(candidate, belt), None)


def _foreign_address(candidate: Candidate) -> str | None:
    if not candidate.rules.domains:
        return None
    for address in candidate.addresses:
        if address.kind == "url" and not addresses.belongs(address.key, candidate.rules.domains):
            return address.literal
    return None
