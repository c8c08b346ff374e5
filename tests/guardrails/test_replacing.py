import re

from hypothesis import given
from hypothesis import strategies as st

from guardrails.replacing import replaced

# More than are replaced one by one, a few of them found but not changed, and one that grows.
FORMS = {code: chr(code).lower() for code in range(0x100, 0x17F)} | {ord("ß"): "ss", ord("a"): "a"}
CHANGING = re.compile(f"[{''.join(map(chr, FORMS))}]")


@given(st.text(alphabet="".join(map(chr, FORMS)) + " xyz", max_size=300))
def test_every_character_gets_its_form(text):
    assert replaced(text, CHANGING, FORMS) == text.translate(FORMS)
