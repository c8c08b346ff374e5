"""A passage brings what it can't be read rightly without: of its own version, open to the viewer, and not too much."""

import pytest

from records import needs
from records.access import PUBLIC, Viewer
from records.needs import needs_of
from records.publishing import publish, withdraw
from tests.records.drafts import ask, draft

pytestmark = pytest.mark.django_db

FLOW = "Night flow in Norrow fell by forty per cent."
WINTER = "The figure rests on one winter."
BODY = f"# Results\n\n{FLOW}\n\n# Caveats\n\n{WINTER}\n\n# Method\n\nPressure loggers."
RELATION = {"section": "Results", "needs": "Caveats", "kind": "caveat"}


def limited(body=BODY, relations=(RELATION,), **facts):
    record = draft("leaks", body, **facts)
    record.texts.update(relations=list(relations))
    publish(record)
    return record


def test_a_caveat_comes_with_what_it_limits_and_says_where_it_stands():
    limited()
    hits = ask("night flow in Norrow", k=1).hits
    [need] = needs_of(hits, PUBLIC)
    assert (need.of, need.kind, need.hit.text, need.hit.section_path) == (0, "caveat", WINTER, ("Caveats",))
    assert need.hit.version == hits[0].version
    assert BODY.replace("# ", "")[need.hit.start : need.hit.end] == WINTER
    assert (need.hit.dense, need.hit.words) == (None, 0.0)


def test_a_passage_that_needs_nothing_brings_nothing():
    limited()
    assert needs_of(ask("pressure loggers", k=1).hits, PUBLIC) == []


def test_a_corrected_caveat_takes_the_place_of_the_old_one():
    limited()
    limited(BODY.replace("one winter", "two winters"))
    [need] = needs_of(ask("night flow in Norrow", k=1).hits, PUBLIC)
    assert need.hit.text == "The figure rests on two winters."


def test_what_the_viewer_may_not_read_is_not_brought():
    limited(access="private")
    hits = ask("night flow in Norrow", viewer=Viewer(staff=True), k=1).hits
    assert len(needs_of(hits, Viewer(staff=True))) == 1
    assert needs_of(hits, PUBLIC) == []


def test_what_was_withdrawn_meanwhile_is_not_brought():
    record = limited()
    hits = ask("night flow in Norrow", k=1).hits
    withdraw(record)
    assert needs_of(hits, PUBLIC) == []


def test_no_more_is_brought_than_can_be_read():
    caveats = "\n\n".join(f"# Caveat {number}\n\nLimit {number} of the method." for number in range(9))
    names = [f"Caveat {number}" for number in range(9)]
    limited(f"# Results\n\n{FLOW}\n\n{caveats}", [{**RELATION, "needs": name} for name in names])
    found = needs_of(ask("night flow in Norrow", k=1).hits, PUBLIC)
    assert [need.hit.section_path for need in found] == [(name,) for name in names[: needs.MOST]]
