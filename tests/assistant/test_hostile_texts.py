"""Whatever a visitor, a model or a record says, the chat, the desk, the exports and the terminal stay whole."""

import csv
import io
import json
import re
import uuid
from itertools import count

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.http import StreamingHttpResponse
from django.test import AsyncClient, Client
from django.utils import timezone

from assistant.exports import as_csv, as_json
from assistant.feedback_models import Feedback
from assistant.models import Conversation, FixedText, GuardrailEvent, RefusalPhrase, Sentence, Turn
from assistant.question import MAX_CHARACTERS
from guardrails.characters import TURNING, speakable
from records.models import Owner, Record
from records.publishing import publish
from tests.assistant.scripted import WHOLE
from tests.assistant.socket_client import Socket
from tests.assistant.test_bad_input import ask_on_stdin
from tests.hostile import PERSIAN, TEXTS, Page, is_safe

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

every_text = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
ANSWERED = "How many days did the battery of the tide gauge at Holm Quay last?"
# Answered, refused, off the subject, about the work as a whole, too long.
HARMLESS = [
    ANSWERED,
    "How much do you charge?",
    "What is the capital of Peru?",
    "What did she do recently?",
    "x" * 3000,
]
URL = "/en/chat/feedback/"
_readers = count(1)


def shapes_of(*pages: str) -> set[tuple[str, ...]]:
    return {shape for html in pages for shape in Page(html).shapes}


def assert_whole(html: str, known: set[tuple[str, ...]], name: str) -> None:
    page = Page(html)
    assert is_safe(page), name
    assert set(page.shapes) <= known, name
    assert not re.search(f"[{TURNING}]", html), name


async def by_socket(*questions: str) -> list[str]:
    """Ask each from an address of its own, which has its own limits."""
    shown = []
    for question in questions:
        async with Socket(address=f"2001:db8:{next(_readers):x}::1") as socket:
            shown.append(await socket.ask(question))
    return shown


async def by_form(client: AsyncClient, question: str) -> str:
    await client.get("/en/chat/")
    response = await client.post("/en/chat/", {"question": question})
    page = response if response.status_code == 400 else await client.get("/en/chat/")
    return str(page.content.decode())


async def test_a_question_is_shown_as_it_was_typed_and_adds_no_element():
    known = shapes_of(*await by_socket(*HARMLESS))
    shown = await by_socket(*TEXTS.values())
    for (name, text), html in zip(TEXTS.items(), shown, strict=True):
        assert_whole(html, known, name)
        if len(text) <= MAX_CHARACTERS:
            assert " ".join(speakable(text).split()) in Page(html).text, name


async def test_a_question_adds_no_element_to_the_page_that_shows_it_again(settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1000/minute"})
    known = shapes_of(*[await by_form(AsyncClient(), question) for question in HARMLESS])
    for name, text in TEXTS.items():
        assert_whole(await by_form(AsyncClient(), text), known, name)


async def test_a_question_in_the_address_stands_in_the_form_alone(browser_client):
    known = shapes_of((await browser_client.get("/en/chat/")).content.decode())
    for name, text in TEXTS.items():
        page = Page((await browser_client.get("/en/chat/", {"q": text})).content.decode())
        assert is_safe(page), name
        assert set(page.shapes) <= known, name


async def test_events_are_one_json_a_line(browser_client, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1000/minute"})
    headers = {"origin": "http://testserver"}
    for name, text in TEXTS.items():
        body = json.dumps({"question": text, "lang": "en"})
        response = await browser_client.post("/api/ask", body, content_type="application/json", headers=headers)
        if len(text) > MAX_CHARACTERS:
            assert response.json()["reason"] == "invalid", name
            continue
        assert isinstance(response, StreamingHttpResponse)
        sent = b"".join([part async for part in response]).decode()
        for frame in sent.removesuffix("\n\n").split("\n\n"):
            event, data = frame.split("\n")
            assert json.loads(data.removeprefix("data: "))["event"] == event.removeprefix("event: "), name


async def test_the_terminal_is_told_one_json_a_line():
    events = await ask_on_stdin(*({"id": name, "question": text} for name, text in TEXTS.items()))
    assert [event["id"] for event in events if event["event"] == "done"] == list(TEXTS)


async def test_a_sentence_of_a_model_adds_no_element(worded_by):
    known = shapes_of(*await by_socket(*HARMLESS))
    for name, text in TEXTS.items():  # most are held back for a value; the latch lets plain mark-up through
        worded_by(f"Its battery lasted {text} 412 days [1].", WHOLE)
        [html] = await by_socket(ANSWERED)
        assert_whole(html, known, name)


async def test_mark_up_in_a_released_sentence_is_text(worded_by):
    worded_by("Its <u onclick=go()>battery</u></p></article> lasted <script>412</script> days [1].", WHOLE)
    [html] = await by_socket(ANSWERED)
    page = Page(html)
    assert is_safe(page)
    assert "Its <u onclick=go()>battery</u></p></article> lasted <script>412</script> days" in page.text


async def test_a_value_is_never_shown_turned_round(worded_by):
    worded_by("Its battery lasted \u202e412\u202c days [1].", WHOLE)
    [html] = await by_socket(ANSWERED)
    assert "lasted 412 days" in html


async def test_a_record_that_is_quoted_adds_no_element():
    await sync_to_async(rewrite)("A plain text of a few words")
    known = shapes_of(*await by_socket(*HARMLESS))
    for name, text in TEXTS.items():
        await sync_to_async(rewrite)(text)
        [html] = await by_socket(ANSWERED)
        assert_whole(html, known, name)


def rewrite(text: str) -> None:
    """Put a text into the article that answers, into its title and its headings, and into the owner's profile."""
    article = Record.objects.get()
    draft = article.texts.get()
    draft.title, draft.summary = text[:300], text
    draft.body = f"# {text}\n\nThe battery of the tide gauge at Holm Quay lasted 412 days. {text}\n"
    draft.save()
    publish(article)
    Owner(pk=1, name=text[:200], questions={"en": [text]}).save()


async def test_words_of_the_owner_in_place_of_ours_add_no_element():
    known = shapes_of(*await by_socket(*HARMLESS))
    row = await FixedText.objects.acreate(name="commercial", language="en")
    for name, text in TEXTS.items():
        row.text = text[:600]
        await row.asave()
        [html] = await by_socket("How much do you charge?")
        page = Page(html)
        assert is_safe(page), name
        assert set(page.shapes) <= known, name


async def test_a_phrase_to_refuse_adds_no_element_to_what_it_refuses(browser_client, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1000/minute"})
    layers = "/en/how-it-works/"
    row = await RefusalPhrase.objects.acreate(category="task", language="en", text="plain words")
    known = shapes_of(await streamed(browser_client, layers, "Are these plain words?"))
    shown = set()
    for name, text in TEXTS.items():
        row.text = text[:120]
        await row.asave()
        html = await streamed(browser_client, layers, f"Are these {row.text}?")
        html = re.sub("(<textarea[^>]*>).*?</textarea>", r"\1</textarea>", html, flags=re.DOTALL)  # as it was typed
        assert_whole(html, known, name)
        if f"task · {' '.join(speakable(row.text).split())}" in Page(html).text:
            shown.add(name)
    assert {"a script", "an attribute", "a template"} <= shown  # it is told by its own words


async def streamed(client: AsyncClient, path: str, question: str) -> str:
    """Post a question to the page that shows the layers, and return all of it."""
    response = await client.post(path, {"question": question})
    assert isinstance(response, StreamingHttpResponse)
    return b"".join([piece async for piece in response]).decode()


async def test_a_persian_question_keeps_its_joins():
    [html] = await by_socket(PERSIAN)
    assert PERSIAN in html


class TestTheDesk:
    """A turn in which everything is hostile, as the owner sees it."""

    def kept(self, text: str) -> Turn:
        conversation = Conversation.objects.create(session="s", language="en")
        turn = Turn.objects.create(
            conversation=conversation, ordinal=1, question=text[:2000], language="en", deadline=timezone.now(),
            state="done", provider=text[:50], trace={"top": [{"record": text, "passage": "x", "dense": 1, "words": 1}]},
        )  # fmt: skip
        Sentence.objects.create(turn=turn, ordinal=1, text=text, language="en")
        GuardrailEvent.objects.create(turn=turn, guard="value", detail=text[:200])
        Feedback.objects.create(turn=turn, verdict="down", comment=text[:1000], reported=True)
        return turn

    @pytest.fixture
    def owner(self) -> Client:
        client = Client()
        client.force_login(User.objects.create_superuser("owner", password="a long pass phrase"))
        return client

    def test_a_turn_adds_no_element_to_its_list_and_its_page(self, owner):
        harmless = self.kept("a plain text\nof two lines")
        pages = ["/admin/assistant/turn/", f"/admin/assistant/turn/{harmless.pk}/change/"]
        known = shapes_of(*(owner.get(path).content.decode() for path in pages))
        for name, text in TEXTS.items():
            hostile = self.kept(text)
            for path in (f"/admin/assistant/turn/{hostile.pk}/change/", "/admin/assistant/turn/"):
                page = Page(owner.get(path).content.decode())
                assert is_safe(page), name
                assert set(page.shapes) <= known, name

    def test_a_phrase_to_refuse_adds_no_element_to_its_pages(self, owner):
        row = RefusalPhrase.objects.create(category="task", language="en", text="plain words", note="a note")
        path = f"/admin/assistant/refusalphrase/{row.pk}"
        paths = ["/admin/assistant/refusalphrase/", f"{path}/change/", f"{path}/history/", f"{path}/delete/"]
        known = {path: shapes_of(owner.get(path).content.decode()) for path in paths}
        for name, text in TEXTS.items():
            row.text, row.note = text[:120], text[:300]
            row.save()
            for path in paths:
                page = Page(owner.get(path).content.decode())
                assert is_safe(page), (name, path)
                assert set(page.shapes) <= known[path], (name, path)

    @every_text
    def test_an_export_is_read_back_as_it_was(self, text):
        self.kept(text)
        [row] = json.loads(as_json(Turn.objects.all()))
        assert (row["question"], row["answer"], row["comment"]) == (text[:2000], [text], text[:1000])
        [row] = csv.DictReader(io.StringIO(as_csv(Turn.objects.all()).removeprefix("\ufeff"), newline=""))
        for cell, said in [(row["question"], text[:2000]), (row["answer"], text), (row["comment"], text[:1000])]:
            assert cell in (said, f"'{said}")
            assert not cell.lstrip().startswith(("=", "+", "-", "@"))


async def test_a_comment_is_kept_and_shown_as_text(browser_client, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1000/minute"})
    await browser_client.get("/en/chat/")
    turn = str(uuid.uuid4())
    await browser_client.post("/en/chat/", {"question": ANSWERED, "turn": turn})
    known = shapes_of((await browser_client.get("/en/chat/")).content.decode())
    known.add(("input", "checked", "name", "type", "value"))  # once it is reported
    for name, text in TEXTS.items():
        await browser_client.post(URL, {"answer": turn, "comment": text, "report": "1"})
        page = Page((await browser_client.get("/en/chat/")).content.decode())
        assert is_safe(page), name
        assert set(page.shapes) <= known, name
        assert (await Feedback.objects.aget()).comment == speakable(text).strip()[:1000], name
