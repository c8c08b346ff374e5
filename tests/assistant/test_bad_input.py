"""Bad input at every entrance: a clear answer, and nothing lost."""

import io
import json
import re
import uuid

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.http import StreamingHttpResponse
from django.test import AsyncClient

from assistant.models import Turn
from tests.assistant.socket_client import Socket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

UNASKABLE = {"empty": "", "blank": " \n ", "long": "x" * 3000, "nul": "\x00"}
SCRIPT = "<script>alert(1)</script><b>What did she do recently?</b>"


class SocketEntrance:
    async def reason(self, client: AsyncClient, **fields) -> str:
        async with Socket() as socket:
            html = await socket.ask(**{"question": "What did she do recently?", **fields})
        return " ".join(re.findall(r'data-reason="(\w+)"', html))


class ApiEntrance:
    async def reason(self, client: AsyncClient, **fields) -> str:
        body = json.dumps({"question": "What did she do recently?", "lang": "en", **fields})
        headers = {"origin": "http://testserver"}
        response = await client.post("/api/ask", body, content_type="application/json", headers=headers)
        if response.status_code == 200:
            assert isinstance(response, StreamingHttpResponse)
            assert [part async for part in response]
            return ""
        assert response.status_code == 400
        return str(response.json()["reason"])


class FormEntrance:
    async def reason(self, client: AsyncClient, **fields) -> str:
        language = fields.pop("lang", "en")
        response = await client.post(f"/{language}/chat/", {"question": "What did she do recently?", **fields})
        if response.status_code == 302:
            return ""
        assert response.status_code in (400, 404)
        return "invalid" if response.status_code == 404 or b'class="notice"' in response.content else "?"


class CommandEntrance:
    async def reason(self, client: AsyncClient, **fields) -> str:
        events = await ask_on_stdin({"question": "What did she do recently?", **fields})
        assert events[-1]["event"] == "done"
        return events[0]["reason"] if events[0]["event"] == "notice" else ""


async def ask_on_stdin(*lines: object) -> list[dict]:
    written = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)

    def run() -> str:
        out = io.StringIO()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(written.encode("utf-8", "surrogatepass"))))
            call_command("ask", "--stdin", "--json", stdout=out)
        return out.getvalue()

    return [json.loads(line) for line in (await sync_to_async(run)()).splitlines()]


ENTRANCES = [SocketEntrance(), ApiEntrance(), FormEntrance(), CommandEntrance()]
every_entrance = pytest.mark.parametrize("entrance", ENTRANCES, ids=lambda entrance: type(entrance).__name__)


@every_entrance
async def test_what_cannot_be_asked_is_told_so(entrance, browser_client):
    told = {name: await entrance.reason(browser_client, question=text) for name, text in UNASKABLE.items()}
    assert told == dict.fromkeys(UNASKABLE, "invalid")
    assert not await Turn.objects.aexists()


@pytest.mark.parametrize(
    "entrance", [SocketEntrance(), ApiEntrance(), CommandEntrance()], ids=lambda entrance: type(entrance).__name__
)
async def test_a_lone_surrogate_which_json_can_carry_is_no_question(entrance, browser_client):
    assert await entrance.reason(browser_client, question="\ud800") == "invalid"


@every_entrance
async def test_characters_that_only_hide_are_taken_out_and_the_rest_is_asked(entrance, browser_client):
    assert await entrance.reason(browser_client, question="What did\x00 she do\x07 recently?") == ""


@every_entrance
async def test_an_unknown_language_is_told_so(entrance, browser_client):
    assert await entrance.reason(browser_client, lang="xx") == "invalid"


@pytest.mark.parametrize("entrance", ENTRANCES[:3], ids=lambda entrance: type(entrance).__name__)
async def test_a_forged_conversation_is_told_so(entrance, browser_client):
    for token in ("forged", "a:b:c", "\x00", "ImYi:1vXXXX:YYYY"):
        assert await entrance.reason(browser_client, conversation=token) == "invalid"
    assert not await Turn.objects.aexists()


@pytest.mark.parametrize("entrance", ENTRANCES[:3], ids=lambda entrance: type(entrance).__name__)
async def test_an_unreadable_turn_id_is_told_so(entrance, browser_client):
    assert await entrance.reason(browser_client, turn="7") == "invalid"


@pytest.mark.parametrize("entrance", ENTRANCES[:3], ids=lambda entrance: type(entrance).__name__)
async def test_the_same_turn_twice_is_asked_once(entrance, browser_client):
    turn = str(uuid.uuid4())
    assert await entrance.reason(browser_client, turn=turn) == ""
    assert await entrance.reason(browser_client, turn=turn) == ""
    assert await Turn.objects.acount() == 1


async def test_a_script_in_the_question_reaches_the_page_as_text_by_socket(browser_client):
    async with Socket() as socket:
        html = await socket.ask(SCRIPT)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "<script" not in html


async def test_a_script_in_the_question_reaches_the_page_as_text_by_form(browser_client):
    await browser_client.get("/en/chat/")
    await browser_client.post("/en/chat/", {"question": SCRIPT})
    page = (await browser_client.get("/en/chat/")).content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>" not in page


async def test_a_script_that_was_declined_stays_in_the_form_as_text(browser_client):
    response = await browser_client.post("/en/chat/", {"question": SCRIPT, "turn": "7"})
    page = response.content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>" not in page


async def test_a_script_in_the_question_is_a_question_by_api_and_command(browser_client):
    assert await ApiEntrance().reason(browser_client, question=SCRIPT) == ""
    events = await ask_on_stdin({"question": SCRIPT})
    assert events[-1]["route"] == "records"
