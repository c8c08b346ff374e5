import json

import pytest

from records.importing import json_resume
from records.importing.entries import Entry, Unreadable
from records.models import Kind, Owner
from tests.records.drafts import published

RESUME = {
    "basics": {"name": "Ada Example", "phone": "555", "email": "ada@example.org"},
    "work": [
        {
            "name": "Water Board",
            "position": "Engineer",
            "startDate": "2018-09",
            "location": "Norrow",
            "summary": "Meters.",
            "highlights": ["Found 58 leaks."],
        },
        {"name": "Mill", "position": "Clerk", "startDate": "2010", "endDate": "2012-01-31"},
    ],
    "education": [{"institution": "Ostrey", "area": "Hydrology", "studyType": "MSc", "endDate": "2010"}],
    "projects": [{"name": "Night flow", "description": "Seven districts.", "entity": "Board", "keywords": ["Python"]}],
    "skills": [{"name": "Databases", "level": "Master", "keywords": ["PostgreSQL"]}],
    "languages": [{"language": "Portuguese", "fluency": "Native"}],
    "references": [{"name": "B", "reference": "Great."}],
}


def read(resume, language="en"):
    items = list(json_resume.read(json.dumps(resume), language))
    return {item.slug: item for item in items if isinstance(item, Entry)}, [
        item for item in items if not isinstance(item, Entry)
    ]


def test_every_section_becomes_records():
    entries, left_out = read(RESUME)
    job = entries["engineer-water-board-2018-09"]
    assert (job.kind, job.title, job.facts.current) == (Kind.CV, "Engineer, Water Board", True)
    assert job.fields == {"organisation": "Water Board", "place": "Norrow", "role": "Engineer", "type": "job"}
    assert job.body == "Meters.\n\n- Found 58 leaks."
    clerk = entries["clerk-mill-2010"]
    assert (str(clerk.facts.start), str(clerk.facts.end), clerk.facts.current) == ("2010", "2012-01-31", False)
    assert entries["msc-in-hydrology-ostrey"].fields["type"] == "education"
    assert entries["night-flow-board"].kind == Kind.CASE_STUDY
    assert entries["night-flow-board"].fields == {"client": "Board", "technologies": ["Python"]}
    assert entries["skills"].body == "- Databases (Master): PostgreSQL\n\n## Languages\n\n- Portuguese (Native)"
    assert {item.origin for item in left_out} == {"basics", "references"}


def test_contact_data_is_taken_from_nowhere():
    entries, _ = read(RESUME)
    assert not any("555" in repr(entry) or "ada@" in repr(entry) for entry in entries.values())


def test_a_new_job_on_top_moves_no_other():
    before, _ = read(RESUME)
    newer = {"name": "Dam", "position": "Head", "startDate": "2024"}
    after, _ = read({**RESUME, "work": [newer, *RESUME["work"]]})
    assert {slug: entry.origin for slug, entry in before.items()}.items() <= {
        slug: entry.origin for slug, entry in after.items()
    }.items()


def test_a_bad_item_is_said_and_the_others_are_taken():
    entries, left_out = read({"work": ["x", {"summary": "?"}, {"name": "A", "startDate": "soon"}, {"name": "B"}]})
    assert list(entries) == ["b"]
    assert [item.bad for item in left_out] == [True, True, True]


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"a": 1}'])
def test_what_is_no_resume_stops(text):
    with pytest.raises(Unreadable):
        list(json_resume.read(text, "en"))


@pytest.mark.django_db
def test_what_is_public_is_written_and_read_back():
    Owner.objects.create(pk=1, name="Ada", tagline={"en": "Water"})
    fields = {"organisation": "Board", "role": "Engineer", "type": "job", "place": "Norrow"}
    facts = {"start": "2018-09-01", "start_precision": "month", "current": True, "fields": fields}
    published("job", "Meters.", kind=Kind.CV, **facts)
    published("secret", "Hidden.", kind=Kind.CV, access="private", fields=fields)
    resume = json_resume.write("en")
    assert resume["basics"]["name"] == "Ada"
    assert [item["position"] for item in resume["work"]] == ["Engineer"]
    entries, _ = read(resume)
    (entry,) = entries.values()
    assert (str(entry.facts.start), entry.facts.current, entry.fields) == ("2018-09", True, fields)
