"""`python -m guardrails COMMAND`: JSON lines in, JSON lines out, in order; and `check` for who writes a language.

A malformed line is answered with its error and the run goes on; the exit status is then 1.
"""

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

from guardrails.check import check_languages
from guardrails.language import load
from guardrails.latch import Latch, LatchRules, Source
from guardrails.leak import LeakRules
from guardrails.leak import check as check_leaks
from guardrails.owner import Owner
from guardrails.refusal import check
from guardrails.routing import route
from guardrails.sentences import SentenceSplitter
from guardrails.text import content_words, words

Fields = dict[str, Any]
USAGE = "usage: python -m guardrails {refuse,split,latch,leak,words} < lines, or: check [CODE …]"


class MalformedLine(ValueError):
    """A line that a command can't take; the message goes back in its place."""


def refuse(fields: Fields) -> Fields:
    question, previous = _text(fields, "question"), _optional_text(fields, "previous")
    lang, owner = _optional_text(fields, "lang"), _owner(fields.get("owner"))
    if refusal := check(question, previous, owner, language=lang):
        found = {"refused": True, "category": refusal.category, "language": refusal.language}
        return {**found, "route": "refusal"}
    routed = route(question, previous, owner)
    return {"refused": False, "category": None, "language": routed.language or lang, "route": routed.kind}


def split_words(fields: Fields) -> Fields:
    text, lang = _text(fields, "text"), _text(fields, "lang")
    return {"words": [word.text for word in words(text, lang)], "content_words": content_words(text, lang)}


def split_sentences(fields: Fields) -> Fields:
    splitter = SentenceSplitter(_text(fields, "lang"))
    sentences = [*splitter.feed(_text(fields, "text")), *splitter.flush()]
    return {"sentences": [sentence.text for sentence in sentences]}


def judge(fields: Fields) -> Fields:
    lang, stream, finish = _text(fields, "lang"), fields.get("stream"), fields.get("finish", "stop")
    deltas = [stream] if isinstance(stream, str) else _texts(fields, "stream")
    if finish not in ("stop", "length"):
        raise MalformedLine("'finish' must be 'stop' or 'length'")
    leaks = None if fields.get("allowed") is None else LeakRules(allowed=frozenset(_texts(fields, "allowed")))
    rules = LatchRules(domains=tuple(_texts(fields, "domains")), leak=leaks)
    latch = Latch(lang, _sources(fields.get("sources"), lang), rules)
    released = [sentence.text for delta in deltas for sentence in latch.feed(delta)]
    released += [sentence.text for sentence in latch.flush(finish)]
    stop = latch.stop
    return {
        "released": released,
        "stop": stop.code if stop else None,
        "sentence": stop.sentence if stop else None,
        "detail": stop.detail if stop else None,
        "truncated": latch.truncated,
    }


def find_leaks(fields: Fields) -> Fields:
    decision = check_leaks(_text(fields, "text"), LeakRules(allowed=frozenset(_texts(fields, "allowed"))))
    found = [{"kind": each.kind, "start": each.start, "end": each.end} for each in decision.found]
    return {"action": decision.action, "found": found, "text": decision.text}


COMMANDS: dict[str, Callable[[Fields], Fields]] = {
    "refuse": refuse,
    "split": split_sentences,
    "latch": judge,
    "leak": find_leaks,
    "words": split_words,
}


def _text(fields: Fields, name: str) -> str:
    if not isinstance(value := fields.get(name), str):
        raise MalformedLine(f"{name!r} must be a text")
    return value


def _optional_text(fields: Fields, name: str) -> str | None:
    return None if fields.get(name) is None else _text(fields, name)


def _texts(fields: Fields, name: str) -> list[str]:
    value = fields.get(name) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise MalformedLine(f"{name!r} must be a list of texts")
    return value


def _sources(value: object, lang: str) -> list[Source]:
    if not isinstance(value, list):
        raise MalformedLine("'sources' must be a list")
    sources: list[Source] = []
    for item in value:
        fields = {"text": item, "lang": lang} if isinstance(item, str) else item
        if not isinstance(fields, dict):
            raise MalformedLine("a source must be a text or an object")
        sources.append(Source(_text(fields, "text"), load(_text({"lang": lang, **fields}, "lang")).code))
    return sources


def _owner(value: object) -> Owner | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise MalformedLine("'owner' must be an object")
    aliases = value.get("aliases") or []
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise MalformedLine("'aliases' must be a list of texts")
    return Owner(_text(value, "name"), tuple(aliases))


def run(command: Callable[[Fields], Fields], lines: Iterable[str]) -> int:
    """Answers each line as it comes; returns the exit status."""
    status = 0
    for line in lines:
        if not line.strip():
            continue
        answer = _answer(command, line)
        status = 1 if "error" in answer else status
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    return status


def _answer(command: Callable[[Fields], Fields], line: str) -> Fields:
    fields: object = None
    try:
        fields = json.loads(line)
        if not isinstance(fields, dict):
            raise MalformedLine("a line must be an object")
        return {"id": fields.get("id"), **command(fields)}
    except ValueError as error:  # malformed JSON and unknown languages among them
        return {"id": fields.get("id") if isinstance(fields, dict) else None, "error": str(error)}


def main(arguments: list[str]) -> int:
    if arguments and arguments[0] == "check":
        return check_languages(arguments[1:])
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        sys.stderr.write(USAGE + "\n")
        return 2
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="surrogatepass")  # type: ignore[union-attr]  # both are files
    return run(COMMANDS[arguments[0]], sys.stdin)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
