"""Which sites may show the widget: what the owner may enter, where it stands in the headers, and from when on."""

import gzip
import re
from contextlib import closing
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from assistant.models import WidgetOrigin
from assistant.widget_models import as_browsers_write_it
from records.roles import EDITOR, OWNER, REVIEWER
from tests.records.desk import edit, sign_in, text

ADD, LIST = reverse("admin:assistant_widgetorigin_add"), reverse("admin:assistant_widgetorigin_changelist")
SITE = "https://www.example.org"


class TestAnOrigin:
    @pytest.mark.parametrize(
        ("typed", "written"),
        [
            (SITE, SITE),
            (" https://WWW.Example.org/ ", SITE),
            ("https://www.example.org:443", SITE),
            ("https://www.example.org:8443", "https://www.example.org:8443"),
            ("https://müller.example", "https://xn--mller-kva.example"),
            ("https://intranet", "https://intranet"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://127.0.0.1:80", "http://127.0.0.1"),
        ],
    )
    def test_is_written_as_browsers_write_it(self, typed, written):
        assert as_browsers_write_it(typed) == written

    @pytest.mark.parametrize(
        "typed",
        [
            "http://www.example.org",
            "https://",
            "www.example.org",
            "//www.example.org",
            "ftp://www.example.org",
            "https://www.example.org/path",
            "https://www.example.org?x",
            "https://www.example.org#x",
            "https://user@www.example.org",
            "https://www.example.org:0",
            "https://www.example.org:99999",
            "https://*.example.org",
            "https://*",
            "*",
            "'self'",
            "null",
            "https://www.example.org https://other.example",
            "https://www.example.org;script-src *",
            "https://www.example.org,https://other.example",
            "https://-x.example",
            "https://a..example",
            "https://[::1]:8000",
            "https://" + "a" * 64 + ".example",
            "http://localhost.example",
        ],
    )
    def test_is_nothing_else(self, typed):
        with pytest.raises(ValidationError):
            as_browsers_write_it(typed)


@pytest.mark.django_db(transaction=True)
class TestHeaders:
    def ancestors(self, client, address="/en/chat/widget/"):
        policy = client.get(address)["Content-Security-Policy"]
        return dict(part.split(" ", 1) for part in policy.split("; "))["frame-ancestors"]

    def test_without_a_row_no_other_site_may_frame_it(self, client):
        assert self.ancestors(client) == "'self'"

    def test_what_is_enabled_may_from_the_next_request_on(self, client):
        row = WidgetOrigin.objects.create(origin=SITE)
        WidgetOrigin.objects.create(origin="http://localhost:3000")
        WidgetOrigin.objects.create(origin="https://off.example", enabled=False)
        assert self.ancestors(client) == f"'self' http://localhost:3000 {SITE}"
        row.delete()
        assert self.ancestors(client) == "'self' http://localhost:3000"

    def test_it_loosens_nothing_else(self, client):
        WidgetOrigin.objects.create(origin=SITE)
        framed, page = client.get("/en/chat/widget/"), client.get("/en/chat/")
        assert "X-Frame-Options" not in framed
        policies = [set(response["Content-Security-Policy"].split("; ")) for response in (framed, page)]
        assert policies[0] ^ policies[1] == {f"frame-ancestors 'self' {SITE}", "frame-ancestors 'none'"}

    @pytest.mark.parametrize(
        "address",
        [
            "/en/",
            "/en/chat/",
            "/en/how-it-works/",
            "/en/privacy/",
            "/en/accessibility/",
            "/xx/chat/widget/",
            "/en/chat/widget/nowhere/",
            "/api/widget",
            "/healthz",
            "/admin/login/",
        ],
    )
    def test_no_other_page_may_be_framed(self, client, address):
        WidgetOrigin.objects.create(origin=SITE)
        assert self.ancestors(client, address) == "'none'"
        assert client.get(address)["X-Frame-Options"] == "DENY"


class TestTheScript:
    """What a host's page takes in: little, and of nobody else."""

    SCRIPT = Path(__file__).parents[2] / "static" / "widget.js"

    def test_it_is_small(self):
        sent = self.SCRIPT.read_bytes()
        assert len(sent) <= 6_200
        assert len(gzip.compress(sent)) <= 2_500

    def test_it_names_no_address_and_makes_no_markup_of_text(self):
        text = self.SCRIPT.read_text(encoding="utf-8")
        named = r"https?:|innerHTML|insertAdjacent|document\.write|\beval\b|document\.cookie|Storage"
        assert re.findall(named, text) == []


@pytest.mark.django_db(transaction=True)
class TestTheButton:
    def test_an_enabled_sites_page_may_read_what_it_needs(self, client):
        WidgetOrigin.objects.create(origin=SITE)
        response = client.get("/api/widget", {"lang": "fa-IR"}, headers={"origin": SITE})
        assert response["Access-Control-Allow-Origin"] == SITE
        assert "Origin" in response["Vary"]
        assert "no-store" in response["Cache-Control"]
        offer = response.json()
        assert (offer["language"], offer["direction"], offer["page"]) == ("fa", "rtl", "/fa/chat/widget/")
        assert offer["close"] == "بستن"

    @pytest.mark.parametrize("origin", ["https://other.example", "https://off.example", "null", SITE + ".evil.example"])
    def test_another_sites_page_may_not(self, client, origin):
        WidgetOrigin.objects.create(origin=SITE)
        WidgetOrigin.objects.create(origin="https://off.example", enabled=False)
        response = client.get("/api/widget", headers={"origin": origin})
        assert response.status_code == 403
        assert "Access-Control-Allow-Origin" not in response

    @pytest.mark.parametrize(
        ("wanted", "browser", "language"),
        [("zh-Hant-TW", "de", "zh"), ("pt_BR", "de", "pt"), ("it", "de", "de"), ("", "it", "en"), ("../", "fr", "fr")],
    )
    def test_it_speaks_the_pages_language_or_the_browsers(self, client, wanted, browser, language):
        response = client.get("/api/widget", {"lang": wanted}, headers={"accept-language": browser})
        assert response.json()["language"] == language

    def test_it_sets_no_cookie(self, client):
        assert not client.get("/api/widget").cookies


@pytest.mark.django_db
class TestTheDesk:
    def test_the_owner_adds_a_site_and_it_is_written_as_browsers_do(self, client):
        owner = sign_in(client, OWNER)
        assert client.get(LIST).status_code == 200
        edit(client, ADD, origin="https://Www.Example.org:443/", note="the shop")
        row = WidgetOrigin.objects.get()
        assert (row.origin, row.note, row.enabled, row.changed_by) == (SITE, "the shop", True, owner)

    def test_the_line_to_paste_stands_there_and_names_the_sites_address(self, client, settings):
        sign_in(client, OWNER)
        settings.TRAVA = settings.TRAVA.model_copy(update={"SITE_URL": "https://ask.example"})
        line = "&lt;script src=&quot;https://ask.example/static/widget.js&quot; async&gt;&lt;/script&gt;"
        assert line in text(client.get(ADD))
        with closing(client.get("/static/widget.js")) as script:
            assert script.status_code == 200

    def test_what_is_no_origin_or_there_already_is_said_and_not_kept(self, client):
        sign_in(client, OWNER)
        edit(client, ADD, origin=SITE)
        assert "https://, a host name" in text(edit(client, ADD, origin="https://*.example.org"))
        assert "Without https" in text(edit(client, ADD, origin="http://www.example.org"))
        assert "already exists" in text(edit(client, ADD, origin="https://WWW.example.org"))
        assert WidgetOrigin.objects.count() == 1

    @pytest.mark.parametrize(("role", "status"), [(EDITOR, 403), (REVIEWER, 200)])
    def test_a_reviewer_reads_the_list_an_editor_does_not_and_neither_changes_it(self, client, role, status):
        WidgetOrigin.objects.create(origin=SITE)
        sign_in(client, role)
        assert client.get(LIST).status_code == status
        assert client.get(ADD).status_code == 403
        client.post(ADD, {"origin": "https://other.example", "enabled": "on"})
        assert WidgetOrigin.objects.count() == 1
