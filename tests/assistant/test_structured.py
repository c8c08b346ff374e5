"""Objects from a model: validated, corrected twice at most with the exact errors, and paid for."""

import asyncio
import json

import pytest
from pydantic import BaseModel, ConfigDict, Field

from assistant import structured
from assistant.database import in_database
from assistant.structured import MOST_CALLS, NotStructured
from metering.errors import BudgetExhausted, ModelFailure
from metering.models import Charge, ModelPrice, Reservation, SpendCap
from metering.transports.model import LanguageModel
from metering.transports.requests import ChatRequest, Message
from tests.metering.transports.chats import chat
from tests.model_scripts import CUT, Finish, fail, say
from tests.model_server import ModelServer

pytestmark = pytest.mark.django_db(transaction=True)

REQUEST = ChatRequest("Judge the passage.", (Message("user", "Does it answer?"),), 200)
VALID = say('{"relevant": 0.8, "why": "it names the year"}')
WRONG = say('{"relevant": 8, "why": "SECRET"}')
NO_JSON = say("Yes, it does.")


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    relevant: float = Field(ge=0, le=1)
    why: str


@pytest.fixture(autouse=True)
def price():
    """A million tokens cost a dollar either way."""
    ModelPrice.objects.create(
        model="m", valid_from="2020-01-01", input_micro_usd_per_mtok=10**6, output_micro_usd_per_mtok=10**6
    )


@pytest.fixture
def server():
    with ModelServer(VALID) as running:
        yield running


async def ask(server: ModelServer) -> Verdict:
    model = LanguageModel("m", chat("openai", server.url), byte_level=True)
    try:
        return await structured.ask(model, REQUEST, Verdict, purpose="triage", subject="s", seconds=60)
    finally:
        await model.close()


def last_message(server: ModelServer) -> str:
    return server.calls[-1].body["messages"][-1]["content"]


async def test_a_valid_object_is_returned_and_the_schema_was_told(server):
    assert (await ask(server)).relevant == 0.8
    [call] = server.calls
    assert call.body["response_format"] == {"type": "json_object"}
    assert json.dumps(Verdict.model_json_schema()) in call.body["messages"][0]["content"]


async def test_a_fence_around_it_is_taken_off(server):
    server.will_say(say('```json\n{"relevant": 1, "why": ""}\n```'))
    assert (await ask(server)).relevant == 1


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (WRONG, '"loc": ["relevant"], "msg": "Input should be less than or equal to 1"'),
        (NO_JSON, '"type": "json_invalid"'),
        (say('{"relevant": 1, "why": "", "more": 1}'), '"loc": ["more"]'),
        (say('{"relevant": 1, "w', Finish("length")), "cut at the output limit"),
    ],
)
async def test_the_exact_error_goes_back(server, wrong, told):
    server.will_say(wrong, VALID)
    assert (await ask(server)).relevant == 0.8
    assert told in last_message(server)
    assert last_message(server).startswith("Does it answer?")
    assert "SECRET" not in last_message(server)


async def test_the_correction_tells_the_last_errors_and_no_earlier_ones(server):
    server.will_say(WRONG, NO_JSON, VALID)
    await ask(server)
    assert "json_invalid" in last_message(server)
    assert "less than" not in last_message(server)


async def test_two_corrections_and_then_a_failure_of_its_own_kind(server):
    server.will_say(WRONG)
    with pytest.raises(NotStructured):
        await ask(server)
    assert len(server.calls) == MOST_CALLS == 3
    assert await Charge.objects.acount() == 3


async def test_what_is_reserved_covers_what_was_charged(server):
    server.will_say(say('{"%s": 1}' % ("é" * 3000)), WRONG, VALID)
    await ask(server)
    reservation = await Reservation.objects.aget()
    assert (reservation.purpose, reservation.state) == ("triage", "settled")
    sent = sum(len(json.dumps(call.body["messages"], ensure_ascii=False).encode()) for call in server.calls)
    assert reservation.micro_usd >= sent + 3 * REQUEST.cap


async def test_a_failure_of_the_model_is_raised_and_charged(server):
    server.will_say(WRONG, say('{"rel', CUT))
    with pytest.raises(ModelFailure):
        await ask(server)
    assert await Charge.objects.filter(reported=False).acount() == 1
    assert not await Reservation.objects.filter(state="held").aexists()


async def test_a_refused_request_costs_nothing(server):
    server.will_say(fail(401, "authentication_error"))
    with pytest.raises(ModelFailure) as failure:
        await ask(server)
    assert failure.value.kind == "key"
    assert sum([charge.micro_usd async for charge in Charge.objects.all()]) == 0


async def test_over_the_cap_nobody_is_asked(server):
    await in_database(SpendCap.objects.create, micro_usd=0)
    with pytest.raises(BudgetExhausted):
        await ask(server)
    assert not server.calls


async def test_cancelling_closes_and_settles(server):
    server.will_say(say("{", 30.0, "}"))
    asking = asyncio.create_task(ask(server))
    while not server.calls or not server.calls[0].sent:
        await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await asyncio.to_thread(server.calls[0].wait_closed)
    assert not await Reservation.objects.filter(state="held").aexists()
