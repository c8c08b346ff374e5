"""What a question may begin with and what is left out there, in any language: "你好", "I have read your article,".

For "你好" holds "you", and what a visitor has read is not what is asked.
"""

import re
from functools import cache

from guardrails.language import available, load
from guardrails.one_of import one_of
from guardrails.text import HAN, fold, says_anything

_PAUSE = r"\s*+[,،、:;؛!.。\n~]+|\s++-+\s"
# Blanks are taken all or none, so that no run of them can be parted in many ways.
_BETWEEN = r"(?:\s++|\b)"
# As few words as will do, for the question may follow without a pause; within a clause.
_ANY_WORDS = r"[^,،、:;؛!.?。\n~]{0,40}?"
_UNPARTED = re.compile(f"[{HAN}]")
_WRITTEN = re.compile("[{\\[…]")
_SIGN = re.compile(r"( … |…|[{}\[\]|]|\s+)")
_EXPRESSIONS = {
    " … ": f"{_BETWEEN}(?:{_ANY_WORDS}{_BETWEEN})?",
    "…": _ANY_WORDS,
    "{": "(?:",
    "}": ")",
    "[": "(?:",
    "]": ")?",
    "|": "|",
}


def without_greeting(text: str) -> str:
    """A folded text with blanks in the greeting's place, unless nothing else was said."""
    greeting = _greetings().match(text)
    return " " * greeting.end() + text[greeting.end() :] if greeting and says_anything(text, greeting.end()) else text


@cache
def _greetings() -> re.Pattern[str]:
    """Greetings, each with the pause after it; one with `…` may run into the question by an opener ("… and …")."""
    whole: set[str] = set()
    running_on: list[str] = []
    for code in available():
        words = load(code).words
        written = sorted(each for each in words.greetings if _WRITTEN.search(each))
        whole |= {fold(each).text for each in words.greetings.difference(written)}
        if written:
            openers = [fold(each).text for each in words.openers]
            # Where no blank parts words, a single character is too often part of another word.
            glued = [each for each in openers if len(each) > 1 and _UNPARTED.match(each)]
            opener = rf"\s+{one_of(openers)}\s" + (rf"|\s*+{one_of(glued)}" if glued else "")
            running_on.append(rf"(?:{'|'.join(map(_expression, written))})(?:{_PAUSE}|(?={opener}))")
    return re.compile(rf"(?:\s*(?:{one_of(whole)}(?:{_PAUSE})|{'|'.join(running_on)}))+")


def _expression(greeting: str) -> str:
    """The regular expression of a greeting that is written like a template."""
    return "".join(map(_piece, filter(None, _SIGN.split(greeting))))


def _piece(piece: str) -> str:
    if piece.isspace():
        return _BETWEEN
    return _EXPRESSIONS.get(piece) or re.escape(fold(piece).text)
