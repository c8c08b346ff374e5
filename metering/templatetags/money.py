"""Amounts and counts in templates, as readers of the page's language write them."""

from copy import copy
from decimal import Decimal

from babel import Locale
from babel.numbers import format_decimal
from django import template
from django.utils.translation import get_language

register = template.Library()

CENTS, FINEST = 2, 4  # digits after the point: at least, and at most, since one answer costs parts of a cent


@register.filter
def count(number: int) -> str:
    """Write a whole number with the language's grouping."""
    return str(format_decimal(number, locale=_locale()))


@register.filter
def usd(micro_usd: int) -> str:
    """Write micro-USD as US dollars."""
    locale = _locale()
    pattern = copy(locale.currency_formats["standard"])
    pattern.frac_prec = (CENTS, FINEST)
    amount = Decimal(micro_usd) / 1_000_000
    return str(pattern.apply(amount, locale, currency="USD", currency_digits=False))


def _locale() -> Locale:
    return Locale.parse(get_language() or "en", sep="-")
