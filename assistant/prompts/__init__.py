"""The prompt (text files beside this module, strict templates): rules, examples, numbered sources, the question.

No passage and no question can close the block it stands in: what closes it is a word that is made from all of them
and stands in none. A model may still ignore every rule: docs/prompt.md names what stands behind each.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template

from babel import Locale

from assistant.evidence import Evidence
from assistant.providers import NOT_COVERED, Assignment

_FOLDER = Path(__file__).parent
_BOUNDARY_DIGITS = 12  # hexadecimal: 48 bits, which no passage can be written to meet


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is sent. `version` tells the text files apart, not the sources."""

    system: str
    user: str
    version: str


def compose(assignment: Assignment) -> Prompt:
    """Return the prompt for an assignment; on a second try with what is to be done otherwise."""
    return Prompt(system=instructions(assignment), user="".join(_blocks(assignment)), version=version())


def instructions(assignment: Assignment) -> str:
    """Return the part of the prompt that is ours alone: rules, examples, what to do otherwise on a second try."""
    words = {
        "owner": _line(assignment.owner) or "the owner of this site",
        "language": language_name(assignment.language),
        "token": NOT_COVERED,
    }
    parts = ["system", "examples", *([f"again_{assignment.again}"] if assignment.again else [])]
    return "\n".join(_template(part).substitute(words) for part in parts)


@cache
def version() -> str:
    """Return what tells one state of the text files from another: 12 hexadecimal digits of their hash."""
    digest = sha256()
    for path in sorted(_FOLDER.glob("*.txt")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def part(name: str, **words: str) -> str:
    """Return one of the text files with its words filled in; raises KeyError for a word that is missing."""
    return _template(name).substitute(words)


def language_name(code: str) -> str:
    """Return the English name of a language, as the prompt says it."""
    return str(Locale("en").languages[code])


def _blocks(assignment: Assignment) -> Iterator[str]:
    untrusted = [assignment.question, assignment.before]
    untrusted += [part for item in assignment.evidence for part in (item.source.title, item.source.text)]
    boundary = _boundary("\n".join(untrusted))
    yield _template("opening").substitute(boundary=boundary)
    for number, item in enumerate(assignment.evidence, start=1):
        yield _template("source").substitute(_heading(number, item), boundary=boundary)
    if assignment.before:
        yield _template("before").substitute(boundary=boundary, before=assignment.before)
    yield _template("question").substitute(boundary=boundary, question=assignment.question)


def _heading(number: int, item: Evidence) -> dict[str, object]:
    return {
        "number": number,
        "kind": item.reference.kind,
        "language": item.source.language,
        "dates": item.dates or "unknown",
        "current": "yes" if item.current else "no",
        "expired": "yes" if item.expired else "no",
        "caveats": ",".join(map(str, item.caveats)) or "none",
        "title": _line(item.source.title),
        "text": item.source.text,
    }


def _boundary(untrusted: str) -> str:
    """Return a word that stands in no text of the prompt, however it is disguised."""
    seen = unicodedata.normalize("NFKC", untrusted).casefold() + untrusted.casefold()
    boundary = sha256(untrusted.encode(errors="surrogatepass")).hexdigest()[:_BOUNDARY_DIGITS]
    while boundary in seen:
        boundary = sha256(boundary.encode()).hexdigest()[:_BOUNDARY_DIGITS]
    return boundary


def _line(text: str) -> str:
    return " ".join(text.split())


@cache
def _template(name: str) -> Template:
    return Template((_FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
