"""Whether a stop ends a sentence: from what stands before it, what the gap after it holds, and what comes next.

Decides one place at a time. It keeps no state and does no scanning beyond a few words; a bracket's or a quotation
mark's other half is looked for within the sentence.
"""

import re
from collections.abc import Iterable

from guardrails.abbreviations import Abbreviations, nothing_yet
from guardrails.latch_sections import Sentences, expand
from guardrails.sentence_gap import BRACKET_CLOSERS, ELLIPSES, EMPHASIS, STOPS, Gap

GOES_ON = 0

# Stops of scripts that are written without a space after the stop, or whose stop has no other use.
_UNSPACED = frozenset("。！？؟।॥۔｡")
_ELLIPSES = frozenset(ELLIPSES)
_DASHES = "-–—―"
_CONTINUING = ",;:،؛，；：、‐‑%&/=+<>\\" + _DASHES + BRACKET_CLOSERS
_BRACKETS = "([{（［【"
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\u3005\u3007“「『《（]")
_ROMAN_OR_LETTER = re.compile(r"[IVXLC]+|[^\W\d_]")
_BEFORE_CODE = " \t\u00a0([{*_\"'“«‘「《：，、。"
_AFTER_CODE = " \t\u00a0,.;:)]}»”」，。；：）"
# An open backtick further back closes with an apostrophe, as in `name', or not at all.
_LONGEST_CODE = 80
_OPEN_OR_CLOSE = {mark: re.compile(rf"{re.escape(mark)}+(?!\s)") for mark in EMPHASIS + "'"}
_WORD = re.compile(r"[\"'“„«‘(]?(\w+)")
_OPENING = dict(zip(BRACKET_CLOSERS, _BRACKETS, strict=True))


class Rules:
    """The rules of one language."""

    def __init__(self, data: Sentences) -> None:
        self._data = data
        self._abbreviations = Abbreviations(data)
        self._starters = data.starters
        self._sure_starters = data.starters - data.name_words
        # What may follow a stop without a space, and what may even after one.
        self._glued = frozenset(data.closers + BRACKET_CLOSERS + EMPHASIS + "'")
        self._only_closers = set(data.closers + BRACKET_CLOSERS) - set(data.openers)
        self._continuing = self._only_closers | set(_CONTINUING)
        self._only_openers = set(data.openers) - set(data.closers + _BRACKETS)
        quotes = re.escape(data.openers.translate(dict.fromkeys(map(ord, _BRACKETS))) + '"')
        self._attributions = frozenset(expand(data.attributions))
        self._begun = frozenset(said[:length] for said in self._attributions for length in range(1, len(said)))
        self._quote = re.compile(f"[{quotes}]")
        self._introduced = re.compile(rf"[:：,،，]\s*[{quotes}]")

    def attach(self, text: str, start: int, gap: Gap, *, within: bool) -> bool:
        """Takes the character after the gap into it if that may still belong to the sentence before.

        `within` says whether a straight quotation mark is open there.
        """
        character = text[gap.end]
        if gap.broken or (gap.marked and gap.loose and character in STOPS):
            return False
        if character == '"':
            mixed = _is_open(text, start, gap.stop, self._only_openers, self._only_closers)
            return _attach_quote(gap, within=within or mixed)
        if gap.loose and character in ELLIPSES:
            gap.pass_doubtful(character)
        elif gap.loose and character in _DASHES and gap.stops and not (gap.marked or gap.dashed):
            gap.pass_doubtful(character, dash=True)
        elif character in _OPEN_OR_CLOSE and _is_unspaced(gap) and not _is_emphasized(text, start, gap.stop, character):
            return False
        elif character in STOPS or character in (self._only_closers if gap.spaced else self._glued):
            gap.pass_attached(character)
        else:
            return False
        return True

    def end(self, text: str, start: int, gap: Gap, limit: int) -> int | None:
        """Where the sentence ends, GOES_ON, or None while too little of what follows has arrived.

        The character at the gap's end is the next visible one; nothing at or beyond `limit` is looked at.
        """
        if gap.earlier and gap.dashed and gap.loose:
            # A dash opens another speaker's sentence, or goes on after one.
            return gap.earlier.end if self._speaks(text, start, gap.earlier, gap.end) else GOES_ON
        if gap.earlier and not gap.loose:
            gap = gap.earlier
        verdict = self._ends(text, start, gap, limit)
        return gap.end if verdict else verdict if verdict is None else GOES_ON

    def closes(self, text: str, gap: Gap) -> bool:
        """Whether a text that ends with the gap would end a sentence there."""
        return gap.broken or gap.stops != "." or self._is_plain(text, 0, gap)

    def _ends(self, text: str, start: int, gap: Gap, limit: int) -> bool | None:
        if gap.broken:
            return not nothing_yet(text, start, gap.stop)
        following = text[gap.end]
        if following.islower() or following in self._continuing:
            return False
        if gap.marked:
            return not nothing_yet(text, start, gap.stop)
        if self._is_inside(text, start, gap):
            return False
        if gap.quoted and following in self._begun:
            # Nothing else tells "…！”他说。" from "…！”他走了。".
            attributed = self._is_attributed(text, gap.end, limit)
            return attributed if attributed is None else not attributed
        if gap.stops == ".":
            return self._ends_plainly(text, start, gap, limit)
        if _ELLIPSES.issuperset(gap.stops):
            return self._opens(text, gap.end)
        return self._ends_quotation(text, start, gap)

    def _is_inside(self, text: str, start: int, gap: Gap) -> bool:
        """Whether the stop is part of a name, a number, a title, code, a table or an aside."""
        if not gap.spaced and not self._ends_unspaced(text, gap):
            return True
        if text.startswith("|", start) or _is_code(text, start, gap.stop):
            return True
        return _is_titled(text, start, gap.stop) or (gap.bracketed and _is_aside(text, start, gap))

    def _ends_plainly(self, text: str, start: int, gap: Gap, limit: int) -> bool | None:
        gap.reading = gap.reading or self._abbreviations.read(text, start, gap.stop, text[gap.end])
        if gap.reading in ("joins", "ends"):
            return gap.reading == "ends"
        if gap.reading == "numbered":
            counted = _is_counted(text, gap.end, limit, self._starters)
            return counted if counted is None else not counted
        return _begins(text, gap.end, limit, self._starters if gap.reading == "doubtful" else self._sure_starters)

    def _speaks(self, text: str, start: int, gap: Gap, following: int) -> bool:
        """Whether after the dash another speaks, or the narrator; within a quotation or a bracket the same goes on.

        After a question only in a dialogue, which a dash began: "Who? – A life" is a title.
        """
        return (
            self._opens(text, following)
            and not (gap.quoted and text[following].isupper())
            and (self._is_plain(text, start, gap) if gap.stops == "." else text[start] in _DASHES)
            and not self._is_inside(text, start, gap)
            and not _is_open(text, start, gap.stop, self._only_openers | set(_BRACKETS), self._only_closers)
        )

    def _is_plain(self, text: str, start: int, gap: Gap) -> bool:
        return self._abbreviations.read(text, start, gap.stop, "") == "ends"

    def _opens(self, text: str, at: int) -> bool:
        return text[at].isupper() or text[at] == '"' or text[at] in self._data.openers

    def _ends_unspaced(self, text: str, gap: Gap) -> bool:
        if _is_unspaced(gap):
            return True
        # ASCII stops in Chinese text; elsewhere a stop without a space is a part of a name or a number.
        return bool(_HAN.match(text, gap.stop - 1) and _HAN.match(text, gap.end)) if gap.stop else False

    def _is_attributed(self, text: str, at: int, limit: int) -> bool | None:
        """Whether what follows a quotation says who said it and no more; None while that may still be."""
        end = at + 1
        while text[at:end] in self._begun:
            if end == limit:
                return None
            end += 1
        return text[at:end] in self._attributions

    def _ends_quotation(self, text: str, start: int, gap: Gap) -> bool:
        """After a closing quotation mark only case, or the language's own habit, tells a new sentence.

        Where a question or an exclamation may end the sentence, it does so in a quotation that a colon or a comma
        introduced, or that began in an earlier sentence: all was leading to it.
        """
        if not gap.quoted or (self._opens(text, gap.end) and text[gap.end] not in self._data.closers):
            return True
        if set(gap.stops).isdisjoint(self._data.ends_inside_quotes):
            return False
        if set(gap.stops).isdisjoint("?!？！؟") or self._introduced.search(text, start, gap.stop):
            return True
        return not self._quote.search(text, start, gap.stop)


def _is_unspaced(gap: Gap) -> bool:
    return not _UNSPACED.isdisjoint(gap.stops)


def _is_code(text: str, start: int, stop: int) -> bool:
    """Whether a code span stands open before `stop`."""
    tick = text.rfind("`", start, stop)
    if tick < 0 or stop - tick > _LONGEST_CODE:
        return False
    return text[tick + 1] not in _AFTER_CODE and (tick == start or text[tick - 1] in _BEFORE_CODE)


def _is_emphasized(text: str, start: int, stop: int, mark: str) -> bool:
    """Whether emphasis, or a single quotation mark, stands open before `stop`; the bullet of a list is none."""
    return len(_OPEN_OR_CLOSE[mark].findall(text, start, stop)) % 2 == 1


def _attach_quote(gap: Gap, *, within: bool) -> bool:
    """A straight quotation mark closes or opens by what is open, and by what it is glued to."""
    glued = not gap.spaced and not _is_unspaced(gap)
    if (within and not gap.spaced) or glued:
        gap.pass_attached('"')
    elif within != gap.spaced:
        return False
    else:
        gap.pass_doubtful('"')
    return True


def _is_aside(text: str, start: int, gap: Gap) -> bool:
    """Whether the bracket that closes after the stop is a part of the sentence around it: "(!)", "[…]"."""
    closer = next(character for character in text[gap.stop : gap.end] if character in BRACKET_CLOSERS)
    opening = text.rfind(_OPENING[closer], start, gap.stop)
    if opening < 0:
        return False
    return opening == gap.stop - 1 or (gap.stops != "." and not nothing_yet(text, start, opening))


def _is_titled(text: str, start: int, stop: int) -> bool:
    """Whether the title marks of Chinese stand open before `stop`."""
    opening = max(text.rfind("《", start, stop), text.rfind("〈", start, stop))
    return opening >= 0 and opening > max(text.rfind("》", start, stop), text.rfind("〉", start, stop))


def _is_open(text: str, start: int, stop: int, openers: Iterable[str], closers: Iterable[str]) -> bool:
    """Whether the last of the openers between `start` and `stop` has no closer after it."""
    opening = max((text.rfind(opener, start, stop) for opener in openers), default=-1)
    return opening >= 0 and opening > max((text.rfind(closer, start, stop) for closer in closers), default=-1)


def _is_counted(text: str, at: int, limit: int, starters: frozenset[str]) -> bool | None:
    """Whether a Roman numeral or a single letter stands at `at`, as in "vol. II"; None while the word may go on."""
    word = _WORD.match(text, at, limit)
    if word and word.end() == limit:
        return None
    return bool(word and _ROMAN_OR_LETTER.fullmatch(word[1]) and word[1] not in starters)


def _begins(text: str, at: int, limit: int, starters: frozenset[str]) -> bool | None:
    """Whether one of the starters stands at `at`, or opens a quotation there; None while the word may go on."""
    if text[at] in "¿¡":
        return True
    if not starters:
        return False
    word = _WORD.match(text, at, limit)
    if not word or word.end() == limit:
        return None if at + 1 == limit or word else False
    # "L'" is listed with its apostrophe; "A." is an initial and no article.
    first, after = word[1], text[word.end()]
    whole = f"{first}'" if after in "'’" else first
    return not (after == "." and len(first) == 1) and not starters.isdisjoint((whole, first))
