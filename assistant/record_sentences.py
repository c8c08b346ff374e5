"""A record's fields told as a sentence, from gettext templates: the records route needs no model to be read.

Every value is the record's own, with the precision that the site shows; "currently" stands only where the
record is marked current.
"""

from datetime import date
from typing import assert_never

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from records.models import DatePrecision, Kind
from records.selectors import RecordView

_FORMATS = {
    DatePrecision.YEAR: "Y",
    DatePrecision.MONTH: "YEAR_MONTH_FORMAT",
    DatePrecision.DAY: "DATE_FORMAT",
}


def tell(view: RecordView, language: str, owner: str) -> str:
    """Return the record as one sentence in `language`, with `owner` as the name to use."""
    with override(language):
        return _template(view) % {
            "owner": owner,
            "title": view.title,
            "role": view.fields.get("role", ""),
            "organisation": view.fields.get("organisation", ""),
            "client": view.fields.get("client", ""),
            "when": _when(view),
        }


def _template(view: RecordView) -> str:
    match Kind(view.kind):
        case Kind.CV:
            return _cv_template(view)
        case Kind.CASE_STUDY if view.fields.get("client"):
            return _("%(owner)s did the project “%(title)s” for %(client)s%(when)s.")
        case Kind.CASE_STUDY:
            return _("%(owner)s did the project “%(title)s”%(when)s.")
        case Kind.ARTICLE:
            return _("%(owner)s wrote the article “%(title)s”%(when)s.")
        case Kind.SERVICE:
            return _("%(owner)s offers the service “%(title)s”%(when)s.")
        case _ as never:
            assert_never(never)


def _cv_template(view: RecordView) -> str:
    if not view.fields.get("organisation"):
        return _("%(owner)s's CV lists “%(title)s”%(when)s.")
    if view.fields.get("type") == "award":
        return _("%(owner)s received “%(title)s” from %(organisation)s%(when)s.")
    if view.fields.get("type") == "education":
        return _("%(owner)s studied at %(organisation)s: “%(title)s”%(when)s.")
    if not view.fields.get("role"):
        return _("%(owner)s's CV lists “%(title)s”, %(organisation)s%(when)s.")
    if view.current:
        return _("%(owner)s currently works at %(organisation)s as %(role)s%(when)s.")
    return _("%(owner)s worked at %(organisation)s as %(role)s%(when)s.")


def _when(view: RecordView) -> str:
    """Return the dates in brackets with a space before them, or nothing for an undated record."""
    if view.start is None:
        return ""
    start = _date(view.start, view.start_precision)
    end = _date(view.end, view.end_precision) if view.end else ""
    if end and end != start:
        return _(" (%(start)s – %(end)s)") % {"start": start, "end": end}
    if view.current and view.kind != Kind.ARTICLE:
        return _(" (since %(start)s)") % {"start": start}
    return _(" (%(start)s)") % {"start": start}


def _date(value: date, precision: str) -> str:
    return date_format(value, _FORMATS[DatePrecision(precision)])
