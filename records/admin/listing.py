"""The list of a kind's records: what is written, what is published, what waits. A page of it costs a fixed number of
queries, however many records it shows.
"""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Prefetch, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from records import conventions
from records.admin.bases import AdminOfRecord
from records.admin.reader import reader_language
from records.drafts import CODES, DraftState, original_language, states
from records.models import IngestionStep, Owner, Record, RecordText, RecordVersion
from records.personal_values import undecided

_LIVE = RecordVersion.objects.filter(retired_at=None).only("record", "language", "number", "published_at")
_STEPS = Prefetch("steps", queryset=IngestionStep.objects.filter(step=IngestionStep.Step.EMBEDDINGS))
_TEXTS = RecordText.objects.only("record", "language", "title", "updated_at")


class RecordList(ChangeList):
    """Fetches what the columns read."""

    def get_queryset(
        self, request: HttpRequest, exclude_parameters: list[str | None] | None = None
    ) -> QuerySet[Record]:
        records: QuerySet[Record] = super().get_queryset(request, exclude_parameters)
        listed = Subquery(Owner.objects.values("allowed")[:1])
        return records.annotate(allowed=listed).prefetch_related(
            "personal_values",
            Prefetch("texts", queryset=_TEXTS),
            Prefetch("versions", queryset=_LIVE.order_by("language").prefetch_related(_STEPS), to_attr="live"),
        )


if TYPE_CHECKING:

    class Listed(Record):
        """A record as the list fetched it."""

        live: list[RecordVersion]
        allowed: list[str] | None


class Columns(AdminOfRecord):
    """What a row says."""

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return RecordList

    @admin.display(description=gettext_lazy("Title"))
    def title(self, record: "Listed") -> str:
        texts = {text.language: text for text in record.texts.all()}
        text = texts.get(original_language(record, texts.values()))
        return text.title if text else record.slug

    @admin.display(description=gettext_lazy("When"), ordering="start")
    def period(self, record: Record) -> str:
        return conventions.period(record, reader_language()) or "–"

    @admin.display(description=gettext_lazy("translations"))
    def translations(self, record: "Listed") -> SafeString:
        found = states(record)
        written = [code for code, state in found.items() if state is not DraftState.MISSING]
        older = [code for code, state in found.items() if state is DraftState.OLDER]
        marks = [format_html("{}", ", ".join(written) or "–")]
        if older:
            marks.append(
                format_html('<span class="mark warn">{}</span>', _("older: %(codes)s") % {"codes": ", ".join(older)})
            )
        if missing := [code for code in CODES if code not in written]:
            text = _("missing: %(codes)s") % {"codes": ", ".join(missing)}
            marks.append(format_html('<span class="mark">{}</span>', text))
        return format_html(" ".join(["{}"] * len(marks)), *marks)

    @admin.display(description=gettext_lazy("published"))
    def published(self, record: "Listed") -> str:
        return ", ".join(f"{version.language} v{version.number}" for version in record.live) or "–"

    @admin.display(description=gettext_lazy("search"))
    def ingestion(self, record: "Listed") -> SafeString:
        steps = {version.language: step for version in record.live for step in version.steps.all()}
        waiting = {language: step for language, step in steps.items() if step.state != IngestionStep.State.DONE}
        if not waiting:
            return format_html("{}", _("ready") if record.live else "–")
        failed = [language for language, step in waiting.items() if step.state == IngestionStep.State.FAILED]
        if failed:
            text = _("failed: %(codes)s") % {"codes": ", ".join(failed)}
            return format_html('<span class="mark bad">{}</span>', text)
        text = _("waiting: %(codes)s") % {"codes": ", ".join(waiting)}
        return format_html('<span class="mark">{}</span>', text)

    @admin.display(description=gettext_lazy("personal data"))
    def personal_data(self, record: "Listed") -> str:
        waiting = len(undecided(record, record.allowed or ()))
        if not waiting:
            return "–"
        return ngettext("⚠ %(count)d to decide on", "⚠ %(count)d to decide on", waiting) % {"count": waiting}
