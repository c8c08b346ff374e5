"""The language to answer in: the question's own where three words or more make it certain, else the page's.

And whether an answer came in another one.
"""

from functools import cache

from django.conf import settings
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from guardrails import quotes

MIN_WORDS = 3  # "hola" and "hallo" fool every detector that was tried
MIN_HAN = 4  # Chinese writes no spaces: four characters say as much as three words
CERTAIN = 0.9
ANSWER_WORDS, ANSWER_HAN = 6, 12  # shorter sentences of an answer may be little more than names


@cache
def _identifier() -> LanguageIdentifier:
    identifier: LanguageIdentifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages([code for code, _ in settings.LANGUAGES])
    return identifier


def warm_up() -> None:
    """Load the model (about a second), so that the first question does not wait for it."""
    _identifier().classify("Where did she study?")


def reader_language(question: str, page_language: str) -> str:
    """Return one of the site's languages."""
    return _certain(question, MIN_WORDS, MIN_HAN) or page_language


def strays(sentence: str, language: str) -> bool:
    """Whether a sentence of an answer is certainly in another language; what it quotes does not count."""
    own = quotes.mask(sentence, quotes.find(sentence, language).quotations)
    return _certain(own, ANSWER_WORDS, ANSWER_HAN) not in (None, language)


def _certain(text: str, words: int, han: int) -> str | None:
    if len(text.split()) < words and sum("\u4e00" <= character <= "\u9fff" for character in text) < han:
        return None
    language, probability = _identifier().classify(text)
    return str(language) if probability >= CERTAIN else None
