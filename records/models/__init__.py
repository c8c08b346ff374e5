"""What the owner published. Drafts (`record`), snapshots (`version`), passages (`passage`), the search index
(`search`), the state of work (`work`), alerts (`alert`), personal data (`personal`). docs/data.md draws the whole."""

from records.models.alert import Alert
from records.models.imports import ImportedText, ImportSource
from records.models.owner import Owner
from records.models.passage import Passage, PassagePlacement, PassageRelation
from records.models.personal import PersonalValue
from records.models.record import (
    Access,
    Article,
    CaseStudy,
    CVEntry,
    DatePrecision,
    Kind,
    Record,
    RecordText,
    Service,
)
from records.models.search import EmbeddingSpace, LanguageMean, PassageEmbedding, SearchEntry
from records.models.version import RecordVersion
from records.models.work import IngestionStep, OutboxEvent, OutboxReceipt

__all__ = [
    "Access",
    "Alert",
    "Article",
    "CVEntry",
    "CaseStudy",
    "DatePrecision",
    "EmbeddingSpace",
    "ImportSource",
    "ImportedText",
    "IngestionStep",
    "Kind",
    "LanguageMean",
    "OutboxEvent",
    "OutboxReceipt",
    "Owner",
    "Passage",
    "PassageEmbedding",
    "PassagePlacement",
    "PassageRelation",
    "PersonalValue",
    "Record",
    "RecordText",
    "RecordVersion",
    "SearchEntry",
    "Service",
]
