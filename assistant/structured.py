"""A model's answer as an object of a schema: validated, sent back twice at most with the exact errors, or a failure.

What does not validate never leaves here. One reservation, made before the first call, covers the corrections too.
No layer asks for one yet: a judge of passages and other wordings of a question are still to come.
"""

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar
from uuid import UUID

from pydantic import BaseModel, ValidationError

from assistant import prompts, reservations
from metering import ledger
from metering.errors import ModelFailure
from metering.prices import Usage
from metering.transports.model import Completion, LanguageModel
from metering.transports.received import Received
from metering.transports.requests import ChatRequest

MOST_CORRECTIONS = 2
MOST_CALLS = 1 + MOST_CORRECTIONS
ERROR_CHARACTERS = 1_000  # ASCII, so as many bytes: what a correction adds to the prompt is known beforehand
_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n\s*```\s*", re.DOTALL)

Schema = TypeVar("Schema", bound=BaseModel)


class NotStructured(Exception):
    """The model gave no valid object, corrections included. Go on without; the message is the last errors."""


async def ask(
    model: LanguageModel,
    request: ChatRequest,
    schema: type[Schema],
    *,
    purpose: str,
    subject: str,
    seconds: float,
    shares: tuple[str, ...] = (),
) -> Schema:
    """Return a valid object; raise NotStructured, ModelFailure, or what stands in the way of a reservation.

    The calls must end within `seconds`, which is for the caller to see to; cancelling closes and settles.
    """
    asked = _with_schema(request, schema)

    def reserve() -> UUID:
        bound = _bound(model, asked)
        return ledger.reserve(bound, purpose=purpose, subject=subject, seconds=seconds, shares=shares).pk

    reservation = await reservations.hold(reserve)
    usages: list[Usage] = []
    try:
        return await _validated(model, asked, schema, usages)
    finally:
        await reservations.settle(reservation, *usages)


async def _validated(model: LanguageModel, request: ChatRequest, schema: type[Schema], usages: list[Usage]) -> Schema:
    errors = ""
    for _ in range(MOST_CALLS):
        completion = await _complete(model, _corrected(request, errors), usages)
        if not completion.whole:
            errors = "the answer was cut at the output limit: it must be shorter"
            continue
        try:
            return schema.model_validate_json(_bare(completion.text))
        except ValidationError as invalid:
            errors = _told(invalid)
    raise NotStructured(errors)


async def _complete(model: LanguageModel, request: ChatRequest, usages: list[Usage]) -> Completion:
    """Ask once; whatever becomes of it, what it is charged by is in `usages`."""
    try:
        completion = await model.complete(request)
    except ModelFailure as failure:
        usages.append(failure.usage or model.usage_of(request, Received()))
        raise
    except asyncio.CancelledError:
        usages.append(model.usage_of(request, Received()))
        raise
    usages.append(completion.usage)
    return completion


def _bound(model: LanguageModel, request: ChatRequest) -> int:
    """Return the most that all calls can cost, in micro-USD."""
    corrected = _corrected(request, "x" * ERROR_CHARACTERS)
    return model.bound_micro_usd(request) + MOST_CORRECTIONS * model.bound_micro_usd(corrected)


def _with_schema(request: ChatRequest, schema: type[BaseModel]) -> ChatRequest:
    told = prompts.part("schema", schema=json.dumps(schema.model_json_schema(), ensure_ascii=False))
    return replace(request, system=request.system + told, json=True)


def _corrected(request: ChatRequest, errors: str) -> ChatRequest:
    """Return the request with what was wrong after its last message: roles go on taking turns."""
    if not errors:
        return request
    *before, last = request.messages
    content = last.content + prompts.part("correction", errors=errors)
    return replace(request, messages=(*before, replace(last, content=content)))


def _told(invalid: ValidationError) -> str:
    """Return each error with its place; what the model wrote there is left out."""
    errors: Sequence[object] = invalid.errors(include_url=False, include_context=False, include_input=False)
    return json.dumps(errors)[:ERROR_CHARACTERS]


def _bare(text: str) -> str:
    fenced = _FENCED.fullmatch(text)
    return fenced.group(1) if fenced else text.strip()
