"""Owner, editor, reviewer: what each may do is granted by the packages, and kept so after every migration."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command

from records.roles import EDITOR, OWNER, REVIEWER, ROLES

pytestmark = pytest.mark.django_db


def member(role):
    user = User.objects.create_user(f"a {role}", is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return user


def test_the_owner_may_do_everything():
    assert Group.objects.get(name=OWNER).permissions.count() == Permission.objects.count()


@pytest.mark.parametrize(
    "right",
    [
        "records.publish_record",
        "records.change_owner",
        "records.delete_article",
        "metering.add_spendcap",
        "metering.view_charge",
        "metering.add_modelprice",
        "assistant.change_ownerrules",
        "assistant.add_refusalphrase",
        "assistant.add_apikey",
        "assistant.add_widgetorigin",
        "auth.change_user",
    ],
)
def test_neither_editor_nor_reviewer_publishes_or_touches_money_rules_or_people(right):
    assert member(OWNER).has_perm(right)
    assert not member(EDITOR).has_perm(right)
    assert not member(REVIEWER).has_perm(right)


@pytest.mark.parametrize("right", ["records.add_article", "records.change_cventry", "records.change_recordtext"])
def test_an_editor_writes_drafts_and_a_reviewer_does_not(right):
    assert member(EDITOR).has_perm(right)
    assert not member(REVIEWER).has_perm(right)


@pytest.mark.parametrize(
    "right", ["records.view_article", "records.view_recordversion", "assistant.view_turn", "evals.view_run"]
)
def test_a_reviewer_reads_records_turns_and_evals(right):
    assert member(REVIEWER).has_perm(right)


def test_a_reviewer_holds_nothing_but_reading():
    codenames = Group.objects.get(name=REVIEWER).permissions.values_list("codename", flat=True)
    assert codenames
    assert all(name.startswith("view_") for name in codenames)


def test_a_migration_brings_the_groups_back_to_what_is_granted():
    Group.objects.get(name=EDITOR).permissions.add(Permission.objects.get(codename="publish_record"))
    Group.objects.get(name=OWNER).delete()
    call_command("migrate", verbosity=0)
    assert not member(EDITOR).has_perm("records.publish_record")
    assert set(Group.objects.values_list("name", flat=True)) == set(ROLES)


def test_the_owner_whom_the_start_creates_is_in_the_owners_group():
    call_command("create_owner")
    assert User.objects.get().groups.get().name == OWNER
