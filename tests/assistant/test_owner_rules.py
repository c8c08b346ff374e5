"""What the owner decides in the admin takes part at the next question: in this process, and in every other."""

import io
import json
import os
import subprocess
import sys
import uuid

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.core.management import call_command
from django.urls import reverse

from assistant import owner_rules
from assistant.models import Category, GuardrailEvent, OwnerRules, RefusalPhrase
from assistant.question import Question
from assistant.turn import answer
from guardrails.leak import REDACTED
from guardrails.refusal import CATEGORIES
from records.models import Owner, Record, RecordText
from records.publishing import publish
from tests.assistant.live_site import ROOT, database_of_this_run
from tests.assistant.scripted import WHOLE, Scripted

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"
TUNNEL = "Where does the secret tunnel end?"
# A phrase as the owner types it, and a question as somebody else does.
PHRASES = {
    "en": ("Secret tunnel", "Where does the SECRET  tunnel end?"),
    "fa": ("تونل مخفی", "تونل مخفي کجا تمام می‌شود؟"),
    "ar": ("النفق السري", "أين ينتهي النَّفَقُ السرّي؟"),
    "es": ("túnel secreto", "¿Dónde acaba el TUNEL secreto?"),
    "pt": ("passagem secreta da praça", "Onde acaba a passagem secreta da praca?"),
    "fr": ("tunnel caché", "Où finit le tunnel cache ?"),
    "de": ("Straßentunnel", "Wo endet der strassentunnel?"),
    "ru": ("чёрный ход", "Где заканчивается черный ход?"),
    "hi": ("गुप्त सुरंग", "गुप्त सुरंग कहाँ ख़त्म होती है?"),
    "zh": ("秘密隧道", "那条秘密隧道通到哪里？"),
}


@pytest.fixture
def owner(client):
    user = User.objects.create_superuser("livia", password="a long pass phrase")
    client.force_login(user)
    return user


@pytest.fixture
def another_process():
    """`manage.py ask --stdin`, started before anything is changed; gives a function that asks it."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "ask", "--stdin", "--json"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_of_this_run(), "EMBEDDER": "none"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )

    def ask_there(question):
        process.stdin.write(json.dumps({"question": question}).encode() + b"\n")
        process.stdin.flush()
        first = json.loads(process.stdout.readline())
        event = first
        while event["event"] != "done":
            event = json.loads(process.stdout.readline())
        return first.get("reason")

    yield ask_there
    process.stdin.close()
    process.wait(timeout=20)
    process.stdout.close()


def ask_here(question):
    """The reason of the refusal or notice that the answer begins with."""
    out = io.StringIO()
    call_command("ask", question, "--json", stdout=out)
    return json.loads(out.getvalue().splitlines()[0]).get("reason")


async def said(*deltas):
    """What is released of an answer, as the contract has it, and the stop."""
    events = [event async for event in answer(Question(QUESTION, "en", stored=False), Scripted(*deltas, WHOLE))]
    return [event.text for event in events if hasattr(event, "sources")], events[-1].stop


def add(client, text, **values):
    form = {"text": text, "category": "speculation", "language": "en", "active": "on", "note": ""}
    return client.post(reverse("admin:assistant_refusalphrase_add"), {**form, **values})


class TestPhrases:
    def test_every_category_of_layer_1_can_be_chosen(self):
        assert set(Category.values) == set(CATEGORIES)

    def test_a_change_takes_part_at_the_next_question_in_every_process(self, client, owner, another_process):
        asked = (another_process, ask_here)
        assert [ask(TUNNEL) for ask in asked] == ["no_evidence", "no_evidence"]
        assert add(client, "secret tunnel").status_code == 302
        assert [ask(TUNNEL) for ask in asked] == ["speculation", "speculation"]
        phrase = RefusalPhrase.objects.get()
        change = reverse("admin:assistant_refusalphrase_change", args=[phrase.pk])
        values = {"text": "secret tunnel", "language": "en", "note": "", "category": "private"}
        assert client.post(change, {**values, "active": "on"}).status_code == 302
        assert [ask(TUNNEL) for ask in asked] == ["private", "private"]
        assert client.post(change, values).status_code == 302
        assert [ask(TUNNEL) for ask in asked] == ["no_evidence", "no_evidence"]
        client.post(change, {**values, "active": "on"})
        assert [ask(TUNNEL) for ask in asked] == ["private", "private"]
        chosen = {"action": "delete_selected", "_selected_action": [phrase.pk], "post": "yes"}
        client.post(reverse("admin:assistant_refusalphrase_changelist"), chosen)
        assert [ask(TUNNEL) for ask in asked] == ["no_evidence", "no_evidence"]

    def test_in_ten_languages_however_it_is_spelled(self, client, owner):
        for language, (text, question) in PHRASES.items():
            assert ask_here(question) != "speculation", language
            assert add(client, text, language=language).status_code == 302, language
            assert ask_here(question) == "speculation", language

    def test_who_added_it_and_when_is_kept(self, client, owner):
        add(client, "secret tunnel", note="Asked too often.")
        phrase = RefusalPhrase.objects.get()
        assert (phrase.created_by, phrase.note) == (owner, "Asked too often.")
        page = client.get(reverse("admin:assistant_refusalphrase_changelist")).content.decode()
        assert "livia" in page
        assert "Asked too often." in page

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "required"), ("   ", "required"), ("?! …", "only signs"), ("«!»", "only signs"), ("a", "One letter"),
            ("what is the", "most questions"), ("was ist", "most questions"), ("这是什么", "most questions"),
            ("क्या है", "most questions"), ("кто это", "most questions"), ("ما هو", "most questions"),
            ("the “deal” of them", "without quotation marks"), ("ask www.example.org", "without quotation marks"),
            ("SECRET Tunnel!", "there already"), ("livia", "owner"), ("x" * 121, "at most 120"),
            ("tide gauge", "the site suggests"),
        ],
    )  # fmt: skip
    def test_what_is_no_phrase_is_refused_with_its_reason(self, client, owner, text, reason):
        Owner.objects.update(questions={"en": ["How long did the tide gauge's battery last?"]})
        add(client, "secret tunnel")
        response = add(client, text)
        assert response.status_code == 200
        assert reason in response.content.decode()
        assert RefusalPhrase.objects.count() == 1

    def test_many_phrases_cost_no_further_statement(self, django_assert_num_queries):
        RefusalPhrase.objects.bulk_create(
            RefusalPhrase(category="task", language="en", text=f"odd wish {number}", words=f"odd wish {number}")
            for number in range(50)
        )
        with django_assert_num_queries(3):
            rules = owner_rules.current(None)
        assert owner_rules.current(None).extra is rules.extra


CONTACT = "The tide gauge at Holm Quay: write to gauge@holm.example or call +44 20 7946 0958 about its battery. "
PAID = "The tide gauge at Holm Quay was paid with the card 4111 1111 1111 1111. "


@pytest.fixture
def with_contacts(small_site):
    """The article now names an address, a phone and a card: standing in a source is no permit."""
    record = Record.objects.get(slug="gauge")
    text = RecordText.objects.get(record=record)
    text.body = f"{text.body}\n\n{CONTACT}{PAID}"
    text.save()
    publish(record)


@pytest.mark.usefixtures("with_contacts")
class TestPersonalData:
    async def test_by_default_phones_and_mail_are_hidden_and_cards_block(self):
        released, stop = await said(CONTACT.replace("battery.", "battery [1]."), PAID.replace("1111.", "1111 [1]."))
        expected = f"The tide gauge at Holm Quay: write to {REDACTED} or call {REDACTED} about its battery."
        assert (released, stop) == ([expected], "leak")

    async def test_what_the_owner_lists_is_shown(self):
        await Owner.objects.aupdate(allowed=["gauge@holm.example", "+44 20 7946 0958", "4111-1111-1111-1111"])
        released, stop = await said(CONTACT.replace("battery.", "battery [1]."), PAID.replace("1111.", "1111 [1]."))
        assert (released, stop) == ([CONTACT.strip(), PAID.strip()], None)

    async def test_the_policy_of_each_kind_is_the_owners(self, client):
        await OwnerRules.objects.acreate(pk=1, email="pass", phone="block", card="redact")
        released, stop = await said(PAID.replace("1111.", "1111 [1]."), CONTACT.replace("battery.", "battery [1]."))
        assert released == [f"The tide gauge at Holm Quay was paid with the card {REDACTED}."]
        assert stop == "leak"

    def test_the_policy_is_set_in_the_admin_by_one_form(self, client, owner):
        opened = client.get(reverse("admin:assistant_ownerrules_changelist"))
        page = reverse("admin:assistant_ownerrules_change", args=[1])
        assert opened.url == page
        values = {"national_id": "block", "card": "block", "iban": "block", "phone": "pass", "email": "block"}
        assert client.post(page, {**values, "support": "on"}).status_code == 302
        rules = owner_rules.current(Owner.objects.get())
        assert (rules.latch.leak.policy["phone"], rules.latch.leak.policy["email"]) == ("pass", "block")
        assert rules.latch.support
        assert OwnerRules.objects.get().changed_by == owner
        assert client.get(reverse("admin:assistant_ownerrules_add")).status_code == 403

    def test_the_contract_says_that_something_was_hidden(self):
        out = io.StringIO()
        call_command("ask", "Who can be called about the battery of the tide gauge at Holm Quay?", "--json", stdout=out)
        events = [json.loads(line) for line in out.getvalue().splitlines()]
        sentences = [event for event in events if event["event"] == "sentence"]
        assert any(REDACTED in event["text"] for event in sentences)
        assert all(event.get("redacted", False) == (REDACTED in event["text"]) for event in sentences)

    async def test_what_was_hidden_is_counted_without_its_text(self):
        question = Question(QUESTION, "en")
        script = Scripted(CONTACT.replace("battery.", "battery [1]."), WHOLE)
        assert [event async for event in answer(question, script)]
        event = await GuardrailEvent.objects.aget(guard="leak")
        assert (event.turn_id, event.detail) == (question.id, "redacted in 1")

    async def test_the_page_says_what_the_mark_stands_for_in_the_readers_language(self, browser_client, fresh_limits):
        asked = {
            "turn": str(uuid.uuid4()),
            "question": "Who can be called about the battery of the gauge at Holm Quay?",
        }
        for language, text in (("de", "personenbezogene Daten"), ("en", "personal data that is not shown")):
            await browser_client.get(f"/{language}/chat/")
            await browser_client.post(f"/{language}/chat/", {**asked, "turn": str(uuid.uuid4())})
            page = (await browser_client.get(f"/{language}/chat/")).content.decode()
            assert REDACTED in page
            assert text in page


async def test_support_is_off_until_the_owner_switches_it_on():
    denied = "The battery of the tide gauge did not last 412 days in the winter of 2021 [1]. "
    assert (await said(denied))[1] is None
    await OwnerRules.objects.acreate(pk=1, support=True)
    assert await said(denied) == ([], "support")


async def test_an_address_outside_the_owners_domains_is_not_released():
    record = await Record.objects.aget(slug="gauge")
    text = await RecordText.objects.aget(record=record)
    text.body += "\n\nThe tide gauge's battery is shown at https://holm.example/gauge every day. "
    await text.asave()
    await sync_to_async(publish)(record)
    shown = "The battery is shown at https://holm.example/gauge every day [1]. "
    assert (await said(shown))[1] is None
    await Owner.objects.aupdate(domains=["livia.example"])
    assert await said(shown) == ([], "value")
