"""The owner's desk for what belongs to the assistant.

That for the guardrails is in `rules_admin`, for turns in `turn_admin`, for texts in `texts_admin`, for the
widget in `widget_admin`.
"""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from assistant import api_keys
from assistant.models import ApiKey
from assistant.rules_admin import OwnerRulesAdmin, RefusalPhraseAdmin
from assistant.texts_admin import FixedTextAdmin
from assistant.turn_admin import TurnAdmin
from assistant.widget_admin import WidgetOriginAdmin

__all__ = [
    "ApiKeyAdmin",
    "FixedTextAdmin",
    "OwnerRulesAdmin",
    "RefusalPhraseAdmin",
    "TurnAdmin",
    "WidgetOriginAdmin",
]

# The admin's classes take their model as a type parameter in the stubs alone.
if TYPE_CHECKING:
    AdminOfApiKey = admin.ModelAdmin[ApiKey]
else:
    AdminOfApiKey = admin.ModelAdmin


@admin.register(ApiKey)
class ApiKeyAdmin(AdminOfApiKey):
    """A key is shown in the answer to its creation, and nowhere else: not in a message, which is stored."""

    list_display = ("name", "hint", "created_at", "last_used_on", "revoked_at")
    readonly_fields = ("hint", "created_at", "last_used_on", "revoked_at")
    actions = ("revoke_selected",)

    def get_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> tuple[str, ...]:
        return ("name", *self.readonly_fields) if obj else ("name",)

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        if not change:
            api_keys.mint(obj)
        super().save_model(request, obj, form, change)

    def response_add(self, request: HttpRequest, obj: ApiKey, post_url_continue: str | None = None) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("New API key"),
            "row": obj,
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/assistant/apikey/created.html", context)

    @admin.action(description=_("Revoke for ever"), permissions=["change"])
    def revoke_selected(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        count = keys.filter(revoked_at=None).update(revoked_at=timezone.now())
        self.message_user(request, gettext("Revoked: %(count)s.") % {"count": count}, messages.SUCCESS)

    def has_delete_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        return False
