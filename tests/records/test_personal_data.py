"""What the libraries add, and that numbers of ordinary writing are left alone."""

import random
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from guardrails.personal_data import find
from records.demo import FOLDER
from records.personal_data import VALIDATORS, is_phone

CHANCE = random.Random(20261129)


def digits(count):
    return "".join(CHANCE.choices("0123456789", k=count))


def moment():
    return datetime(1990, 1, 1, tzinfo=UTC) + timedelta(seconds=CHANCE.randrange(1_200_000_000))


# Numbers that are nobody's, each in a sentence that an answer could say.
ORDINARY = {
    "version": lambda: f"It runs version {CHANCE.randrange(30)}.{CHANCE.randrange(99)}.{CHANCE.randrange(9999)} now.",
    "build": lambda: f"The build {digits(CHANCE.randrange(7, 13))} fixed it.",
    "day": lambda: f"It began on {moment():%Y-%m-%d} and ended on {moment():%d.%m.%Y}.",
    "minute": lambda: f"The gauge stopped at {moment():%Y-%m-%d %H:%M} for an hour.",
    "stamp": lambda: f"The file {moment():%Y%m%d%H%M%S} was kept.",
    "years": lambda: f"She worked there {1970 + CHANCE.randrange(50)}–{2000 + CHANCE.randrange(26)}.",
    "order": lambda: f"Order {digits(3)}-{digits(3)}-{digits(4)} was sent by ship.",
    "long order": lambda: f"The order number is {digits(16)}, as printed.",
    "ticket": lambda: f"See ticket INC-{digits(CHANCE.randrange(7, 12))} for the cause.",
    "invoice": lambda: f"Die Rechnung {digits(4)} {digits(4)} {digits(4)} ging ein.",
    "count": lambda: f"It read {CHANCE.randrange(10**6, 10**12):,} pulses in all.",
    "spaced count": lambda: f"Il a lu {CHANCE.randrange(10**6, 10**12):,} impulsions.".replace(",", " "),
    "dotted count": lambda: f"Er las {CHANCE.randrange(10**6, 10**12):,} Impulse.".replace(",", "."),
    "bare": lambda: f"It took {CHANCE.randrange(10**6, 10**12)} cycles.",
    "decimal": lambda: f"The bridge stands at {CHANCE.random() * 90:.7f}, {CHANCE.random() * 180:.7f}.",
    "isbn": lambda: f"It is ISBN 978-{digits(1)}-{digits(4)}-{digits(4)}-{digits(1)}.",
    "doi": lambda: f"It is 10.{digits(4)}/{digits(8)}.",
    "uuid": lambda: f"The request {UUID(int=CHANCE.getrandbits(128))} failed.",
    "address": lambda: (
        f"The pump answers at 10.{CHANCE.randrange(256)}.{CHANCE.randrange(256)}.{CHANCE.randrange(256)}."
    ),
    "part": lambda: f"The part {digits(5)}-{digits(2)} wears out first.",
}


def test_of_a_thousand_ordinary_numbers_none_blocks_and_hardly_any_is_redacted():
    sentences = [make() for make in ORDINARY.values() for _ in range(50)]
    found = [(each.kind, sentence) for sentence in sentences for each in find(sentence, VALIDATORS)]
    assert [sentence for kind, sentence in found if kind != "phone"] == []
    assert len(found) <= len(sentences) / 100, found


def test_the_demo_holds_no_personal_data_but_what_its_owner_lists():
    texts = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.rglob("*.md"))]
    assert texts
    assert [text[each.start : each.end] for text in texts for each in find(text, VALIDATORS)] == []


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("Seine Steuer-ID ist 36574261809.", False), ("Её ИНН 500100732259.", False),
        ("Her AHV is 756.9217.0769.85.", False),
        ("Su CUIL es 20-12345678-6.", False), ("Su RUT es 12.531.909-2.", True), ("Her PAN is ABCPK1234F.", False),
        ("Su CURP es BOXW310820HNERXN09.", False), ("O NIF dele é 123456789.", True), ("CPF 390.533.447-05.", True),
    ],
)  # fmt: skip
def test_the_library_knows_ids_that_the_rules_alone_do_not(text, alone):
    assert [each.kind for each in find(text, VALIDATORS)] == ["national_id"]
    assert bool(find(text)) is alone


@pytest.mark.parametrize("written", ["91 123 45 67", "11 3456-7890", "21 234 5678", "495 123-45-67", "10 8765 4321"])
def test_national_numbers_without_their_prefix_are_phones_where_a_plan_has_them(written):
    assert is_phone(written)
    assert [each.kind for each in find(f"Ask at {written} for more.", VALIDATORS)] == ["phone"]


@pytest.mark.parametrize("written", ["00 000 00 00", "12 345 67", "212 345 678", "2345 6789"])
def test_groups_that_no_plan_has_are_no_phones(written):
    assert not is_phone(written)
