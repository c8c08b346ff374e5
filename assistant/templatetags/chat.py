"""Template tags of the chat."""

from decimal import Decimal

from django import template
from django.utils.translation import pgettext

from assistant.decision_names import CHECKS, decision_name
from assistant.presentation import ShownSentence
from guardrails.belt import Code
from records.models import Kind
from records.templatetags.record_tags import decimal

register = template.Library()


@register.filter
def kind_name(kind: str) -> str:
    """Return what one record of a kind is called, in the page's language."""
    names = {
        Kind.CV: pgettext("one record", "CV entry"),
        Kind.CASE_STUDY: pgettext("one record", "Case study"),
        Kind.ARTICLE: pgettext("one record", "Article"),
        Kind.SERVICE: pgettext("one record", "Service"),
    }
    return names[Kind(kind)]


@register.filter
def unmarked(text: str) -> str:
    """Return a released sentence without the marks of headings, lists and bold type."""
    return "".join(run.text for run in ShownSentence(text, "", (), ()).runs)


@register.filter
def usd(micro_usd: int) -> str:
    """Return an amount in US dollars, to the millionth."""
    return decimal(Decimal(micro_usd).scaleb(-6), 6)


@register.filter
def check_name(code: Code) -> str:
    """Return what a check of the latch objects to, as a sentence for readers."""
    return str(CHECKS[code])


register.filter(decision_name)
