"""The chat's socket: fragments out, bad frames answered, stop and disconnect heard while an answer streams."""

import asyncio
import re
import threading
import uuid

import pytest
from django.contrib.sessions.backends.db import SessionStore

from assistant import journal, presentation
from assistant.consumers import MAX_FRAME, MAX_FRAMES, TOO_BIG, TOO_MANY
from assistant.conversations import session_hash
from assistant.database import in_database
from assistant.events import Notice
from assistant.models import Conversation, Turn
from assistant.places import places
from assistant.texts import notice_text
from metering.models import Reservation
from records.access import PUBLIC
from tests.assistant.scripted import WHOLE
from tests.assistant.socket_client import FINISHED, Socket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"
FIRST = "Its battery lasted 412 days [1]. T"
SECOND = "he mast was repaired [1]. "


@pytest.fixture
def session():
    store = SessionStore()
    store.create()
    return store.session_key


def sentences(html: str) -> list[str]:
    return re.findall(r'<p class="sentence[^>]*>(.*?)<a', html)


async def eventually(condition) -> None:
    async with asyncio.timeout(10):
        while not await condition():
            await asyncio.sleep(0.02)


async def test_a_question_is_answered_with_sentences_and_their_sources():
    async with Socket() as socket:
        html = await socket.ask(QUESTION)
    assert any("412 days" in sentence for sentence in sentences(html))
    turn = await Turn.objects.aget()
    assert f'<div id="answer-{turn.id}" hx-swap-oob="beforeend">' in html
    assert re.search(rf'<ol id="sources-{turn.id}" hx-swap-oob="beforeend"><li value="1"><a href="/passages/\d+/', html)


async def test_a_refusal_is_told_apart_from_a_sentence():
    async with Socket() as socket:
        html = await socket.ask("How much do you charge?")
    assert 'class="refusal" data-reason="commercial"' in html
    assert not sentences(html)


async def test_sentences_leave_one_by_one_while_the_rest_is_held(worded_by):
    script = worded_by(FIRST, 30.0, SECOND, WHOLE)
    async with Socket() as socket:
        await socket.send(question=QUESTION, lang="en", turn=str(uuid.uuid4()))
        html = await socket.until("412 days")
        assert FINISHED not in html
        assert not script.closed
        assert 'class="checking"' in html


async def test_every_question_brings_a_form_with_a_new_turn_and_a_place_for_it():
    turn = uuid.uuid4()
    async with Socket() as socket:
        html = await socket.ask(QUESTION, turn=str(turn))
    [following] = re.findall(r'name="turn" value="([^"]+)"', html)
    assert following != str(turn)
    assert f'<div id="turn-{following}" hidden></div>' in html
    assert f'<article id="turn-{turn}" class="turn" hx-swap-oob="true">' in html


async def test_the_next_question_continues_the_conversation(session):
    async with Socket(session=session) as socket:
        html = await socket.ask(QUESTION)
        [conversation] = re.findall(r'name="conversation" value="([^"]+)"', html)
        await socket.ask("And who repaired it?", conversation=conversation)
    assert (await Conversation.objects.aget()).session == session_hash(session)
    assert [turn.ordinal async for turn in Turn.objects.order_by("ordinal")] == [1, 2]


class TestStopping:
    async def test_stop_is_heard_while_the_answer_streams(self, worded_by):
        script = worded_by(FIRST, 30.0, SECOND, WHOLE)
        async with Socket() as socket:
            await socket.send(question=QUESTION, lang="en", turn=str(uuid.uuid4()))
            await socket.until("412 days")
            await socket.send(stop="1")
            html = await socket.until_end()
        assert 'data-reason="stopped"' in html
        assert 'name="conversation" value="' in html
        assert script.closed
        stored = await Turn.objects.aget()
        assert (stored.state, stored.notice) == ("done", "stopped")
        assert not await Reservation.objects.filter(state="held").aexists()

    async def test_what_is_stopped_before_its_first_sentence_speaks_of_none_then_and_after_a_reload(self, worded_by):
        worded_by(30.0, FIRST, WHOLE)
        turn = str(uuid.uuid4())
        async with Socket() as socket:
            await socket.send(question=QUESTION, lang="en", turn=turn)
            await socket.until(f"turn-{turn}")
            await socket.send(stop="1")
            html = await socket.until_end()
        text = notice_text("stopped", "en", released=False)
        assert text in html
        [shown] = await in_database(presentation.shown, [await Turn.objects.aget()], PUBLIC)
        assert shown.ending == Notice("stopped", text)

    async def test_a_question_that_is_stopped_while_it_is_stored_is_stored_as_stopped(self, monkeypatch):
        storing, stopped = threading.Event(), threading.Event()
        begin = journal.begin

        def slow(*args):
            storing.set()
            stopped.wait(timeout=60)
            return begin(*args)

        monkeypatch.setattr(journal, "begin", slow)
        async with Socket() as socket:
            await socket.send(question=QUESTION, lang="en", turn=str(uuid.uuid4()))
            await asyncio.to_thread(storing.wait, 60)
            await socket.send(stop="1")
            asyncio.get_running_loop().call_later(0.2, stopped.set)
            html = await socket.until_end()
        assert 'data-reason="stopped"' in html
        stored = await Turn.objects.aget()
        assert (stored.state, stored.notice) == ("done", "stopped")

    async def test_stop_without_a_running_answer_changes_nothing(self):
        async with Socket() as socket:
            await socket.send(stop="1")
            assert sentences(await socket.ask(QUESTION))

    async def test_a_reader_who_leaves_closes_the_turn(self, worded_by):
        script = worded_by(FIRST, 30.0, SECOND, WHOLE)
        async with Socket() as socket:
            await socket.send(question=QUESTION, lang="en", turn=str(uuid.uuid4()))
            await socket.until("412 days")
        assert script.closed
        assert (await Turn.objects.aget()).notice == "stopped"
        assert not len(places)

    async def test_another_question_meanwhile_is_told_to_wait_and_the_first_goes_on(self, worded_by):
        told = asyncio.Event()
        worded_by(FIRST, told, SECOND, WHOLE)
        async with Socket() as socket:
            await socket.send(question=QUESTION, lang="en", turn=str(uuid.uuid4()))
            await socket.until("412 days")
            html = await socket.ask("What did she do recently?")
            assert 'data-reason="busy"' in html
            told.set()
            assert "mast was repaired" in await socket.until(FINISHED)
        assert await Turn.objects.acount() == 1


class TestResending:
    async def test_the_same_turn_again_is_told_again_and_not_asked_again(self):
        turn = str(uuid.uuid4())
        async with Socket() as socket:
            first = await socket.ask(QUESTION, turn=turn)
            again = await socket.ask(QUESTION, turn=turn)
        assert sentences(first) == sentences(again)
        assert await Turn.objects.acount() == 1

    async def test_a_resend_while_the_answer_streams_to_this_page_is_swallowed(self, worded_by):
        heard = asyncio.Event()
        script = worded_by(FIRST, heard, SECOND, WHOLE)
        turn = str(uuid.uuid4())
        async with Socket() as socket:
            await socket.send(question=QUESTION, lang="en", turn=turn)
            html = await socket.until("412 days")
            await socket.send(question=QUESTION, lang="en", turn=turn)
            await socket.send(question="What did she do recently?", lang="en", turn=str(uuid.uuid4()))
            html += await socket.until('data-reason="busy"')  # the socket is read in order: the resend was heard
            heard.set()
            html += await socket.until_end()
        assert len(sentences(html)) == 2
        assert len(script.asked) == 1

    async def test_a_page_that_comes_back_follows_its_answer_and_keeps_its_form(self):
        turn = str(uuid.uuid4())
        async with Socket() as socket:
            first = await socket.ask(QUESTION, turn=turn)
        async with Socket() as socket:
            again = await socket.ask(QUESTION, turn=turn, follow="1")
        assert sentences(again) == sentences(first)
        assert 'id="fields"' in first
        assert 'id="fields"' not in again

    async def test_a_turn_id_used_for_other_words_is_a_new_question(self):
        turn = str(uuid.uuid4())
        async with Socket() as socket:
            await socket.ask(QUESTION, turn=turn)
            html = await socket.ask("How much do you charge?", turn=turn)
        assert 'data-reason="commercial"' in html
        assert '<div id="log" hx-swap-oob="beforeend"><article' in html
        assert await Turn.objects.acount() == 2

    async def test_a_turn_of_another_session_is_not_told(self, session):
        turn = str(uuid.uuid4())
        async with Socket(session=session) as socket:
            await socket.ask(QUESTION, turn=turn)
        async with Socket() as socket:
            html = await socket.ask(QUESTION, turn=turn)
        assert not sentences(html)
        assert 'data-reason="invalid"' in html


class TestBadFrames:
    async def test_what_is_no_form_gets_a_notice_and_the_socket_lives_on(self):
        async with Socket() as socket:
            for text in ("", "{", "null", "[]", '"question"', "7", "[" * 20_000, '{"question": 1e999}'):
                await socket.send_raw(text)
                assert 'data-reason="invalid"' in await socket.until_end()
            assert sentences(await socket.ask(QUESTION))

    async def test_bytes_are_no_form(self):
        async with Socket() as socket:
            await socket.send_raw(data=b"\x00\xff")
            assert 'data-reason="invalid"' in await socket.until_end()

    async def test_a_frame_that_is_too_big_is_answered_and_closed(self):
        async with Socket() as socket:
            await socket.send_raw("x" * (MAX_FRAME + 1))
            assert 'data-reason="invalid"' in await socket.until_end()
            assert await socket.closing_code() == TOO_BIG

    async def test_a_flood_of_frames_is_closed(self):
        async with Socket() as socket:
            for _ in range(MAX_FRAMES):
                await socket.send(stop="1")
            assert await socket.closing_code() == TOO_MANY


class TestOrigin:
    async def test_a_foreign_page_gets_no_socket(self):
        for origin in (None, "null", "http://other.example", "http://localhost:81"):
            assert not await Socket(origin=origin).connects()


async def test_the_limits_hold_and_leave_the_question_in_the_form(settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1/minute"})
    async with Socket() as socket:
        await socket.ask(QUESTION)
        html = await socket.ask("And who repaired it?")
    assert 'data-reason="rate_limited"' in html
    assert 'id="fields"' not in html


async def test_a_full_process_says_so(settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"MAX_STREAMS": 1})
    with places.enter():
        async with Socket() as socket:
            assert 'data-reason="busy"' in await socket.ask(QUESTION)


async def test_a_failure_nobody_foresaw_becomes_a_text(worded_by, caplog):
    worded_by(FIRST, RuntimeError("gone"))
    async with Socket() as socket:
        html = await socket.ask(QUESTION)
    assert 'data-reason="unavailable"' in html
    assert "gone" not in html
