"""The provider that asks a model, put at the provider's seam and talking to a scripted server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from assistant.providers.hosted import Hosted
from metering.models import ModelPrice
from metering.transports.model import LanguageModel
from metering.transports.patience import Patience
from tests.metering.transports.chats import PATIENCE, chat
from tests.model_server import ModelServer

MODEL = "scripted-1"
MICRO_USD_PER_TOKEN = {"input": 1, "output": 4}
MAX_OUTPUT_TOKENS = 400


@asynccontextmanager
async def hosted(
    server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    protocol: str = "openai",
    *,
    reasoning_tokens: int = 0,
    patience: Patience = PATIENCE,
) -> AsyncIterator[Hosted]:
    """Until the end of the block every turn asks this server, at a price."""
    await ModelPrice.objects.aget_or_create(
        model=MODEL,
        valid_from="2020-01-01",
        input_micro_usd_per_mtok=MICRO_USD_PER_TOKEN["input"] * 10**6,
        output_micro_usd_per_mtok=MICRO_USD_PER_TOKEN["output"] * 10**6,
    )
    url = server.root if protocol == "anthropic" else server.url
    model = LanguageModel(MODEL, chat(protocol, url, patience=patience), byte_level=True)
    provider = Hosted(protocol, model, max_output_tokens=MAX_OUTPUT_TOKENS, reasoning_tokens=reasoning_tokens)
    monkeypatch.setattr("assistant.turn.provider", lambda: provider)
    try:
        yield provider
    finally:
        await model.close()
