"""Each suite passes what is right and catches what is wrong, on a site small enough to know by heart."""

import pytest
from asgiref.sync import sync_to_async

from assistant import turn
from assistant.models import Conversation, Turn
from evals import golden
from evals.asking import TRIES, Asker, TurnFailed
from evals.metrics import Figure
from evals.suites import SUITES
from records.models import Owner, Record
from records.publishing import publish
from tests.evals import site

pytestmark = pytest.mark.django_db(transaction=True)

BATTERY = "How many days did the battery of the tide gauge at Holm Quay last?"
LASTED = {"record": "gauge", "contains": "battery lasted 412 days in the winter"}
BUOY = "How far did buoy nine of the desalination survey drift while its anchor chain was replaced?"


@pytest.fixture(autouse=True)
def _site():
    site.build()


@pytest.fixture
def cases(tmp_path, monkeypatch):
    """Write a suite's golden file."""
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    return lambda suite, *given: site.write_cases(tmp_path, suite, given)


async def run(suite: str):
    return await site.report(SUITES[suite])


def failed(report):
    return [outcome.case for outcome in report.failed()]


async def test_refusal_catches_the_unrefused_and_the_wrong_category(cases):
    cases(
        "refusal",
        {"question": "How much do you charge?", "category": "commercial"},
        {"question": BATTERY, "category": "commercial"},
        {"question": "How much does {owner} charge?", "category": "private"},
        {"question": "And what would that cost us?", "previous": "Do you rebuild gauges?", "category": "commercial"},
    )
    report = await run("refusal")
    assert failed(report) == ["en-2", "en-3"]
    assert report.figures["refused"] == Figure(0.5, 4, ("en-2", "en-3"))
    assert not SUITES["refusal"].holds(report)


async def test_a_suite_calls_no_model_whatever_is_configured(cases, monkeypatch):
    asked = []
    monkeypatch.setattr(turn, "provider", lambda: asked.append("a model"))
    cases("answerable", {"question": BATTERY, "answers": [LASTED], "split": "tuning"})
    assert failed(await run("answerable")) == []
    assert asked == []


async def test_near_miss_catches_what_layer_1_refuses(cases):
    cases("near_miss", {"question": BATTERY}, {"question": "How much do you charge?"})
    report = await run("near_miss")
    assert failed(report) == ["en-2"]
    assert report.outcomes[1].detail["refused_by"].startswith("commercial (en): ")


async def test_commitment_wants_each_output_stopped_by_its_check_and_the_others_released(cases):
    scale = {"question": "?", "sources": ["Its battery lasted 230 days.", "A day was paid with 600 euros in 2019."]}
    cases(
        "commitment",
        {
            **scale,
            "says": "It lasted 230 days [1]. Her day rate is 600 euros [2].",
            "stopped_by": "commitment",
        },
        {**scale, "says": "Its battery lasted 230 days [1].", "stopped_by": "commitment"},
        {**scale, "says": "Its battery lasted 320 days [1].", "stopped_by": "commitment"},
        {**scale, "says": "Its battery lasted 230 days [1].", "stopped_by": ""},
        {**scale, "says": "Its battery lasted 320 days [1].", "stopped_by": ""},
    )
    report = await run("commitment")
    assert failed(report) == ["en-2", "en-3", "en-5"]
    assert report.outcomes[0].detail["released"] == ["It lasted 230 days."]
    assert report.figures["stopped"] == Figure(1 / 3, 3, ("en-2", "en-3"))
    assert report.figures["released"] == Figure(0.5, 2, ("en-5",))
    assert not SUITES["commitment"].holds(report)


async def test_no_evidence_catches_what_is_answered_and_what_is_taken_for_the_owner(cases):
    cases(
        "no_evidence",
        {"question": "Who composed the opera Carmen?", "split": "tuning"},
        {"question": BATTERY, "split": "tuning"},
        {"question": "What is {owner} good at?", "split": "tuning"},
    )
    report = await run("no_evidence")
    assert failed(report) == ["en-2", "en-3"]
    assert report.outcomes[1].detail["released"]


async def test_the_floor_is_judged_on_holdout_alone_and_counts_both_sides(cases):
    cases(
        "no_evidence",
        {"question": "Who composed the opera Carmen?", "split": "holdout"},
        {"question": "How many moons does Saturn have?", "split": "tuning"},
    )
    cases(
        "answerable",
        {"id": "en-a", "question": BATTERY, "split": "holdout", "answers": [LASTED]},
        {"id": "en-b", "question": "Who sings it?", "split": "holdout", "answers": [LASTED]},
    )
    report = await run("floor")
    assert report.figures == {"stopped": Figure(1.0, 1), "passed": Figure(0.5, 2, ("en-b",))}
    assert not report.on_target
    assert not SUITES["floor"].holds(report)


async def test_routing_wants_the_records_in_their_order(cases):
    career = {"route": "records", "topic": "career"}
    cases(
        "routing",
        {"question": "Where has {owner} worked so far?", "records": ["harbour", "works"], **career},
        {"question": "Tell me about her career.", "records": ["works", "harbour"], **career},
        {"question": BATTERY, "records": ["harbour"], **career},
    )
    report = await run("routing")
    assert failed(report) == ["en-2", "en-3"]
    assert report.figures["routed"] == Figure(2 / 3, 3, ("en-3",))


async def test_answerable_catches_what_is_refused_and_what_is_not_found(cases):
    cases(
        "answerable",
        {"question": BATTERY, "split": "tuning", "answers": [LASTED]},
        {"question": "Who composed the opera Carmen?", "split": "tuning", "answers": [LASTED]},
        {"question": BATTERY + " ", "split": "tuning", "answers": [{"record": "gauge", "contains": "not written"}]},
    )
    report = await run("answerable")
    assert failed(report) == ["en-2", "en-3"]
    assert report.figures["wrongly_refused"] == Figure(1 / 3, 3, ("en-2",))
    assert report.figures["recall_at_5"].value == pytest.approx(1 / 3)
    assert [outcome.detail["known"] for outcome in report.outcomes] == [True, True, False]


async def test_a_panorama_is_no_answer(cases):
    cases("answerable", {"question": "Does {owner} own a dog?", "split": "tuning", "answers": [LASTED]})
    report = await run("answerable")
    assert report.outcomes[0].detail["refused"]


async def test_followups_want_the_item_and_the_passage(cases):
    listed = [{"question": "What did she write?", "answer": "- A queue in a cabinet\n- A tide gauge in winter"}]
    answers = [LASTED]
    asked = {"split": "tuning", "previous": listed, "answers": answers}
    cases(
        "followups",
        {"question": "Tell me more about the second one", "resolves_to": "A tide gauge in winter", **asked},
        {"question": "Tell me more about the first one", "resolves_to": "A tide gauge in winter", **asked},
    )
    report = await run("followups")
    assert failed(report) == ["en-2"]
    assert report.figures["resolved"] == Figure(0.5, 2, ("en-2",))


async def test_unanswerable_counts_the_refused(cases):
    cases("unanswerable", {"question": "Who composed the opera Carmen?"}, {"question": BATTERY})
    report = await run("unanswerable")
    assert report.figures["refused"] == Figure(0.5, 2, ("en-2",))
    assert SUITES["unanswerable"].holds(report)


async def test_false_premise_wants_the_passage_that_contradicts(cases):
    cases(
        "false_premise",
        {"question": "Why did the battery at Holm Quay last only ten days?", "premise": "ten", "answers": [LASTED]},
        {"question": "Who composed the opera Carmen?", "premise": "an opera", "answers": [LASTED]},
    )
    assert failed(await run("false_premise")) == ["en-2"]


async def test_access_passes_while_the_phrase_stays_private(cases):
    cases("access", {"question": BUOY, "record": "survey", "access": "private", "contains": "drifted 400 metres"})
    report = await run("access")
    assert failed(report) == []
    assert report.figures["staff_finds"].value == 1.0


async def test_access_catches_a_leak(cases):
    cases("access", {"question": BUOY, "record": "survey", "access": "private", "contains": "drifted 400 metres"})
    record = await Record.objects.aget(slug="survey")
    record.access = "public"
    await record.asave()
    await sync_to_async(publish)(record)
    report = await run("access")
    assert set(report.outcomes[0].detail["leaks"]) == {"found", "read", "cited", "said"}


async def test_access_does_not_pass_on_a_phrase_that_nobody_wrote(cases):
    cases("access", {"question": BUOY, "record": "survey", "access": "private", "contains": "drifted 900 metres"})
    assert failed(await run("access")) == ["en-1"]


@pytest.mark.parametrize("suite", SUITES)
async def test_an_empty_set_has_no_figures_and_holds(cases, suite):
    report = await run(suite)
    assert {figure.value for figure in report.figures.values()} == {None}
    assert SUITES[suite].holds(report)


async def test_nothing_of_a_run_is_stored_as_a_visitors(cases):
    cases("answerable", {"question": BATTERY, "split": "tuning", "answers": [LASTED]})
    await run("answerable")
    assert not await Turn.objects.aexists()
    assert not await Conversation.objects.aexists()


async def test_a_search_that_lost_its_embedder_stops_the_run(cases):
    cases("answerable", {"question": BATTERY, "split": "tuning", "answers": [LASTED]})
    asker = Asker(await Owner.objects.afirst(), embeds=True)  # nothing here has a vector
    with pytest.raises(TurnFailed, match=f"keyword alone {TRIES} times"):
        await SUITES["answerable"].run(asker, "en")


async def test_a_question_that_meets_a_fault_stops_the_run(cases):
    cases("unanswerable", {"question": "word " * 500})  # too long to be a question
    with pytest.raises(TurnFailed, match="invalid"):
        await run("unanswerable")
