"""Takes revoked text out of stored answers: the sentences that cite it are emptied, their ids stay.

The records' outbox tells; a receipt is written in the same transaction, so an event is dealt with once.
"""

from django.db import transaction

from assistant.models import Sentence
from records.models import OutboxEvent, OutboxReceipt

READER = "assistant"


def erase_revoked() -> int:
    """Empty every stored sentence that cites a revoked version. Returns how many."""
    erased = 0
    news = OutboxEvent.objects.filter(topic=OutboxEvent.Topic.REVOKED).exclude(receipts__reader=READER)
    for event in news:
        with transaction.atomic():
            _, is_new = OutboxReceipt.objects.get_or_create(event=event, reader=READER)
            if is_new:
                citing = Sentence.objects.filter(citations__version=event.version_id)
                erased += Sentence.objects.filter(pk__in=citing.values("pk")).update(text="")
    return erased
