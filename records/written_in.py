"""In which of the site's languages a text is certainly written, where there is enough of it to tell."""

from functools import cache

from django.conf import settings
from py3langid.langid import MODEL_FILE, LanguageIdentifier

CERTAIN = 0.9


@cache
def _identifier() -> LanguageIdentifier:
    identifier: LanguageIdentifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages([code for code, _ in settings.LANGUAGES])
    return identifier


def certain(text: str, words: int, han: int) -> str | None:
    """Return the language; None for fewer words, or Chinese characters, than that, and where it is not certain."""
    if len(text.split()) < words and sum("\u4e00" <= character <= "\u9fff" for character in text) < han:
        return None
    language, probability = _identifier().classify(text)
    return str(language) if probability >= CERTAIN else None
