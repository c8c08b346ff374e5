"""Template tags of the chat."""

from django import template
from django.utils.translation import pgettext

from assistant.presentation import ShownSentence
from records.models import Kind

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
