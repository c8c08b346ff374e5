"""What stands against putting a run's floors in force: kept as data, told in the language of whoever reads it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext


@dataclass(frozen=True, slots=True)
class Objection:
    """`text` is one of the catalogues', with `values` to fill in."""

    text: str
    values: Mapping[str, str | int]

    def __str__(self) -> str:
        return gettext(self.text) % self.values

    @property
    def stored(self) -> dict[str, Any]:
        """What a row keeps of it."""
        return asdict(self)


def told(stored: str | Mapping[str, Any]) -> str:
    """Return a kept one as text; the runs of earlier versions kept nothing but that, in English."""
    return stored if isinstance(stored, str) else str(Objection(stored["text"], stored["values"]))
