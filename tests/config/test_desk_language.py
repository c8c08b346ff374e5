"""What the desk says around the content is in the owner's language.

Persian shows what was forgotten: no text of Django's or of ours is the same there as in English.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets, get_fields_from_path, label_for_field
from django.forms import ChoiceField, ModelChoiceField
from django.urls import NoReverseMatch, reverse
from django.utils.translation import override

from evals.suites import SUITES

OURS = ("assistant", "evals", "metering", "records")
DESKS = [desk for model, desk in admin.site._registry.items() if model._meta.app_label in OURS]


@pytest.fixture(params=DESKS, ids=lambda desk: desk.opts.label)
def desk(request) -> admin.ModelAdmin:
    return request.param


@pytest.fixture
def request_of_owner(rf, admin_user):
    request = rf.get("/admin/")
    request.user = admin_user
    return request


def has_djangos(desk: admin.ModelAdmin, page: str) -> bool:
    """Whether Django makes this page of a model: `add`, `change` or `changelist`."""
    try:
        reverse(f"admin:{desk.opts.app_label}_{desk.opts.model_name}_add")
    except NoReverseMatch:
        return False
    return getattr(type(desk), f"{page}_view") is getattr(admin.ModelAdmin, f"{page}_view")


def names(desk: admin.ModelAdmin) -> Iterator[Any]:
    yield from (desk.opts.verbose_name, desk.opts.verbose_name_plural)


def of_the_list(desk: admin.ModelAdmin, request: Any) -> Iterator[Any]:
    for name in desk.get_list_display(request):
        if name not in ("__str__", "action_checkbox"):
            yield label_for_field(name, desk.model, desk)
    for filtered in desk.get_list_filter(request):
        path = filtered[0] if isinstance(filtered, tuple) else filtered
        if isinstance(path, str):
            field = get_fields_from_path(desk.model, path)[-1]
            yield from (field.verbose_name, *(label for _value, label in field.flatchoices))
        else:
            yield path.title
    yield from (description for _action, _name, description in desk.get_actions(request).values())


def of_the_form(desk: admin.ModelAdmin, request: Any) -> Iterator[Any]:
    fieldsets = desk.get_fieldsets(request)
    yield from (heading for heading, _fields in fieldsets if heading)
    form = desk.get_form(request)()
    for name in flatten_fieldsets(fieldsets):
        if name not in form.fields:
            yield label_for_field(name, desk.model, desk)
            continue
        field = form.fields[name]
        yield form[name].label
        if field.help_text:
            yield field.help_text
        if isinstance(field, ChoiceField) and not isinstance(field, ModelChoiceField):
            yield from (label for value, label in field.choices if value)


def texts(desk: admin.ModelAdmin, request: Any) -> list[str]:
    found = [*names(desk)]
    if has_djangos(desk, "changelist"):
        found += of_the_list(desk, request)
    if has_djangos(desk, "change"):
        found += of_the_form(desk, request)
    return [str(text) for text in found]


def test_names_columns_filters_actions_and_fields_are_translated(desk, request_of_owner):
    with override("en"):
        english = texts(desk, request_of_owner)
    with override("fa"):
        persian = texts(desk, request_of_owner)
    assert [text for text, other in zip(english, persian, strict=True) if text == other] == []


@pytest.mark.parametrize("label", OURS)
def test_every_part_of_the_desk_has_a_translated_name(label):
    with override("en"):
        english = str(apps.get_app_config(label).verbose_name)
    with override("fa"):
        assert str(apps.get_app_config(label).verbose_name) != english


@pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES)
def test_what_a_suite_asks_is_translated(suite):
    with override("en"):
        english = str(suite.asks)
    with override("fa"):
        assert str(suite.asks) != english
