"""What is asked of a language model."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a dialogue."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A dialogue to be continued. Both caps are in tokens; the provider is told their sum.

    `json`: the answer is to be one JSON object. Only OpenAI's protocol can be told so; the prompt must say it too.
    """

    system: str
    messages: tuple[Message, ...]
    max_output_tokens: int
    reasoning_tokens: int = 0
    json: bool = False

    @property
    def cap(self) -> int:
        """The most tokens that may be written, reasoning included."""
        return self.max_output_tokens + self.reasoning_tokens
