"""The owner's view of what the guards did, and where a model declined unduly: what to look at, nothing to change."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.http import HttpRequest

from assistant.models import GuardrailEvent

# The admin's classes take their model as a type parameter in the stubs alone.
if TYPE_CHECKING:
    AdminOfEvents = admin.ModelAdmin[GuardrailEvent]
else:
    AdminOfEvents = admin.ModelAdmin


@admin.register(GuardrailEvent)
class GuardrailEventAdmin(AdminOfEvents):
    """Filtered by `undue_refusal` it is the queue of questions that the sources answer and the model would not."""

    list_display = ("created_at", "guard", "detail", "question", "language", "provider")
    list_filter = ("guard", "turn__language", "created_at")
    list_select_related = ("turn",)
    ordering = ("-created_at",)
    date_hierarchy = "created_at"

    @admin.display(description="question")
    def question(self, event: GuardrailEvent) -> str:
        return event.turn.question

    @admin.display(description="language")
    def language(self, event: GuardrailEvent) -> str:
        return event.turn.language

    @admin.display(description="provider")
    def provider(self, event: GuardrailEvent) -> str:
        return event.turn.provider

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: GuardrailEvent | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: GuardrailEvent | None = None) -> bool:
        return False
