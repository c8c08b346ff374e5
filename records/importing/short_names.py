"""Short names for addresses, made of titles and file names: what was written differently gets different ones."""

import re
import unicodedata
from hashlib import sha256

from django.utils.text import slugify

_SLUG = re.compile(r"[-a-zA-Z0-9_]{1,100}")
_LATIN = 90  # characters, so that a checksum fits behind them


def short_name(written: str, otherwise: str = "text") -> str:
    """As written where an address can have it; else in Latin letters.

    Where that loses letters (of another script, or of a long title), a checksum keeps it apart from its like;
    `otherwise` is what it begins with when no letter is left.
    """
    if _SLUG.fullmatch(written):
        return written
    latin = slugify(written)
    if latin and len(latin) <= _LATIN and not _loses(written):
        return latin
    checksum = sha256(unicodedata.normalize("NFC", written).encode()).hexdigest()[:8]
    return f"{latin[:_LATIN].strip('-_') or otherwise}-{checksum}"


def _loses(written: str) -> bool:
    """Whether it has letters or digits that are not Latin: they have no place in an address here."""
    characters = unicodedata.normalize("NFKD", written)
    return any(
        one.isalnum() and not one.isascii() and not unicodedata.name(one, "").startswith("LATIN") for one in characters
    )
