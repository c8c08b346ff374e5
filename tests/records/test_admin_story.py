"""The owner's first week: a case study in three languages is written, published, corrected and withdrawn in the
admin, and the assistant, asked each time with the provider that needs no key, knows it at once.
"""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from records import ingestion
from records.admin.addresses import page
from records.models import Record
from tests.records.desk import ADD, confirmed, edit, sign_in, text

pytestmark = pytest.mark.django_db(transaction=True)

TEXTS = {
    "en": ("Night flow in Norrow", "Night flow in the Norrow valley fell by 36 per cent between 2018 and 2020."),
    "pt": ("Vazão noturna em Norrow", "A vazão noturna no vale de Norrow caiu 36 por cento entre 2018 e 2020."),
    "fa": ("جریان شبانه در نورو", "جریان شبانه در درهٔ نورو میان ۲۰۱۸ و ۲۰۲۰ به اندازهٔ ۳۶ درصد کم شد."),
}
QUESTIONS = {
    "en": "By how many per cent did night flow in the Norrow valley fall?",
    "pt": "Quantos por cento caiu a vazão noturna no vale de Norrow?",
    "fa": "جریان شبانه در درهٔ نورو چند درصد کم شد؟",
}


def ask(language):
    """One real turn; what it said, whether it refused, and where it led."""
    out = StringIO()
    call_command("ask", QUESTIONS[language], "--lang", language, "--json", stdout=out)
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    said = " ".join(event["text"] for event in events if event["event"] == "sentence")
    refused = [event["reason"] for event in events if event["event"] == "refusal"]
    return said, refused, [source["url"] for event in events for source in event.get("sources", [])]


def write(client, slug):
    """The original first, then its translations beside it."""
    title, body = TEXTS["en"]
    edit(client, ADD, slug=slug, from_date="2018-10", to_date="2020", field_client="Norrow Water Board",
         texts__0__language="en", texts__0__title=title, texts__0__body=body)  # fmt: skip
    record = Record.objects.get(slug=slug)
    for language in ("pt", "fa"):
        title, body = TEXTS[language]
        address = f"{page(record, 'change')}?language={language}"
        assert edit(client, address, texts__1__title=title, texts__1__body=body).status_code == 302
    return record


def test_what_the_owner_publishes_corrects_and_withdraws_the_assistant_knows_at_once(client):
    sign_in(client, "owner")
    edit(client, reverse("admin:records_owner_add"), name="Livia Aramesh", pronouns_en="she, her")
    record = write(client, "norrow")
    assert ask("en")[1] == ["no_evidence"]  # a draft answers nothing

    confirmed(client, "publish", record)
    ingestion.work(120)
    assert "3 of 3" not in text(client.get(page(record, "change")))
    for language, figure in (("en", "36 per cent"), ("pt", "36 por cento"), ("fa", "۳۶ درصد")):
        assert figure in ask(language)[0], language
    cited = ask("en")[2]

    edit(client, page(record, "change") + "?language=fa", texts__0__body=TEXTS["en"][1].replace("36", "41"))
    assert "36 per cent" in ask("en")[0]  # saved, not published
    assert text(client.get(page(record, "change"))).count("older than the original") == 2
    confirmed(client, "publish", record)
    said = ask("en")[0]
    assert "41 per cent" in said
    assert "36" not in said
    assert "۳۶ درصد" in ask("fa")[0]  # the translation is older, and says what it said

    assert "stops answering" in text(client.get(page(record, "withdraw")))
    confirmed(client, "withdraw", record)
    assert [ask(language)[1] for language in TEXTS] == [["no_evidence"]] * 3
    old = client.get(cited[0])
    assert "36 per cent" in text(old)
    assert "withdrawn" in text(old)
