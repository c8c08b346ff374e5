"""Publishing, withdrawing and revoking in the admin: asked first, done by POST, and only by who may."""

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from assistant.models import Citation, Conversation, Sentence, Turn
from records.admin.addresses import page
from records.models import Record
from tests.records.desk import act, confirmed, sign_in, text
from tests.records.drafts import ask, draft, published

pytestmark = pytest.mark.django_db

TEXT = "Night flow in Norrow fell by forty per cent."


def cite(version):
    conversation = Conversation.objects.create(language="en")
    turn = Turn.objects.create(
        conversation=conversation, ordinal=1, question="?", language="en", deadline=timezone.now()
    )
    sentence = Sentence.objects.create(turn=turn, ordinal=1, text="It fell.", language="en")
    Citation.objects.create(sentence=sentence, ordinal=1, version=version)


class TestOwner:
    @pytest.fixture(autouse=True)
    def owner(self, client):
        return sign_in(client, "owner")

    def test_the_buttons_publish_withdraw_and_revoke(self, client, owner):
        record = draft("leaks", TEXT)
        confirmed(client, "publish", record)
        assert ask("night flow in Norrow").hits
        assert record.versions.get().published_by == owner
        confirmed(client, "withdraw", record)
        assert not ask("night flow in Norrow").hits
        confirmed(client, "revoke", record)
        assert record.versions.get().text == ""
        said = [entry.change_message for entry in LogEntry.objects.order_by("pk")]
        assert said == ["Published. en v1", "Withdrawn. en v1", "Revoked. en v1"]

    @pytest.mark.parametrize("name", ["publish", "withdraw", "revoke"])
    def test_nothing_happens_before_it_is_confirmed(self, client, name):
        record = published("leaks", TEXT).record
        record.texts.update(body="Changed.")
        assert client.get(page(record, name)).status_code == 200
        act(client, f"{name}_selected", record)
        version = record.versions.get()
        assert (version.retired_at, version.revoked_at, version.body) == (None, None, TEXT)

    def test_the_actions_of_the_list_do_it_for_all_that_were_chosen(self, client):
        records = [draft("leaks", TEXT), draft("bridge", "Strain gauges on the bridge.")]
        assert text(act(client, "publish_selected", *records)).count("is published anew") == 2
        act(client, "publish_selected", *records, confirmed="yes")
        assert [record.versions.count() for record in records] == [1, 1]
        act(client, "withdraw_selected", *records, confirmed="yes")
        assert not ask("night flow in Norrow").hits

    def test_the_page_says_what_publishing_changes(self, client):
        record = published("leaks", texts={"en": TEXT, "de": TEXT, "fa": TEXT}).record
        record.texts.filter(language="en").update(body="Another figure.")
        record.texts.filter(language="fa").delete()
        draft("leaks", texts={"es": "Otra."})
        shown = text(client.get(page(record, "publish")))
        assert "English: a new version takes the place of today" in shown
        assert "Spanish: is published anew" in shown
        assert "Persian: leaves the site" in shown
        assert "German" not in shown

    def test_it_says_which_translations_a_corrected_original_leaves_behind_before_and_after(self, client):
        texts = {"en": TEXT, "de": TEXT, "fa": TEXT, "pt": TEXT, "zh": TEXT}
        record = published("leaks", texts=texts).record
        for language in ("zh", "en", "fa"):  # the Chinese is found right first, the Persian after the correction
            written = record.texts.get(language=language)
            written.body = TEXT if language != "en" else "Another figure."
            written.save()
        draft("leaks", texts={"pt": "Outra."})
        left = {code: f"{page(record, 'change')}?language={code}#texts" for code in ("de", "fa", "pt", "zh")}
        before = client.get(page(record, "publish")).content.decode()
        after = confirmed(client, "publish", record).content.decode()
        for shown in (before, after):
            assert [code for code, address in left.items() if f'href="{address}"' in shown] == ["de", "zh"]
        assert "becomes older than the original" in before
        assert "translations that are older than the original now" in after

    def test_nothing_is_left_behind_by_what_every_language_shares(self, client):
        record = published("leaks", texts={"en": TEXT, "de": TEXT}).record
        record.texts.get(language="en").save()
        record.current = True
        record.save()
        assert "becomes older" not in text(client.get(page(record, "publish")))
        assert "older than" not in text(confirmed(client, "publish", record)).partition("desk-heading")[0]

    def test_the_page_says_how_many_stored_answers_rest_on_it(self, client):
        version = published("leaks", TEXT)
        cite(version)
        cite(version)
        shown = text(client.get(page(version.record, "revoke")))
        assert "English: stops answering" in shown
        assert "1 published version is emptied" in shown
        assert "2 stored answers cite it" in shown


class TestRoles:
    """What the groups say holds at every address, whatever buttons a page shows."""

    @pytest.fixture(params=["editor", "reviewer"])
    def role(self, client, request):
        sign_in(client, request.param)
        return request.param

    @pytest.mark.parametrize("name", ["publish", "withdraw", "revoke"])
    def test_only_the_owner_publishes_and_takes_back(self, client, role, name):
        record = published("leaks", TEXT).record
        record.texts.update(body="Changed.")
        assert client.get(page(record, name)).status_code == 403
        assert client.post(page(record, name), {"confirmed": "yes"}).status_code == 403
        act(client, f"{name}_selected", record, confirmed="yes")
        version = record.versions.get()
        assert (version.retired_at, version.body) == (None, TEXT)
        assert f"/{name}/" not in text(client.get(page(record, "change")))

    def test_only_the_owner_has_it_taken_in_again(self, client, role):
        version = published("leaks", TEXT)
        version.steps.update(state="failed")
        assert client.post(page(version.record, "ingest")).status_code == 403
        act(client, "ingest_selected", version.record)
        assert set(version.steps.values_list("state", flat=True)) == {"failed"}

    def test_an_editor_changes_the_access_of_drafts_and_not_of_the_site(self, client, role):
        version = published("leaks", TEXT)
        act(client, "access_selected", version.record, confirmed="yes", access="private", at_once="on")
        assert Record.objects.get().access == ("private" if role == "editor" else "public")
        assert version.record.versions.get(retired_at=None).access == "public"

    def test_an_editor_saves_drafts_and_a_reviewer_only_reads(self, client, role):
        record = draft("leaks", TEXT, fields={"client": "Norrow"})
        shown = client.get(page(record, "change"))
        assert "Norrow" in text(shown)
        assert TEXT in text(shown)
        sent = {"slug": "leaks", "access": "private", "authority": "9"}
        management = {"texts-TOTAL_FORMS": "0", "texts-INITIAL_FORMS": "0"}
        response = client.post(page(record, "change"), sent | management)
        assert response.status_code == (302 if role == "editor" else 403)
        assert Record.objects.get().authority == (9 if role == "editor" else 0)

    def test_previews_are_for_who_may_write(self, client, role):
        record = draft("leaks", TEXT)
        sent = {"preview": "texts-0", "texts-0-language": "en", "texts-0-body": TEXT}
        assert client.post(page(record, "preview"), sent).status_code == (200 if role == "editor" else 403)

    def test_both_read_versions(self, client, role):
        record = published("leaks", TEXT).record
        assert client.get(page(record, "versions")).status_code == 200


def test_nobody_else_gets_in(client):
    record = published("leaks", TEXT).record
    for name in ("change", "publish", "versions"):
        assert client.get(page(record, name)).status_code == 302
    assert client.post(page(record, "revoke"), {"confirmed": "yes"}).status_code == 302
    assert record.versions.get().text


def test_a_reviewer_sees_when_a_record_was(client):
    sign_in(client, "reviewer")
    record = draft("leaks", TEXT, start="2021-03-01", start_precision="month")
    assert "March 2021" in text(client.get(page(record, "change")))
