"""The owner's desk for the guardrails: phrases to refuse, what becomes of personal data, and switches."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from assistant.changed_by import ChangedBy
from assistant.models import OwnerRules, RefusalPhrase
from guardrails.extra import ExtraPhrase

# The admin's classes take their model as a type parameter in the stubs alone.
if TYPE_CHECKING:
    AdminOfPhrase = admin.ModelAdmin[RefusalPhrase]
    AdminOfRules = admin.ModelAdmin[OwnerRules]
    FormOfPhrase = forms.ModelForm[RefusalPhrase]
else:
    AdminOfPhrase, AdminOfRules = admin.ModelAdmin, admin.ModelAdmin
    FormOfPhrase = forms.ModelForm

TRY = "_try"  # the button that tries a phrase out


class TriedForm(FormOfPhrase):
    """A form that is looked at: its faults are found, and it is shown again and never saved."""

    def is_valid(self) -> bool:
        super().is_valid()
        return False


@admin.register(RefusalPhrase)
class RefusalPhraseAdmin(AdminOfPhrase):
    """Phrases take part from the next question on. Before, one can be tried on golden and on visitors' questions."""

    list_display = ("text", "category", "language", "active", "note", "created_by", "changed_at")
    list_filter = ("category", "language", "active")
    search_fields = ("text", "note")
    fields = ("text", "category", "language", "active", "note", "created_by", "created_at", "changed_at")
    readonly_fields = ("created_by", "created_at", "changed_at")

    def get_form(
        self, request: HttpRequest, obj: RefusalPhrase | None = None, change: bool = False, **options: Any
    ) -> type[FormOfPhrase]:
        return super().get_form(request, obj, change, **options, **({"form": TriedForm} if TRY in request.POST else {}))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any
    ) -> HttpResponse:
        original = context["original"]
        may_change = self.has_change_permission(request, original) if original else self.has_add_permission(request)
        context["may_try"] = may_change
        if TRY in request.POST and not context["errors"]:
            typed: RefusalPhrase = context["adminform"].form.instance
            context["bench"] = self._bench(request, typed)
        return super().render_change_form(request, context, *args, **options)

    def _bench(self, request: HttpRequest, typed: RefusalPhrase) -> SafeString:
        """Ask the package that evaluates, which this one doesn't know."""
        phrase = ExtraPhrase(typed.category, typed.text, typed.language)  # type: ignore[arg-type]  # chosen from the same names
        may_read = request.user.has_perm("assistant.view_turn")
        shown: SafeString = import_string(settings.PHRASE_BENCH)(phrase, typed.pk, may_read_turns=may_read)
        return shown

    def save_model(self, request: HttpRequest, obj: RefusalPhrase, form: Any, change: bool) -> None:
        if not change:
            obj.created_by = request.user  # type: ignore[assignment]  # admin users are signed in
        super().save_model(request, obj, form, change)


@admin.register(OwnerRules)
class OwnerRulesAdmin(ChangedBy, AdminOfRules):
    """One row, opened from the index at once."""

    fieldsets = (
        (_("Personal data in answers"), {"fields": ("national_id", "card", "iban", "phone", "email")}),
        (_("Further checks"), {"fields": ("support",)}),
        (None, {"fields": ("changed_by", "changed_at")}),
    )
    readonly_fields = ("changed_by", "changed_at")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        OwnerRules.objects.get_or_create(pk=1)
        return HttpResponseRedirect(reverse("admin:assistant_ownerrules_change", args=[1]))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: OwnerRules | None = None) -> bool:
        return False
