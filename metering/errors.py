"""What can go wrong between us and a model that costs money or time. Each error says what the caller may do.

MeteringError
├── BudgetExhausted
├── LedgerUnavailable
├── PriceUnknown
└── EmbeddingUnavailable
"""


class MeteringError(Exception):
    """The call was not made, or its result is not to be used."""


class BudgetExhausted(MeteringError):
    """The month's cap would be passed. Go on without the call: search by keyword, answer with the fixed text."""


class LedgerUnavailable(MeteringError):
    """The ledger can't be read or written. Treat it as an exhausted budget: what isn't recorded isn't spent."""


class PriceUnknown(MeteringError):
    """The model runs elsewhere and has no price. Don't call it; the owner has to enter what it costs."""


class EmbeddingUnavailable(MeteringError):
    """No vector can be had now. Search by keyword alone; ingestion tries again later."""
