import json

import pytest

from records.importing import json_resume
from records.importing.entries import Entry, Unreadable
from records.models import Kind

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
    assert entries["night-flow-board"].title == "Night flow"
    assert entries["night-flow-board"].fields == {"client": "Board", "technologies": ["Python"]}
    assert entries["skills-en"].body == "- Databases (Master): PostgreSQL\n\n## Languages\n\n- Portuguese (Native)"
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


def test_what_is_not_text_is_bad_and_not_dropped_in_silence():
    _, left_out = read({"work": [{"name": 5}, {"name": "A", "startDate": 2019}, {"name": "B", "highlights": "one"}]})
    assert [item.bad for item in left_out] == [True, True, True]
    assert "startDate must be text, not 2019" in left_out[1].reason


def test_what_the_schema_has_and_the_site_does_not_is_named():
    entries, _ = read({"education": [{"institution": "Ostrey", "score": "1.3", "url": "https://example.org"}]})
    assert entries["ostrey"].notes == ("without score, url",)


def test_jobs_in_another_script_are_as_many_records():
    names = [("Google", "مهندس نرم‌افزار"), ("Google", "مدیر محصول"), ("آب", "مهندس ارشد سد"), ("برق", "مهندس ارشد سد")]
    jobs = [{"name": name, "position": position, "startDate": "2015"} for name, position in names]
    entries, left_out = read({"work": jobs}, "fa")
    assert (len(entries), left_out) == (4, [])


def test_languages_need_no_skills_and_their_heading_is_in_the_language():
    entries, _ = read({"languages": [{"language": "Deutsch"}]}, "de")
    assert (entries["skills-de"].title, entries["skills-de"].body) == ("Kenntnisse", "## Sprachen\n\n- Deutsch")
