"""The public pages show what is live, open what was cited, and say nothing of what they do not show."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.urls import reverse
from django.utils import timezone

from records.indexing import rebuild
from records.models import Access, Kind, Owner, Passage
from records.publishing import revoke, withdraw
from tests.records.drafts import day, draft, published

pytestmark = pytest.mark.django_db

TEXT = "The conductivity sensors of Corvane Bay."


def record_url(slug="corvane", language="en", kind=Kind.CASE_STUDY):
    return reverse("records:record", args=[language, kind, slug])


def passage_url(version, uid=None):
    return reverse("records:passage", args=[version.pk, uid or version.placements.first().passage_id])


def shown(response):
    return response.content.decode()


@pytest.fixture
def member(client):
    group = Group.objects.create(name="Clients")
    user = User.objects.create_user("ines")
    user.groups.add(group)
    return user


class TestHome:
    def test_it_lists_live_records_of_every_kind_newest_first(self, client):
        Owner.objects.create(pk=1, name="Livia Aramesh", tagline={"en": "Measurement."}, contact={"en": "*Write*."})
        published("older", TEXT, start=day("2019-01-01"))
        published("newer", TEXT, start=day("2021-01-01"))
        published("essay", TEXT, kind=Kind.ARTICLE)
        draft("unpublished", TEXT)
        page = shown(client.get("/en/"))
        assert page.index("newer in en") < page.index("older in en") < page.index("essay in en")
        assert "Measurement." in page
        assert "<em>Write</em>" in page
        assert "unpublished" not in page

    def test_an_empty_site_says_so_and_has_a_name(self, client):
        page = shown(client.get("/en/"))
        assert "Nothing is published yet" in page
        assert "<h1>Work</h1>" in page
        assert 'og:title" content="Work"' in page

    def test_what_the_owner_wrote_in_one_language_alone_is_shown_in_it(self, client):
        Owner.objects.create(pk=1, name="Livia", tagline={"fa": "اندازه‌گیری", "en": ""})
        assert '<p class="lead" lang="fa" dir="rtl">اندازه‌گیری</p>' in shown(client.get("/de/"))

    def test_an_unknown_language_is_no_page(self, client):
        assert client.get("/xx/").status_code == 404

    def test_the_bare_address_leads_to_the_visitor_s_language(self, client):
        assert client.get("/", headers={"accept-language": "fa"}).url == "/fa/"

    def test_closed_records_are_not_listed(self, client):
        published("corvane", TEXT, access=Access.PRIVATE)
        assert "corvane" not in shown(client.get("/en/"))


class TestRecordPage:
    def test_it_shows_the_live_version(self, client):
        facts = {"start": day("2018-09-01"), "start_precision": "month", "decided_by": "Ide Calloway"}
        published("corvane", f"## Results\n\n{TEXT}", fields={"client": "Water Board", "type": "x"}, **facts)
        draft("corvane", "A draft.")
        page = shown(client.get(record_url()))
        for text in ("corvane in en", "<h2>Results</h2>", TEXT, "September 2018", "Water Board", "Ide Calloway"):
            assert text in page
        assert "A draft." not in page

    def test_each_value_of_a_list_keeps_its_own_direction(self, client):
        fields = {"technologies": ["کرنش‌سنج", "MQTT", "PostgreSQL"]}
        published("corvane", texts={"fa": TEXT}, fields=fields)
        page = shown(client.get(record_url(language="fa")))
        assert "<bdi>کرنش‌سنج</bdi>، <bdi>MQTT</bdi>، <bdi>PostgreSQL</bdi>" in page
        assert "<bdi>MQTT</bdi>، " in shown(client.get(record_url(language="de")))

    def test_a_missing_translation_is_said_and_english_shown(self, client):
        published("corvane", TEXT)
        page = shown(client.get(record_url(language="pt")))
        assert TEXT in page
        assert "notice" in page
        assert "notice" not in shown(client.get(record_url(language="en")))

    def test_what_expired_is_called_history_and_what_has_no_date_undated(self, client):
        published("corvane", TEXT, valid_to=timezone.localdate() - timedelta(days=1))
        page = shown(client.get(record_url()))
        assert "kept as history" in page
        assert "undated" in page

    def test_a_record_has_one_address(self, client):
        published("corvane", TEXT)
        assert client.get(record_url(kind=Kind.ARTICLE)).status_code == 404

    def test_drafts_and_withdrawn_records_do_not_exist(self, client):
        draft("unpublished", TEXT)
        withdraw(published("corvane", TEXT).record)
        assert client.get(record_url("unpublished")).status_code == 404
        assert client.get(record_url()).status_code == 404


class TestPassagePage:
    def test_it_opens_the_cited_passage_in_its_text(self, client):
        version = published("corvane", f"# Before\n\nIntro & more.\n\n# After\n\n{TEXT}")
        uid = Passage.objects.get(text=TEXT).uid
        page = shown(client.get(passage_url(version, uid)))
        assert f'<mark id="passage">{TEXT}</mark>' in page
        assert "Intro &amp; more." in page
        assert "today&#x27;s version" in page or "today's version" in page

    def test_a_superseded_version_says_so_and_leads_to_the_same_passage_today(self, client):
        old = published("corvane", TEXT)
        new = published("corvane", f"{TEXT}\n\n# More\n\nAnother section.")
        page = shown(client.get(passage_url(old)))
        assert TEXT in page
        assert "The passage still stands in it." in page
        assert passage_url(new) in page

    def test_a_passage_that_was_corrected_says_that_it_no_longer_stands(self, client):
        old = published("corvane", TEXT)
        published("corvane", "No sensors at all.")
        page = shown(client.get(passage_url(old)))
        assert TEXT in page
        assert "The passage no longer stands in it." in page

    def test_a_withdrawn_text_still_opens_and_says_so(self, client):
        version = published("corvane", TEXT)
        withdraw(version.record)
        page = shown(client.get(passage_url(version)))
        assert TEXT in page
        assert "withdrawn" in page

    def test_a_revoked_text_is_gone_with_its_title(self, client):
        version = published("corvane", TEXT)
        url = passage_url(version)
        revoke(version.record)
        response = client.get(url)
        assert response.status_code == 410
        assert "corvane" not in shown(response).replace(url, "")
        assert TEXT not in shown(response)

    def test_an_id_retired_by_cutting_anew_still_opens(self, client, monkeypatch):
        version = published("corvane", "First text.\n\nSecond text.")
        url = passage_url(version)
        monkeypatch.setattr("records.chunking.MOST_WORDS", 2)
        rebuild(version)
        assert version.placements.count() == 2
        page = shown(client.get(url))
        assert '<mark id="passage">First text.\n\nSecond text.</mark>' in page

    @pytest.mark.parametrize("other", ["unknown version", "unknown passage", "passage of another record"])
    def test_what_was_never_published_does_not_exist(self, client, other):
        version, foreign = published("corvane", TEXT), published("foreign", TEXT)
        uid = version.placements.get().passage_id
        urls = {
            "unknown version": reverse("records:passage", args=[10**6, uid]),
            "unknown passage": passage_url(version, "0" * 24),
            "passage of another record": passage_url(version, foreign.placements.get().passage_id),
        }
        assert client.get(urls[other]).status_code == 404


class TestClosedPages:
    """ "Not available to you" and "does not exist" are two texts, and neither says anything of the record."""

    @pytest.fixture(params=[Access.PRIVATE, Access.RESTRICTED])
    def closed(self, request, member):
        group = member.groups.get() if request.param == Access.RESTRICTED else None
        fields = {"client": "Water Partnership"}
        return published("corvane", TEXT, access=request.param, group=group, fields=fields, decided_by="Bram")

    def test_a_stranger_learns_nothing(self, client, closed):
        for url in (record_url(), passage_url(closed)):
            response = client.get(url)
            page = shown(response).replace(url, "").replace(url.removeprefix("/en/"), "")
            assert response.status_code == 403
            assert "Not available to you" in page
            for secret in ("corvane", "Corvane", "Partnership", "Bram"):
                assert secret not in page

    def test_the_refusal_is_the_same_for_every_record(self, client, closed):
        published("other", "Other text.", access=Access.PRIVATE)
        pages = [
            shown(client.get(url)).replace(url.removeprefix("/en/"), "") for url in (record_url(), record_url("other"))
        ]
        assert pages[0] == pages[1]

    def test_what_does_not_exist_says_something_else(self, client, closed):
        response = client.get(record_url("unknown"))
        assert response.status_code == 404
        assert "Does not exist" in shown(response)

    def test_staff_opens_it(self, client, closed):
        client.force_login(User.objects.create_user("livia", is_staff=True))
        assert client.get(record_url()).status_code == client.get(passage_url(closed)).status_code == 200

    def test_a_member_opens_what_their_group_may_read_until_they_leave_it(self, client, member):
        version = published("corvane", TEXT, access=Access.RESTRICTED, group=member.groups.get())
        client.force_login(member)
        assert client.get(passage_url(version)).status_code == 200
        member.groups.clear()
        assert client.get(passage_url(version)).status_code == 403

    def test_closing_a_record_closes_its_earlier_versions(self, client):
        version = published("corvane", TEXT)
        published("corvane", TEXT, access=Access.PRIVATE)
        assert client.get(passage_url(version)).status_code == 403
