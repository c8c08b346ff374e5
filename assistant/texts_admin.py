"""The owner's desk for the fixed texts: each refusal and notice in each language, beside its default."""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from assistant import texts
from assistant.changed_by import ChangedBy
from assistant.models import FixedText

# The admin's classes take their model as a type parameter in the stubs alone.
if TYPE_CHECKING:
    AdminOfText = admin.ModelAdmin[FixedText]
else:
    AdminOfText = admin.ModelAdmin

NAMES = texts.names()


@admin.register(FixedText)
class FixedTextAdmin(ChangedBy, AdminOfText):
    """There is a row for every text; an empty one shows the default."""

    list_display = ("name", "language", "shown", "own", "changed_at")
    list_filter = ("language", "name")
    search_fields = ("text",)
    list_per_page = len(NAMES) * len(settings.LANGUAGES)
    fields = ("name", "language", "default", "text", "changed_by", "changed_at")
    readonly_fields = ("name", "language", "default", "changed_by", "changed_at")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        FixedText.objects.bulk_create(
            [FixedText(name=name, language=code) for name in NAMES for code, _name in settings.LANGUAGES],
            ignore_conflicts=True,
        )
        return super().changelist_view(request, extra_context)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: FixedText | None = None) -> bool:
        return False

    @admin.display(description=_("what visitors read"))
    def shown(self, row: FixedText) -> str:
        return Truncator(row.text or self.default(row)).chars(90)

    @admin.display(description=_("worded by you"), boolean=True, ordering="text")
    def own(self, row: FixedText) -> bool:
        return bool(row.text)

    @admin.display(description=_("default"))
    def default(self, row: FixedText) -> str:
        return texts.default_text(row.name, row.language)
