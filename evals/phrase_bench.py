"""What a phrase to refuse would do before it is saved: tried on golden questions and on what visitors asked.

Layer 1 itself decides, with and without the phrase beside the phrases in force. Nothing is kept. Questions that must
be answered and would not be stand first: they are what a phrase costs.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import OuterRef, Subquery
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from assistant import owner_rules
from assistant.models import RefusalPhrase, Turn
from assistant.question import clean
from evals import asked as asking
from evals import golden, own_cases
from evals.asking import Asker
from guardrails import refusal
from guardrails.extra import ExtraPhrase, ExtraPhrases
from records.models import Owner

RECENT = 2_000  # questions of visitors, the newest
SHOWN = 20  # questions of a kind

# What is said of a commitment is a model's sentence, and layer 1 sees none.
_SHAPES = {suite: shape for suite, shape in golden.SHAPES.items() if suite != "commitment"}


class Kind(StrEnum):
    """What it means that a question would be refused, in the order of a reader's interest."""

    WRONGLY = "wrongly"  # a golden question that must be answered
    ANSWERED = "answered"  # a visitor's that got an answer
    MOVED = "moved"  # refused already, and told so in another category
    RIGHTLY = "rightly"  # a golden one that must be refused, and was not
    UNANSWERED = "unanswered"  # a visitor's that got none
    HARMLESS = "harmless"  # a golden one that nothing answers


@dataclass(frozen=True, slots=True)
class Tried:
    """A question, who asks it, and its `address` in the admin. `kind`: what refusing it would mean."""

    question: str
    language: str
    kind: Kind
    name: str
    address: str
    previous: str | None = None
    is_visitors: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """The questions of a kind that would be refused; `asked`: how many of the kind were tried."""

    kind: Kind
    asked: int
    refused: tuple[Tried, ...]

    @property
    def by_language(self) -> list[tuple[str, int]]:
        return Counter(each.language for each in self.refused).most_common()

    @property
    def shown(self) -> tuple[Tried, ...]:
        return self.refused[:SHOWN]


def bench(phrase: ExtraPhrase, stored: int | None = None) -> list[Group]:
    """Try a phrase on every question; `stored` is its row where it is there already, whose old wording is left out."""
    owner = Owner.objects.first()
    named = owner_rules.named(owner)
    rows = RefusalPhrase.objects.filter(active=True).exclude(pk=stored or 0)  # which no row has
    others = [ExtraPhrase(*row) for row in rows.values_list("category", "text", "language")]  # type: ignore[arg-type]  # stored by the same names
    without = ExtraPhrases(others)
    beside = ExtraPhrases(sorted([*others, phrase], key=lambda each: (each.category, each.language, each.text)))
    asked: Counter[Kind] = Counter()
    refused: dict[Kind, list[Tried]] = {kind: [] for kind in Kind}
    for each in (*_golden(Asker(owner, own=own_cases.load())), *_visitors()):
        asked[each.kind] += 1
        now = refusal.check(each.question, each.previous, named, beside)
        if now is None or now.pattern != phrase.text:
            continue
        was = refusal.check(each.question, each.previous, named, without)
        if was is None:
            refused[each.kind].append(each)
        elif was.category != now.category:
            refused[Kind.MOVED].append(each)
    asked[Kind.MOVED] = sum(asked.values())
    return [Group(kind, asked[kind], tuple(found)) for kind, found in refused.items()]


def panel(phrase: ExtraPhrase, stored: int | None, *, may_read_turns: bool) -> SafeString:
    """Return the bench for the page of a phrase; visitors' words only for whoever may read them, numbers for all."""
    groups = bench(phrase, stored)
    context = {"phrase": phrase, "groups": groups, "may_read_turns": may_read_turns, "recent": RECENT, "shown": SHOWN}
    return render_to_string("admin/evals/phrase_bench.html", context)


def _golden(asker: Asker) -> Iterator[Tried]:
    languages = sorted({*golden.languages(), *(language for _suite, language in own_cases.load())})
    for language in languages:
        for suite, shape in _SHAPES.items():
            for case in asker.cases(shape, suite, language):
                before = golden.before(case)
                yield Tried(
                    asker.text(case.question, language),
                    language,
                    _kind(suite),
                    case.id,
                    asking.address(case.id),
                    asker.text(before[-1], language) if before else None,
                )


def _visitors() -> Iterator[Tried]:
    """What visitors asked, each with the question before it in its conversation."""
    before = Turn.objects.filter(
        conversation=OuterRef("conversation"), ordinal__lt=OuterRef("ordinal"), state=Turn.State.DONE
    ).order_by("-ordinal")
    turns = Turn.objects.filter(live_check=False).annotate(before=Subquery(before.values("question")[:1]))
    for turn in turns.order_by("-created_at")[:RECENT]:
        kind = Kind.UNANSWERED if turn.refusal or turn.notice else Kind.ANSWERED
        address = reverse("admin:assistant_turn_change", args=[turn.pk])
        yield Tried(clean(turn.question), turn.language, kind, "", address, turn.before, is_visitors=True)


def _kind(suite: str) -> Kind:
    match suite:
        case "refusal":
            return Kind.RIGHTLY
        case "no_evidence" | "unanswerable" | "access":
            return Kind.HARMLESS
        case _:
            return Kind.WRONGLY
