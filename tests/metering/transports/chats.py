"""A chat of either protocol with a scripted server, and what came of it."""

from dataclasses import dataclass, field

from metering.errors import ModelFailure
from metering.transports.anthropic import AnthropicDialect
from metering.transports.chat import Chat
from metering.transports.events import Finished, TextDelta
from metering.transports.openai import OpenAIDialect
from metering.transports.patience import Patience
from metering.transports.received import Received
from metering.transports.requests import ChatRequest, Message

DIALECTS = {"openai": OpenAIDialect, "anthropic": AnthropicDialect}
PATIENCE = Patience(connect=5, first_byte=20, between=10, retry=1)
REQUEST = ChatRequest("Answer from the sources.", (Message("user", "Does snow melt?"),), 200)


def chat(protocol, url, key="key", patience=PATIENCE):
    return Chat(DIALECTS[protocol](url, "scripted-1", key, patience), patience)


@dataclass
class Outcome:
    text: str = ""
    finish: str = ""
    failure: str = ""
    detail: str = ""
    events: list = field(default_factory=list)
    received: Received = field(default_factory=Received)

    @property
    def figures(self):
        report = self.received.report
        return report.input_tokens, report.output_tokens, report.reasoning_tokens, report.cached_tokens


async def hear(talk, request=REQUEST):
    """Take a whole stream, close what the loop keeps, return what came."""
    outcome = Outcome()
    try:
        async for event in talk.stream(request):
            outcome.events.append(event)
            if isinstance(event, Finished):
                outcome.finish = event.reason
                continue
            outcome.received.add(event)
            if isinstance(event, TextDelta):
                outcome.text += event.text
    except ModelFailure as failure:
        outcome.failure, outcome.detail = failure.kind, str(failure)
    finally:
        await talk.close()
    return outcome
