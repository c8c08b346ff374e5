"""The owner's desk for personal data that was found in what is published: one click lists a value, or dismisses it."""

from http import HTTPStatus

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.admin.addresses import page
from records.admin.bases import AdminOfPersonalValue
from records.models import PersonalValue
from records.personal_values import allow, dismiss
from records.read_only import ReadOnly


@admin.register(PersonalValue)
class PersonalValueAdmin(ReadOnly, AdminOfPersonalValue):
    """What was found; written by publication alone."""

    list_display = ("value", "kind", "record", "language", "places", "found_at", "dismissed_at", "dismissed_by")
    list_filter = ("kind", "language", ("dismissed_at", admin.EmptyFieldListFilter))
    list_select_related = ("record", "dismissed_by")
    actions = ("allow_selected", "dismiss_selected")

    def get_urls(self) -> list[URLPattern]:
        decide = self.admin_site.admin_view(self.decide)
        return [path("<int:pk>/decide/", decide, name="records_personalvalue_decide"), *super().get_urls()]

    def decide(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take the button that was pressed on a record's page."""
        found = get_object_or_404(PersonalValue.objects.select_related("record"), pk=pk)
        decision = request.POST.get("decision")
        if request.method != "POST" or decision not in ("allow", "dismiss"):
            return HttpResponse(status=HTTPStatus.BAD_REQUEST)
        if not self.has_decide_permission(request):
            return HttpResponse(status=HTTPStatus.FORBIDDEN)
        self._decide(request, [found], decision)
        return HttpResponseRedirect(page(found.record, "change"))

    @admin.action(description=gettext_lazy("Answers may show the value"), permissions=["decide"])
    def allow_selected(self, request: HttpRequest, chosen: QuerySet[PersonalValue]) -> None:
        self._decide(request, list(chosen), "allow")

    @admin.action(description=gettext_lazy("Dismiss the warning"), permissions=["decide"])
    def dismiss_selected(self, request: HttpRequest, chosen: QuerySet[PersonalValue]) -> None:
        self._decide(request, list(chosen), "dismiss")

    def _decide(self, request: HttpRequest, chosen: list[PersonalValue], decision: str) -> None:
        for found in chosen:
            if decision == "allow":
                allow(found)
            else:
                dismiss(found, request.user)  # type: ignore[arg-type]  # admin users are signed in
        allowed, dismissed = _("Answers may show it from now on."), _("Dismissed: answers go on by the policy.")
        done = allowed if decision == "allow" else dismissed
        self.message_user(request, done, messages.SUCCESS)

    def has_decide_permission(self, request: HttpRequest) -> bool:
        """Whoever may change what the owner allows may decide."""
        return request.user.has_perm("records.change_owner")
