from dataclasses import replace

import pytest

from records.importing.entries import Entry
from records.importing.links import led
from records.models import Kind

OTHERS = (
    Entry("places/orlow.md", "orlow", "orlow", Kind.ARTICLE, "en", "Orlow", body="A town."),
    Entry("work/dam/index.md", "dam", "dam", Kind.CASE_STUDY, "en", "Dam", body="A dam."),
    Entry("work/dam/index.pt.md", "dam", "barragem", Kind.CASE_STUDY, "pt", "Barragem", body="Uma barragem."),
)


def body(written, **more):
    entry = replace(Entry("work/log.md", "log", "log", Kind.ARTICLE, "en", "Log", body=written), **more)
    found = {one.origin: one for one in led([entry, *OTHERS])}
    return found["work/log.md"]


@pytest.mark.parametrize(
    ("written", "led_to"),
    [
        ("[town](../places/orlow.md)", "[town](/en/article/orlow/)"),
        ("[town](../places/orlow.md#mill 'A mill')", "[town](/en/article/orlow/)"),
        ("[Orlow](<orlow>)", "[Orlow](/en/article/orlow/)"),
        ("[dam](dam/)", "[dam](/en/case-study/dam/)"),
        ("[dam](dam/index.pt.md)", "[dam](/en/case-study/dam/)"),
        ("[gone](gone.md)", "gone"),
        ("[a](https://example.org/a.md) [b](#b) [c](/c/) [d](mailto:d@e.f)", None),
        ("`[town](orlow.md)`", None),
        ("[![a dam](dam.png)](orlow.md) text", "text"),
    ],
)
def test_a_link_leads_to_the_record_or_leaves_its_words(written, led_to):
    assert body(written).body == (written if led_to is None else led_to).strip()


def test_a_link_stays_in_its_language():
    assert body("[barragem](dam/)", language="pt").body == "[barragem](/pt/case-study/dam/)"


def test_pictures_are_counted_and_go():
    entry = body("![a](a.png) Text. ![b](https://example.org/b.png)")
    assert (entry.body, entry.notes) == ("Text.", ("without pictures (2)",))
