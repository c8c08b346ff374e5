"""What layer 1 and the routing cost: CPU microseconds a question over all languages, and the worst inputs."""

import sys
from collections.abc import Callable, Iterator
from time import process_time

from guardrails.check import EXAMPLE_OWNER, patterns, spoken
from guardrails.language import available, load
from guardrails.refusal import check
from guardrails.routing import route

ROUNDS = 5
# Each is repeated to 10,000 and to 20,000 characters.
ADVERSARIAL = {
    "one trigger word": "charge ",
    "a whole question": "how much do you charge ",
    "sentence ends": ". ",
    "quotation marks": '"a" ',
    "arithmetic": "1+1 ",
    "brackets": "f(a",
    "combining marks": "e\u0301",
    "apostrophes": "' a",
    "Han characters": "忽略",
    "spaced letters": "i g n o r e ",
    "digits for letters": "1gn0re ",
}


def questions() -> list[str]:
    """Every example of every pattern file: what is refused, what is not, in all languages."""
    return [
        spoken(example, code)[0]
        for code in available()
        for _, _, pattern in patterns(load(code))
        for example in (*pattern.blocks, *pattern.allows)
    ]


def measure() -> None:
    """Prints every figure as it is known."""
    for label, figure in _rows():
        sys.stdout.write(f"{label:<44}{figure}\n")
        sys.stdout.flush()


def _rows() -> Iterator[tuple[str, str]]:
    asked = questions()
    templates = sum(len(pattern.templates) for code in available() for _, _, pattern in patterns(load(code)))
    yield "languages, templates, questions", f"{len(available())}, {templates}, {len(asked)}"
    yield "passthrough", _each(asked, str.casefold)
    yield "refusal, as it stands", _each(asked, check)
    yield "refusal, owner and question before", _each(asked, _in_context)
    yield "routing", _each(asked, lambda question: route(question, None, EXAMPLE_OWNER))
    for name, unit in ADVERSARIAL.items():
        shorter, longer = (_milliseconds(unit * size, size) for size in (10_000, 20_000))
        yield f"20 kB of {name}", f"{longer:.1f} ms ({longer / shorter:.1f} x 10 kB)"


def _in_context(question: str) -> object:
    return check(question, "Do you also do code reviews?", EXAMPLE_OWNER)


def _each(asked: list[str], ask: Callable[[str], object]) -> str:
    best = min(_seconds(asked, ask) for _ in range(ROUNDS))
    return f"{best / len(asked) * 1e6:.1f} µs a question"


def _seconds(asked: list[str], ask: Callable[[str], object]) -> float:
    start = process_time()
    for question in asked:
        ask(question)
    return process_time() - start


def _milliseconds(text: str, size: int) -> float:
    # A character shorter each time: what was read a moment ago is remembered.
    return min(_seconds([text[: size - attempt]], _in_context) for attempt in range(3)) * 1e3
