"""Figures over cases: pure, and never without the number of cases that they rest on.

An empty set has no figure (None), which is neither 0 nor 1 nor NaN. Nothing here knows whether a figure is good.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure over `n` cases. `against` names those that keep it from being perfect, in the set's order."""

    value: float | None
    n: int
    against: tuple[str, ...] = ()


def share(cases: Iterable[tuple[str, bool]]) -> Figure:
    """Return the share of cases that hold (1 is perfect)."""
    held = list(cases)
    against = tuple(case for case, holds in held if not holds)
    return Figure(_ratio(len(held) - len(against), len(held)), len(held), against)


def share_of_failures(cases: Iterable[tuple[str, bool]]) -> Figure:
    """Return the share of cases that fail (0 is perfect); `against` names them."""
    failed = list(cases)
    against = tuple(case for case, fails in failed if fails)
    return Figure(_ratio(len(against), len(failed)), len(failed), against)


def hit_rate(ranks: Iterable[tuple[str, int | None]], k: int) -> Figure:
    """Return recall@k as a hit rate: the share with one right passage among the first k. Ranks count from 1."""
    return share((case, rank is not None and rank <= k) for case, rank in ranks)


def mean_reciprocal_rank(ranks: Iterable[tuple[str, int | None]]) -> Figure:
    """Return the mean of 1/rank of the first right passage, 0 where there is none (Voorhees, TREC-8, 1999)."""
    found = list(ranks)
    total = sum(1 / rank for _, rank in found if rank is not None)
    return Figure(_ratio(total, len(found)), len(found), tuple(case for case, rank in found if rank != 1))


def _ratio(part: float, whole: int) -> float | None:
    return part / whole if whole else None
