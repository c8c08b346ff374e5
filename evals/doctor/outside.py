"""Whether the model and the embedder elsewhere answer, take the key, and have a price. Needs the database.

The model is asked for its list of models, which costs nothing; the embedder for one vector, which is reserved and
booked like any other.
"""

import asyncio
from collections.abc import Iterator

from django.conf import settings

from evals.doctor.finding import Finding, note, ok, problem
from metering.embedding import embed_query
from metering.errors import FailureKind, MeteringError, ModelFailure
from metering.prices import price_of
from metering.transports import language_model
from metering.transports.model import LanguageModel

REMEDIES: dict[FailureKind, str] = {
    "unreachable": "start it, or set LLM_BASE_URL",
    "slow": "see that it is not overloaded",
    "key": "set LLM_API_KEY",
}


def model() -> Iterator[Finding]:
    """Check the language model, where one is asked."""
    used = language_model()
    if used is None:
        yield ok("model", "quoting: none is asked")
        return
    yield _reachable(used)
    yield _price("price", used.name)
    if settings.TRAVA.LLM_TOKENIZER == "other":
        yield note(
            "tokenizer",
            "what a prompt can cost at most is bounded by a safe factor, which is ample and no proof",
            "set LLM_TOKENIZER=byte-bpe if the model's works on bytes",
        )


def embedder() -> Iterator[Finding]:
    """Check the embedder, where it runs elsewhere."""
    if settings.TRAVA.EMBEDDER != "openai":
        return
    name = settings.TRAVA.outside_embedder
    yield _price("embedding price", name)
    try:
        embed_query("Hello", "doctor")
    except MeteringError as error:
        yield problem("embedding", str(error), "until then search goes by keyword alone; docs/settings.md")
    else:
        yield ok("embedding", f"{name} returned a vector")


def examine() -> tuple[Finding, ...]:
    """Check both."""
    return (*model(), *embedder())


def _reachable(used: LanguageModel) -> Finding:
    try:
        asyncio.run(_check(used))
    except ModelFailure as failure:
        if failure.kind == "rejected":  # some servers have no such list
            return note("model", f"{used.name} answers, with {failure}", "ask a question to see that the key is taken")
        remedy = REMEDIES.get(failure.kind, "see what the server says")
        return problem("model", f"{used.name}: {failure}", remedy)
    return ok("model", f"{used.name} answers, and takes the key")


async def _check(used: LanguageModel) -> None:
    try:
        await used.check()
    finally:
        await used.close()


def _price(check: str, name: str) -> Finding:
    try:
        price = price_of(name)
    except MeteringError as error:
        return problem(check, str(error), "enter it in the admin, or set it in the environment")
    read, written = (figure / 1_000_000 for figure in (price.input_micro_usd_per_mtok, price.output_micro_usd_per_mtok))
    return ok(check, f"{name}: {read:g} and {written:g} USD a million tokens read and written")
