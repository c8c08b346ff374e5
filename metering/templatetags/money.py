"""Amounts in templates, as readers of the page's language write them."""

from copy import copy
from decimal import Decimal

from babel import Locale
from django import template
from django.utils.translation import get_language

from metering.digits import digits

register = template.Library()

CENTS, FINEST = 2, 4  # digits after the point: at least, and at most, since one answer costs parts of a cent


@register.filter
def usd(micro_usd: int) -> str:
    """Write micro-USD as US dollars."""
    language = get_language() or "en"
    locale = Locale.parse(language, sep="-")
    pattern = copy(locale.currency_formats["standard"])
    pattern.frac_prec = (CENTS, FINEST)
    amount = Decimal(micro_usd) / 1_000_000
    written = pattern.apply(amount, locale, currency="USD", currency_digits=False, numbering_system="default")
    return str(written).translate(digits(language))
