"""Runs a language file's own examples, for the native speaker who writes it.

Each pattern alone must fire on its `blocks` and stay silent on its `allows`; and all files together must refuse,
route and recognise as the examples say. It judges files, never a visitor.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from guardrails.commitment import commits
from guardrails.disguise import undisguised
from guardrails.followup import follow_up
from guardrails.language import Language, LanguageFileError, Pattern, available, load
from guardrails.model_refusal import declines
from guardrails.owner import Owner, with_stand_in
from guardrails.patterns import PatternIndex, Rule, rules
from guardrails.readings import Reading, read, read_joined
from guardrails.refusal import check
from guardrails.routing import ABOUT, route
from guardrails.templates import TemplateError

# `{owner}` in an example stands for this name, in the script of the language.
_NAMES = {"ru": "Надя Брандт", "fa": "نادیا برانت", "ar": "ناديا برانت", "hi": "नादिया ब्रांट", "zh": "娜迪娅"}
EXAMPLE_OWNER = Owner("Nadia Brandt", tuple(_NAMES.values()))
SECTIONS = ("refusal", "routing", "followup", "commitment", "model_refusal")


@dataclass(frozen=True, slots=True)
class Failure:
    """An example that is not treated as its file says."""

    language: str
    kind: str
    pattern: str
    example: str
    problem: str

    def __str__(self) -> str:
        return f"{self.language}: [{self.kind}] {self.pattern}: {self.example!r} {self.problem}"


def patterns(language: Language) -> Iterator[tuple[str, str, Pattern]]:
    """Every pattern of the file with its section and its kind, as in `refusal`, `meta`."""
    for section in SECTIONS:
        yield from ((section, rule.meaning, rule.pattern) for rule in rules(language, section))


def spoken(example: str, code: str, name: str | None = None) -> tuple[str, str | None]:
    """An example as a question and, where it reads `before >> now`, the question before it.

    `name` is the owner's, otherwise the example's in the script of the language.
    """
    before, _, now = example.replace("{owner}", name or _NAMES.get(code, EXAMPLE_OWNER.name)).rpartition(">>")
    return now.strip(), before.strip() or None


def failures(code: str) -> Iterator[Failure]:
    """Every example of one file that is not treated as the file says."""
    language = load(code)
    each = {str(number): entry for number, entry in enumerate(patterns(language))}
    alone = PatternIndex([language], {key: [Rule(code, kind, pattern)] for key, (_, kind, pattern) in each.items()})
    alone.compile()
    for key, (section, kind, pattern) in each.items():
        for examples, wanted in ((pattern.blocks, True), (pattern.allows, False)):
            for example in examples:
                problem = _alone(alone, key, example, code, wanted=wanted)
                problem = problem or _TOGETHER[section](kind, example, code, wanted)
                if problem:
                    yield Failure(code, f"{section}.{kind}", pattern.name, example, problem)


def _alone(index: PatternIndex, key: str, example: str, code: str, *, wanted: bool) -> str | None:
    question, before = spoken(example, code)
    previous = read(before) if before else None
    fires = any(index.matches(key, reading, previous) for reading in _readings(index, question, before))
    if fires == wanted:
        return None
    return (
        "is in `blocks`, but the pattern does not match it" if wanted else "is in `allows`, but the pattern matches it"
    )


def _readings(index: PatternIndex, question: str, before: str | None) -> Iterator[Reading]:
    plain = [read(question), *([read_joined(before, question)] if before else [])]
    plain += [
        read(text) for text in undisguised(plain[0].folded.text, plain[0].words, index.lexicon.words.__contains__)
    ]
    for reading in plain:
        yield reading
        if named := with_stand_in(reading, EXAMPLE_OWNER):
            yield named


def _refused(kind: str, example: str, code: str, wanted: bool) -> str | None:
    question, before = spoken(example, code)
    refusal = check(question, before, EXAMPLE_OWNER, language=code)
    if wanted and (not refusal or refusal.category != kind):
        return f"is refused as {refusal.category} ({refusal.language}: {refusal.pattern})" if refusal else "passes"
    if not wanted and refusal:
        return f"is in `allows`, but refused as {refusal.category} ({refusal.language}: {refusal.pattern})"
    return None


def _routed(kind: str, example: str, code: str, wanted: bool) -> str | None:
    if not wanted:
        return None
    question, before = spoken(example, code)
    if refusal := check(question, before, EXAMPLE_OWNER, language=code):
        return f"is refused as {refusal.category} ({refusal.language}: {refusal.pattern})"
    routed = route(question, before, EXAMPLE_OWNER)
    if (routed.topic or routed.kind) == kind or (kind == ABOUT and routed.kind == ABOUT):
        return None
    return f"goes to {routed.topic or routed.kind} ({routed.language}: {routed.pattern})"


def _recognised(kind: str, example: str, code: str, wanted: bool) -> str | None:
    found = follow_up(spoken(example, code)[0], code, "-", (), ())
    if wanted and (not found or found.kind != kind):
        return f"is recognised as {found.kind if found else 'standing alone'}"
    return None


def _committed(kind: str, example: str, code: str, wanted: bool) -> str | None:
    found = commits(example, code)
    if (found is not None) == wanted:
        return None
    return f"is in `allows` of {kind}, but stopped by {found}" if found else "is not stopped"


def _declined(kind: str, example: str, code: str, wanted: bool) -> str | None:
    found = declines(example, code)
    if (found is not None) == wanted:
        return None
    return f"is in `allows` of {kind}, but taken for {found}" if found else "is not recognised"


_TOGETHER = {
    "refusal": _refused,
    "routing": _routed,
    "followup": _recognised,
    "commitment": _committed,
    "model_refusal": _declined,
}


def check_languages(codes: Iterable[str]) -> int:
    """Prints every failure of the named files, or of all; returns the exit status."""
    status = 0
    for code in tuple(codes) or available():
        try:
            found = list(failures(code))
            count = sum(1 for _ in patterns(load(code)))
        except (LanguageFileError, TemplateError) as error:
            sys.stdout.write(f"{code}: {error}\n")
            status = 1
            continue
        sys.stdout.writelines(f"{failure}\n" for failure in found)
        sys.stdout.write(f"{code}: {count} patterns, {len(found)} failures\n")
        status = 1 if found else status
    return status
