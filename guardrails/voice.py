"""First person: finds a word by which a sentence speaks as the owner or as the assistant.

Word-for-word quotations and titles that stand in a source, proper names, and the exceptions of the language file are no
speech. Languages whose verbs carry the person are covered as far as the verbs are listed.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from guardrails.endings import SpokenEndings, shared_sign
from guardrails.language import load
from guardrails.latch_sections import Voice, expand
from guardrails.one_of import one_of
from guardrails.plain import WORD, WORD_CHARACTER, plain, rough_words

_VOWEL_SIGNS = re.compile("[\u0640\u064b-\u0650\u0652-\u065f\u0670]")
_NAME_GAP = re.compile(r"[ \u00a0'’&,-]{1,2}")
_INITIAL = re.compile(r"(?<!\w)[^\W\d_]\.\s?\w+")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_TITLE_WORDS = 3


def first_person(
    sentence: str,
    plain_sentence: str,
    language: str,
    without_quoted: Callable[[], str],
    sources: Sequence[str],
    words: Sequence[str] | None = None,
) -> str | None:
    """The first word of speech, or None. `without_quoted` gives the sentence with supported quotations blanked
    out; it is called when a word is found at all. `sources` are the texts in which names are looked up, `words`
    the rough words of the plain sentence, where they are known."""
    speech = _speech(language)
    if not speech.speaks(plain_sentence, rough_words(plain_sentence) if words is None else words, sentence):
        return None
    rest = speech.without_names(without_quoted(), sources)
    return speech.word(plain(rest), rest)


class _SpokenPhrase(NamedTuple):
    """A first-person phrase: the words that it has, and the expression that finds it."""

    words: frozenset[str]
    expression: str


class Speech:
    """The first-person words of one language."""

    def __init__(self, data: Voice) -> None:
        entries = [*expand(data.words), *_forms(data)]
        plains = [plain(entry) for entry in entries]
        self._words = frozenset(entry for entry in plains if WORD.fullmatch(entry))
        self._phrases: dict[str, list[_SpokenPhrase]] = {}
        for entry in plains:
            if entry not in self._words:
                # Its longest word is the one that ordinary sentences have least.
                parts = WORD.findall(entry)
                telling = max(reversed(parts), key=len)
                self._phrases.setdefault(telling, []).append(_SpokenPhrase(frozenset(parts), _bounded(entry)))
        self._anywhere = re.compile(one_of(map(plain, data.anywhere))) if data.anywhere else None
        marked = list(map(_without_vowels, data.marked))
        self._marked = _any_of(marked)
        # Those that hold a string that speaks anywhere are told by that one.
        self._marks_alone = not all(self._anywhere and self._anywhere.search(plain(word)) for word in marked)
        self._sign = shared_sign(marked)
        self._endings = SpokenEndings(data.endings)
        self._exact = _any_of(data.exact_exceptions)
        self._exceptions = _any_of(map(plain, expand(data.exceptions)))
        self._title_case = data.title_case

    def speaks(self, text: str, words: Collection[str], original: str) -> bool:
        """Whether a word of speech may be there; quick, and sure only when it says no."""
        return (
            not self._words.isdisjoint(words)
            or self._may_hold_phrase(words)
            or (self._anywhere is not None and self._anywhere.search(text) is not None)
            or (self._marks_alone and self._marked_word(original) is not None)
            or self._endings.may_be_in(original)
        )

    def _may_hold_phrase(self, words: Collection[str]) -> bool:
        telling = self._phrases.keys() & words
        if not telling:
            return False
        held = frozenset(words)
        return any(phrase.words <= held for word in telling for phrase in self._phrases[word])

    def _marked_word(self, original: str) -> str | None:
        if self._marked is None or self._sign not in original:
            return None
        found = self._marked.search(_without_vowels(original))
        return str(found.group()) if found else None

    def word(self, text: str, original: str) -> str | None:
        """The first word of speech outside the exceptions."""
        if marked := self._marked_word(original):
            return marked
        if self._exceptions:
            text = self._exceptions.sub(lambda match: " " * len(match.group()), text)
        if self._anywhere is not None and (glued := self._anywhere.search(text)):
            return str(glued.group())
        return next(self._spoken(text), None) or self._endings.word(original, self._exceptions)

    def _spoken(self, text: str) -> Iterator[str]:
        for word in WORD.findall(text):
            if word in self._words:
                yield word
            for phrase in self._phrases.get(word, ()):
                yield from (str(found.group()) for found in re.finditer(phrase.expression, text))

    def without_names(self, sentence: str, sources: Sequence[str]) -> str:
        """The sentence with names and initials that stand in a source blanked out."""
        if self._exact:
            sentence = self._exact.sub(lambda match: " " * len(match.group()), sentence)
        initials = [span for span in _initials(sentence) if any(_part(sentence, span) in each for each in sources)]
        names = [span for span in _capitalised(sentence) if self._is_name(_part(sentence, span), sources)]
        for start, end in (*initials, *names):
            sentence = sentence[:start] + " " * (end - start) + sentence[end:]
        return sentence

    def _is_name(self, name: str, sources: Sequence[str]) -> bool:
        if self._title_case and len(WORD.findall(name)) >= _TITLE_WORDS:
            return any(name in source for source in sources)
        # Any word has a capital where its sentence begins.
        return any(
            _part(source, span) == name and _in_midst(source, span[0])
            for source in sources
            if name in source
            for span in _capitalised(source)
        )


def _part(text: str, span: tuple[int, int]) -> str:
    return text[span[0] : span[1]]


def _in_midst(source: str, start: int) -> bool:
    before = source[:start].rstrip()
    return bool(before) and (before[-1].isalnum() or before[-1] in ",;(“«„\"'")


def _capitalised(text: str) -> Iterator[tuple[int, int]]:
    """Where runs of two or more capitalised words stand."""
    run: list[re.Match[str]] = []
    for match in WORD.finditer(text):
        capital = match.group()[0].isupper()
        if run and (not capital or not _NAME_GAP.fullmatch(text, run[-1].end(), match.start())):
            yield from _span(run)
            run = []
        if capital:
            run.append(match)
    yield from _span(run)


def _span(run: Sequence[re.Match[str]]) -> Iterator[tuple[int, int]]:
    if len(run) > 1:
        yield run[0].start(), run[-1].end()


def _initials(sentence: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _INITIAL.finditer(sentence))


def _forms(data: Voice) -> Iterator[str]:
    for group in data.forms:
        for prefix in group.prefixes:
            for stem in group.stems:
                yield from (f"{prefix}{stem}{ending}" for ending in group.endings)


def _without_vowels(text: str) -> str:
    return _VOWEL_SIGNS.sub("", unicodedata.normalize("NFC", text))


def _any_of(entries: Iterable[str]) -> re.Pattern[str] | None:
    longest_first = sorted(entries, key=len, reverse=True)
    return re.compile("|".join(map(_bounded, longest_first))) if longest_first else None


def _bounded(entry: str) -> str:
    """The entry as an expression, whole words where it begins or ends with one, any spaces for a space."""
    spaced = r"\s+".join(map(re.escape, entry.split()))
    before = f"(?<!{WORD_CHARACTER})" if _has_boundary(entry[0]) else ""
    after = f"(?!{WORD_CHARACTER})" if _has_boundary(entry[-1]) else ""
    return f"{before}{spaced}{after}"


def _has_boundary(character: str) -> bool:
    return WORD.match(character) is not None and not _HAN.match(character)


@cache
def _speech(language: str) -> Speech:
    return Speech(load(language).voice)
