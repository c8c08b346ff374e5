"""Whether a sentence repeats what the model was told: so many of its words in a row.

Word for word alone: a rule that is translated or told in other words is not seen here.
"""

from functools import lru_cache

from guardrails.plain import WORD, plain

RUN = 6  # words, as many as make a quotation long


def repeated(plain_text: str, instructions: str) -> str | None:
    """Return the first run of words that stands in the instructions, or None."""
    words, told = WORD.findall(plain_text), _running(instructions)
    runs = (" ".join(words[start : start + RUN]) for start in range(len(words) - RUN + 1))
    return next((run for run in runs if f" {run} " in told), None)


@lru_cache(maxsize=32)  # the languages of a site, each with its second tries
def _running(text: str) -> str:
    return f" {' '.join(WORD.findall(plain(text)))} "
