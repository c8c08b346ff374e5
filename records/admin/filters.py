"""Filters of the lists of records: translations, what is published, and how far search is."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Exists, F, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.drafts import with_missing_translation, with_older_translation
from records.models import IngestionStep, Record, RecordText, RecordVersion

State = IngestionStep.State


class TranslationFilter(admin.SimpleListFilter):
    """What is missing or older than its original."""

    title = gettext_lazy("translation")
    parameter_name = "translation"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        missing = [(code, _("missing: %(language)s") % {"language": name}) for code, name in settings.LANGUAGES]
        return [("older", _("older than the original")), ("missing", _("missing in some language")), *missing]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Record]) -> QuerySet[Record]:
        match self.value():
            case None:
                return queryset
            case "older":
                return with_older_translation(queryset)
            case "missing":
                return with_missing_translation(queryset)
            case code:
                return with_missing_translation(queryset, [code])


class PublicationFilter(admin.SimpleListFilter):
    """Whether a record is on the site, and whether its draft was changed since."""

    title = gettext_lazy("publication")
    parameter_name = "published"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("live", _("on the site")),
            ("changed", _("on the site, draft changed since")),
            ("withdrawn", _("withdrawn")),
            ("never", _("never published")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Record]) -> QuerySet[Record]:
        versions = RecordVersion.objects.filter(record=OuterRef("pk"))
        live = versions.filter(retired_at=None)
        match self.value():
            case "live":
                return queryset.filter(Exists(live))
            case "changed":
                return queryset.filter(Exists(live)).filter(changed_since())
            case "withdrawn":
                return queryset.filter(Exists(versions)).exclude(Exists(live))
            case "never":
                return queryset.exclude(Exists(versions))
            case _other:
                return queryset


def changed_since() -> Exists:
    """Return the condition that a draft was written after its language's live version, or has none."""
    texts = RecordText.objects.filter(record=OuterRef("pk"))
    live = RecordVersion.objects.filter(
        record=OuterRef("record"),
        language=OuterRef("language"),
        retired_at=None,
        published_at__gt=OuterRef("updated_at"),
    )
    return Exists(texts.exclude(Exists(live.filter(published_at__gt=F("record__updated_at")))))


class IngestionFilter(admin.SimpleListFilter):
    """What waits to be taken in, and what failed."""

    title = gettext_lazy("search")
    parameter_name = "ingestion"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("failed", _("failed")), ("waiting", _("waiting or running")), ("ready", _("ready"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Record]) -> QuerySet[Record]:
        live = RecordVersion.objects.filter(record=OuterRef("pk"), retired_at=None)
        steps = IngestionStep.objects.filter(version__record=OuterRef("pk"), version__retired_at=None)
        match self.value():
            case "failed":
                return queryset.filter(Exists(steps.filter(state=State.FAILED)))
            case "waiting":
                return queryset.filter(Exists(steps.filter(state__in=[State.WAITING, State.RUNNING])))
            case "ready":
                return queryset.filter(Exists(live)).exclude(Exists(steps.exclude(state=State.DONE)))
            case _other:
                return queryset
