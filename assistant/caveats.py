"""The caveats that an answer owes: what limits a source that it cites, and that it left out, is quoted by us.

Whoever words the answer is told to say them. That they reach the reader does not depend on it.
"""

from collections.abc import Collection, Iterator, Sequence

from assistant.evidence import Evidence
from assistant.providers.quoting import beginning
from guardrails.latch import Latch, LatchRules, ReleasedSentence


def owed(cited: Collection[int], evidence: Sequence[Evidence]) -> list[int]:
    """Return the numbers of the sources that limit a cited one and are not cited themselves, in their order."""
    limiting = {caveat for number in cited for caveat in evidence[number - 1].caveats}
    return sorted(limiting.difference(cited))


def quoted(cited: Collection[int], evidence: Sequence[Evidence], rules: LatchRules) -> Iterator[ReleasedSentence]:
    """Yield how each caveat that is owed begins, in its own language and through a latch like every sentence."""
    for number in owed(cited, evidence):
        source = evidence[number - 1]
        latch = Latch(source.source.language, [item.source for item in evidence], rules)
        yield from (*latch.feed(beginning(number, source)), *latch.flush())
