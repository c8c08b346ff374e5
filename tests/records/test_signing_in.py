"""Who has a login reads what is open to a group of his: in, back to the page, and out again."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from records.models import Access
from tests.records.drafts import published

pytestmark = pytest.mark.django_db

PASSWORD = "a long pass phrase"
CLOSED = "/de/case-study/leaks/"


@pytest.fixture
def reader():
    group = Group.objects.create(name="Clients")
    user = User.objects.create_user("ines", password=PASSWORD)
    user.groups.add(group)
    published("leaks", "Thirty-six leaks were found.", access=Access.RESTRICTED, group=group)
    return user


def sign_in(client, password=PASSWORD, where="/de/sign-in/", following=CLOSED):
    return client.post(where, {"username": "ines", "password": password, "next": following})


def test_the_page_of_a_closed_record_leads_in_and_the_way_in_leads_back(client, reader):
    refused = client.get(CLOSED)
    assert refused.status_code == 403
    assert f"/de/sign-in/?next={CLOSED}" in refused.content.decode()
    assert f'value="{CLOSED}"' in client.get(f"/de/sign-in/?next={CLOSED}").content.decode()
    assert sign_in(client).url == CLOSED
    page = client.get(CLOSED)
    assert "Thirty-six leaks" in page.content.decode()
    assert "leaks" in client.get("/de/").content.decode()


def test_out_again_nothing_of_it_is_shown(client, reader):
    sign_in(client)
    assert "/de/sign-out/" in client.get("/de/").content.decode()
    assert client.post("/de/sign-out/").url == "/de/"
    assert client.get(CLOSED).status_code == 403
    assert "sign-out" not in client.get("/de/").content.decode()


def test_a_signed_in_reader_of_another_group_is_not_sent_round_in_circles(client, reader):
    reader.groups.clear()
    sign_in(client)
    refused = client.get(CLOSED)
    assert refused.status_code == 403
    assert "sign-in" not in refused.content.decode()


def test_a_wrong_password_is_said_in_the_language_and_five_lock_the_name(client, reader):
    said = sign_in(client, "wrong").content.decode()
    assert "Kein Konto hat diesen Namen und dieses Passwort" in said
    for _ in range(4):
        locked = sign_in(client, "wrong")
    assert locked.status_code == 429
    assert "in einer Stunde" in locked.content.decode()
    assert sign_in(client).status_code == 429


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org/", "javascript:alert(1)"])
def test_nobody_is_led_to_another_site(client, reader, elsewhere):
    assert sign_in(client, following=elsewhere).url == "/de/"


def test_a_form_from_elsewhere_is_not_taken(reader):
    careful = Client(enforce_csrf_checks=True)
    assert sign_in(careful).status_code == 403
    assert careful.post("/de/sign-out/").status_code == 403


def test_a_reader_is_let_in_nowhere_else(client, reader):
    sign_in(client)
    assert client.get("/admin/").status_code == 302
