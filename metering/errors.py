"""What can go wrong between us and a model that costs money or time. Each error says what the caller may do.

MeteringError
├── BudgetExhausted
│   └── ShareExhausted
├── LedgerUnavailable
├── PriceUnknown
├── EmbeddingUnavailable
└── ModelFailure
"""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from metering.prices import Usage

FailureKind = Literal["unreachable", "slow", "key", "rate_limited", "overloaded", "rejected", "malformed", "cut"]


class MeteringError(Exception):
    """The call was not made, or its result is not to be used."""


class BudgetExhausted(MeteringError):
    """The month's cap would be passed. Go on without the call: search by keyword, answer with the fixed text."""


class ShareExhausted(BudgetExhausted):
    """This conversation or address has used up its share; others still get answers."""


class LedgerUnavailable(MeteringError):
    """The ledger can't be read or written. Treat it as an exhausted budget: what isn't recorded isn't spent."""


class PriceUnknown(MeteringError):
    """The model runs elsewhere and has no price. Don't call it; the owner has to enter what it costs."""


class EmbeddingUnavailable(MeteringError):
    """No vector can be had now. Search by keyword alone; ingestion tries again later."""


class ModelFailure(MeteringError):
    """A language model gave no answer, or only part of one. What arrived may be used, as unfinished.

    `unreachable`: no connection · `slow`: silent for too long · `key`: not accepted · `rate_limited`, `overloaded`:
    try again later · `rejected`: this request never works · `malformed`: no such protocol · `cut`: ended early.
    The message holds no visitor's text and no secret. `usage`: what the call is charged by, where it was one that
    returns a whole answer; of a stream, what arrived tells it.
    """

    usage: "Usage | None" = None

    def __init__(self, kind: FailureKind, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
