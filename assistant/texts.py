"""Every fixed text that a reader can see, in the reader's language. None of it is ever a model's."""

from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import override

from assistant.events import NoticeReason, RefusalReason
from assistant.question import MAX_CHARACTERS


def refusal_text(reason: RefusalReason, language: str) -> str:
    """Return the text of a refusal."""
    with override(language):
        match reason:
            case "commercial":
                return _(
                    "This assistant does not speak about fees, availability or hiring, because nothing it said would "
                    "be a promise anyone made. The contact page reaches the person who can answer."
                )
            case "private":
                return _(
                    "This assistant does not answer questions about private life. It answers about published work."
                )
            case "speculation":
                return _(
                    "This assistant does not predict or compare people. It answers from what this site has published."
                )
            case "meta":
                return _("This assistant does not show or change its instructions. It answers about published work.")
            case "task":
                return _(
                    "This assistant does not write, translate or solve things. It answers about the work on this site."
                )
            case "no_evidence" | "not_covered":
                return _(
                    "Nothing on this site answers that, and this assistant says nothing that the site does not say. "
                    "You can ask about the work, the articles or the services published here."
                )
            case _ as never:
                assert_never(never)


def notice_text(reason: NoticeReason, language: str) -> str:
    """Return the text of a notice."""
    if reason == "not_covered":
        return refusal_text("not_covered", language)
    with override(language):
        match reason:
            case "withheld":
                return _("The rest of the answer could not be supported by this site's sources and was held back.")
            case "truncated":
                return _("The answer reached its length limit and ends here. What stands above is complete.")
            case "budget":
                return _("This assistant has reached its limit for this month. The site itself can still be read.")
            case "rate_limited":
                return _("Many questions came from your address in a short time. Please wait a little and ask again.")
            case "busy":
                return _("Many readers are asking at this moment. Please ask again in a minute.")
            case "stopped":
                return _("The answer was stopped. What stands above was checked and released.")
            case "unavailable":
                return _(
                    "The answer could not be made just now. Nothing is wrong with your question; please ask again."
                )
            case "invalid":
                return _("Please send a question of one to %(limit)s characters.") % {"limit": f"{MAX_CHARACTERS:,}"}
            case _ as never:
                assert_never(never)
