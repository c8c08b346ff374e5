"""What a call may cost at most, and what it did cost, in integer micro-USD, always rounded up.

It knows prices alone; the month and its cap are the ledger's.
"""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal

from django.conf import settings
from django.db import Error as DatabaseError
from django.utils import timezone

from metering.errors import LedgerUnavailable, PriceUnknown
from metering.models import ModelPrice

TOKENS_PRICED = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call used. `cached_tokens` are part of the input, `reasoning_tokens` of the output.

    `reported` is False as soon as one figure is our upper bound and not the provider's own.
    """

    model: str
    input_tokens: int
    output_tokens: int
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    reported: bool = True


@dataclass(frozen=True, slots=True)
class Price:
    """Micro-USD for a million tokens."""

    input_micro_usd_per_mtok: int
    output_micro_usd_per_mtok: int

    def bound(self, prompt_bytes: int, max_output_tokens: int) -> int:
        """Return the most that a call can cost: a byte-level tokenizer makes at most one token a UTF-8 byte."""
        return self._micro_usd(prompt_bytes, max_output_tokens)

    def cost(self, usage: Usage) -> int:
        """Return what the usage costs; cached input counts in full, so that the figure is never too low."""
        return self._micro_usd(usage.input_tokens, usage.output_tokens)

    def _micro_usd(self, input_tokens: int, output_tokens: int) -> int:
        total = input_tokens * self.input_micro_usd_per_mtok + output_tokens * self.output_micro_usd_per_mtok
        return -(-total // TOKENS_PRICED)


FREE = Price(0, 0)


def runs_here(model: str) -> bool:
    """Return whether the model runs in our own process, where a call costs nothing."""
    return model == "quoting" or model.startswith("bundled:")


def price_of(model: str, on: date | None = None) -> Price:
    """Return the model's price on a day (today by the owner's zone); raise PriceUnknown or LedgerUnavailable.

    A row of the price list goes before the environment's figures, which have no date.
    """
    if runs_here(model):
        return FREE
    day = on or timezone.localdate(timezone=settings.TRAVA.zone)
    try:
        row = ModelPrice.objects.filter(model=model, valid_from__lte=day).order_by("-valid_from").first()
    except DatabaseError as error:
        raise LedgerUnavailable("the price list can't be read") from error
    if row is not None:
        return Price(row.input_micro_usd_per_mtok, row.output_micro_usd_per_mtok)
    if (price := _of_environment(model)) is not None:
        return price
    raise PriceUnknown(f"{model} has no price on {day}; enter one in the admin")


def _of_environment(model: str) -> Price | None:
    chosen = settings.TRAVA
    usd: tuple[Decimal | None, Decimal | None] = None, None
    if model == chosen.LLM_MODEL:
        usd = chosen.LLM_INPUT_USD_PER_MTOK, chosen.LLM_OUTPUT_USD_PER_MTOK
    elif model == chosen.outside_embedder:
        usd = chosen.EMBEDDING_USD_PER_MTOK, Decimal(0)
    read, written = usd
    return None if read is None or written is None else Price(_micro_usd(read), _micro_usd(written))


def _micro_usd(usd: Decimal) -> int:
    return int((usd * 1_000_000).to_integral_value(ROUND_CEILING))
