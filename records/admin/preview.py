"""A text as the site will show it, before it is saved: within the form by htmx, else as a page of the site."""

from typing import Any, ClassVar

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST

from guardrails.characters import speakable
from records import views
from records.admin.bases import AdminOfRecord
from records.drafts import CODES
from records.markdown import html
from records.models import Kind, Record, RecordVersion
from records.publishing import FACTS


class Preview(AdminOfRecord):
    """What the button under a text leads to; nothing is stored."""

    kind: ClassVar[Kind]

    @method_decorator(require_POST)
    def preview_view(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """`preview` names the text among those of the form: its prefix."""
        record = self.get_object(request, str(pk)) if pk else None
        if not (self.has_change_permission(request, record) if record else self.has_add_permission(request)):
            raise PermissionDenied
        prefix = request.POST.get("preview", "")
        language = request.POST.get(f"{prefix}-language", "")
        if language not in CODES:
            raise BadRequest("no such language")
        said = {name: speakable(request.POST.get(f"{prefix}-{name}", "")) for name in ("title", "summary", "body")}
        if request.htmx:  # type: ignore[attr-defined]  # put there by the middleware
            context: dict[str, Any] = {**said, "html": html(said["body"]), "language": language, "prefix": prefix}
            return TemplateResponse(request, "admin/records/preview.html", context)
        return views.version_page(request, language, self._unsaved(record, language, said))

    def _unsaved(self, record: Record | None, language: str, said: dict[str, str]) -> RecordVersion:
        """The version that publishing would make of it, but for facts that are typed in and not saved."""
        record = record or Record(kind=self.kind, slug="preview")
        last = record.versions.filter(language=language).order_by("-number").first() if record.pk else None
        stored = record.texts.filter(language=language).first() if record.pk else None
        return RecordVersion(
            record=record,
            language=language,
            number=last.number + 1 if last else 1,
            published_at=timezone.now(),
            **{name: getattr(record, name) for name in FACTS},
            fields=record.fields | (stored.fields if stored else {}),
            **said,
        )
