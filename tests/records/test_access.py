"""What a viewer may not read is in no hit, no list and no page, and its absence says nothing."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User

from records import selectors
from records.access import PUBLIC, Viewer, visible
from records.models import Access, Kind, RecordVersion
from tests.records.drafts import ask, published, records_of

pytestmark = pytest.mark.django_db

TEXT = "The desalination plant at Corvane Bay has conductivity sensors."
STAFF = Viewer(staff=True)


@pytest.fixture
def clients():
    return Group.objects.create(name="Clients")


@pytest.fixture
def others():
    return Group.objects.create(name="Others")


@pytest.fixture
def site(clients):
    """The same text three times, once in each class."""
    return {
        "open": published("open", TEXT),
        "members": published("members", TEXT, access=Access.RESTRICTED, group=clients),
        "secret": published("secret", TEXT, access=Access.PRIVATE),
    }


def readers(clients, others):
    return {
        "public": (PUBLIC, {"open"}),
        "member": (Viewer(groups=frozenset({clients.pk})), {"open", "members"}),
        "member of another group": (Viewer(groups=frozenset({others.pk})), {"open"}),
        "staff": (STAFF, {"open", "members", "secret"}),
    }


class TestViewer:
    def test_who_is_not_signed_in_is_the_public(self):
        assert Viewer.of(AnonymousUser()) == PUBLIC

    def test_a_member_has_the_groups_of_today(self, clients):
        user = User.objects.create_user("ines")
        user.groups.add(clients)
        assert Viewer.of(user) == Viewer(groups=frozenset({clients.pk}))
        user.groups.clear()
        assert Viewer.of(user) == PUBLIC

    def test_staff_sees_everything_until_deactivated(self):
        user = User.objects.create_user("livia", is_staff=True)
        assert Viewer.of(user) == STAFF
        user.is_active = False
        assert Viewer.of(user) == PUBLIC


class TestVisible:
    def test_each_reader_sees_their_classes_and_no_other(self, site, clients, others):
        for viewer, seen in readers(clients, others).values():
            slugs = RecordVersion.objects.filter(visible(viewer)).values_list("record__slug", flat=True)
            assert set(slugs) == seen

    def test_restricted_to_no_group_is_for_staff_alone(self, clients):
        published("nobody", TEXT, access=Access.RESTRICTED)
        assert not RecordVersion.objects.filter(visible(Viewer(groups=frozenset({clients.pk}))))
        assert RecordVersion.objects.filter(visible(STAFF))


class TestSearch:
    def test_hits_are_what_the_reader_may_read(self, site, clients, others):
        for viewer, seen in readers(clients, others).values():
            assert set(records_of(ask("conductivity sensors at Corvane Bay", viewer))) == seen

    def test_what_is_hidden_takes_no_place_and_moves_no_score(self, clients):
        published("open", f"{TEXT} Sensors are tested weekly.")
        alone = ask("conductivity sensors Corvane", k=1)
        published("secret", "\n\n".join(f"# {n}\n\n{TEXT} {n}" for n in range(60)), access=Access.PRIVATE)
        assert ask("conductivity sensors Corvane", k=1).hits == alone.hits

    def test_closing_a_record_takes_effect_with_its_publication(self):
        published("open", TEXT)
        published("open", TEXT, access=Access.PRIVATE)
        assert ask("conductivity sensors Corvane").hits == ()


class TestLists:
    def test_overview_and_panorama_filter_first(self, site, clients, others):
        for viewer, seen in readers(clients, others).values():
            assert {view.record for view in selectors.overview("projects", "en", viewer, 9)} == seen
            assert {view.record for view in selectors.panorama("en", viewer)} <= seen
            assert {view.record for view in selectors.by_kind(Kind.CASE_STUDY, "en", viewer)} == seen

    def test_hidden_records_take_no_place_in_a_limited_list(self):
        published("open", TEXT, start="2001-01-01")
        for number in range(3):
            published(f"secret-{number}", TEXT, start="2020-01-01", access=Access.PRIVATE)
        assert [view.record for view in selectors.overview("projects", "en", PUBLIC, 1)] == ["open"]
