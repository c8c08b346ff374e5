"""A record's fields as a sentence, in all ten languages: whole, released by the latch, and true to the record."""

from datetime import date

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from assistant.evidence import from_records
from assistant.providers import Assignment
from assistant.providers.quoting import Quoting
from assistant.record_sentences import tell
from guardrails.latch import Latch
from records.models import Kind
from records.selectors import RecordView

LANGUAGES = [code for code, _name in settings.LANGUAGES]
JOB = {"type": "job", "organisation": "Norrow Valley Water Board", "role": "Senior telemetry engineer"}
FIELDS = [
    (Kind.CV, JOB),
    (Kind.CV, {"type": "education", "organisation": "University of Ostrey"}),
    (Kind.CV, {"type": "award", "organisation": "Kestrel Foundation"}),
    (Kind.CV, {"organisation": "Kestrel Foundation"}),
    (Kind.CV, {}),
    (Kind.CASE_STUDY, {"client": "Hollin & Vray Growers"}),
    (Kind.CASE_STUDY, {}),
    (Kind.ARTICLE, {}),
    (Kind.SERVICE, {}),
]


def record(kind=Kind.CV, fields=JOB, *, title="Climate control for 4.2 hectares of glass", current=False) -> RecordView:
    return RecordView(
        version=1, record="record", kind=kind, language="en", title=title, summary="",
        start=date(2012, 9, 1), start_precision="month",
        end=None if current else date(2015, 3, 1), end_precision="" if current else "month",
        current=current, valid_from=None, valid_to=None, fields=fields,
    )  # fmt: skip


async def released(views: list[RecordView], language: str) -> tuple[list[str], object]:
    """What the latch makes of these records as the provider without a model words them."""
    evidence = from_records(views, language, "Livia Aramesh")
    assignment = Assignment("What did she do?", language, "records", evidence)
    latch = Latch(Quoting().speaks(assignment), [item.source for item in evidence])
    pieces = [piece.text async for piece in Quoting().stream(assignment) if hasattr(piece, "text")]
    sentences = [sentence for piece in pieces for sentence in latch.feed(piece)] + latch.flush()
    return [sentence.text for sentence in sentences], latch.stop


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("current", [True, False])
async def test_every_kind_of_record_is_released_as_the_one_sentence_that_it_is(language, current):
    views = [record(kind, fields, current=current) for kind, fields in FIELDS]
    texts, stop = await released(views, language)
    assert stop is None
    assert texts == [tell(view, language, "Livia Aramesh") for view in views]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "title",
    ["Who pays?", "Stop. Think. Measure.", "Is it safe? A review", "What we learned", "谁来付钱？", "Two\nlines"],
)
async def test_no_title_keeps_a_record_from_being_told(language, title):
    texts, stop = await released([record(Kind.ARTICLE, {}, title=title)], language)
    assert stop is None
    assert "".join("".join(texts).split()) == "".join(
        tell(record(Kind.ARTICLE, {}, title=title), language, "Livia Aramesh").split()
    )


@given(title=st.text(alphabet="aB 1.?!:;-“”«»()؟。", min_size=1, max_size=30), language=st.sampled_from(LANGUAGES))
async def test_every_sentence_of_a_told_record_has_its_marker(title, language):
    _texts, stop = await released([record(Kind.ARTICLE, {}, title=title)], language)
    assert stop is None or stop.code != "marker_missing"


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_a_current_record_is_told_as_current(language):
    for kind, fields in ((Kind.CV, JOB), (Kind.CASE_STUDY, {"client": "Hollin & Vray Growers"})):
        now, past = (tell(record(kind, fields, current=current), language, "Livia") for current in (True, False))
        # Not by its dates alone: the words differ too.
        assert now.partition(" (")[0].partition("（")[0] != past.partition(" (")[0].partition("（")[0]


def test_an_article_that_still_holds_is_not_told_as_if_it_were_still_being_written():
    assert tell(record(Kind.ARTICLE, {}, current=True), "en", "Livia").endswith("(September 2012).")


def test_the_owner_is_given_no_gender_where_the_language_would_give_one():
    """The owner's pronouns are unknown: in Russian a past tense would need one, so that there is none."""
    told = [tell(record(kind, fields), "ru", "Ливия") for kind, fields in FIELDS]
    assert not [
        text for text in told if any(word.strip(",.:").endswith(("ал", "ала", "ил", "ила")) for word in text.split())
    ]
