"""What people read for the codes of decisions: refusals, notices, checks and guards.

Exports, figures and the addresses of views keep the codes.
"""

from itertools import chain

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from assistant.events import NoticeReason, RefusalReason
from guardrails.belt import Code

CHECKS: dict[Code, Promise] = {
    "model_refusal": _("The model declined."),
    "code": _("It held program code."),
    "instructions": _("It repeated what the model was told."),
    "marker_range": _("It named a source that was not given."),
    "marker_missing": _("It named no source."),
    "value": _("A number, a date or an address in it stands in no source that it named."),
    "quote": _("A quotation in it stands in no source that it named."),
    "first_person": _("It spoke as if it were the owner."),
    "commitment": _("It named a price, an offer or a promise."),
    "currently": _("It said “currently” of what is not known to hold today."),
    "leak": _("It held personal data."),
    "support": _("The sources that it named do not carry what it said."),
}
_REFUSALS: dict[RefusalReason, Promise] = {
    "commercial": _("fees, availability or hiring"),
    "private": _("private life"),
    "speculation": _("predictions and comparisons"),
    "meta": _("the assistant's instructions"),
    "task": _("a task for the assistant"),
    "no_evidence": _("nothing published came near"),
    "not_covered": _("what was found does not say it"),
}
_NOTICES: dict[NoticeReason, Promise] = {
    "withheld": _("the rest was held back"),
    "truncated": _("the length limit was reached"),
    "budget": _("a spending limit was reached"),
    "rate_limited": _("too many questions from one address"),
    "busy": _("all places were taken"),
    "stopped": _("stopped on the way"),
    "unavailable": _("something was not working"),
    "invalid": _("not a valid question"),
}
# Guards that are no check of a sentence and no end of a turn.
_GUARDS: dict[str, Promise] = {
    "refusal": _("refused before anything was searched"),
    "floor": _("nothing came over the floor"),
    "second_try": _("asked for once more"),
    "undue_refusal": _("declined twice, though the sources were strong"),
    "caveat": _("a caveat was added"),
    "language": _("in another language than the reader's"),
    "deadline": _("the time was up"),
    "model": _("the model could not be reached or broke off"),
    "failure": _("something was not working"),
}
_NAMES: dict[str, Promise] = dict(chain(CHECKS.items(), _REFUSALS.items(), _NOTICES.items(), _GUARDS.items()))


def decision_name(code: str) -> str | Promise:
    """The name of a code; of one that an earlier version stored, the code."""
    return _NAMES.get(code, code)
