"""What a call may cost at most and what it did cost, in tokens: the provider's figures, or upper bounds of ours.

Every tokenizer that works on bytes makes at most one token of a UTF-8 byte; of the others that is not known.
Neither bytes nor anything else that we see bounds hidden reasoning and the words that a chat template adds:
those are bounded by the output cap and by a fixed overhead.
"""

import unicodedata

from metering.prices import Usage
from metering.transports.received import Received
from metering.transports.requests import ChatRequest

OVERHEAD_TOKENS = 512  # a chat template's own words: the longest known adds some hundred
SAFE_FACTOR = 2  # for tokenizers that do not work on bytes: a token for each word's beginning, beside the bytes


def input_bound(request: ChatRequest, *, byte_level: bool) -> int:
    """Return the most tokens that the prompt can have.

    `byte_level` off: the tokenizer may take characters apart first (Unicode's compatibility forms), so the bytes of
    the text taken apart count, times a safe factor.
    """
    texts = [request.system, *(message.content for message in request.messages)]
    if byte_level:
        return sum(map(_bytes, texts)) + OVERHEAD_TOKENS
    return SAFE_FACTOR * sum(_bytes(unicodedata.normalize("NFKD", text)) for text in texts) + OVERHEAD_TOKENS


def usage_of(model: str, request: ChatRequest, received: Received, *, byte_level: bool) -> Usage:
    """Return what the call is charged by. What the provider reported stands; what it left open is filled.

    Open output is a token a byte for the text that arrived, and the whole reasoning cap where the model reasons, or
    the reasoning that arrived; it is never more than the cap that the provider was given.
    """
    report = received.report
    if report.output_tokens is None:
        reasoning = request.reasoning_tokens or received.reasoning_bytes
        output = min(received.text_bytes + reasoning, request.cap)
    else:
        reasoning, output = report.reasoning_tokens or 0, report.output_tokens
    bound = input_bound(request, byte_level=byte_level)
    return Usage(
        model=model,
        input_tokens=bound if report.input_tokens is None else report.input_tokens,
        output_tokens=output,
        reasoning_tokens=min(reasoning, output),
        cached_tokens=report.cached_tokens or 0,
        reported=report.input_tokens is not None and report.output_tokens is not None,
    )


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
