"""A record's page: dates as the site knows them, fields of its kind, two texts side by side, previews."""

from datetime import date

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from records.admin.addresses import page
from records.models import Kind, Record, RecordText
from tests.records.desk import ADD, edit, fields, sign_in, text
from tests.records.drafts import draft, published

pytestmark = pytest.mark.django_db

TEXT = "Night flow in Norrow fell by forty per cent."


@pytest.fixture(autouse=True)
def owner(client):
    return sign_in(client, "owner")


@pytest.fixture
def record():
    return draft("leaks", texts={"en": TEXT, "fa": "جریان شبانه"}, fields={"client": "Norrow", "note": "kept"})


def change(client, record, **changed):
    return edit(client, page(record, "change"), **changed)


class TestDates:
    @pytest.mark.parametrize(
        ("written", "day", "precision"),
        [
            ("2021", date(2021, 1, 1), "year"),
            ("2021-03", date(2021, 3, 1), "month"),
            ("2021-03-05", date(2021, 3, 5), "day"),
            ("۲۰۲۱-۰۳", date(2021, 3, 1), "month"),
            ("", None, ""),
        ],
    )
    def test_they_are_typed_as_far_as_they_are_known(self, client, record, written, day, precision):
        assert change(client, record, from_date=written).status_code == 302
        saved = Record.objects.get()
        assert (saved.start, saved.start_precision) == (day, precision)
        again = fields(client.get(page(record, "change")))["from_date"]
        assert again == ("2021-03" if written.startswith("۲") else written)

    @pytest.mark.parametrize("written", ["March 2021", "2021-13", "2021-02-30", "21", "2021/03"])
    def test_what_is_no_date_is_told_with_an_example(self, client, record, written):
        response = change(client, record, from_date=written)
        assert response.status_code == 200
        assert "2021-03-05" in str(response.context["adminform"].form.errors["from_date"])

    @pytest.mark.parametrize(
        ("values", "field"),
        [
            ({"from_date": "2021", "to_date": "2020"}, "to_date"),
            ({"to_date": "2020"}, "from_date"),
            ({"from_date": "2019", "to_date": "2020", "current": "on"}, "current"),
            ({"valid_from": "2021-01-02", "valid_to": "2021-01-01"}, "valid_to"),
            ({"access": "restricted"}, "group"),
        ],
    )
    def test_what_contradicts_itself_is_told_where_it_is_typed(self, client, record, values, field):
        response = change(client, record, **values)
        assert list(response.context["adminform"].form.errors) == [field]

    def test_a_year_does_not_end_before_one_of_its_months_began(self, client, record):
        assert change(client, record, from_date="2020-05", to_date="2020").status_code == 302


def test_only_readers_groups_can_be_chosen_and_they_leave_with_the_restriction(client, record):
    readers = Group.objects.create(name="Clients")
    shown = text(client.get(page(record, "change")))
    assert ">Clients<" in shown
    assert ">editor<" not in shown
    change(client, record, access="restricted", group=str(readers.pk))
    assert Record.objects.get().group == readers
    change(client, record, access="private")
    assert Record.objects.get().group is None


def test_a_kinds_fields_are_inputs_and_what_has_none_is_kept(client, record):
    sent = fields(client.get(page(record, "change")))
    assert sent["field_client"] == "Norrow"
    change(client, record, field_technologies="LoRaWAN\n\nPython\nPython", field_client="")
    assert Record.objects.get().fields == {"note": "kept", "technologies": ["LoRaWAN", "Python"]}


def test_a_translation_words_the_fields_anew_and_the_original_has_those_of_the_record(client, record):
    change(client, record, texts__1__field_client="نورو")
    assert {each.language: each.fields for each in record.texts.all()} == {"en": {}, "fa": {"client": "نورو"}}


def test_which_section_needs_which_is_typed_as_a_line(client, record):
    change(client, record, texts__0__relations="caveat: Results: by year → Caveats")
    expected = [{"kind": "caveat", "section": "Results: by year", "needs": "Caveats"}]
    assert record.texts.get(language="en").relations == expected
    response = change(client, record, texts__0__relations="Results needs Caveats")
    assert "caveat: Results → Caveats" in text(response)


class TestTranslations:
    def test_original_and_translation_stand_side_by_side_in_their_direction(self, client, record):
        shown = text(client.get(page(record, "change") + "?language=fa"))
        assert shown.index('id="id_texts-0-body"') < shown.index('id="id_texts-1-body"')
        assert fields(client.get(page(record, "change") + "?language=fa"))["texts-1-language"] == "fa"
        assert 'lang="fa" dir="rtl"' in shown

    def test_a_new_one_is_written_beside_the_original(self, client, record):
        address = page(record, "change") + "?language=de"
        response = edit(client, address, texts__1__title="Lecks", texts__1__body="Der Nachtfluss fiel.")
        assert response.url == address.partition("#")[0]
        assert record.texts.get(language="de").title == "Lecks"
        assert record.texts.count() == 3

    def test_one_that_nobody_typed_is_not_made(self, client, record):
        edit(client, page(record, "change") + "?language=de")
        assert record.texts.count() == 2

    def test_it_is_older_until_it_is_changed_or_found_right(self, client, record):
        def state():
            return "older than the original" in text(client.get(page(record, "change")))

        assert not state()
        change(client, record, texts__0__body=TEXT + " Much.")
        assert state()
        change(client, record, texts__1__checked="on")
        assert not state()
        change(client, record, texts__0__body=TEXT, texts__1__body="جریان کم شد")
        assert not state()

    def test_one_can_be_taken_out(self, client, record):
        change(client, record, texts__1__DELETE="on")
        assert [each.language for each in record.texts.all()] == ["en"]

    def test_the_page_first_shows_the_one_that_is_older(self, client, record):
        RecordText.objects.create(record=record, language="de", title="Lecks")
        record.texts.filter(language="en").update(updated_at=timezone.now())
        record.texts.filter(language="de").update(updated_at=timezone.now())
        assert fields(client.get(page(record, "change")))["texts-1-language"] == "fa"


class TestPreview:
    BODY = "## Results\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>alert(1)</script> [x](javascript:alert(1))"

    def send(self, client, record, **headers):
        sent = {"preview": "texts-1", "texts-1-language": "fa", "texts-1-title": "نشت", "texts-1-body": self.BODY}
        return client.post(page(record, "preview"), sent, headers=headers)

    def test_it_is_what_the_site_makes_of_the_markdown(self, client, record):
        shown = text(self.send(client, record, **{"HX-Request": "true"}))
        assert "<h2>Results</h2>" in shown
        assert "<td>2</td>" in shown
        assert "<script" not in shown
        assert 'href="javascript' not in shown
        assert 'lang="fa" dir="rtl"' in shown

    def test_it_is_a_page_of_the_site_where_asked(self, client, record):
        response = self.send(client, record)
        shown = text(response)
        assert "site.css" in shown
        assert "<h2>Results</h2>" in shown
        assert record.texts.get(language="fa").title == "leaks in fa"
        assert not record.versions.exists()

    def test_it_has_the_page_of_a_new_record_too(self, client):
        sent = {"preview": "texts-0", "texts-0-language": "en", "texts-0-title": "New", "texts-0-body": "Text."}
        assert "<p>Text.</p>" in text(client.post(ADD + "preview/", sent))

    @pytest.mark.parametrize("sent", [{}, {"preview": "texts-0", "texts-0-language": "xx"}])
    def test_nonsense_is_a_bad_request(self, client, record, sent):
        assert client.post(page(record, "preview"), sent).status_code == 400
        assert client.get(page(record, "preview")).status_code == 405


def test_how_far_search_is_can_be_read(client):
    version = published("leaks", TEXT)
    shown = text(client.get(page(version.record, "change")))
    assert "Waiting" in shown
    assert "0 of 1 passages" in shown


@pytest.mark.parametrize("language", ["zh", "fa", "ar"])
def test_the_page_speaks_the_owners_language(client, record, language):
    response = client.get(page(record, "change"), headers={"Accept-Language": language})
    assert response.status_code == 200
    assert ('dir="rtl"' in text(response).partition("<head>")[0]) is (language != "zh")
    assert "How it stands" not in text(response)


@pytest.mark.parametrize("kind", list(Kind))
def test_nothing_on_a_page_is_inline(client, kind):
    record = draft("leaks", TEXT, kind=kind)
    for address in (page(record, "change"), page(record, "change") + "?language=fa"):
        shown = text(client.get(address))
        assert " style=" not in shown
        assert " onclick=" not in shown
        assert "<script>" not in shown
