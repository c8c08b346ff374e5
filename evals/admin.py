"""The owner's view of evaluation: pages of the admin over what runs found. Nothing here can be changed by hand."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from kombu.exceptions import OperationalError

from assistant import floors
from evals import calibration as calibrating
from evals import groundedness_pages
from evals.before_publishing.desk import RehearsalAdmin as RehearsalAdmin
from evals.dashboard import pages
from evals.gap_admin import QuestionGroupAdmin as QuestionGroupAdmin
from evals.models import Calibration, Run
from evals.own_case_admin import OwnCaseAdmin as OwnCaseAdmin
from evals.paged import Paged
from evals.tasks import calibrate


@admin.register(Run)
class RunAdmin(Paged):
    """The board of all suites in place of a list, and what can be reached from it."""

    def get_urls(self) -> list[URLPattern]:
        return [
            path("", self.page("board", gettext_lazy("Evaluation"), pages.overview), name="evals_run_changelist"),
            path("export.csv", self.seen(pages.export), name="evals_run_export"),
            path(
                "groundedness/",
                self.page("groundedness", gettext_lazy("Groundedness of real traffic"), groundedness_pages.page),
                name="evals_run_groundedness",
            ),
            path("groundedness.csv", self.seen(groundedness_pages.export), name="evals_run_groundedness_export"),
            path("guards/", self.page("guards", gettext_lazy("Guards"), pages.triggers), name="evals_run_guards"),
            path("case/<path:name>/", self.page("case", gettext_lazy("One case"), pages.case), name="evals_run_case"),
            path("<int:pk>/", self.page("run", gettext_lazy("One run"), pages.run), name="evals_run_change"),
        ]


@admin.register(Calibration)
class CalibrationAdmin(Paged):
    """Calibrations, each as a picture; the floors change from there where a run allows it."""

    change_list_template = "admin/evals/calibration_list.html"
    list_display = ("started_at", "embedder", "dense", "words", "allowed")

    @admin.display(description=gettext_lazy("may be put in force"), boolean=True)
    def allowed(self, run: Calibration) -> bool:
        return run.dense is not None and not run.against

    def get_urls(self) -> list[URLPattern]:
        return [
            path("new/", self.admin_site.admin_view(self._start), name="evals_calibration_new"),
            path("<int:pk>/apply/", self.admin_site.admin_view(self._apply), name="evals_calibration_apply"),
            path(
                "<int:pk>/",
                self.page("calibration", gettext_lazy("Calibration"), pages.calibration),
                name="evals_calibration_page",
            ),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {"in_force": floors.current(), "floor_state": floors.state()})

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:evals_calibration_page", args=[object_id]))

    def _start(self, request: HttpRequest) -> HttpResponse:
        self._must_set_floors(request)
        try:
            calibrate.delay()
        except OperationalError:
            messages.error(request, _("The work queue is out of reach. Nothing was begun: try again later."))
        else:
            messages.success(request, _("The questions are being asked. Load this page again in a few minutes."))
        return HttpResponseRedirect(reverse("admin:evals_calibration_changelist"))

    def _apply(self, request: HttpRequest, pk: int) -> HttpResponse:
        self._must_set_floors(request)
        run = get_object_or_404(Calibration, pk=pk)
        try:
            calibrating.apply(run, by=request.user, reason=request.POST.get("reason", "").strip())  # type: ignore[arg-type]  # admin users are signed in
        except calibrating.Refused as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, _("These floors hold from the next question on."))
        return HttpResponseRedirect(reverse("admin:evals_calibration_page", args=[pk]))

    def _must_set_floors(self, request: HttpRequest) -> None:
        if request.method != "POST" or not request.user.has_perm("assistant.add_floor"):
            raise PermissionDenied
