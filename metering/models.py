"""The money ledger. It holds no visitor's text and points to none, so that erasing the one keeps the other.

All amounts are integer micro-USD (1 USD = 1,000,000).
"""

import uuid

from django.db import models
from django.db.models import F, Q


class ModelPrice(models.Model):
    """What a model costs from a day on. A model without a price row costs nothing only if it runs here."""

    model = models.CharField(max_length=200)
    valid_from = models.DateField()
    input_micro_usd_per_mtok = models.PositiveBigIntegerField()
    output_micro_usd_per_mtok = models.PositiveBigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["model", "valid_from"], name="one_price_a_model_and_day")]
        ordering = ["model", "-valid_from"]

    def __str__(self) -> str:
        return f"{self.model} from {self.valid_from}"


class SpendCap(models.Model):
    """The owner's own monthly cap, from a moment on. It can only lower the ceiling that the environment sets."""

    micro_usd = models.PositiveBigIntegerField()
    set_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        get_latest_by = "set_at"

    def __str__(self) -> str:
        return f"{self.micro_usd} µUSD a month"


class SpendMonth(models.Model):
    """One month, by the owner's time zone: what is spent and what is held by open reservations."""

    month = models.DateField(unique=True, help_text="The first day of the month.")
    settled_micro_usd = models.PositiveBigIntegerField(default=0)
    reserved_micro_usd = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["-month"]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"


class Reservation(models.Model):
    """An upper bound held before an outside call. Past its deadline it is charged in full: fail closed."""

    class State(models.TextChoices):
        HELD = "held"
        SETTLED = "settled"
        EXPIRED = "expired"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    month = models.ForeignKey(SpendMonth, on_delete=models.PROTECT, related_name="reservations")
    purpose = models.CharField(max_length=40, help_text="answer, embedding, …")
    subject = models.CharField(max_length=64, blank=True, help_text="An opaque id: the turn or the version.")
    micro_usd = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.HELD)
    created_at = models.DateTimeField(auto_now_add=True)
    deadline = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["deadline"], condition=Q(state="held"), name="held_by_deadline"),
            models.Index(fields=["subject"], name="reservation_by_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.micro_usd} µUSD {self.state}"


class Charge(models.Model):
    """What one call cost. Token counts that the provider did not report are filled with upper bounds."""

    reservation = models.ForeignKey(Reservation, on_delete=models.PROTECT, related_name="charges")
    model = models.CharField(max_length=200)
    input_tokens = models.PositiveIntegerField()
    output_tokens = models.PositiveIntegerField()
    reasoning_tokens = models.PositiveIntegerField(default=0, help_text="Part of output_tokens.")
    cached_tokens = models.PositiveIntegerField(default=0, help_text="Part of input_tokens.")
    reported = models.BooleanField(help_text="All figures are the provider's own.")
    micro_usd = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(cached_tokens__lte=F("input_tokens")), name="cached_within_input"),
            models.CheckConstraint(
                condition=Q(reasoning_tokens__lte=F("output_tokens")), name="reasoning_within_output"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} {self.micro_usd} µUSD"
