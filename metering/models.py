"""The money ledger. It holds no visitor's text and points to none, so that erasing the one keeps the other.

All amounts are integer micro-USD (1 USD = 1,000,000).
"""

import uuid
from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class ModelPrice(models.Model):
    """What a model costs from a day on. A model without a price row costs nothing only if it runs here."""

    model = models.CharField(_("model"), max_length=200)
    valid_from = models.DateField(_("from this day on"))
    input_micro_usd_per_mtok = models.PositiveBigIntegerField(_("a million tokens read, in micro-USD"))
    output_micro_usd_per_mtok = models.PositiveBigIntegerField(_("a million tokens written, in micro-USD"))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["model", "valid_from"], name="one_price_a_model_and_day"),
            models.CheckConstraint(condition=~Q(model=""), name="a_price_is_a_models"),
        ]
        ordering = ["model", "-valid_from"]
        verbose_name = _("price of a model")
        verbose_name_plural = _("prices of models")

    def __str__(self) -> str:
        return gettext("%(model)s from %(day)s") % {"model": self.model, "day": self.valid_from}


def _percent(label: "_StrPromise", default: int) -> "models.PositiveSmallIntegerField[int, int]":
    return models.PositiveSmallIntegerField(
        label, default=default, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )


class SpendCap(models.Model):
    """The owner's own limits, from a moment on. They can only lower the ceiling that the environment sets."""

    micro_usd = models.PositiveBigIntegerField(_("monthly cap in micro-USD"))
    conversation_percent = _percent(_("percent of it for one conversation"), 2)
    address_percent = _percent(_("percent of it for one address"), 5)
    set_at = models.DateTimeField(_("set at"), auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(conversation_percent__range=(1, 100), address_percent__range=(1, 100)),
                name="a_share_is_part_of_the_cap",
            )
        ]
        get_latest_by = "set_at"
        verbose_name = _("monthly cap")
        verbose_name_plural = _("monthly caps")

    def __str__(self) -> str:
        return gettext("%(amount)s µUSD a month") % {"amount": self.micro_usd}


class SpendMonth(models.Model):
    """One month, by the owner's time zone: what is spent and what is held by open reservations."""

    month = models.DateField(_("month"), unique=True, help_text=_("The first day of the month."))
    settled_micro_usd = models.PositiveBigIntegerField(_("spent, in micro-USD"), default=0)
    reserved_micro_usd = models.PositiveBigIntegerField(_("held, in micro-USD"), default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(month__day=1), name="a_month_is_its_first_day")]
        ordering = ["-month"]
        verbose_name = _("month")
        verbose_name_plural = _("costs")

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"


class SpendShare(models.Model):
    """What one conversation or one address took of a month; the key tells nobody which. It goes with the month."""

    month = models.ForeignKey(SpendMonth, on_delete=models.PROTECT, related_name="shares")
    key = models.CharField(max_length=64, help_text="Made by `metering.shares`.")
    taken_micro_usd = models.PositiveBigIntegerField(default=0, help_text="Settled, held and expired.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["month", "key"], name="one_share_a_month_and_key")]

    def __str__(self) -> str:
        return f"{self.key} {self.taken_micro_usd} µUSD"


class Reservation(models.Model):
    """An upper bound held before an outside call. Past its deadline it is charged in full: fail closed."""

    class State(models.TextChoices):
        HELD = "held", _("held")
        SETTLED = "settled", _("settled")
        EXPIRED = "expired", _("charged in full")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    month = models.ForeignKey(
        SpendMonth, verbose_name=_("month"), on_delete=models.PROTECT, related_name="reservations"
    )
    purpose = models.CharField(_("purpose"), max_length=40, help_text=_("What the call is for: answer, embedding, …"))
    subject = models.CharField(
        _("subject"), max_length=64, blank=True, help_text=_("The id of the turn or of the version, and no text.")
    )
    shares = ArrayField(
        models.CharField(max_length=64),
        verbose_name=_("shares"),
        default=list,
        blank=True,
        help_text=_("Of which conversation and address it is held, until it is settled."),
    )
    micro_usd = models.PositiveBigIntegerField(_("held at most, in micro-USD"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.HELD)
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)
    deadline = models.DateTimeField(_("to be settled by"))

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["held", "settled", "expired"]), name="a_reservation_is_in_a_known_state"
            )
        ]
        verbose_name = _("reservation")
        verbose_name_plural = _("reservations")
        indexes = [
            models.Index(fields=["month"], condition=~Q(shares=[]), name="reservation_with_shares"),
            models.Index(fields=["deadline"], condition=Q(state="held"), name="held_by_deadline"),
            models.Index(fields=["subject"], name="reservation_by_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.micro_usd} µUSD {self.get_state_display()}"


class Charge(models.Model):
    """What one call cost. Token counts that the provider did not report are filled with upper bounds."""

    reservation = models.ForeignKey(
        Reservation, verbose_name=_("reservation"), on_delete=models.PROTECT, related_name="charges"
    )
    model = models.CharField(_("model"), max_length=200)
    input_tokens = models.PositiveIntegerField(_("tokens read"))
    output_tokens = models.PositiveIntegerField(_("tokens written"))
    reasoning_tokens = models.PositiveIntegerField(
        _("tokens of reasoning"), default=0, help_text=_("Part of the tokens written.")
    )
    cached_tokens = models.PositiveIntegerField(
        _("tokens from the cache"), default=0, help_text=_("Part of the tokens read.")
    )
    reported = models.BooleanField(_("as the provider reported"), help_text=_("All figures are the provider's own."))
    micro_usd = models.PositiveBigIntegerField(_("charged, in micro-USD"))
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)

    class Meta:
        verbose_name = _("charge")
        verbose_name_plural = _("charges")
        constraints = [
            models.CheckConstraint(condition=Q(cached_tokens__lte=F("input_tokens")), name="cached_within_input"),
            models.CheckConstraint(
                condition=Q(reasoning_tokens__lte=F("output_tokens")), name="reasoning_within_output"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} {self.micro_usd} µUSD"
