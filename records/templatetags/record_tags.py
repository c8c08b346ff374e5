"""How records' dates are shown: with the precision that the owner gave them, in the page's language."""

from datetime import date

from django import template
from django.utils.formats import date_format
from django.utils.translation import get_language_info

from records.models import DatePrecision

register = template.Library()

_FORMATS = {
    DatePrecision.YEAR: "Y",
    DatePrecision.MONTH: "YEAR_MONTH_FORMAT",
    DatePrecision.DAY: "DATE_FORMAT",
}


@register.filter
def to_precision(day: date, precision: str) -> str:
    """Return a date as far as it is known."""
    return date_format(day, _FORMATS[DatePrecision(precision or DatePrecision.DAY)])


@register.filter
def direction(language: str) -> str:
    """Return `rtl` or `ltr` for text in a language."""
    return "rtl" if get_language_info(language)["bidi"] else "ltr"


@register.filter
def language_name(language: str) -> str:
    """Return a language's name in the page's language."""
    return str(get_language_info(language)["name_translated"])
