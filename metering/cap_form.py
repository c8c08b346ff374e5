"""The form with which the owner sets the monthly cap and the shares of one reader."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from metering.caps import Caps
from metering.models import SpendCap
from metering.templatetags.money import usd

MICRO = 1_000_000


class CapForm(forms.Form):
    """In dollars; what it saves holds from the next call on."""

    usd = forms.DecimalField(
        label=gettext_lazy("Monthly cap in US dollars"), min_value=0, decimal_places=2, max_digits=9
    )
    conversation_percent = forms.IntegerField(
        label=gettext_lazy("Percent of the cap for one conversation"), min_value=1, max_value=100
    )
    address_percent = forms.IntegerField(
        label=gettext_lazy("Percent of the cap for one address"), min_value=1, max_value=100
    )

    def __init__(self, caps: Caps, data: Any = None) -> None:
        self._ceiling = caps.ceiling
        now = {
            "usd": Decimal(caps.month) / MICRO,
            "conversation_percent": caps.conversation_percent,
            "address_percent": caps.address_percent,
        }
        super().__init__(data, initial=now)

    def clean_usd(self) -> Decimal:
        """Refuse what the environment's ceiling would cut: a cap that does not hold as written would deceive."""
        amount = Decimal(self.cleaned_data["usd"])
        if amount * MICRO > self._ceiling:
            message = _("The installation allows %(ceiling)s a month at most (MONTHLY_CAP_USD); enter that or less.")
            raise forms.ValidationError(message % {"ceiling": usd(self._ceiling)})
        return amount

    def save(self) -> SpendCap:
        """Put the new limits in force; the ones before stay in the history."""
        chosen = self.cleaned_data
        return SpendCap.objects.create(
            micro_usd=int(chosen["usd"] * MICRO),
            conversation_percent=chosen["conversation_percent"],
            address_percent=chosen["address_percent"],
        )
