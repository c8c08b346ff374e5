"""Content gaps and use in the admin, and what the owner does with a gap: set it aside, or write a record."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from evals.gaps import found, pages
from evals.models import QuestionGroup
from evals.paged import Context, Paged
from records.models import Article, CaseStudy, CVEntry, Service

_NAMES = {
    Article: _("article"),
    CaseStudy: _("case study"),
    Service: _("service"),
    CVEntry: _("CV entry"),
}


@admin.register(QuestionGroup)
class QuestionGroupAdmin(Paged):
    """The page of gaps in place of a list, and what can be reached from it, for whoever may read turns."""

    def has_view_permission(self, request: HttpRequest, obj: QuestionGroup | None = None) -> bool:
        return super().has_view_permission(request, obj) and request.user.has_perm("assistant.view_turn")

    def get_urls(self) -> list[URLPattern]:
        list_name = "evals_questiongroup_changelist"
        return [
            path("", self.page("gaps", _("Content gaps"), self._gaps), name=list_name),
            path("gaps.csv", self.seen(pages.gaps_csv), name="evals_questiongroup_export"),
            path("use/", self.page("use", _("Use of the site"), pages.usage), name="evals_questiongroup_use"),
            path("use/<slug:table>.csv", self.seen(pages.usage_csv), name="evals_questiongroup_use_export"),
            path("<int:pk>/aside/", self.seen(self._set_aside), name="evals_questiongroup_aside"),
            path("<int:pk>/back/", self.seen(self._take_back), name="evals_questiongroup_back"),
        ]

    def _gaps(self, request: HttpRequest) -> Context:
        return {
            **pages.gaps(request),
            "may_set_aside": _may_decide(request),
            "writable": list(_writable(request)),
        }

    def _set_aside(self, request: HttpRequest, pk: int) -> HttpResponse:
        return _decided(request, pk, set_aside_at=timezone.now(), set_aside_count=found.times_unanswered(pk))

    def _take_back(self, request: HttpRequest, pk: int) -> HttpResponse:
        return _decided(request, pk, set_aside_at=None, set_aside_count=0)


def _decided(request: HttpRequest, pk: int, **values: Any) -> HttpResponse:
    if request.method != "POST" or not _may_decide(request):
        raise PermissionDenied
    group = get_object_or_404(QuestionGroup, pk=pk)
    QuestionGroup.objects.filter(pk=group.pk).update(**values)
    return HttpResponseRedirect(f"{reverse('admin:evals_questiongroup_changelist')}?{request.GET.urlencode()}")


def _may_decide(request: HttpRequest) -> bool:
    return request.user.has_perm("evals.change_questiongroup")


def _writable(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Yield the kinds of records that this person may write: the name, and where a new one is begun."""
    for model, label in _NAMES.items():
        name = model.__name__.lower()
        if request.user.has_perm(f"records.add_{name}"):
            yield str(label), reverse(f"admin:records_{name}_add")
