"""What is left of a text without the owner's name."""

import pytest

from guardrails.owner import Owner, without_name

OWNER = Owner("Livia Aramesh", ("لیویا آرامش", "利维娅·阿拉梅什", "Aramesh Field Systems"))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("What does Livia Aramesh say about Übergänge?", "What does say about Übergänge?"),
        ("Was empfiehlt Frau Aramesh statt einer zweiten Zone?", "Was empfiehlt statt einer zweiten Zone?"),
        ("Is this Livia's bridge, or LIVIA ARAMESH’s client’s?", "Is this bridge, or client’s?"),
        ("چرا لیویا آرامش دو منطقه نساخت؟", "چرا دو منطقه نساخت؟"),
        ("利维娅·阿拉梅什会用什么？", "会用什么？"),
        ("Who designed the bridge?", "Who designed the bridge?"),
        ("Livia Aramesh", ""),
    ],
)
def test_the_rest_stands_as_it_was_written(text, left):
    assert " ".join(without_name(text, OWNER).split()) == left
