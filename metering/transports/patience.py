"""How long a model is waited for. All of it lies within the turn's deadline, which the turn itself keeps."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds."""

    connect: float
    first_byte: float  # from the request to the first byte of the answer's body
    between: float  # from one byte to the next
    retry: float  # the longest pause before a second attempt
    linger: float = 0.1  # after the last event, for the end of the response: the connection can be used again then


def within(deadline: float) -> Patience:
    """Return limits that leave time for an answer and for one retry before a turn's deadline, in seconds."""
    return Patience(connect=min(5.0, deadline / 6), first_byte=deadline / 2, between=deadline / 4, retry=deadline / 12)
