"""Dates and numbers as the page's language writes them, and what a text in another language says of itself."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, Protocol

from babel import Locale
from babel.core import get_global
from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, get_language_info, override, pgettext

from records import conventions
from records.standing import is_current
from records.views import KIND_NAMES

register = template.Library()


class Holding(conventions.Dated, Protocol):
    """A record or a version of one, with the end of its validity."""

    @property
    def valid_to(self) -> date | None: ...


@register.filter
def number(value: int) -> str:
    """Return a number in the page's digits."""
    return conventions.number(value, _language())


@register.filter
def decimal(value: float | Decimal | Literal[""] | None, places: int) -> str:
    """Return a number with as many digits after the decimal sign; empty for none, and where the page has none."""
    return "" if value is None or value == "" else conventions.decimal(value, _language(), places)


@register.filter
def day(value: date) -> str:
    """Return a date; of a moment, the owner's day."""
    return conventions.day(timezone.localdate(value) if isinstance(value, datetime) else value, _language())


@register.filter
def period(dated: conventions.Dated) -> str:
    """Return from when to when, as far as it is known; empty for an undated record."""
    return conventions.period(dated, _language())


@register.filter
def holds(version: Holding) -> bool:
    """Return whether it may be called current today."""
    return is_current(version.current, version.start, version.valid_to)


@register.filter
def listed(values: Iterable[str], language: str) -> SafeString:
    """Return what a language's text lists, each value in its own direction: a Latin name turns no others around."""
    with override(language):
        between = pgettext("between the values of a list", ", ")
    return format_html_join(between, "<bdi>{}</bdi>", ((value,) for value in values))


@register.filter
def direction(language: str) -> str:
    """Return `rtl` or `ltr` for text in a language."""
    return "rtl" if get_language_info(language)["bidi"] else "ltr"


@register.simple_tag
def record_kinds() -> dict[str, Any]:
    """Return the name of each kind of records, in the order in which pages list them."""
    return {kind.value: name for kind, name in KIND_NAMES.items()}


@register.filter
def territory(language: str) -> str:
    """Return a language with the country that most of its readers are in, as social networks want it: `pt_BR`."""
    code, *_, country = str(get_global("likely_subtags")[language]).split("_")
    return f"{code}_{country}"


@register.filter
def language_name(language: str) -> str:
    """Return a language's name in the page's language."""
    return str(Locale.parse(_language()).languages[language])


def _language() -> str:
    return (get_language() or settings.LANGUAGE_CODE).partition("-")[0]  # the admin's Chinese is "zh-hans"
