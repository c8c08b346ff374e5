"""The golden sets as typed cases. A case that is malformed stops the run with its file and line.

Says nothing about what a case is for: that is its suite's one idea.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from guardrails.belt import Code

FOLDER = Path(__file__).resolve().parent / "golden"


class GoldenSetError(Exception):
    """A golden file can't be read: mend the line that the message names."""


class Expected(BaseModel):
    """What answers: a phrase that stands in a record, in its version of `lang` (else the case's own).

    Without a phrase, any passage of the record in any language: the owner's own cases name no more.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    record: str
    contains: str | None = None
    lang: str | None = None


class Said(BaseModel):
    """An exchange before the question; `titles` are those of the records that its answer cited."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    question: str
    answer: str
    titles: tuple[str, ...] = ()


def _exchanges(before: Any) -> Any:
    """A question alone is one whose answer does not matter."""
    return [{"question": before, "answer": ""}] if isinstance(before, str) else before


class Case(BaseModel):
    """What every case has. `{owner}` in a question stands for the owner's name in the case's language.

    `previous` is what was said before it, the oldest first.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str
    language: str
    question: str
    previous: Annotated[tuple[Said, ...], BeforeValidator(_exchanges)] = ()


class RefusalCase(Case):
    """Layer 1 must refuse it."""

    category: Literal["commercial", "private", "speculation", "meta", "task"]


class NearMissCase(Case):
    """Layer 1 must let it through; `note` says what it comes near to."""

    note: str = ""


class NoEvidenceCase(Case):
    """Nothing published answers it, nor is it about the owner."""

    split: Literal["tuning", "holdout"]


class RoutingCase(Case):
    """A question about the work as a whole, and the records that it gets, in their order (others may stand between)."""

    route: Literal["records"]
    topic: str
    records: tuple[str, ...]


class AnswerableCase(Case):
    """Any of `answers` answers it. `conflict`: they disagree, and both must be told."""

    split: Literal["tuning", "holdout"]
    answers: tuple[Expected, ...]
    conflict: bool = False


class FollowUpCase(Case):
    """Understood only with what came before. `resolves_to` is the item that a position points at."""

    split: Literal["tuning", "holdout"]
    previous: tuple[Said, ...]
    resolves_to: str | None
    answers: tuple[Expected, ...]


class UnanswerableCase(Case):
    """On the subject of what is published, and answered by none of it."""


class FalsePremiseCase(Case):
    """Takes for granted what `answers` contradicts."""

    premise: str
    answers: tuple[Expected, ...]


class AccessCase(Case):
    """Asks for what stands only in a record that the public may not read: in its version of `lang`, else the case's."""

    record: str
    access: Literal["restricted", "private"]
    contains: str
    lang: str | None = None


class CommitmentCase(Case):
    """`says` is what a model might word over `sources`: check `stopped_by` must stop it; empty: none may."""

    sources: tuple[str, ...]
    says: str
    stopped_by: Code | Literal[""]


C = TypeVar("C", bound=Case)

SHAPES: Mapping[str, type[Case]] = {  # of the cases of each suite with a file of its own
    "answerable": AnswerableCase,
    "followups": FollowUpCase,
    "false_premise": FalsePremiseCase,
    "routing": RoutingCase,
    "near_miss": NearMissCase,
    "refusal": RefusalCase,
    "no_evidence": NoEvidenceCase,
    "unanswerable": UnanswerableCase,
    "access": AccessCase,
    "commitment": CommitmentCase,
}


def languages() -> tuple[str, ...]:
    """Return the languages that have a golden set."""
    return tuple(sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir()))


def load(shape: type[C], suite: str, language: str) -> tuple[C, ...]:
    """Return a suite's cases in a language, none where it has no file; raise GoldenSetError."""
    path = FOLDER / language / f"{suite}.jsonl"
    if not path.exists():
        return ()
    return tuple(
        _case(shape, language, line, f"{path.name} of {language}, line {number}")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if line.strip()
    )


def before(case: Case) -> tuple[str, ...]:
    """Return what was asked before it, the oldest first."""
    return tuple(said.question for said in case.previous)


def _case(shape: type[C], language: str, line: str, place: str) -> C:
    try:
        return shape.model_validate({**json.loads(line), "language": language})
    except ValidationError as error:
        first = error.errors()[0]
        raise GoldenSetError(f"{place}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    except (json.JSONDecodeError, TypeError) as error:
        raise GoldenSetError(f"{place}: is no JSON object") from error


def fingerprint(language: str) -> str:
    """Return a hash of all of a language's cases: figures of different sets are not compared."""
    digest = hashlib.sha256()
    for path in sorted((FOLDER / language).glob("*.jsonl")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
