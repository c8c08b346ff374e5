"""Template tags of the chat."""

from decimal import Decimal

from django import template
from django.utils.translation import gettext, pgettext

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
    objections: dict[Code, str] = {
        "model_refusal": gettext("The model declined."),
        "code": gettext("It held program code."),
        "instructions": gettext("It repeated what the model was told."),
        "marker_range": gettext("It named a source that was not given."),
        "marker_missing": gettext("It named no source."),
        "value": gettext("A number, a date or an address in it stands in no source that it named."),
        "quote": gettext("A quotation in it stands in no source that it named."),
        "first_person": gettext("It spoke as if it were the owner."),
        "commitment": gettext("It named a price, an offer or a promise."),
        "currently": gettext("It said “currently” of what is not known to hold today."),
        "leak": gettext("It held personal data."),
        "support": gettext("The sources that it named do not carry what it said."),
    }
    return objections[code]
