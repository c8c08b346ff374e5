"""Where a golden phrase stands in what is live: the passages that hold it, found by range and not by chance.

A phrase is looked for in the version's plain text, so it may run over a line break or the edge of two passages.
"""

import re
from collections.abc import Sequence

from evals.golden import Expected
from records.models import PassagePlacement, RecordVersion


def passages(expected: Sequence[Expected], language: str) -> frozenset[str]:
    """Return the ids of live passages that hold any of the phrases; none: the set is behind the corpus."""
    return frozenset(
        uid
        for item in expected
        for uid in (_holding(item, item.contains, item.lang or language) if item.contains else _all(item))
    )


def _all(item: Expected) -> list[str]:
    live = PassagePlacement.objects.filter(version__record__slug=item.record, version__retired_at=None)
    return [str(passage_id) for passage_id in live.values_list("passage_id", flat=True)]


def _holding(item: Expected, phrase: str, language: str) -> list[str]:
    pattern = re.compile(r"\s+".join(re.escape(word) for word in phrase.split()))
    versions = RecordVersion.objects.filter(record__slug=item.record, language=language, retired_at=None)
    return [
        uid for version in versions if (found := pattern.search(version.text)) for uid in _over(version, *found.span())
    ]


def _over(version: RecordVersion, start: int, end: int) -> list[str]:
    placements = PassagePlacement.objects.filter(version=version, start__lt=end, end__gt=start)
    return [str(passage_id) for passage_id in placements.values_list("passage_id", flat=True)]


def rank(found: Sequence[str], expected: frozenset[str]) -> int | None:
    """Return the place, from 1, of the first expected passage."""
    return next((place for place, passage in enumerate(found, start=1) if passage in expected), None)
