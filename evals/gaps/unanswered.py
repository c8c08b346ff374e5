"""Which questions count as unanswered: what was asked in earnest and the site could not say, or said badly.

Not those that layer 1 refused: they must be. Not those that met a fault or a limit: no record would answer them.
"""

from enum import StrEnum

from django.db.models import Case, CharField, Exists, OuterRef, Q, Value, When

from assistant.models import Feedback, Sentence, Turn


class Reason(StrEnum):
    """Why a question counts, in the order in which one of several is named."""

    NO_EVIDENCE = "no_evidence"  # nothing published came near enough
    NOT_COVERED = "not_covered"  # what was found does not say it, or not all of it
    WITHHELD = "withheld"  # the latch let no sentence through
    UNHELPFUL = "unhelpful"  # its reader said so, or reported it


def conditions(prefix: str = "") -> dict[Reason, Q]:
    """Return each reason as a condition on turns; `prefix` leads to the turn ("turn__")."""

    def where(**values: object) -> Q:
        return Q(**{prefix + name: value for name, value in values.items()})

    said = Exists(Sentence.objects.filter(turn=OuterRef(f"{prefix}pk"), ordinal__gt=Sentence.LEAD_IN))
    return {
        Reason.NO_EVIDENCE: where(refusal="no_evidence"),
        Reason.NOT_COVERED: where(refusal="not_covered") | where(notice="not_covered"),
        Reason.WITHHELD: where(notice="withheld") & Q(~said),
        Reason.UNHELPFUL: where(feedback__verdict=Feedback.Verdict.DOWN) | where(feedback__reported=True),
    }


def unanswered(prefix: str = "") -> Q:
    """Return the condition that any of the reasons holds, for what visitors asked."""
    any_of_them = Q()
    for condition in conditions(prefix).values():
        any_of_them |= condition
    passed = ~Q(**{f"{prefix}route": Turn.Route.REFUSAL}) & Q(**{f"{prefix}live_check": False})
    return passed & any_of_them


def reason(prefix: str = "") -> Case:
    """Return the first reason that holds, as a column."""
    cases = (When(condition, then=Value(name.value)) for name, condition in conditions(prefix).items())
    return Case(*cases, default=Value(""), output_field=CharField())
