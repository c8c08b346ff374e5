"""The admin of rows that the program writes and that are shown on pages of our own, in place of Django's lists."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.functional import Promise

from records.read_only import ReadOnly

Context = dict[str, Any]
View = Callable[..., HttpResponse]


class Paged(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]  # a mixture for several models
    """Read alone, by whoever may see the model."""

    def page(self, template: str, title: Promise, context: Callable[..., Context]) -> View:
        """Return a view that fills a template of `admin/evals/`."""

        def view(request: HttpRequest, **place: Any) -> HttpResponse:
            around = {**self.admin_site.each_context(request), "opts": self.opts, "title": title}
            return TemplateResponse(request, f"admin/evals/{template}.html", around | context(request, **place))

        return self.seen(view)

    def seen(self, view: Callable[..., HttpResponseBase]) -> View:
        """Return a view of this model's own that asks who looks."""

        def checked(request: HttpRequest, **place: Any) -> HttpResponseBase:
            if not self.has_view_permission(request):
                raise PermissionDenied
            return view(request, **place)

        return self.admin_site.admin_view(checked)  # type: ignore[return-value]  # a streaming response is one too
