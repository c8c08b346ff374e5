"""Takes the common disguises off a question: spaced-out letters, digits for letters, mixed alphabets, reversal.

It offers further texts to try patterns on and decides nothing; ciphers and encodings are out of its reach.
"""

import re
from collections.abc import Callable, Iterator

from guardrails.text import fold

_LETTER = r"[^\W\d_]"
_SPACED = re.compile(rf"(?<!\w){_LETTER}(?:[\s.\-_*|]{{1,3}}{_LETTER}(?!\w)){{4,}}")
_DIGIT_WORD = re.compile(r"(?<![^\s\"'(])(?=[a-z0-9@$!|]*[a-z])(?=[a-z0-9@$!|]*[0-9@$|!][a-z])[a-z0-9@$!|]{3,30}")
_DIGIT_LETTERS = str.maketrans("013457@$!|", "oieastasil")
_MIXED = re.compile(r"\w*(?:[a-z][а-яёіїј\u0370-\u03ff]|[а-яёіїј\u0370-\u03ff][a-z])\w*")
_LATIN_ALIKE = str.maketrans("авекмнорстухіїјѕԁαενορτυικχ", "abekmhopctyxiijsdaevoptuikx")
_CYRILLIC_ALIKE = str.maketrans("abekmhopctyx", "авекмнорстух")
_NOT_LATIN = re.compile(r"[^\x00-\x7f]")
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")
_REVERSED_WORD_MINIMUM = 4
_REVERSED_WORDS = 2


def undisguised(question: str, knows: Callable[[str], bool]) -> Iterator[str]:
    """Texts that the question may hide; `knows` tells whether a word stands in some template."""
    text = fold(question).text
    plain = _SPACED.sub(lambda run: _close_up(run.group(), knows), text)
    plain = _DIGIT_WORD.sub(lambda word: word.group().translate(_DIGIT_LETTERS), plain)
    plain = _DRAWN_OUT.sub(r"\1", _MIXED.sub(_one_alphabet, plain))
    if plain != text:
        yield plain
    backwards = text[::-1]
    if sum(len(word) >= _REVERSED_WORD_MINIMUM and knows(word) for word in backwards.split()) >= _REVERSED_WORDS:
        yield backwards


def _close_up(run: str, knows: Callable[[str], bool]) -> str:
    """`i g n o r e   a l l` by its wider gaps, or where there are none by the words that templates know."""
    if re.search(r"\s{2,}", run):
        return re.sub(r"\s{2,}|([\s.\-_*|])", lambda gap: "" if gap[1] else " ", run)
    return " ".join(_known_words(re.sub(r"[\s.\-_*|]", "", run), knows))


def _known_words(letters: str, knows: Callable[[str], bool]) -> Iterator[str]:
    start = 0
    while start < len(letters):
        longest = min(len(letters), start + 20)
        end = next((end for end in range(longest, start + 1, -1) if knows(letters[start:end])), start + 1)
        yield letters[start:end]
        start = end


def _one_alphabet(word: re.Match[str]) -> str:
    latin = word.group().translate(_LATIN_ALIKE)
    return word.group().translate(_CYRILLIC_ALIKE) if _NOT_LATIN.search(latin) else latin
