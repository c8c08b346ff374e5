"""The owner's view of the money: what it costs, the cap, prices; the books themselves can only be read."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.text import capfirst

from metering import caps, costs_page
from metering.cap_form import CapForm
from metering.models import Charge, ModelPrice, Reservation, SpendCap, SpendMonth


class Ledger(admin.ModelAdmin):  # type: ignore[type-arg]  # takes its parameter in the type checker's stubs alone
    """Rows that only calls write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(SpendMonth)
class SpendMonthAdmin(Ledger):
    """What each month cost: its list is the page of costs."""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        may_change = request.user.has_perm("metering.add_spendcap")
        form = CapForm(caps.current(), request.POST if request.method == "POST" else None)
        if request.method == "POST":
            if not may_change:
                raise PermissionDenied
            if form.is_valid():
                form.save()
                self.message_user(request, costs_page.saved(), messages.SUCCESS)
                return HttpResponseRedirect(request.get_full_path())
        context = {
            **self.admin_site.each_context(request),
            **costs_page.context(request, form),
            "title": capfirst(self.opts.verbose_name_plural),
            "opts": self.opts,
            "may_change": may_change,
        }
        return TemplateResponse(request, "admin/metering/costs.html", context)


@admin.register(Reservation)
class ReservationAdmin(Ledger):
    """What is held, was settled, or ran over its time."""

    list_display = ("created_at", "purpose", "micro_usd", "state", "deadline")
    list_filter = ("state", "purpose")
    search_fields = ("subject",)


@admin.register(Charge)
class ChargeAdmin(Ledger):
    """What each call cost, and whether the provider said so itself."""

    list_display = ("created_at", "model", "input_tokens", "output_tokens", "micro_usd", "reported")
    list_filter = ("reported", "model")
    list_select_related = ("reservation",)


@admin.register(ModelPrice)
class ModelPriceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # as above
    """A new price is a new row from its day on; old charges keep theirs."""

    list_display = ("model", "valid_from", "input_micro_usd_per_mtok", "output_micro_usd_per_mtok")


@admin.register(SpendCap)
class SpendCapAdmin(Ledger):
    """The history of what the owner set on the page of costs: a new cap is a new row."""

    list_display = ("set_at", "micro_usd", "conversation_percent", "address_percent")
