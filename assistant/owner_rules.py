"""The owner's own rules as a turn applies them.

Read from the database for each turn, three small statements however many phrases there are: what the owner changes
takes part at the next question in every process. What they compile to is kept for as long as they stay the same.
"""

from dataclasses import dataclass
from functools import lru_cache

from assistant import texts
from assistant.models import OwnerRules, RefusalPhrase
from guardrails import refusal
from guardrails.extra import ExtraPhrase, ExtraPhrases
from guardrails.latch import LatchRules
from guardrails.leak import LeakRules
from guardrails.personal_data import KINDS
from records.models import Owner
from records.personal_data import VALIDATORS


@dataclass(frozen=True, slots=True)
class Rules:
    """Phrases that layer 1 refuses beside its patterns, and what the latch checks beside values and voice."""

    extra: ExtraPhrases
    latch: LatchRules


def current(owner: Owner | None) -> Rules:
    """Return the rules of this moment; without rows, the defaults. Its wording of the fixed texts holds from now on."""
    texts.refresh()
    rules = OwnerRules.objects.first() or OwnerRules()
    leak = LeakRules(
        allowed=frozenset(map(str, owner.allowed)) if owner else frozenset(),
        policy={kind: getattr(rules, kind) for kind in KINDS},
        validators=VALIDATORS,
    )
    domains = tuple(map(str, owner.domains)) if owner else ()
    phrases = RefusalPhrase.objects.filter(active=True).values_list("category", "text", "language")
    return Rules(extra=_compiled(tuple(phrases)), latch=LatchRules(domains=domains, leak=leak, support=rules.support))


def named(owner: Owner | None) -> refusal.Owner | None:
    """Return the owner as layer 1 and the routes find the name in a question."""
    return refusal.Owner(name=owner.name, aliases=owner.all_names()) if owner else None


@lru_cache(maxsize=2)
def _compiled(phrases: tuple[tuple[str, str, str], ...]) -> ExtraPhrases:
    return ExtraPhrases(ExtraPhrase(*phrase) for phrase in phrases)  # type: ignore[arg-type]  # stored by the same names
