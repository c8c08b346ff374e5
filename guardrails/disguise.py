"""Takes the common disguises off a question: spaced-out letters, digits for letters, mixed alphabets, reversal.

It offers further texts to try patterns on and decides nothing; ciphers and encodings are out of its reach.
"""

import re
from collections.abc import Callable, Iterator, Sequence

_LETTER = r"[^\W\d_]"
_SPACED = re.compile(rf"(?<!\w){_LETTER}(?:[\s.\-_*|']{{1,3}}{_LETTER}(?!\w)){{4,}}")
_DIGIT_WORD = re.compile(r"(?<![^\s\"'(])(?=[a-z0-9@$!|]{0,30}[0-9@$|!][a-z])[a-z0-9@$!|]{3,30}")
_DIGIT_OR_SIGN = re.compile(r"[0-9@$|!][a-z]")
_DIGIT_LETTERS = str.maketrans("013457@$!|", "oieastasil")
_CYRILLIC_DIGIT_WORD = re.compile(r"(?<!\w)(?=[а-я0-9]{0,30}[0346][а-я])[а-я0-9]{3,30}")
_CYRILLIC_DIGIT = re.compile("[0346][а-я]")
_CYRILLIC_DIGIT_LETTERS = str.maketrans("0346", "озчб")
_WORDS = re.compile(rf"{_LETTER}+")
_LATIN = re.compile("[a-z]")
_LOOKS_LATIN = re.compile("[\u0370-\u03ffа-яёіїј]")
_LATIN_ALIKE = str.maketrans("авекмнорстухіїјѕԁαενορτυικχ", "abekmhopctyxiijsdaevoptuikx")
_CYRILLIC_ALIKE = str.maketrans("abekmhopctyx", "авекмнорстух")
_NOT_LATIN = re.compile(r"[^\x00-\x7f]")
_DRAWN_OUT = re.compile(rf"({_LETTER})\1\1+")
_SPACED_LETTERS = 5
_LONGEST_WORD = 20
_READ_BACK = 400  # letters: a long question, and not whatever somebody sends
_REVERSED_WORD_MINIMUM = 4
_REVERSED_WORDS = 2


def undisguised(text: str, words: Sequence[str], knows: Callable[[str], bool]) -> Iterator[str]:
    """Texts that a folded question with these words may hide; `knows` tells whether some template has a word."""
    plain = text
    if sum(len(word) == 1 for word in words) >= _SPACED_LETTERS:
        plain = _SPACED.sub(lambda run: _close_up(run.group(), knows), plain)
    if _DIGIT_OR_SIGN.search(plain):
        plain = _DIGIT_WORD.sub(lambda word: word.group().translate(_DIGIT_LETTERS), plain)
    if _CYRILLIC_DIGIT.search(plain):
        plain = _CYRILLIC_DIGIT_WORD.sub(lambda word: word.group().translate(_CYRILLIC_DIGIT_LETTERS), plain)
    if _LOOKS_LATIN.search(plain) and _LATIN.search(plain):
        plain = _WORDS.sub(_one_alphabet, plain)
    plain = _DRAWN_OUT.sub(r"\1", plain)
    if plain != text:
        yield plain
    if sum(len(word) >= _REVERSED_WORD_MINIMUM and knows(word[::-1]) for word in words) >= _REVERSED_WORDS:
        yield text[::-1]


def _close_up(run: str, knows: Callable[[str], bool]) -> str:
    """`i g n o r e   a l l` by its wider gaps, or where there are none by the words that templates know."""
    if re.search(r"\s{2,}", run):
        return re.sub(r"\s{2,}|([\s.\-_*|'])", lambda gap: "" if gap[1] else " ", run)
    letters = re.sub(r"[\s.\-_*|']", "", run)
    words = list(_known_words(letters, knows))
    if len(letters) <= _READ_BACK and _left_over(words):
        # "Resume este texto" begins with "Resümee": from its end it is read right.
        back = [word[::-1] for word in _known_words(letters[::-1], lambda word: knows(word[::-1]))]
        words = min(words, back[::-1], key=_left_over)
    return " ".join(words)


def _left_over(words: Sequence[str]) -> int:
    """How many letters belong to no known word."""
    return sum(len(word) == 1 for word in words)


def _known_words(letters: str, knows: Callable[[str], bool]) -> Iterator[str]:
    """The longest word that is known at each place, from the beginning on; else the letter alone."""
    start = 0
    while start < len(letters):
        word = letters[start : start + _LONGEST_WORD]
        while len(word) > 1 and not knows(word):
            word = word[:-1]
        yield word
        start += len(word)


def _one_alphabet(word: re.Match[str]) -> str:
    if not (_LATIN.search(word.group()) and _LOOKS_LATIN.search(word.group())):
        return word.group()
    latin = word.group().translate(_LATIN_ALIKE)
    return word.group().translate(_CYRILLIC_ALIKE) if _NOT_LATIN.search(latin) else latin
