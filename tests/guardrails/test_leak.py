import pytest

from guardrails.leak import REDACTED, Found, LeakRules, check, find

PERSONAL = {
    "529.982.247-25": "national_id", "52998224725": "national_id", "11010519491231002X": "national_id",
    "12345678Z": "national_id",
    "2341 2341 2346": "national_id", "4111 1111 1111 1111": "card", "۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱": "card",
    "4111111111111111": "card",
    "DE89 3704 0044 0532 0130 00": "iban", "GB82WEST12345698765432": "iban", "+49 30 1234567": "phone",
    "030 1234567": "phone",
    "(11) 91234-5678": "phone", "(555) 123-4567": "phone", "13812345678": "phone", "+98 912 345 6789": "phone",
    "٠٩١٢٣٤٥٦٧٨٩": "phone", "98765 43210": "phone", "8 (912) 345-67-89": "phone", "a.b+c@mail.example.org": "email",
}  # fmt: skip
HARMLESS = [
    "529.982.247-26", "4111 1111 1111 1112", "DE89 3704 0044 0532 0130 01", "1,200,300", "12 400 000", "2019–2021",
    "2021-03-05",
    "version 2.10.1", "ISBN 978-3-16-148410-0", "order 20190315", "3.14159265", "10.1000/182", "1234567",
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), PERSONAL.items())
def test_personal_data_is_found_where_it_stands(text, kind):
    found = find(f"See {text} for the whole of it.")
    assert [(each.kind, each.start, each.end) for each in found] == [(kind, 4, 4 + len(text))]


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_numbers_are_not_personal(text):
    assert find(f"See {text} for the whole of it.") == []


def test_phones_and_mail_are_redacted_and_ids_block_by_default():
    decision = check("Write to a@b.org or call +49 30 1234567 about the maps of the river.", LeakRules())
    assert decision.action == "redact"
    assert decision.text == f"Write to {REDACTED} or call {REDACTED} about the maps of the river."
    assert check("Her card is 4111 1111 1111 1111, she said.", LeakRules()).action == "block"


def test_a_sentence_that_is_mostly_redaction_is_blocked():
    assert check("Mail: someone.long@mail.example.org", LeakRules()).action == "block"


@pytest.mark.parametrize("listed", ["+49 30 1234567", "030 1234567", "0049301234567", "A@B.org"])
def test_what_the_owner_lists_is_no_leak(listed):
    text = "Write to a@b.org about maps." if "@" in listed else "Call +49 30 1234567 about the maps."
    assert check(text, LeakRules(allowed=frozenset({listed}))).action == "pass"


def test_standing_beside_an_allowed_one_is_no_permit():
    rules = LeakRules(allowed=frozenset({"a@b.org"}))
    assert len(check("Write to a@b.org or to c@d.org about the maps of the river.", rules).found) == 1


def test_detectors_take_part_and_policy_is_per_kind():
    def badge(text):
        return [Found("badge", text.index("B7"), text.index("B7") + 2)] if "B7" in text else []

    text = "Her badge is B7, her mail a@b.org as of today."
    assert check(text, LeakRules(detectors=(badge,))).action == "block"
    rules = LeakRules(detectors=(badge,), policy={"badge": "redact", "email": "pass"})
    assert check(text, rules).text == f"Her badge is {REDACTED}, her mail a@b.org as of today."
