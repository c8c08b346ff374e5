"""What a scripted model says, in the words of either protocol. The server that sends it is `tests.model_server`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import Literal

CUT = "cut"  # the connection breaks, without an end
END = "end"  # the response ends as if it were complete
HANG = "hang"  # nothing more comes until the client has left


@dataclass(frozen=True, slots=True)
class Thought:
    """A reasoning delta; `key` is what an OpenAI-compatible server calls its field."""

    text: str
    key: Literal["reasoning_content", "reasoning"] = "reasoning_content"


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes as they are, or an object as one event."""

    data: bytes | dict

    def line(self) -> bytes:
        return self.data if isinstance(self.data, bytes) else event(self.data)


@dataclass(frozen=True, slots=True)
class Figures:
    """Usage in our own terms (cached is part of the input, reasoning of the output); None: left out.

    `everywhere`: an OpenAI-compatible server tells it on every chunk, as far as it has come.
    """

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None
    cached: int | None = None
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Finish:
    """The provider's own word for the end."""

    reason: str


Step = str | float | Event | Thought | Raw | Finish


@dataclass(frozen=True, slots=True)
class Answer:
    """What one call gets. Strings are text deltas, numbers pauses in seconds, CUT, END and HANG what they say.

    At an event it waits until the test has set it.

    A script without a `Finish` and without one of those three ends with the protocol's ordinary end.
    With another status than 200 `error` is the body.
    """

    steps: Sequence[Step] = ()
    usage: Figures | None = Figures(input=7, output=3)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: dict = field(default_factory=dict)
    wait: float = 0.0  # before the first byte
    hang: bool = False  # never a first byte

    def script(self) -> Iterator[Step]:
        yield from self.steps
        if not any(isinstance(step, Finish) or step in (CUT, END, HANG) for step in self.steps):
            yield Finish("")

    def text(self) -> str:
        return "".join(step for step in self.steps if isinstance(step, str) and step not in (CUT, END, HANG))


def say(*steps: Step, **options) -> Answer:
    """Return an answer of these steps."""
    return Answer(steps, **options)


def fail(status: int, kind: str, **headers: str) -> Answer:
    """Return an error as both vendors word it."""
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Answer(status=status, headers=named, error={"type": "error", "error": {"type": kind, "message": "no"}})


def event(data: object, name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def openai_usage(figures: Figures) -> dict:
    usage: dict = {"prompt_tokens": figures.input, "completion_tokens": figures.output}
    if figures.cached is not None:
        usage["prompt_tokens_details"] = {"cached_tokens": figures.cached}
    if figures.reasoning is not None:
        usage["completion_tokens_details"] = {"reasoning_tokens": figures.reasoning}
    return {key: value for key, value in usage.items() if value is not None}


def openai_stream(answer: Answer) -> Iterator[bytes | Step]:
    """Yield event lines, and what only the server can do: pauses and ends."""

    def chunk(delta: dict, finish: str | None = None) -> bytes:
        data: dict = {"object": "chat.completion.chunk", "choices": [_choice(delta, finish)]}
        if answer.usage and answer.usage.everywhere:
            data["usage"] = openai_usage(answer.usage)
        return event(data)

    yield chunk({"role": "assistant", "content": None})
    for step in answer.script():
        match step:
            case Thought(text, key):
                yield chunk({key: text})
            case Finish(reason):
                yield chunk({}, reason or "stop")
                if answer.usage and not answer.usage.everywhere:
                    yield event({"object": "chat.completion.chunk", "choices": [], "usage": openai_usage(answer.usage)})
                yield b"data: [DONE]\n\n"
            case str() if step not in (CUT, END, HANG):
                yield chunk({"content": step})
            case _:
                yield step


def _choice(delta: dict, finish: str | None) -> dict:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def anthropic_stream(answer: Answer) -> Iterator[bytes | Step]:
    """As `openai_stream`: the input stands at the beginning, the output at the end."""
    figures = answer.usage or Figures()
    start: dict = {"output_tokens": 1}
    if figures.input is not None:
        start |= {"input_tokens": figures.input - (figures.cached or 0), "cache_creation_input_tokens": 0}
    if figures.cached is not None:
        start["cache_read_input_tokens"] = figures.cached
    yield _typed("message_start", message={"id": "m", "role": "assistant", "content": [], "usage": start})
    yield _typed("ping")
    index, kind = -1, ""
    for step in answer.script():
        wanted = "thinking" if isinstance(step, Thought) else "text" if _is_text(step) else kind
        if wanted != kind:
            index, kind = index + 1, wanted
            yield _typed("content_block_start", index=index, content_block={"type": kind, kind: ""})
        match step:
            case Thought(text, _):
                yield _typed("content_block_delta", index=index, delta={"type": "thinking_delta", "thinking": text})
            case Finish(reason):
                usage = {} if figures.output is None else {"output_tokens": figures.output}
                yield _typed("content_block_stop", index=max(index, 0))
                yield _typed("message_delta", delta={"stop_reason": reason or "end_turn"}, usage=usage)
                yield _typed("message_stop")
            case str() if _is_text(step):
                yield _typed("content_block_delta", index=index, delta={"type": "text_delta", "text": step})
            case _:
                yield step


def _is_text(step: Step) -> bool:
    return isinstance(step, str) and step not in (CUT, END, HANG)


def _typed(kind: str, **data: object) -> bytes:
    return event({"type": kind, **data}, kind)


def openai_whole(answer: Answer) -> dict:
    """Return the answer that is not streamed."""
    message = {"role": "assistant", "content": answer.text()}
    usage = openai_usage(answer.usage) if answer.usage else None
    return {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]} | (
        {"usage": usage} if usage else {}
    )
