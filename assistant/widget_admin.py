"""The owner's desk for the sites that may show the widget."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import admin
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from assistant.changed_by import ChangedBy
from assistant.models import WidgetOrigin

# The admin's classes take their model as a type parameter in the stubs alone.
if TYPE_CHECKING:
    AdminOfOrigin = admin.ModelAdmin[WidgetOrigin]
else:
    AdminOfOrigin = admin.ModelAdmin


@admin.register(WidgetOrigin)
class WidgetOriginAdmin(ChangedBy, AdminOfOrigin):
    """A change holds from the next page on that a visitor opens."""

    list_display = ("origin", "enabled", "note", "changed_by", "changed_at")
    list_filter = ("enabled",)
    search_fields = ("origin", "note")
    fields = ("origin", "enabled", "note", "tag", "changed_by", "changed_at")
    readonly_fields = ("tag", "changed_by", "changed_at")

    @admin.display(description=_("line for its pages"))
    def tag(self, row: WidgetOrigin) -> str:
        # The plain name of the file: the one that changes with its content would end with the next version.
        address = f"{settings.TRAVA.SITE_URL}{settings.STATIC_URL}widget.js"
        return format_html("<code>{}</code>", f'<script src="{address}" async></script>')
