"""The owner's own cases in the admin, and the buttons on a turn's page that make one of it: opened, pressed, done."""

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminTextareaWidget
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet, TextField
from django.forms import CheckboxSelectMultiple, ModelMultipleChoiceField
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from assistant.models import Category, Turn
from evals import own_cases
from evals.gaps import titles
from evals.models import OwnCase
from records.models import Record

if TYPE_CHECKING:
    AdminOfCase = admin.ModelAdmin[OwnCase]
else:
    AdminOfCase = admin.ModelAdmin


if TYPE_CHECKING:
    ChoiceOfRecords = ModelMultipleChoiceField[Record]
else:
    ChoiceOfRecords = ModelMultipleChoiceField


class _Records(ChoiceOfRecords):
    def label_from_instance(self, obj: Record) -> str:
        return titles.named([obj])[obj.pk].title


@admin.register(OwnCase)
class OwnCaseAdmin(AdminOfCase):
    """Written by hand, or made of a turn."""

    list_display = ("question", "suite", "category", "language", "created_at")
    list_filter = ("suite", "language")
    search_fields = ("question",)
    fields = ("question", "language", "suite", "category", "records")
    readonly_fields = ("before",)
    formfield_overrides: ClassVar = {TextField: {"widget": AdminTextareaWidget(attrs={"dir": "auto"})}}

    class Media:
        css: ClassVar = {"all": ["evals.css"]}

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """A box a record: read by every screen reader, and chosen without holding a key down."""
        records = Record.objects.prefetch_related("texts").order_by("slug")
        kwargs |= {"form_class": _Records, "widget": CheckboxSelectMultiple, "queryset": records}
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    @admin.display(description=gettext_lazy("asked after"))
    def before(self, case: OwnCase) -> str:
        return " → ".join(said.question for said in own_cases.before(case))

    def get_fields(self, request: HttpRequest, obj: OwnCase | None = None) -> Any:
        """What a case was asked after stands above it, where there is such a thing."""
        return [*(["before"] if obj and own_cases.before(obj) else []), *self.fields]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OwnCase]:
        """What a visitor asked is shown to whoever may read turns."""
        cases = super().get_queryset(request)
        return cases if request.user.has_perm("assistant.view_turn") else cases.filter(turn=None)

    def get_urls(self) -> list[URLPattern]:
        return [
            path("of/<uuid:pk>/", self.admin_site.admin_view(self._make), name="evals_owncase_make"),
            *super().get_urls(),
        ]

    def _make(self, request: HttpRequest, pk: str) -> HttpResponse:
        """Make a case of a turn (POST): `suite`, and of a refusal its `category`."""
        if request.method != "POST" or not self.has_add_permission(request):
            raise PermissionDenied
        suite, category = request.POST.get("suite", ""), request.POST.get("category", "")
        if suite not in OwnCase.Suite or (suite == OwnCase.Suite.REFUSAL and category not in Category):
            return HttpResponseBadRequest()
        case = own_cases.make(get_object_or_404(Turn, pk=pk), suite, category, request.user)  # type: ignore[arg-type]  # admin users are signed in
        messages.success(request, _("From the next run on it is asked: look here whether what is expected is right."))
        return HttpResponseRedirect(reverse("admin:evals_owncase_change", args=[case.pk]))


def panel(turn: Turn) -> SafeString:
    """Return the buttons for a turn's page, which is a form already; where the turn is a case, a link to it as well."""
    context = {
        "turn": turn,
        "case": OwnCase.objects.filter(turn=turn).first(),
        "suites": OwnCase.Suite.choices,
        "categories": Category.choices,
        "category": turn.refusal,
    }
    return render_to_string("admin/evals/turn_case.html", context)
