"""What every page shows around its content: whose site it is, and the same page in another language."""

import logging
from functools import cache
from typing import NamedTuple

from babel.core import get_global
from django import template
from django.conf import settings
from django.contrib.staticfiles.finders import find
from django.db import Error as DatabaseError
from django.http import QueryDict
from django.templatetags.static import static
from django.utils.translation import get_language, get_language_info

from records.models import Owner

logger = logging.getLogger(__name__)
register = template.Library()


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
    """Return this page's address in each language, with its query; an address that names none is given one."""
    codes = [code for code, _name in settings.LANGUAGES]
    request = context.get("request")
    path = request.path if request else "/"
    first, _slash, rest = path.lstrip("/").partition("/")
    query = request.GET.copy() if request else QueryDict(mutable=True)
    query.pop("lang", None)
    kept = query.urlencode()
    current = get_language()
    return [
        PageLanguage(
            code=code,
            name=str(get_language_info(code)["name_local"]),
            url=f"/{code}/{rest}{kept and '?'}{kept}" if first in codes else f"{path}?{kept}{kept and '&'}lang={code}",
            current=code == current,
        )
        for code in codes
    ]


@register.simple_tag
def page_font() -> str:
    """Return the address of the font that this site brings for the page's script; empty where it brings none."""
    name = _font(get_language() or settings.LANGUAGE_CODE)
    return static(name) if name else ""


@cache
def _font(language: str) -> str:
    likely: str = get_global("likely_subtags").get(language, "")  # such as fa_Arab_IR
    script = likely.split("_")[1] if likely else ""
    name = f"fonts/{script.lower()}.woff2"
    return name if find(name) else ""
