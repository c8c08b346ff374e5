"""How often a source was opened from an answer: a figure of the day, and nothing of who opened it or what.

What comes from a page of the chat counts, as the browser says; the owner's own looking does not.
"""

import logging
from collections import Counter
from urllib.parse import urlsplit

from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils import timezone

from assistant import day_figures
from assistant.models import DayFigure
from assistant.origin import is_own

logger = logging.getLogger(__name__)

_CHAT = frozenset({"assistant:chat", "assistant:widget"})


def opened(request: HttpRequest, language: str) -> None:
    """Count one opening of a cited source, where it is one. The page never waits for a figure that can't be kept."""
    if request.method != "GET" or not _from_an_answer(request) or getattr(request.user, "is_staff", False):
        return
    try:
        with transaction.atomic():
            day_figures.add(Counter([(timezone.localdate(), language, DayFigure.Kind.OPENED.value, "")]))
    except DatabaseError:
        logger.exception("an opened source was not counted")


def _from_an_answer(request: HttpRequest) -> bool:
    referrer = request.headers.get("Referer", "")
    if not is_own(referrer, request.get_host()):
        return False
    try:
        return resolve(urlsplit(referrer).path).view_name in _CHAT
    except Resolver404:
        return False
