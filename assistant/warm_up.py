"""Does before the first question what it would otherwise wait for: pattern indexes, the language detector."""

import threading

from assistant import reader_language
from guardrails import refusal, routing


def in_background() -> None:
    """Start, and return at once: the site answers meanwhile, and the first question waits for what is left."""
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()


def _warm_up() -> None:
    reader_language.warm_up()
    refusal.check("Where did she study?")
    routing.route("Where did she study?")
