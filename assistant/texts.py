"""Every fixed text that a reader can see, in the reader's language. None of it is ever a model's.

The owner may word refusals and notices anew (`FixedText`). Each process keeps what it read last, at a turn or a page: a
text is needed most where the database is not to be had.
"""

import math

from django.utils.translation import gettext, gettext_noop, ngettext, override

from assistant.events import NoticeReason, RefusalReason
from assistant.models import FixedText
from assistant.question import MAX_CHARACTERS
from records.conventions import number

_NOT_ON_THIS_SITE = gettext_noop(
    "Nothing on this site answers that, and this assistant says nothing that the site does not say. "
    "You can ask about the work, the articles or the services published here."
)

REFUSALS: dict[RefusalReason, str] = {
    "commercial": gettext_noop(
        "This assistant does not speak about fees, availability or hiring, because nothing it said would be a promise "
        "that anyone made. Please write to the address under “Contact”: there you reach somebody who can answer."
    ),
    "private": gettext_noop(
        "This assistant does not answer questions about private life. You can ask about the work published here."
    ),
    "speculation": gettext_noop(
        "This assistant does not predict, and it does not compare people. You can ask about what has been done and "
        "published here."
    ),
    "meta": gettext_noop(
        "This assistant does not show or change its instructions. You can ask about the work published here."
    ),
    "task": gettext_noop(
        "This assistant does not write, translate or solve things. You can ask it about the work on this site."
    ),
    "no_evidence": _NOT_ON_THIS_SITE,
    "not_covered": _NOT_ON_THIS_SITE,
}

NOTICES: dict[NoticeReason, str] = {
    "withheld": gettext_noop(
        "The rest of the answer could not be supported by this site's sources and was held back. You can ask in other "
        "words, or read the pages of this site."
    ),
    "truncated": gettext_noop(
        "The answer reached its length limit and ends here. What stands above is complete; you can ask for the rest."
    ),
    "not_covered": _NOT_ON_THIS_SITE,
    "budget": gettext_noop(
        "A limit for this month is reached: that of this assistant, or that of one conversation or address. The pages "
        "of this site can still be read."
    ),
    "rate_limited": gettext_noop(
        "Many questions came from your address in a short time. Please wait a little and ask again."
    ),
    "busy": gettext_noop("Many readers are asking at this moment. Please ask again in a minute."),
    "stopped": gettext_noop(
        "The answer was stopped. What stands above was checked and released; you can ask again at any time."
    ),
    "unavailable": gettext_noop(
        "The answer could not be made just now. Nothing is wrong with your question; please ask again."
    ),
    "invalid": gettext_noop("Please send a question of one to %(limit)s characters."),
}

# The same where no sentence stands above it, by the name under which the owner words it.
NOTICES_AT_ONCE: dict[str, str] = {
    "withheld_at_once": gettext_noop(
        "Nothing of this answer could be supported by this site's sources, so all of it was held back. You can ask in "
        "other words, or read the pages of this site."
    ),
    "truncated_at_once": gettext_noop(
        "The answer reached its length limit before its first sentence was complete. You can ask for less at a time, "
        "or read the pages of this site."
    ),
    "stopped_at_once": gettext_noop(
        "The answer was stopped before its first sentence was released. You can ask again at any time."
    ),
}

_STILL_ANSWERING = gettext_noop(
    "The question before this one is still being answered. You can wait for its end or stop it; what you typed is kept."
)
_GONE = gettext_noop("A sentence stood here. What it rests on is not available any more.")

# What stands before quotations in another language than the reader's, by the language of the quotations.
LEAD_INS = {
    "en": gettext_noop("In this site's own words, in English:"),
    "fa": gettext_noop("In this site's own words, in Persian:"),
    "ar": gettext_noop("In this site's own words, in Arabic:"),
    "es": gettext_noop("In this site's own words, in Spanish:"),
    "pt": gettext_noop("In this site's own words, in Portuguese:"),
    "fr": gettext_noop("In this site's own words, in French:"),
    "de": gettext_noop("In this site's own words, in German:"),
    "ru": gettext_noop("In this site's own words, in Russian:"),
    "hi": gettext_noop("In this site's own words, in Hindi:"),
    "zh": gettext_noop("In this site's own words, in Chinese:"),
}


_reworded: dict[tuple[str, str], str] = {}  # by name and language, as read last


def name_of(reason: RefusalReason | NoticeReason, *, released: bool = True) -> str:
    """Return the name under which the owner words a text: what was not covered is told as what nothing answers.

    `released` is whether a sentence stands above it.
    """
    if not released and f"{reason}_at_once" in NOTICES_AT_ONCE:
        return f"{reason}_at_once"
    return "no_evidence" if reason == "not_covered" else reason


def names() -> tuple[str, ...]:
    """Return the name of every text that the owner may word."""
    return (*dict.fromkeys(name_of(reason) for reason in (*REFUSALS, *NOTICES)), *NOTICES_AT_ONCE)


def refresh() -> None:
    """Read the owner's wordings anew (one statement)."""
    rows = FixedText.objects.exclude(text="").values_list("name", "language", "text")
    found = {(name, language): text for name, language, text in rows}
    _reworded.update(found)
    for gone in _reworded.keys() - found.keys():
        _reworded.pop(gone, None)


def default_text(name: str, language: str) -> str:
    """Return how a text is worded where the owner has not worded it."""
    with override(language):
        if name in REFUSALS:
            return gettext(REFUSALS[name])
        text = gettext(NOTICES_AT_ONCE.get(name) or NOTICES[name])  # type: ignore[index]  # every other is a notice's
        return text % {"limit": number(MAX_CHARACTERS, language)} if name == "invalid" else text


def refusal_text(reason: RefusalReason, language: str) -> str:
    """Return the text of a refusal."""
    name = name_of(reason)
    return _reworded.get((name, language)) or default_text(name, language)


def notice_text(reason: NoticeReason, language: str, retry_after: int | None = None, *, released: bool = True) -> str:
    """Return the text of a notice; `retry_after` (seconds) is when a limit of questions is over.

    `released` is whether a sentence stands above it.
    """
    name = name_of(reason, released=released)
    if own := _reworded.get((name, language)):
        return own
    if name == "rate_limited" and retry_after:
        with override(language):
            return _ask_again_in(retry_after, language)
    return default_text(name, language)


def lead_in_text(spoken: str, language: str) -> str:
    """Return what leads in quotations in the language `spoken`, for a reader of another."""
    with override(language):
        return gettext(LEAD_INS[spoken])


def gone_text(language: str) -> str:
    """Return what stands in the place of a stored sentence whose source this reader may not read (any more)."""
    with override(language):
        return gettext(_GONE)


def still_answering_text(language: str) -> str:
    """Return what is said to a reader whose own answer is still running."""
    with override(language):
        return gettext(_STILL_ANSWERING)


def _ask_again_in(seconds: int, language: str) -> str:
    minutes = math.ceil(seconds / 60)
    if minutes < 60:
        text = ngettext(
            "Many questions came from your address in a short time. Please ask again in %(count)s minute.",
            "Many questions came from your address in a short time. Please ask again in %(count)s minutes.",
            minutes,
        )
        return text % {"count": number(minutes, language)}
    hours = math.ceil(minutes / 60)
    text = ngettext(
        "Many questions came from your address today. Please ask again in %(count)s hour.",
        "Many questions came from your address today. Please ask again in %(count)s hours.",
        hours,
    )
    return text % {"count": number(hours, language)}
