"""What every provider promises; each implementation runs this class."""

from contextlib import aclosing

import pytest

from assistant.events import SourceReference
from assistant.evidence import Evidence
from assistant.providers import NOT_COVERED, Assignment, Finish, Provider, Text, Unseen
from guardrails.latch import Source
from metering.prices import Usage, price_of
from metering.transports.events import TextDelta
from metering.transports.received import Received

TEXT = "Snow melts when the air is warm. The mast was repaired after the storm."
ASSIGNMENT = Assignment(
    question="When does snow melt?",
    language="en",
    route="search",
    evidence=(
        Evidence(
            source=Source(text=TEXT, language="en", title="Snow"),
            reference=SourceReference("snow", "article", "Snow", 1, "p", 0, len(TEXT), "/snow/"),
            version=1,
            from_fields=False,
            dense=0.8,
        ),
    ),
)


def cost(usage: Usage) -> int:
    return price_of(usage.model).cost(usage)


@pytest.mark.django_db
class ProviderContract:
    """Subclass it with a fixture `provider` that can be asked again and again."""

    @pytest.fixture
    def provider(self) -> Provider:
        raise NotImplementedError

    async def test_it_has_a_name_and_speaks_a_language(self, provider):
        assert provider.name
        assert provider.speaks(ASSIGNMENT) == "en"

    async def test_text_with_markers_comes_first_and_one_finish_last(self, provider):
        async with aclosing(provider.stream(ASSIGNMENT)) as stream:
            pieces = [piece async for piece in stream]
        assert [isinstance(piece, Finish) for piece in pieces] == [False] * (len(pieces) - 1) + [True]
        assert all(isinstance(piece, Text | Unseen) for piece in pieces[:-1])
        text = "".join(piece.text for piece in pieces if isinstance(piece, Text))
        assert "[1]" in text
        assert NOT_COVERED not in text
        assert pieces[-1].reason == "stop"

    async def test_no_answer_costs_more_than_its_bound(self, provider, asked):
        async with aclosing(provider.stream(ASSIGNMENT)) as stream:
            pieces = [piece async for piece in stream]
        assert await asked(cost, pieces[-1].usage) <= await asked(provider.bound_micro_usd, ASSIGNMENT)

    async def test_an_answer_that_is_left_costs_no_more_than_its_bound(self, provider, asked):
        received = Received()
        async with aclosing(provider.stream(ASSIGNMENT)) as stream:
            async for piece in stream:
                if isinstance(piece, Text):
                    received.add(TextDelta(piece.text))
                    break
        assert received.text_bytes
        left, never_heard = (provider.usage_of_cut(ASSIGNMENT, some) for some in (received, Received()))
        bound = await asked(provider.bound_micro_usd, ASSIGNMENT)
        assert await asked(cost, never_heard) <= await asked(cost, left) <= bound

    async def test_streams_of_two_readers_do_not_meet(self, provider):
        async with aclosing(provider.stream(ASSIGNMENT)) as one, aclosing(provider.stream(ASSIGNMENT)) as other:
            first = [await anext(one), await anext(other)]
            rest = [[piece async for piece in stream] for stream in (one, other)]
        texts = [
            "".join(piece.text for piece in [begun, *more] if isinstance(piece, Text))
            for begun, more in zip(first, rest, strict=True)
        ]
        assert texts[0] == texts[1]
