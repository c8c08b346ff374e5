"""Letting the worker take something in again, for a version or for all that was chosen."""

from collections.abc import Iterable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.decorators import method_decorator
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from records import tasks
from records.admin.addresses import page
from records.admin.bases import AdminOfRecord
from records.ingestion import enqueue
from records.models import IngestionStep, Record

_STANDING_STILL = (IngestionStep.State.DONE, IngestionStep.State.FAILED, IngestionStep.State.WAITING)


class Ingesting(AdminOfRecord):
    """The "again" of a record's page and of the list. What is running is left to run."""

    @method_decorator(require_POST)
    def ingest_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take a record's live versions in again; `language` picks one."""
        record = self.get_object(request, str(pk))
        if not request.user.has_perm("records.publish_record"):
            raise PermissionDenied
        if record is None:
            raise Http404
        self.take_in_again(request, [record], request.POST.get("language", ""))
        return HttpResponseRedirect(page(record, "change"))

    def take_in_again(self, request: HttpRequest, records: Iterable[Record], language: str = "") -> None:
        """Put the work back into the queue and say for how many versions."""
        wanted = [
            version.pk
            for record in records
            for version in record.versions.filter(retired_at=None, **({"language": language} if language else {}))
        ]
        count = enqueue(wanted, _STANDING_STILL)
        tasks.announce(wanted)
        text = ngettext("%(count)d version is taken in again.", "%(count)d versions are taken in again.", count)
        self.message_user(request, text % {"count": count}, messages.SUCCESS)
