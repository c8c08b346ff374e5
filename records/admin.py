"""The owner's desk for records: drafts with their texts, what is published of them, and how far ingestion is."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from records.models import (
    Alert,
    Article,
    CaseStudy,
    CVEntry,
    IngestionStep,
    Owner,
    Record,
    RecordText,
    RecordVersion,
    Service,
)
from records.owner_form import OwnerForm
from records.personal_admin import PersonalValueAdmin
from records.personal_values import undecided
from records.publishing import publish, revoke, withdraw

__all__ = ["AlertAdmin", "OwnerAdmin", "PersonalValueAdmin", "RecordAdmin"]

# The admin's classes take their model as a type parameter in the stubs alone.
if TYPE_CHECKING:
    TextInline = admin.StackedInline[RecordText, Record]
    AdminOfRecord = admin.ModelAdmin[Record]
    AdminOfOwner = admin.ModelAdmin[Owner]
    AdminOfAlert = admin.ModelAdmin[Alert]
else:
    TextInline = admin.StackedInline
    AdminOfRecord = AdminOfOwner = AdminOfAlert = admin.ModelAdmin


class RecordTextInline(TextInline):
    """The draft in each language."""

    model = RecordText
    extra = 0
    fields = ("language", "title", "summary", "body", "fields", "relations")


class RecordAdmin(AdminOfRecord):
    """One kind of records. Saving changes the draft; the actions change what the site says."""

    inlines = (RecordTextInline,)
    change_form_template = "admin/records/record_change_form.html"
    list_display = ("slug", "start", "current", "access", "published", "ingestion", "personal_data")
    list_filter = ("access", "current")
    search_fields = ("slug", "texts__title", "texts__body")
    exclude = ("kind",)
    actions = ("publish_selected", "withdraw_selected", "revoke_selected")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Record]:
        return super().get_queryset(request).prefetch_related("personal_values")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        record = self.get_object(request, object_id)
        context = {**(extra_context or {}), "personal_values": undecided(record) if record else []}
        return super().change_view(request, object_id, form_url, context)

    def get_readonly_fields(self, request: HttpRequest, obj: Record | None = None) -> tuple[str, ...]:
        # Passage ids are made of the slug: another one would cut old citations off from their text.
        return ("slug",) if obj and obj.versions.exists() else ()

    @admin.display(description=gettext_lazy("published"))
    def published(self, record: Record) -> str:
        live = record.versions.filter(retired_at=None).order_by("language")
        return ", ".join(f"{version.language} v{version.number}" for version in live) or "–"

    @admin.display(description=gettext_lazy("ingestion"))
    def ingestion(self, record: Record) -> str:
        steps = IngestionStep.objects.filter(version__record=record, version__retired_at=None)
        unfinished = steps.exclude(state=IngestionStep.State.DONE).select_related("version")
        return ", ".join(
            f"{step.version.language} {step.get_step_display()}: {step.get_state_display()}" for step in unfinished
        ) or _("complete")

    @admin.display(description=gettext_lazy("personal data"))
    def personal_data(self, record: Record) -> str:
        waiting = len(undecided(record))
        return (
            ngettext("⚠ %(count)d to decide on", "⚠ %(count)d to decide on", waiting) % {"count": waiting}
            if waiting
            else "–"
        )

    @admin.action(description=gettext_lazy("Publish what the drafts say"))
    def publish_selected(self, request: HttpRequest, records: QuerySet[Record]) -> None:
        self._apply(request, records, lambda record: publish(record, by=request.user))  # type: ignore[arg-type]  # admin users are signed in

    @admin.action(description=gettext_lazy("Withdraw from the site"))
    def withdraw_selected(self, request: HttpRequest, records: QuerySet[Record]) -> None:
        self._apply(request, records, withdraw)

    @admin.action(description=gettext_lazy("Revoke: withdraw and empty all published versions for ever"))
    def revoke_selected(self, request: HttpRequest, records: QuerySet[Record]) -> None:
        self._apply(request, records, revoke)

    def _apply(
        self, request: HttpRequest, records: QuerySet[Record], change: Callable[[Record], list[RecordVersion]]
    ) -> None:
        count = sum(len(change(record)) for record in records)
        text = ngettext("%(count)d version changed.", "%(count)d versions changed.", count)
        self.message_user(request, text % {"count": count}, messages.SUCCESS)
        for record in records.all():
            if undecided(record):
                found = _(
                    "%(record)s holds what looks like personal data: open it to decide whether answers may show it."
                )
                self.message_user(request, found % {"record": record}, messages.WARNING)

    def has_delete_permission(self, request: HttpRequest, obj: Record | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not (obj and obj.versions.exists())


@admin.register(Owner)
class OwnerAdmin(AdminOfOwner):
    """The one owner."""

    form = OwnerForm

    def has_add_permission(self, request: HttpRequest) -> bool:
        return not Owner.objects.exists()

    def save_model(self, request: HttpRequest, obj: Owner, form: Any, change: bool) -> None:
        obj.pk = 1
        super().save_model(request, obj, form, change)


@admin.register(Alert)
class AlertAdmin(AdminOfAlert):
    """What the owner was told of, and what nobody could be told of; written by the flows themselves."""

    list_display = ("raised_at", "text", "told_at", "attempts", "closed_at")
    list_filter = (("closed_at", admin.EmptyFieldListFilter), ("told_at", admin.EmptyFieldListFilter))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Alert | None = None) -> bool:
        return False


for model in (CVEntry, CaseStudy, Article, Service):
    admin.site.register(model, RecordAdmin)
