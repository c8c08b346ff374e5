"""The owner's profile: one row, opened from the index at once."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from records.admin.bases import AdminOfOwner
from records.admin.owner_form import OwnerForm
from records.models import Owner


@admin.register(Owner)
class OwnerAdmin(AdminOfOwner):
    """The one owner."""

    form = OwnerForm
    fieldsets = (
        (_("Names"), {"fields": ("name", "names", "aliases", "pronouns")}),
        (_("On the site"), {"fields": ("tagline", "contact", "questions")}),
        (_("Personal data and links"), {"fields": ("domains", "allowed")}),
    )

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if self.has_view_permission(request) and (owner := Owner.objects.first()):
            return HttpResponseRedirect(reverse("admin:records_owner_change", args=[owner.pk]))
        return super().changelist_view(request, extra_context)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not Owner.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Owner | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Owner, form: Any, change: bool) -> None:  # Django's signature
        obj.pk = 1
        super().save_model(request, obj, form, change)
