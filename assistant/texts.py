"""Every fixed text that a reader can see, in the reader's language. None of it is ever a model's."""

from django.utils.translation import gettext, gettext_noop, override

from assistant.events import NoticeReason, RefusalReason
from assistant.question import MAX_CHARACTERS

_NOT_ON_THIS_SITE = gettext_noop(
    "Nothing on this site answers that, and this assistant says nothing that the site does not say. "
    "You can ask about the work, the articles or the services published here."
)

REFUSALS: dict[RefusalReason, str] = {
    "commercial": gettext_noop(
        "This assistant does not speak about fees, availability or hiring, because nothing it said would be a promise "
        "that anyone made. The contact page reaches the person who can answer."
    ),
    "private": gettext_noop(
        "This assistant does not answer questions about private life. You can ask about the work published here."
    ),
    "speculation": gettext_noop(
        "This assistant does not predict, and it does not compare people. It answers from what this site has published."
    ),
    "meta": gettext_noop(
        "This assistant does not show or change its instructions. You can ask about the work published here."
    ),
    "task": gettext_noop(
        "This assistant does not write, translate or solve things. It answers questions about the work on this site."
    ),
    "no_evidence": _NOT_ON_THIS_SITE,
    "not_covered": _NOT_ON_THIS_SITE,
}

NOTICES: dict[NoticeReason, str] = {
    "withheld": gettext_noop("The rest of the answer could not be supported by this site's sources and was held back."),
    "truncated": gettext_noop("The answer reached its length limit and ends here. What stands above is complete."),
    "not_covered": _NOT_ON_THIS_SITE,
    "budget": gettext_noop("This assistant has reached its limit for this month. The site itself can still be read."),
    "rate_limited": gettext_noop(
        "Many questions came from your address in a short time. Please wait a little and ask again."
    ),
    "busy": gettext_noop("Many readers are asking at this moment. Please ask again in a minute."),
    "stopped": gettext_noop("The answer was stopped. What stands above was checked and released."),
    "unavailable": gettext_noop(
        "The answer could not be made just now. Nothing is wrong with your question; please ask again."
    ),
    "invalid": gettext_noop("Please send a question of one to %(limit)d characters."),
}

_GONE = gettext_noop("A sentence stood here. What it rests on is not available any more.")


def refusal_text(reason: RefusalReason, language: str) -> str:
    """Return the text of a refusal."""
    with override(language):
        return gettext(REFUSALS[reason])


def notice_text(reason: NoticeReason, language: str) -> str:
    """Return the text of a notice."""
    with override(language):
        text = gettext(NOTICES[reason])
        return text % {"limit": MAX_CHARACTERS} if reason == "invalid" else text


def gone_text(language: str) -> str:
    """Return what stands in the place of a stored sentence whose source this reader may not read (any more)."""
    with override(language):
        return gettext(_GONE)
