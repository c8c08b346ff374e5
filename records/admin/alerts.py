"""The owner's view of alerts."""

from django.contrib import admin
from django.http import HttpRequest

from records.admin.bases import AdminOfAlert
from records.models import Alert


@admin.register(Alert)
class AlertAdmin(AdminOfAlert):
    """What the owner was told of, and what nobody could be told of; written by the flows themselves."""

    list_display = ("raised_at", "text", "told_at", "attempts", "closed_at")
    list_filter = (("closed_at", admin.EmptyFieldListFilter), ("told_at", admin.EmptyFieldListFilter))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Alert | None = None) -> bool:
        return False
