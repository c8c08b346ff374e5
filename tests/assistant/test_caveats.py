"""Caveats travel with their rule, and what is over or undated is never told as if it held."""

import re
from datetime import date, timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from assistant.database import in_database
from assistant.events import Released, as_json
from assistant.evidence import from_hits, from_records
from assistant.journal import reference
from assistant.models import Citation, GuardrailEvent
from assistant.providers import Assignment
from assistant.providers.quoting import _answer
from assistant.question import Question
from assistant.turn import answer
from guardrails.latch import Latch
from records import selectors
from records.access import PUBLIC
from records.models import Kind, Owner, Passage, PassageRelation
from records.publishing import publish
from tests.assistant.scripted import WHOLE, ScriptedModel
from tests.records.drafts import ask, draft, published

FLOW = "Night flow in Norrow fell by forty per cent in 2019."
WINTER = "The figure rests on one winter. The next winter was milder."
QUESTION = "By how much did the night flow in Norrow fall?"


def limited(caveat=WINTER):
    Owner.objects.create(pk=1, name="Livia Aramesh")
    record = draft("leaks", f"# Results\n\n{FLOW}\n\n# Caveats\n\n{caveat}", start=date(2019, 1, 1))
    record.texts.update(relations=[{"section": "Results", "needs": "Caveats", "kind": "caveat"}])
    publish(record)


@pytest.mark.django_db(transaction=True)
class TestAnswer:
    async def test_a_quoted_sentence_is_followed_by_the_beginning_of_its_caveat(self):
        await in_database(limited)
        events = [event async for event in answer(Question(QUESTION, "en"))]
        released = [event for event in events if isinstance(event, Released)]
        assert [event.text for event in released] == [FLOW, "The figure rests on one winter."]
        caveat = await Passage.objects.aget(text=WINTER)
        assert [source.passage for source in released[1].sources] == [caveat.uid]
        cited = await Citation.objects.select_related("version").aget(sentence__ordinal=2)
        assert cited.version.text[cited.start : cited.end] == WINTER

    async def told(self, *script, caveat=WINTER):
        """What is released where a model says this, and how the answer ends."""
        await in_database(limited, caveat)
        events = [event async for event in answer(Question(QUESTION, "en"), ScriptedModel([*script, WHOLE]))]
        return [event.text for event in events if isinstance(event, Released)], events[-2]

    async def test_a_caveat_that_a_model_leaves_out_is_quoted_by_us(self):
        sentences, _ = await self.told("The night flow fell by forty per cent in 2019 [1].")
        assert sentences == ["The night flow fell by forty per cent in 2019.", "The figure rests on one winter."]
        cited = await Citation.objects.select_related("passage").aget(sentence__ordinal=2)
        assert cited.passage.text == WINTER
        assert await GuardrailEvent.objects.filter(guard="caveat", detail="1 of 1 quoted").aexists()

    async def test_one_that_the_model_told_is_not_told_again(self):
        said = "The night flow fell by forty per cent in 2019 [1]. ", "The figure rests on one winter alone [2]."
        sentences, _ = await self.told(*said)
        assert len(sentences) == 2
        assert not await GuardrailEvent.objects.filter(guard="caveat").aexists()

    async def test_it_follows_what_was_released_before_a_stop_and_the_notice_follows_it(self):
        sentences, end = await self.told("The night flow fell by forty per cent in 2019 [1]. ", "It fell by 99 % [1].")
        assert sentences[1:] == ["The figure rests on one winter."]
        assert end.reason == "withheld"

    async def test_where_nothing_was_released_nothing_is_owed(self):
        sentences, end = await self.told("It fell by 99 % [1].")
        assert sentences == []
        assert end.reason == "withheld"

    async def test_it_goes_through_a_latch_as_every_sentence_does(self):
        sentences, _ = await self.told(
            "The night flow fell by forty per cent in 2019 [1].",
            caveat="Ask mara.lindqvist@example.org for the figures.",
        )
        assert "mara.lindqvist" not in "".join(sentences)


@pytest.mark.django_db
class TestEvidence:
    def test_a_caveat_gets_a_number_of_its_own_behind_what_was_found(self):
        limited()
        found, caveat = from_hits(ask(QUESTION, k=1).hits, PUBLIC)
        assert (found.source.text, found.needs, found.caveats, found.found) == (FLOW, (2,), (2,), True)
        assert (caveat.source.text, caveat.version, caveat.found) == (WINTER, found.version, False)

    def test_a_caveat_that_was_found_anyway_is_delivered_once(self):
        limited()
        hits = ask("Night flow in Norrow: does the figure rest on one winter?", k=8).hits
        evidence = from_hits(hits, PUBLIC)
        assert len(evidence) == len(hits) == 2
        flow = next(item for item in evidence if item.source.text == FLOW)
        assert evidence[flow.caveats[0] - 1].source.text == WINTER

    def test_a_table_is_delivered_and_is_no_caveat(self):
        limited()
        PassageRelation.objects.update(kind="table")
        found, table = from_hits(ask(QUESTION, k=1).hits, PUBLIC)
        assert (found.needs, found.caveats, table.source.text) == ((2,), (), WINTER)

    def test_what_is_brought_along_is_never_quoted_for_itself(self):
        limited()
        assignment = Assignment("Which winter was milder?", "en", "search", from_hits(ask(QUESTION, k=1).hits, PUBLIC))
        assert "milder" not in "".join(_answer(assignment))


YESTERDAY = timedelta(days=-1)


@pytest.mark.django_db
class TestNotCurrent:
    """Marked as current by the owner, but of no known date, or valid no longer."""

    @pytest.fixture(params=["undated", "expired"])
    def record(self, request):
        today = timezone.localdate()
        facts = {"start": date(2018, 1, 1), "valid_to": today + YESTERDAY} if request.param == "expired" else {}
        return published("leaks", FLOW, current=True, **facts)

    def test_it_is_told_without_the_word(self, record):
        Owner.objects.create(pk=1, name="Livia Aramesh")
        [told] = from_records(selectors.overview("projects", "en", PUBLIC, 8), "en", "Livia Aramesh")
        assert "currently" not in told.source.text
        assert not told.current

    def test_it_is_no_answer_to_what_she_does_now(self, record):
        assert selectors.overview("now", "en", PUBLIC, 8) == []

    def test_its_passages_are_not_marked_as_current(self, record):
        [found] = from_hits(ask(QUESTION).hits, PUBLIC)
        assert not found.current

    def test_its_page_does_not_call_it_current(self, record, client):
        for url in ("/en/", "/en/case-study/leaks/", f"/passages/{record.pk}/{record.placements.get().passage_id}/"):
            assert 'class="current"' not in client.get(url).content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("fresh_limits")
class TestExpired:
    """Every sentence that rests on a passage which is valid no longer says so, whoever worded it."""

    LAST = date(2020, 12, 31)

    async def released(self, valid_to):
        await in_database(Owner.objects.create, pk=1, name="Livia Aramesh")
        await in_database(published, "leaks", FLOW, valid_to=valid_to)
        says = ScriptedModel(["The night flow fell by forty per cent in 2019 [1].", WHOLE])
        released = [event async for event in answer(Question(QUESTION, "en"), says) if isinstance(event, Released)]
        return released[0]

    async def test_the_source_tells_its_last_day_on_the_wire(self):
        [source] = as_json(await self.released(self.LAST))["sources"]
        assert source["expired"] == "2020-12-31"

    @pytest.mark.parametrize("valid_to", [None, date(2999, 1, 1)])
    async def test_one_that_is_valid_tells_none(self, valid_to):
        [source] = as_json(await self.released(valid_to))["sources"]
        assert "expired" not in source

    async def test_the_page_says_it_beside_the_sentence_in_the_readers_language(self, browser_client):
        await self.released(self.LAST)
        empty = (await browser_client.get("/pt/chat/")).content.decode()
        [turn] = re.findall(r'name="turn" value="([^"]+)"', empty)
        await browser_client.post("/pt/chat/", {"turn": turn, "question": QUESTION})
        page = (await browser_client.get("/pt/chat/")).content.decode()
        sentence = next(said for said in re.findall(r'<p class="sentence.*?</p>', page, re.DOTALL) if FLOW in said)
        assert "(válido até 31 de dezembro de 2020)" in sentence

    async def test_what_was_stored_tells_it_again(self):
        await self.released(self.LAST)
        cited = await Citation.objects.select_related("version__record").afirst()
        assert (await in_database(reference, cited, "en")).last_day == self.LAST


@pytest.mark.django_db
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_an_expired_service_is_told_as_one_that_was_with_its_last_day(language):
    last = date(2020, 12, 31)
    published("audit", FLOW, kind=Kind.SERVICE, valid_to=last)
    [told] = from_records(selectors.overview("services", language, PUBLIC, 8), language, "Livia Aramesh")
    published("audit", FLOW, kind=Kind.SERVICE, valid_to=None)
    [valid] = from_records(selectors.overview("services", language, PUBLIC, 8), language, "Livia Aramesh")
    assert told.expired
    assert any(year in told.source.text for year in ("2020", "۲۰۲۰", "٢٠٢٠", "२०२०"))
    latch = Latch(language, [told.source])
    assert latch.feed(f"{told.source.text} [1]\n") + latch.flush()
    assert latch.stop is None
    assert valid.source.text.partition("(")[0] != told.source.text.partition("(")[0]
