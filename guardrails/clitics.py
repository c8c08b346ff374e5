"""Takes off what a language writes onto its words: particles before, pronouns and endings behind.

It offers stems to look up; whether one is a word is for the lexicon.
"""

from collections.abc import Iterator

from guardrails.language import Words
from guardrails.text import fold

_STEM_MINIMUM = 2


class Clitics:
    """The clitics of one language, folded."""

    def __init__(self, words: Words) -> None:
        self._proclitics = tuple(fold(text).text for text in words.proclitics)
        self._enclitics = tuple(fold(text).text for text in words.enclitics)
        self._endings = {fold(bound).text: fold(free).text for bound, free in words.bound_endings.items()}

    @staticmethod
    def used(words: Words) -> bool:
        """Whether the language has any."""
        return bool(words.proclitics or words.enclitics)

    def stems(self, word: str) -> Iterator[str]:
        """What is left without one clitic before, one behind, or both."""
        fronts = [word, *(word[len(each) :] for each in self._proclitics if word.startswith(each))]
        for front in fronts:
            if front is not word and len(front) >= _STEM_MINIMUM:
                yield front
            for enclitic in self._enclitics:
                stem = front[: -len(enclitic)]
                if len(stem) >= _STEM_MINIMUM and front.endswith(enclitic):
                    yield stem
                    if stem[-1] in self._endings:
                        yield stem[:-1] + self._endings[stem[-1]]
