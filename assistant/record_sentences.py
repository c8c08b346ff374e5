"""A record's fields told as a sentence, from gettext templates: the records route needs no model to be read.

Every value is the record's own, with the precision that the site shows; "currently" stands only where the
record is marked current.
"""

from dataclasses import replace
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import override

from records import conventions
from records.models import Kind
from records.selectors import RecordView
from records.standing import is_over


def tell(view: RecordView, language: str, owner: str) -> str:
    """Return the record as one sentence in `language`, with `owner` as the name to use."""
    with override(language):
        return _template(view) % {
            "owner": owner,
            "title": _line(view.title),
            **{name: _line(view.fields.get(name, "")) for name in ("role", "organisation", "client")},
            "when": _when(view, language),
        }


def _line(value: object) -> str:
    """Return a value without line breaks, which would end the sentence."""
    return " ".join(str(value).split())


def _template(view: RecordView) -> str:
    match Kind(view.kind):
        case Kind.CV:
            return _cv_template(view)
        case Kind.CASE_STUDY:
            return _project_template(view)
        case Kind.ARTICLE:
            return _("%(owner)s wrote the article “%(title)s”%(when)s.")
        case Kind.SERVICE:
            if is_over(view.valid_to):
                return _("%(owner)s offered the service “%(title)s”%(when)s.")
            return _("%(owner)s offers the service “%(title)s”%(when)s.")
        case _ as never:
            assert_never(never)


def _project_template(view: RecordView) -> str:
    match view.current, bool(view.fields.get("client")):
        case True, True:
            return _("%(owner)s is currently working on the project “%(title)s” for %(client)s%(when)s.")
        case True, False:
            return _("%(owner)s is currently working on the project “%(title)s”%(when)s.")
        case False, True:
            return _("%(owner)s did the project “%(title)s” for %(client)s%(when)s.")
        case _:
            return _("%(owner)s did the project “%(title)s”%(when)s.")


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


def _when(view: RecordView, language: str) -> str:
    """Return dates and ended validity in brackets with what parts them from the words before, or nothing."""
    # An article that is marked current still holds; it is not still being written.
    told = [conventions.period(replace(view, current=False) if view.kind == Kind.ARTICLE else view, language)]
    if view.valid_to and is_over(view.valid_to):
        told.append(_("valid until %(day)s") % {"day": conventions.day(view.valid_to, language)})
    period = "; ".join(filter(None, told))
    return _(" (%(period)s)") % {"period": period} if period else ""
