import pytest

from guardrails.leak import REDACTED, LeakRules, check, is_allowed


def test_phones_and_mail_are_redacted_and_ids_block_by_default():
    decision = check("Write to a@b.org or call +49 30 1234567 about the maps of the river.", LeakRules())
    assert decision.action == "redact"
    assert decision.text == f"Write to {REDACTED} or call {REDACTED} about the maps of the river."
    assert check("Her card is 4111 1111 1111 1111, she said.", LeakRules()).action == "block"


def test_a_sentence_that_is_mostly_redaction_is_blocked():
    assert check("Mail: someone.long@mail.example.org", LeakRules()).action == "block"


@pytest.mark.parametrize(
    "listed", ["+49 30 1234567", "030 1234567", "0049301234567", "۰۳۰ ۱۲۳۴۵۶۷", "A@B.org", "a＠b.org"]
)
def test_what_the_owner_lists_is_no_leak(listed):
    text = "Write to a@b.org about maps." if "@" in listed or "＠" in listed else "Call +49 30 1234567 about the maps."
    assert check(text, LeakRules(allowed=frozenset({listed}))).action == "pass"


def test_standing_beside_an_allowed_one_is_no_permit():
    rules = LeakRules(allowed=frozenset({"a@b.org"}))
    assert len(check("Write to a@b.org or to c@d.org about the maps of the river.", rules).found) == 1


def test_an_empty_entry_allows_nothing():
    assert not is_allowed("+49 30 1234567", ["", "-", "1234567 "[:3]])


def test_policy_is_per_kind_and_what_it_does_not_name_blocks():
    text = "Her mail is a@b.org, her phone +49 30 1234567 as of today, and so on."
    assert check(text, LeakRules(policy={"email": "pass", "phone": "redact"})).text == text.replace(
        "+49 30 1234567", REDACTED
    )
    assert check(text, LeakRules(policy={"email": "pass"})).action == "block"
    assert check(text, LeakRules(policy={"email": "pass", "phone": "pass"})).action == "pass"
