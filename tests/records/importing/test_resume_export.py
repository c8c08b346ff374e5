import json

import pytest
from django.core.management import call_command

from records.importing import json_resume, resume_export
from records.importing.entries import Entry
from records.models import Kind, Owner
from tests.records.drafts import published
from tests.records.importing.test_json_resume import RESUME

pytestmark = pytest.mark.django_db


def read(resume):
    return {one.slug: one for one in json_resume.read(json.dumps(resume), "en") if isinstance(one, Entry)}


def test_what_is_public_is_written_and_read_back():
    Owner.objects.create(pk=1, name="Ada", tagline={"en": "Water"})
    fields = {"organisation": "Board", "role": "Engineer", "type": "job", "place": "Norrow"}
    facts = {"start": "2018-09-01", "start_precision": "month", "current": True, "fields": fields}
    published("job", "Meters.", kind=Kind.CV, **facts)
    published("secret", "Hidden.", kind=Kind.CV, access="private", fields=fields)
    resume = resume_export.write("en")
    assert resume["basics"]["name"] == "Ada"
    assert [item["position"] for item in resume["work"]] == ["Engineer"]
    (entry,) = read(resume).values()
    assert (str(entry.facts.start), entry.facts.current, entry.fields) == ("2018-09", True, fields)


def test_an_import_of_an_export_is_what_was_imported(tmp_path):
    file = tmp_path / "resume.json"
    file.write_text(json.dumps(RESUME))
    call_command("import_content", str(file))
    before, after = read(RESUME), read(resume_export.write("en"))
    assert before.keys() == after.keys()
    for slug, entry in before.items():
        again = after[slug]
        assert (again.title, again.facts, again.fields) == (entry.title, entry.facts, entry.fields)
        assert (again.summary, again.body) == (entry.summary, entry.body)
