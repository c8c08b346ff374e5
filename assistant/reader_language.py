"""The language to answer in: the question's own where three words or more make it certain, else the page's.

And whether an answer came in another one.
"""

from guardrails import quotes
from records.written_in import certain

MIN_WORDS = 3  # "hola" and "hallo" fool every detector that was tried
MIN_HAN = 4  # Chinese writes no spaces: four characters say as much as three words
ANSWER_WORDS, ANSWER_HAN = 6, 12  # shorter sentences of an answer may be little more than names


def warm_up() -> None:
    """Load the model (about a second), so that the first question does not wait for it."""
    certain("Where did she study?", MIN_WORDS, MIN_HAN)


def reader_language(question: str, page_language: str) -> str:
    """Return one of the site's languages."""
    return certain(question, MIN_WORDS, MIN_HAN) or page_language


def strays(sentence: str, language: str) -> bool:
    """Whether a sentence of an answer is certainly in another language; what it quotes does not count."""
    own = quotes.mask(sentence, quotes.find(sentence, language).quotations)
    return certain(own, ANSWER_WORDS, ANSWER_HAN) not in (None, language)
