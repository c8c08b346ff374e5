"""The language to answer in: the question's own where three words or more make it certain, else the page's."""

from functools import cache

from django.conf import settings
from py3langid.langid import MODEL_FILE, LanguageIdentifier

MIN_WORDS = 3  # "hola" and "hallo" fool every detector that was tried
MIN_HAN = 4  # Chinese writes no spaces: four characters say as much as three words
CERTAIN = 0.9


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
    han = sum("\u4e00" <= character <= "\u9fff" for character in question)
    if len(question.split()) < MIN_WORDS and han < MIN_HAN:
        return page_language
    language, probability = _identifier().classify(question)
    return str(language) if probability >= CERTAIN else page_language
