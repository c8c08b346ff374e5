"""The owner's desk for what is published: records, the profile, personal data that was found, alerts."""

from records.admin.alerts import AlertAdmin
from records.admin.owner import OwnerAdmin
from records.admin.personal import PersonalValueAdmin
from records.admin.record import RecordAdmin

__all__ = ["AlertAdmin", "OwnerAdmin", "PersonalValueAdmin", "RecordAdmin"]
