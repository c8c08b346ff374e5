"""What one check of the doctor says."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a check went. Only a problem fails the examination."""

    OK = "ok"
    NOTE = "note"  # works, but the owner should know
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, what was seen and, where it is not well, what to do."""

    check: str
    state: State
    seen: str
    remedy: str = ""


def ok(check: str, seen: str) -> Finding:
    """All is well."""
    return Finding(check, State.OK, seen)


def note(check: str, seen: str, remedy: str) -> Finding:
    """It works, and the owner should know."""
    return Finding(check, State.NOTE, seen, remedy)


def problem(check: str, seen: str, remedy: str) -> Finding:
    """It does not work."""
    return Finding(check, State.PROBLEM, seen, remedy)
