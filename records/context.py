"""What stands before a passage when it is embedded and indexed: where it comes from, in its own words.

Never shown as evidence, and never counted for coverage, floor or values.
"""

import hashlib
from collections.abc import Sequence


def context(title: str, section_path: Sequence[str]) -> str:
    """Return the title and the headings above a passage, outermost first; a heading that repeats the title once."""
    return " › ".join(dict.fromkeys(part for part in (title, *section_path) if part))


def embedded_text(context: str, text: str) -> str:
    """Return what the embedder reads for a passage."""
    return f"{context}\n{text}" if context else text


def content_hash(context: str, text: str) -> str:
    """Return the key of a passage's raw vector: the same context and text are embedded once, ever."""
    return hashlib.sha256(embedded_text(context, text).encode()).hexdigest()
