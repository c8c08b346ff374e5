"""What every page shows around its content: whose site it is, and the same page in another language."""

import logging
from typing import NamedTuple

from django import template
from django.conf import settings
from django.db import Error as DatabaseError
from django.utils.translation import get_language, get_language_info

from records.models import Owner

logger = logging.getLogger(__name__)
register = template.Library()

_DJANGO_CODES = {"zh": "zh-hans"}  # where Django's list of languages has another code than the site


class PageLanguage(NamedTuple):
    """One entry of the language menu."""

    code: str
    name: str
    url: str
    current: bool


@register.simple_tag
def owner_name() -> str:
    """Return the owner's name as the page's language writes it; empty where there is none to be read."""
    try:
        owner = Owner.objects.first()
    except DatabaseError:
        logger.exception("No database: a page is shown without the owner's name.")
        return ""
    return owner.name_in(get_language() or settings.LANGUAGE_CODE) if owner else ""


@register.simple_tag(takes_context=True)
def page_languages(context: template.Context) -> list[PageLanguage]:
    """Return this page's address in each language; a page without a language leads to the home pages."""
    codes = [code for code, _name in settings.LANGUAGES]
    request = context.get("request")
    first, _slash, rest = (request.path if request else "/").lstrip("/").partition("/")
    place = rest if first in codes else ""
    current = get_language()
    return [PageLanguage(code, _own_name(code), f"/{code}/{place}", code == current) for code in codes]


def _own_name(code: str) -> str:
    return str(get_language_info(_DJANGO_CODES.get(code, code))["name_local"])
