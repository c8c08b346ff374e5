"""The admin of rehearsals: begun by a button on a record's pages, followed and read on a page of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from evals import asked, tasks
from evals.before_publishing import rehearsing
from evals.before_publishing.affected import EXPECTING, NEAREST, SUGGESTED
from evals.before_publishing.cited import cited
from evals.before_publishing.models import Rehearsal
from records.admin.addresses import page
from records.models import Record
from records.publishing import pending
from records.read_only import ReadOnly

if TYPE_CHECKING:
    AdminOfRehearsal = admin.ModelAdmin[Rehearsal]
else:
    AdminOfRehearsal = admin.ModelAdmin


@dataclass(frozen=True, slots=True)
class Line:
    """A case that was asked. `differences`: what it gave before and after, as far as that differs."""

    suite: str
    language: str
    case: str
    question: str
    address: str
    differences: tuple[tuple[str, object, object], ...]


def panel(request: HttpRequest, records: Sequence[Record], act: str) -> SafeString | str:
    """Return the button that begins a rehearsal of an act on all of these records at once, as far as it changes them.

    Revoking changes for search what withdrawing does.
    """
    rehearsed = act if act in Rehearsal.Act else Rehearsal.Act.WITHDRAW
    changing = [record for record in records if _changes_anything(record, rehearsed)]
    if not request.user.has_perm("evals.add_rehearsal") or not changing:
        return ""
    first, *others = changing
    last = Rehearsal.objects.filter(record=first, act=rehearsed).first()
    context = {"record": first, "others": others, "act": rehearsed, "last": last}
    return render_to_string("admin/evals/rehearsal_panel.html", context, request)


def _changes_anything(record: Record, act: str) -> bool:
    return bool(pending(record)) if act == Rehearsal.Act.PUBLISH else record.versions.filter(retired_at=None).exists()


@admin.register(Rehearsal)
class RehearsalAdmin(ReadOnly, AdminOfRehearsal):
    """Read alone; begun by `_begin`."""

    list_display = ("record", "act", "state", "started_by", "started_at")
    list_filter = ("act", "state")
    list_select_related = ("record", "started_by")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("of/<int:record>-<slug:act>/", view(self._begin), name="evals_rehearsal_begin"),
            path("<int:pk>/", view(self._page), name="evals_rehearsal_page"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:evals_rehearsal_page", args=[object_id]))

    def _begin(self, request: HttpRequest, record: int, act: str) -> HttpResponse:
        """Begin (POST), and show the page on which it goes on."""
        if request.method != "POST" or not request.user.has_perm("evals.add_rehearsal"):
            raise PermissionDenied
        if act not in Rehearsal.Act:
            raise Http404
        others = [pk for pk in request.POST.getlist("other") if pk.isdecimal()]
        records = [get_object_or_404(Record, pk=record), *Record.objects.filter(pk__in=others).exclude(pk=record)]
        row = rehearsing.begin(records, act, request.user)  # type: ignore[arg-type]  # admin users are signed in
        try:
            tasks.rehearse.delay(row.pk)
        except OperationalError:
            row.delete()
            messages.error(request, _("The work queue is out of reach. Nothing was begun: try again later."))
            return HttpResponseRedirect(page(row.record, "change"))
        return HttpResponseRedirect(reverse("admin:evals_rehearsal_page", args=[row.pk]))

    def _page(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The whole page, or what changes of it while the rehearsal runs."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = Rehearsal.objects.select_related("record", "started_by").filter(pk=pk).first()
        if row is None:
            raise Http404
        records = row.together
        context = {"row": row, "silent": rehearsing.is_silent(row), **_result(row, request.user)}
        if request.htmx:  # type: ignore[attr-defined]  # its middleware adds it
            return TemplateResponse(request, "admin/evals/rehearsal_state.html", context)
        context |= {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("What would this change?"),
            "stale": rehearsing.is_stale(row),
            "cited": cited(records, row.act),
            "together": [(record, page(record, "change")) for record in records],
            "act_address": page(row.record, row.act) if len(records) == 1 else "",
            "may_publish": request.user.has_perm("records.publish_record"),
            "may_begin": request.user.has_perm("evals.add_rehearsal"),
            "may_read_turns": request.user.has_perm("assistant.view_turn"),
        }
        return TemplateResponse(request, "admin/evals/rehearsal.html", context)


def _result(row: Rehearsal, reader: User | AnonymousUser) -> dict[str, Any]:
    """What came out, newly failing cases before all; nothing before it is done."""
    if row.state != Rehearsal.State.DONE:
        return {"is_done": False, "runs": row.state != Rehearsal.State.FAILED}
    failing = [each for each in row.results if each["passed_before"] and not each["passed_after"]]
    passing = [each for each in row.results if each["passed_after"] and not each["passed_before"]]
    changed = [*failing, *passing]
    questions = asked.questions({each["language"] for each in changed}, reader)
    return {
        "is_done": True,
        "runs": False,
        "failing": list(_lines(failing, questions)),
        "passing": list(_lines(passing, questions)),
        "still_passing": sum(each["passed_before"] and each["passed_after"] for each in row.results),
        "still_failing": sum(not each["passed_before"] and not each["passed_after"] for each in row.results),
        "most": SUGGESTED + EXPECTING + NEAREST,
    }


def _lines(results: list[dict[str, Any]], questions: dict[str, str]) -> Iterator[Line]:
    for each in results:
        was, now = each["was"], each["now"]
        differences = tuple((name, was.get(name), now.get(name)) for name in was if was.get(name) != now.get(name))
        case = each["case"]
        yield Line(each["suite"], each["language"], case, questions.get(case, ""), asked.address(case), differences)
