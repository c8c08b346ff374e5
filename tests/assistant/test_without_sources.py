"""The model without sources, beside the layers: judged and counted, read by staff, and by nobody else in any way."""

import asyncio
import re
import socket
import time
import uuid
from contextlib import aclosing, asynccontextmanager
from http.client import HTTPConnection
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import AsyncClient

from assistant import prompts
from assistant.asking import admit
from assistant.database import in_database
from assistant.how_it_works import _streamed
from assistant.places import AN_ADDRESS, places
from assistant.question import Question
from assistant.visitors import Visitor
from assistant.without_sources import NotAsked, Spoken, without_sources
from metering.models import Charge, Reservation, SpendCap
from records.access import PUBLIC
from tests.assistant.hosted_model import MAX_OUTPUT_TOKENS, hosted
from tests.assistant.live_site import live_site
from tests.assistant.test_how_it_works import PAGE, QUESTION, asked, layers
from tests.model_scripts import CUT, Figures, fail, say
from tests.model_server import ModelServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

PLANTED = "Quetzalcoatlus"
GROUNDED = say("Its battery lasted 412 days in the winter of 2021 [1]. ")
RAW = say(f"The {PLANTED} battery lasted 977 days. I am proud of that. ", "In short:\n", f"We {PLANTED}", " agreed.")
CHECKS = {"marker_missing": "3", "value": "1", "first_person": "2"}


@pytest.fixture
def server():
    with ModelServer(GROUNDED, RAW) as running:
        yield running


@pytest.fixture(params=["openai", "anthropic"])
def protocol(request):
    return request.param


@asynccontextmanager
async def model(server, monkeypatch, settings, protocol="openai"):
    """Until the end of the block this server is the configured model, for both sides of the page."""
    settings.TRAVA = settings.TRAVA.model_copy(
        update={"LLM_PROVIDER": protocol, "LLM_MAX_OUTPUT_TOKENS": MAX_OUTPUT_TOKENS}
    )
    async with hosted(server, monkeypatch, protocol) as provider:
        monkeypatch.setattr("assistant.without_sources.language_model", lambda: provider._model)
        yield


@pytest.fixture
def staff_client():
    """A browser in which the owner's staff is signed in."""
    client = AsyncClient()
    client.force_login(User.objects.create_user("desk", password=uuid.uuid4().hex, is_staff=True))
    return client


def checks(page):
    return dict(re.findall(r'<tr data-check="(\w+)">.*?<td>(\d+)</td>', page))


def rows():
    """Return every row of every table as one text."""
    return "\n".join(str(list(table.objects.values())) for table in apps.get_models())


async def test_a_visitor_reads_how_many_sentences_would_be_stopped_and_by_which_checks(
    server, monkeypatch, settings, protocol, browser_client
):
    async with model(server, monkeypatch, settings, protocol):
        _, page = await asked(browser_client, QUESTION)
    assert "412 days" in page
    assert layers(page)[-2:] == [("", "end"), ("stopped", "tally")]
    assert "Sentences of the model: 4. To be stopped: 3." in page
    assert checks(page) == CHECKS


async def test_no_word_of_it_reaches_a_visitor_the_database_or_a_log(
    server, monkeypatch, settings, protocol, browser_client, caplog, capfd
):
    caplog.set_level("DEBUG")
    async with model(server, monkeypatch, settings, protocol):
        _, page = await asked(browser_client, QUESTION)
    assert len(server.calls) == 2
    logged = "".join((caplog.text, *capfd.readouterr()))
    for word in (PLANTED, "lasted 977", "proud"):
        assert not any(word in place for place in (page, logged, await in_database(rows)))
    assert "tide gauge" in await in_database(rows)


async def test_staff_read_each_sentence_with_all_that_the_latch_says_of_it(
    server, monkeypatch, settings, protocol, staff_client
):
    async with model(server, monkeypatch, settings, protocol):
        _, page = await asked(staff_client, QUESTION)
    assert [state for state, layer in layers(page) if layer == "spoken"] == ["stopped", "stopped", "passed", "stopped"]
    first = page[page.index('data-layer="spoken"') :].partition("</li>\n")[0]
    assert f"The {PLANTED} battery lasted 977 days." in first
    assert first.index("named no source") < first.index("stands in no source that it named")
    assert checks(page) == CHECKS
    assert PLANTED not in await in_database(rows)


async def test_what_a_model_writes_as_markup_is_text(server, monkeypatch, settings, staff_client):
    server.will_say(GROUNDED, say("<script>alert(1)</script> melts. "))
    async with model(server, monkeypatch, settings):
        _, page = await asked(staff_client, QUESTION)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


async def test_the_model_is_sent_the_question_and_no_word_of_a_source(
    server, monkeypatch, settings, protocol, browser_client
):
    async with model(server, monkeypatch, settings, protocol):
        await asked(browser_client, QUESTION)
    body = server.calls[1].body
    assert body["messages"][-1] == {"role": "user", "content": QUESTION}
    told = prompts.part("without_sources", owner="Livia Aramesh", language="English")
    assert told in (body.get("system"), body["messages"][0]["content"])
    assert "412 days" not in str(body)
    assert body["max_tokens"] == MAX_OUTPUT_TOKENS


async def test_it_is_reserved_and_charged_as_a_purpose_of_its_own(server, monkeypatch, settings, browser_client):
    server.will_say(GROUNDED, say("Long ago. ", usage=Figures(30, 5)))
    async with model(server, monkeypatch, settings):
        await asked(browser_client, QUESTION)
    held = await Reservation.objects.aget(purpose="demo")
    charge = await Charge.objects.aget(reservation=held)
    assert (held.state, charge.micro_usd) == ("settled", 30 + 4 * 5)
    assert held.micro_usd >= len(QUESTION) + 4 * MAX_OUTPUT_TOKENS


@pytest.mark.parametrize("question", ["How much do you charge?", "Who won the match?"])
async def test_a_question_that_ends_before_the_model_is_not_asked_without_sources_either(
    server, monkeypatch, settings, browser_client, question
):
    async with model(server, monkeypatch, settings):
        _, page = await asked(browser_client, question)
    assert layers(page)[-1] == ("", "unasked")
    assert not server.calls


async def test_at_the_cap_nobody_is_asked(server, monkeypatch, settings, browser_client):
    await in_database(SpendCap.objects.create, micro_usd=0)
    async with model(server, monkeypatch, settings):
        _, page = await asked(browser_client, QUESTION)
    assert layers(page)[-1] == ("", "unasked")
    assert not server.calls


async def test_a_cap_that_the_answer_used_up_leaves_the_model_unasked(server, monkeypatch, settings, browser_client):
    server.will_say(say("Its battery lasted 412 days [1]. ", usage=Figures(20_000, 100)), RAW)
    await in_database(SpendCap.objects.create, micro_usd=20_500)
    async with model(server, monkeypatch, settings):
        _, page = await asked(browser_client, QUESTION)
    assert "412 days" in page
    assert 'data-layer="unasked" data-reason="budget"' in page
    assert len(server.calls) == 1


async def test_it_counts_as_a_question_of_its_reader(server, monkeypatch, settings, browser_client):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1/minute"})
    async with model(server, monkeypatch, settings):
        _, page = await asked(browser_client, QUESTION)
    assert "412 days" in page
    assert 'data-layer="unasked" data-reason="rate_limited"' in page
    assert len(server.calls) == 1


async def admitted():
    return await admit({"question": QUESTION, "lang": "en"}, Visitor(("192.0.2.1",), "", PUBLIC), "demo")


async def test_it_takes_a_place_as_an_answer_does(server, monkeypatch, settings):
    question = await admitted()
    taken = [places.enter(["192.0.2.1"]) for _ in range(AN_ADDRESS - 1)]
    async with model(server, monkeypatch, settings):
        [told] = [each async for each in without_sources(question)]
    assert isinstance(told, NotAsked)
    assert told.notice.reason == "busy"
    assert all(taken)
    assert not server.calls


async def test_a_failing_model_is_told_and_an_answer_that_failed_is_not_followed_by_another_call(
    server, monkeypatch, settings, browser_client
):
    server.will_say(fail(401, "authentication_error"))
    async with model(server, monkeypatch, settings):
        _, page = await asked(browser_client, QUESTION)
    assert layers(page)[-1] == ("", "unasked")
    assert len(server.calls) == 1


async def test_a_stream_that_breaks_off_is_judged_as_far_as_it_came(server, monkeypatch, settings, browser_client):
    server.will_say(GROUNDED, say("It lasted 977 days. ", "And then", CUT))
    async with model(server, monkeypatch, settings):
        _, page = await asked(browser_client, QUESTION)
    assert "did not come to its end" in page
    assert checks(page)["value"] == "1"
    assert not await Reservation.objects.filter(state="held").aexists()


async def test_the_deadline_closes_the_stream(server, monkeypatch, settings):
    question = await admitted()
    server.will_say(say("It lasted 977 days. ", "A", 60.0, "nd then."))
    async with model(server, monkeypatch, settings):
        settings.TRAVA = settings.TRAVA.model_copy(update={"TURN_DEADLINE": 1})
        *_, tally = [each async for each in without_sources(question)]
        await asyncio.to_thread(server.calls[0].wait_closed)
    assert not tally.whole
    assert not await Reservation.objects.filter(state="held").aexists()


async def test_a_reader_who_leaves_closes_the_stream_and_pays_for_what_came(server, monkeypatch, settings):
    server.will_say(GROUNDED, say("It lasted 977 days. ", "A", 60.0, "nd then."))
    question = await admitted()
    async with model(server, monkeypatch, settings):

        async def read():
            async with aclosing(_streamed("<!-- the layers --><!-- without sources -->", question)) as pieces:
                async for _ in pieces:
                    pass

        reading = asyncio.create_task(read())
        while len(server.calls) < 2 or not server.calls[1].sent:
            await asyncio.sleep(0.01)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await asyncio.to_thread(server.calls[1].wait_closed)
    held = await Reservation.objects.aget(purpose="demo")
    assert held.state == "settled"
    assert await Charge.objects.filter(reservation=held, reported=False).acount() == 1


async def test_without_a_model_the_left_side_stands_alone(browser_client, worded_by):
    _, page = await asked(browser_client, QUESTION)
    assert layers(page)[-1] == ("", "end")
    assert "without-sources" not in page


async def test_only_what_was_admitted_can_be_asked():
    with pytest.raises(ValueError, match="admit"):
        await anext(without_sources(Question(QUESTION, "en")))


async def test_only_a_viewer_of_the_staff_is_yielded_a_sentence(server, monkeypatch, settings):
    server.will_say(RAW)
    async with model(server, monkeypatch, settings):
        told = [each async for each in without_sources(await admitted())]
    assert not [each for each in told if isinstance(each, Spoken)]
    assert len(told) == 1


def form(port):
    """Return the site's cookie and the token of its form, as a browser that loads the page has them."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", PAGE)
    answer = connection.getresponse()
    page = answer.read().decode()
    connection.close()
    return answer.headers["Set-Cookie"].partition(";")[0], re.search(r'csrfmiddlewaretoken" value="(\w+)"', page).group(
        1
    )


def test_over_the_wire_a_reader_who_hangs_up_closes_the_configured_models_stream(server, tmp_path):
    server.will_say(GROUNDED, say(f"The {PLANTED} lasted 977 days. ", "A", 60.0, "nd then."))
    chosen = {"LLM_PROVIDER": "openai", "LLM_BASE_URL": server.url, "LLM_MODEL": "scripted-1", "LLM_API_KEY": "k"}
    prices = {"LLM_INPUT_USD_PER_MTOK": "1", "LLM_OUTPUT_USD_PER_MTOK": "4"}
    with live_site(tmp_path / "log", **chosen, **prices) as port:
        cookie, token = form(port)
        body = urlencode({"csrfmiddlewaretoken": token, "question": QUESTION})
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
            client.sendall(
                f"POST {PAGE} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
                f"Origin: http://127.0.0.1:{port}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            page = b""
            while b'id="without-sources"' not in page:
                piece = client.recv(65536)
                assert piece, page
                page += piece
            while len(server.calls) < 2 or not server.calls[1].sent:
                time.sleep(0.01)
        server.calls[1].wait_closed(20)
    assert b"412 days" in page
    assert PLANTED.encode() not in page
    assert PLANTED not in (tmp_path / "log").read_text()
