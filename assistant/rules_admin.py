"""The owner's desk for the guardrails: phrases to refuse, what becomes of personal data, and switches."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from assistant.models import OwnerRules, RefusalPhrase

# The admin's classes take their model as a type parameter in the stubs alone.
if TYPE_CHECKING:
    AdminOfPhrase = admin.ModelAdmin[RefusalPhrase]
    AdminOfRules = admin.ModelAdmin[OwnerRules]
else:
    AdminOfPhrase, AdminOfRules = admin.ModelAdmin, admin.ModelAdmin


@admin.register(RefusalPhrase)
class RefusalPhraseAdmin(AdminOfPhrase):
    """Phrases take part from the next question on."""

    list_display = ("text", "category", "language", "active", "note", "created_by", "changed_at")
    list_filter = ("category", "language", "active")
    search_fields = ("text", "note")
    fields = ("text", "category", "language", "active", "note", "created_by", "created_at", "changed_at")
    readonly_fields = ("created_by", "created_at", "changed_at")

    def save_model(self, request: HttpRequest, obj: RefusalPhrase, form: Any, change: bool) -> None:
        if not change:
            obj.created_by = request.user  # type: ignore[assignment]  # admin users are signed in
        super().save_model(request, obj, form, change)


@admin.register(OwnerRules)
class OwnerRulesAdmin(AdminOfRules):
    """One row, opened from the index at once."""

    fieldsets = (
        ("Personal data in answers", {"fields": ("national_id", "card", "iban", "phone", "email")}),
        ("Further checks", {"fields": ("support",)}),
        (None, {"fields": ("changed_by", "changed_at")}),
    )
    readonly_fields = ("changed_by", "changed_at")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        OwnerRules.objects.get_or_create(pk=1)
        return HttpResponseRedirect(reverse("admin:assistant_ownerrules_change", args=[1]))

    def save_model(self, request: HttpRequest, obj: OwnerRules, form: Any, change: bool) -> None:
        obj.changed_by = request.user  # type: ignore[assignment]  # admin users are signed in
        super().save_model(request, obj, form, change)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: OwnerRules | None = None) -> bool:
        return False
