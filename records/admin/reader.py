"""In which of the site's languages a page of the admin is read: Django's own catalogues know Chinese by its script."""

from django.utils.translation import get_language

from records.drafts import CODES, PREFERRED


def reader_language() -> str:
    """Return the language's code as the site has it."""
    code = (get_language() or PREFERRED).partition("-")[0]
    return code if code in CODES else PREFERRED
