"""The owner's view of the money: prices and the cap can be entered, the books can only be read."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

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
    """What each month cost."""

    list_display = ("month", "settled_micro_usd", "reserved_micro_usd")


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
    """A new cap is a new row, so that the history stays."""

    list_display = ("set_at", "micro_usd")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("metering.add_spendcap")
