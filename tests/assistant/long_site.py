"""The site with a provider that says fifty sentences of its sources, one by one: what a steady page is tried on.

With RELEASES, a path, it notes there when it handed each sentence over whole, in milliseconds since 1970: the latch
releases a sentence at that moment or later. It can be held after any of them.
"""

import os
import time
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from config.asgi import application  # first: it sets Django up

import assistant.turn  # isort: skip
from guardrails.sentences import SentenceSplitter
from tests.assistant.hold import held
from tests.assistant.scripted import WHOLE, Scripted, Step

__all__ = ["application"]

SENTENCES = 50
PAUSE = 0.1  # seconds between two sentences


class FiftySentences(Scripted):
    """Quotes what the sources say, in their order and from the beginning again, until it has said fifty sentences."""

    def _script(self) -> Iterator[Step]:
        sources = self.asked[-1].evidence
        said = [
            f"{sentence} [{number}] "
            for number, evidence in enumerate(sources, start=1)
            for sentence in _sentences(evidence.source.text, evidence.source.language)
        ]
        whole = list(islice(chain.from_iterable([said] * SENTENCES), SENTENCES))
        yield whole[0][0]
        # The beginning of each goes out with the one before, so that the latch sees where that one ends.
        for said, (sentence, following) in enumerate(zip(whole, [*whole[1:], ""], strict=True)):
            yield from held(said)
            _note()
            yield sentence[1:] + following[:1]
            yield PAUSE
        yield WHOLE


def _sentences(text: str, language: str) -> list[str]:
    splitter = SentenceSplitter(language)
    return [sentence.text.strip() for sentence in (*splitter.feed(text), *splitter.flush())]


def _note() -> None:
    if path := os.environ.get("RELEASES"):
        with Path(path).open("a") as file:
            file.write(f"{time.time() * 1000}\n")


setattr(assistant.turn, "provider", FiftySentences)  # noqa: B010  # the seam that tests replace, not an export
