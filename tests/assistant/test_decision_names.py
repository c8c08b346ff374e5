"""Every code of a decision has a name that the owner can read."""

from typing import get_args

import pytest
from django.utils.translation import override

from assistant.decision_names import decision_name
from assistant.events import NoticeReason, RefusalReason
from assistant.wording import UNDUE
from guardrails.belt import Code

CODES = {*get_args(RefusalReason), *get_args(NoticeReason), *get_args(Code)}
GUARDS = {"refusal", "floor", "second_try", "caveat", "language", "deadline", "model", "failure", UNDUE}


@pytest.mark.parametrize("code", sorted(CODES | GUARDS))
def test_a_code_has_a_name_in_the_owners_language(code):
    names = set()
    for language in ("en", "fa", "zh"):
        with override(language):
            names.add(str(decision_name(code)))
    assert len(names) == 3
    assert code not in names


def test_a_code_of_an_earlier_version_stays_as_it_is():
    assert decision_name("tone") == "tone"
