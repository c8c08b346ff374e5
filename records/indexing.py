"""Passages of a version and their entries in search, written within the caller's transaction."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from records import lexemes
from records.chunking import Document, read
from records.context import content_hash, keyword_context
from records.grams import pack, word_numbers
from records.models import (
    EmbeddingSpace,
    Passage,
    PassageEmbedding,
    PassagePlacement,
    PassageRelation,
    RecordVersion,
    SearchEntry,
)

Vectors = Mapping[str, Sequence[float]]


def put_in(version: RecordVersion, document: Document, vectors: Vectors) -> None:
    """Write passages, placements, relations and search entries; `vectors` (by content hash) are taken over."""
    chunks = document.chunks
    own = [lexemes.terms(chunk.text, version.language) for chunk in chunks]
    Passage.objects.bulk_create(
        [
            Passage(uid=chunk.uid, record_id=version.record_id, language=version.language, text=chunk.text, words=words)
            for chunk, words in zip(chunks, own, strict=True)
        ],
        update_conflicts=True,  # an old id comes back, perhaps after it was revoked or its words were read otherwise
        unique_fields=["uid"],
        update_fields=["text", "words"],
    )
    placements = PassagePlacement.objects.bulk_create(
        PassagePlacement(
            version=version,
            passage_id=chunk.uid,
            ordinal=ordinal,
            section_path=list(chunk.section_path),
            start=chunk.start,
            end=chunk.end,
        )
        for ordinal, chunk in enumerate(chunks)
    )
    SearchEntry.objects.bulk_create(
        _entry(version, placement, text, words, vectors)
        for placement, text, words in zip(placements, (chunk.text for chunk in chunks), own, strict=True)
    )
    _relate(version, document)


def take_out(versions: Iterable[RecordVersion]) -> Vectors:
    """Remove versions from search at once and return the vectors that their entries had, by content hash."""
    # Held to the end, so that nobody changes the embedding space while vectors are carried over.
    list(EmbeddingSpace.objects.select_for_update().filter(active=True))
    entries = SearchEntry.objects.filter(placement__version__in=list(versions))
    vectors = dict(entries.values_list("content_hash", "vector"))
    entries.delete()
    return {key: vector for key, vector in vectors.items() if vector is not None}


def recut(version: RecordVersion) -> bool:
    """Cut a live version anew if today's way of cutting gives it other passages; return whether it does."""
    document = read(version.body or version.summary, version.record.slug, version.language)
    wanted = {(chunk.uid, chunk.start, chunk.end) for chunk in document.chunks}
    # Another reading of the Markdown is another text, and so another version: that is publishing's affair.
    if document.text != version.text or wanted == set(version.placements.values_list("passage_id", "start", "end")):
        return False
    with transaction.atomic():
        rebuild(version)
    return True


def rebuild(version: RecordVersion) -> None:
    """Cut a live version into passages anew. Its text stays, so that old citations still open what they cite."""
    vectors = take_out([version])
    version.placements.all().delete()
    put_in(version, read(version.body or version.summary, version.record.slug, version.language), vectors)


def forget_vectors(versions: Iterable[RecordVersion]) -> None:
    """Delete the raw vectors of these versions' passages, except where a live text elsewhere is the same."""
    placements = PassagePlacement.objects.filter(version__in=list(versions)).select_related("version", "passage")
    hashes = {content_hash(placement.version.title, placement.passage.text) for placement in placements}
    hashes -= set(SearchEntry.objects.filter(content_hash__in=hashes).values_list("content_hash", flat=True))
    PassageEmbedding.objects.filter(content_hash__in=hashes).delete()


def _entry(
    version: RecordVersion, placement: PassagePlacement, text: str, words: list[str], vectors: Vectors
) -> SearchEntry:
    context = lexemes.terms(keyword_context(version, placement.section_path), version.language)
    key = content_hash(version.title, text)
    return SearchEntry(
        placement=placement,
        record_id=version.record_id,
        kind=version.record.kind,
        language=version.language,
        access=version.access,
        group_id=version.group_id,
        words=words,
        lexemes=lexemes.tsvector(own=words, context=context),
        word_numbers=word_numbers(words).tobytes(),
        grams=pack(own=words, context=context),
        content_hash=key,
        vector=vectors.get(key),
    )


def _relate(version: RecordVersion, document: Document) -> None:
    """Draw the relations that the version declares between its sections, passage by passage."""
    by_heading: dict[str, list[str]] = defaultdict(list)
    for chunk in document.chunks:
        for heading in chunk.section_path[-1:]:
            by_heading[heading].append(chunk.uid)
    uids = [chunk.uid for chunk in document.chunks]
    PassageRelation.objects.filter(passage__in=uids).delete()
    PassageRelation.objects.bulk_create(
        (
            PassageRelation(passage_id=passage, needed_id=needed, kind=relation["kind"])
            for relation in version.relations
            for passage in by_heading[relation["section"]]
            for needed in by_heading[relation["needs"]]
        ),
        ignore_conflicts=True,
    )
