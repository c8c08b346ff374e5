"""The ways in which one question is read before patterns are tried on it.

As it stands, with the owner's name as a stand-in, and joined to the question before. What stands in quotation
marks is a title or another's words: it becomes one stand-in, unless nothing else was said. A greeting before the
question is left out. Linear in the question.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from guardrails.greetings import without_greeting
from guardrails.text import HAN, WORD, Folded, fold, says_anything

# Positions left free where a sentence ends: wider than any gap, so that no pattern reaches across.
SENTENCE_BREAK = 32
# Longer questions are tried piece by piece, each overlapping the one before by more than a template spans.
WINDOW, OVERLAP = 512, 64
# A question is read for refusal, for its route and as a follow-up, one soon after the other.
REMEMBERED = 32

_QUOTED = re.compile(r'"[^"\n]{1,160}"|(?<!\w)\'(?=\S)[^\'\n]{1,160}(?<=\S)\'(?!\w)')
QUOTE_SIGN, OWNER_SIGN, OWNERS_SIGN = "\ue000", "\ue001", "\ue002"
_PIECE = re.compile(
    rf"(?P<url>https?://\S+|www\.\S+)|(?P<word>{WORD}|[{HAN}])|(?P<quote>{QUOTE_SIGN})"
    rf"|(?P<owner>{OWNER_SIGN})|(?P<owners>{OWNERS_SIGN})"
    r"|(?P<end>[?!؟。।॥۔;؛]|\n\s*\n|\.+(?!\S))|(?P<line>\n)|(?P<pause>[,،、:()\"]|-(?!\S)|(?<!\S)-)"
)
_STAND_INS = {"url": "<url>", "quote": "<quote>", "owner": "<name>", "owners": "<name's>"}
# These stand beside the words that they name, not in their place.
BESIDE_WORDS = frozenset({"<number>", "<sum>", "<price>", "<code>"})
_DIGITS = "0123456789"
_SUM = re.compile(r"\d\w{0,8}\s?[+*×÷^=]\s?\(?\w{1,8}")
# From the first digit on, so that the stand-in stands at the number and not at the word after it.
_PRICE = re.compile(r"[$€£¥₹₽]\s?\d|(?<!\d)\d{1,15}(?:[.,']\d{1,15}){0,4}\s?[$€£¥₹₽]")
_CODE = re.compile(r"[a-z_]\w{1,40}\([^()\n]{3,80}\)|\{[^{}\n]{0,80};|</?[a-z]\w{0,10}>|\w{1,20} ?==? ?[\w\"'\[{]+;")


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Words with positions (a jump in the numbers is a sentence's end), each from `firsts` to `lasts` in the text.

    `starts` and `ends` are positions where a clause begins and after which the question may end; a match
    must end after position `tail`.
    """

    text: str
    folded: Folded
    words: Sequence[str]
    positions: Sequence[int]
    firsts: Sequence[int]
    lasts: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    stand_ins: Sequence[tuple[int, str]]
    tail: int = 0

    def original(self, start: int, end: int) -> tuple[int, int]:
        """A range of the folded text as a range of the original."""
        return self.folded.original(start, end)

    def index_before(self, position: int) -> int:
        """The index of the last word before a position."""
        return bisect_left(self.positions, position) - 1

    def windows(self) -> Iterator["Reading"]:
        """The reading in pieces of bounded length; nearly always itself."""
        if len(self.words) <= WINDOW:
            yield self
            return
        for first in range(0, len(self.words), WINDOW - OVERLAP):
            yield self._window(first, min(first + WINDOW, len(self.words)))

    def _window(self, first: int, last: int) -> "Reading":
        base, limit = self.positions[first], self.positions[last - 1] + 1
        return replace(
            self,
            words=self.words[first:last],
            positions=[position - base for position in self.positions[first:last]],
            firsts=self.firsts[first:last],
            lasts=self.lasts[first:last],
            starts=[at - base for at in _between(self.starts, base, limit)],
            ends=[at - base for at in _between(self.ends, base, limit)],
            stand_ins=[
                (at - base, name)
                for at, name in self.stand_ins[
                    bisect_left(self.stand_ins, (base, "")) : bisect_left(self.stand_ins, (limit, ""))
                ]
            ],
            tail=max(0, self.tail - base),
        )


def _between(positions: Sequence[int], low: int, high: int) -> Sequence[int]:
    return positions[bisect_left(positions, low) : bisect_right(positions, high)]


@lru_cache(REMEMBERED)
def read(question: str) -> Reading:
    """The question as it stands, with quotations set aside."""
    folded = fold(question)
    return read_folded(_set_quotes_aside(without_greeting(folded.text)), folded)


@lru_cache(REMEMBERED)
def read_joined(previous: str, question: str) -> Reading:
    """A follow-up as the end of the question before it: matches must reach into the follow-up."""
    lead = previous.rstrip(" \n.?!؟。？！।…") + " "
    reading = read(lead + question)
    offsets = reading.folded.offsets
    before = sum(offsets[start] < len(lead) for start in reading.firsts)
    return replace(reading, tail=reading.positions[before - 1] + 1 if before else 0)


def _set_quotes_aside(text: str) -> str:
    if "'" not in text and '"' not in text:
        return text
    aside = _QUOTED.sub(lambda quoted: QUOTE_SIGN.ljust(len(quoted.group())), text)
    return aside if says_anything(aside) else text


def read_folded(text: str, folded: Folded) -> Reading:
    """The words of a folded text of the same length as `folded`, some of it perhaps replaced by signs."""
    words: list[str] = []
    positions: list[int] = []
    firsts: list[int] = []
    lasts: list[int] = []
    starts = [0]
    ends: list[int] = []
    position = 0
    for piece in _PIECE.finditer(text):
        kind = piece.lastgroup
        if kind in ("end", "line", "pause"):
            if kind != "pause" and positions and positions[-1] == position - 1:
                ends.append(position)
                # A line may end within a sentence: patterns reach across.
                position += SENTENCE_BREAK if kind == "end" else 0
            starts.append(position)
            continue
        words.append(piece[0] if kind == "word" else _STAND_INS[kind or ""])
        positions.append(position)
        firsts.append(piece.start())
        lasts.append(piece.end())
        position += 1
    ends.append(position)
    stand_ins = sorted(_stand_ins(text, words, positions, firsts))
    return Reading(text, folded, words, positions, firsts, lasts, starts, ends, stand_ins)


def _stand_ins(
    text: str, words: Sequence[str], positions: Sequence[int], firsts: Sequence[int]
) -> Iterator[tuple[int, str]]:
    digits = any(map(text.__contains__, _DIGITS))
    numbers = [at for word, at in zip(words, positions, strict=True) if word[0].isdigit()] if digits else []
    yield from ((position, "<number>") for position in numbers)
    signs = [("<code>", _CODE)] if any(map(text.__contains__, "({<=")) else []
    signs += [("<sum>", _SUM), ("<price>", _PRICE)] if numbers else []
    if not signs or not positions:
        return
    for name, expression in signs:
        for found in expression.finditer(text):
            yield positions[min(bisect_left(firsts, found.start()), len(firsts) - 1)], name
