"""The owner's desk for records of one kind. Saving changes the draft; what the site says changes by publishing."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext_lazy as _

from records.admin.access_action import AccessAction
from records.admin.addresses import page
from records.admin.desk import rows
from records.admin.filters import IngestionFilter, PublicationFilter, TranslationFilter
from records.admin.ingesting import Ingesting
from records.admin.kind_inputs import PREFIX
from records.admin.listing import Columns
from records.admin.preview import Preview
from records.admin.publication import ACTS, Publication, rehearsal
from records.admin.record_form import RecordForm, record_form
from records.admin.texts import RecordTextInline, edited
from records.admin.versions import Versions
from records.kind_fields import KIND_FIELDS, shown
from records.models import Article, CaseStudy, CVEntry, Kind, Record, Service
from records.personal_values import undecided

_READ = ("slug", "original", "period", "current", "access", "group", "own_fields")
_GOVERNING = ("authority", "decided_by", "valid_from", "valid_to")


class RecordAdmin(Columns, Publication, Versions, Preview, Ingesting, AccessAction):
    """One kind of records."""

    kind: ClassVar[Kind]
    change_form_template = "admin/records/record_change_form.html"
    list_display = ("title", "translations", "published", "ingestion", "period", "access", "personal_data", "slug")
    list_filter = (TranslationFilter, PublicationFilter, IngestionFilter, "access", "current")
    list_per_page = 50
    search_fields = ("slug", "texts__title", "texts__summary", "texts__body")
    search_help_text = _("Searches short names, titles, summaries and texts in all languages.")
    actions = ("publish_selected", "withdraw_selected", "revoke_selected", "access_selected", "ingest_selected")

    def get_form(
        self,
        request: HttpRequest,
        obj: Record | None = None,
        change: bool = False,
        **options: Any,  # Django's signature
    ) -> type[RecordForm]:
        return super().get_form(request, obj, change, **{"form": record_form(self.kind), **options})  # type: ignore[return-value]  # made from that form

    def get_fieldsets(self, request: HttpRequest, obj: Record | None = None) -> Any:
        governing = (_("What governs, and how long"), {"fields": _GOVERNING, "classes": ("collapse",)})
        if not (self.has_change_permission(request, obj) if obj else self.has_add_permission(request)):
            return [(None, {"fields": _READ}), governing]
        own = tuple(PREFIX + known.key for known in KIND_FIELDS[self.kind])
        first = ("slug", "original") if obj else ("slug",)
        return [
            (None, {"fields": (*first, ("from_date", "to_date"), "current", *own)}),
            (_("Who may read it"), {"fields": ("access", "group")}),
            governing,
        ]

    def get_inlines(self, request: HttpRequest, obj: Record | None) -> Any:
        return [type(f"{self.kind.name}Texts", (RecordTextInline,), {"kind": self.kind})]

    def get_inline_instances(self, request: HttpRequest, obj: Record | None = None) -> list[Any]:
        inlines = super().get_inline_instances(request, obj)
        for inline in inlines:
            if obj and not self.has_change_permission(request, obj):
                inline.template = "admin/edit_inline/stacked.html"  # nothing to edit: as Django shows it
        return inlines

    def get_readonly_fields(self, request: HttpRequest, obj: Record | None = None) -> tuple[str, ...]:
        # Passage ids are made of the slug: another one would cut old citations off from their text.
        return ("slug",) if obj and obj.versions.exists() else ()

    @admin.display(description=_("Fields"))
    def own_fields(self, record: Record) -> str:
        return "\n".join(f"{name}: {value}" for name, value in shown(self.kind, record.fields).items()) or "–"

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any
    ) -> HttpResponse:
        record: Record | None = context["original"]
        original, languages = edited(request, record)
        context |= {
            "side": languages[-1] if languages[-1:] != (original,) else "",
            "may_publish": self.has_publish_permission(request),
        }
        context["preview_address"] = (
            page(record, "preview") if record else reverse(f"admin:records_{self.opts.model_name}_preview_new")
        )
        if record:
            context["may_decide"] = request.user.has_perm("records.change_owner")
            context |= {"rows": rows(record), "personal_values": undecided(record)}
            context["rehearsal"] = rehearsal(request, [record], "publish")
            context["is_live"] = any(row.live for row in context["rows"])
            context["was_published"] = any(row.versions for row in context["rows"])
        return super().render_change_form(request, context, *args, **options)

    def get_urls(self) -> list[URLPattern]:
        def named(name: str, route: str, view: Callable[..., HttpResponse], **values: Any) -> URLPattern:
            whole = f"{self.opts.app_label}_{self.opts.model_name}_{name}"
            return path(route, self.admin_site.admin_view(view), values, name=whole)

        return [
            *(named(act, f"<int:pk>/{act}/", self.publication, act=act) for act in ACTS),
            named("versions", "<int:pk>/versions/", self.versions_view),
            named("ingest", "<int:pk>/ingest/", self.ingest_view),
            named("preview", "<int:pk>/preview/", self.preview_view),
            named("preview_new", "add/preview/", self.preview_view),
            *super().get_urls(),
        ]

    def save_model(self, request: HttpRequest, obj: Record, form: Any, change: bool) -> None:  # Django's signature
        """An unchanged draft keeps the day of its last change."""
        if not change or form.has_changed():
            super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:  # Django's signature
        """The text that a record begins with is its original."""
        super().save_related(request, form, formsets, change)
        record: Record = form.instance
        if not change and (text := record.texts.first()):
            record.original = text.language
            record.save(update_fields=["original"])

    def response_add(self, request: HttpRequest, obj: Record, post_url_continue: str | None = None) -> HttpResponse:
        return super().response_add(request, obj, post_url_continue or page(obj, "change"))

    def response_change(self, request: HttpRequest, obj: Record) -> HttpResponse:
        """Going on means with the same translation."""
        response = super().response_change(request, obj)
        language = request.GET.get("language")
        if "_continue" in request.POST and language and isinstance(response, HttpResponseRedirect):
            return HttpResponseRedirect(f"{page(obj, 'change')}?language={language}")
        return response

    @admin.action(description=_("Publish what the drafts say"), permissions=["publish"])
    def publish_selected(self, request: HttpRequest, records: QuerySet[Record]) -> HttpResponse | None:
        return self.of_selected(request, ACTS["publish"], records)

    @admin.action(description=_("Withdraw from the site"), permissions=["publish"])
    def withdraw_selected(self, request: HttpRequest, records: QuerySet[Record]) -> HttpResponse | None:
        return self.of_selected(request, ACTS["withdraw"], records)

    @admin.action(description=_("Revoke: withdraw and empty all published versions for ever"), permissions=["publish"])
    def revoke_selected(self, request: HttpRequest, records: QuerySet[Record]) -> HttpResponse | None:
        return self.of_selected(request, ACTS["revoke"], records)

    @admin.action(description=_("Set who may read"), permissions=["change"])
    def access_selected(self, request: HttpRequest, records: QuerySet[Record]) -> HttpResponse | None:
        return self.ask_access(request, records)

    @admin.action(description=_("Take in again for search"), permissions=["publish"])
    def ingest_selected(self, request: HttpRequest, records: QuerySet[Record]) -> None:
        self.take_in_again(request, records)

    def has_delete_permission(self, request: HttpRequest, obj: Record | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not (obj and obj.versions.exists())


for model in (CVEntry, CaseStudy, Article, Service):
    admin.site.register(model, type(f"{model.__name__}Admin", (RecordAdmin,), {"kind": model.KIND}))
