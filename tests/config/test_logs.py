"""What is logged, through structlog or the standard library, says where it broke and never what a visitor typed."""

import logging

import pytest
import structlog
from django.conf import settings

from tests.hostile import TEXTS

SECRET = "my phone is 555-0100"


@pytest.fixture
def line(capsys):
    """The formatter that the settings install, on a handler of our own."""
    described = dict(settings.LOGGING["formatters"]["line"])
    formatter = described.pop("()")(**described)
    records: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record):
            records.append(formatter.format(record))

    logger = logging.getLogger("trava.test")
    logger.addHandler(handler := Lines())
    logger.setLevel(logging.INFO)  # a worker that ran in this process may have raised the root's level
    yield lambda: records[-1]
    logger.setLevel(logging.NOTSET)
    logger.removeHandler(handler)


def broken(question):
    raise ValueError(f"cannot read {question}")


@pytest.mark.parametrize("logger", [logging.getLogger("trava.test"), structlog.get_logger("trava.test")])
def test_an_exception_is_told_by_its_type_and_place_alone(line, logger):
    try:
        broken(SECRET)
    except ValueError:
        logger.exception("turn.failed")
    assert SECRET not in line()
    assert "error=ValueError" in line()
    assert "test_logs.py" in line()
    assert "broken" in line()
    assert "\n" not in line()


def test_fields_are_logged_as_they_are(line):
    structlog.get_logger("trava.test").info("turn.done", turn="42")
    assert "event=turn.done" in line()
    assert "turn=42" in line()


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("logger", [logging.getLogger("trava.test"), structlog.get_logger("trava.test")])
def test_whatever_is_logged_stays_one_line_of_what_can_be_printed(line, logger, text):
    logger.info("a value: %s", text)
    assert len(line().splitlines()) == 1
    assert not set(line()) & set(map(chr, range(32)))
