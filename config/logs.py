"""How everything is logged: one line an event, and never a visitor's text.

An exception is told by its type and the places it came through. Its message and the values of variables are left
out, because either may hold what a visitor typed.
"""

import sys
import traceback
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

_OURS = 12  # frames, the last ones: enough to find the place


def exception_without_text(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace `exc_info` by the exception's type and its frames."""
    raised = event.pop("exc_info", None)
    if raised is True:
        raised = sys.exc_info()
    error = raised[1] if isinstance(raised, tuple) else raised
    if isinstance(error, BaseException):
        frames = traceback.extract_tb(error.__traceback__)[-_OURS:]
        event["error"] = type(error).__name__
        event["at"] = " < ".join(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    return event


def printable(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Write what cannot be printed as its escape: a line stays one line, and a terminal is told nothing."""
    return {key: _printable(value) if isinstance(value, str) else value for key, value in event.items()}


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    exception_without_text,
]


def configure() -> dict[str, Any]:
    """Set structlog up and return Django's LOGGING, so that both write the same lines."""
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    printable,
                    structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
                ],
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": "INFO"},
        # Request lines carry addresses and queries; axes announces itself at every command.
        "loggers": {
            "django.channels.server": {"level": "WARNING"},
            "daphne": {"level": "WARNING"},
            "axes": {"level": "WARNING"},
            "httpx2": {"level": "WARNING"},  # a line a call
        },
    }
