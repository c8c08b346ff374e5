"""The texts that readers and the owner see, taken from code and templates into the catalogues.

`python -m config.messages` brings new texts into each catalogue without a translation, takes out those that are gone,
and guesses nothing. What Django's admin says by itself is in Django's own catalogues. These are compiled by the set-up.
"""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir, extract_python
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

from config.environment import BASE_DIR

LOCALE = BASE_DIR / "locale"
DOMAIN = "django"
SOURCES = (
    ("**/management/**", "ignore"),
    ("assistant/**.py", "python"),
    ("config/settings.py", "python"),
    ("evals/**.py", "python"),
    ("metering/**.py", "python"),
    ("records/**.py", "python"),
    ("templates/**.html", "config.messages:extract_template"),
)
HEADER = "# What readers of a site see, in their language. docs/adding-a-language.md says how it is kept."
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    **{f"{name}_{kind}": DEFAULT_KEYWORDS.get(name) for name in ("gettext", "ngettext") for kind in ("lazy", "noop")},
    **{f"{name}_lazy": DEFAULT_KEYWORDS[name] for name in ("pgettext", "npgettext")},
}


def extract_template(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:
    """Read a Django template as Babel reads Python: what is no text becomes noise on the same line."""
    python = templatize(file.read().decode("utf-8"))
    flush = re.sub(r"^\s+", "", python, flags=re.MULTILINE)
    return extract_python(io.BytesIO(flush.encode("utf-8")), keywords, comment_tags, options)


def extracted() -> Catalog:
    """Return every text of the code and the templates, with the files that it stands in."""
    catalog = Catalog(domain=DOMAIN, charset="utf-8", fuzzy=False)
    places = extract_from_dir(BASE_DIR, list(SOURCES), keywords=KEYWORDS, comment_tags=("Translators:",))
    for file, line, message, comments, context in places:
        catalog.add(message, locations=[(file, line)], auto_comments=comments, context=context)
    return catalog


def languages() -> list[str]:
    """Return the languages that have a catalogue: all but the one that the code is written in."""
    return [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def path(language: str) -> Path:
    """Return where a language's catalogue is."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """Return a catalogue as it stands; an empty one where there is none yet."""
    if not path(language).exists():
        nobody = dict.fromkeys(("msgid_bugs_address", "last_translator", "language_team"), "Trava")
        return Catalog(language, DOMAIN, HEADER, project="Trava", version="0.1.0", fuzzy=False, **nobody)
    with path(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def update(language: str) -> int:
    """Bring a catalogue to the texts there are; returns how many wait for a translation."""
    catalog = read(language)
    catalog.update(extracted(), no_fuzzy_matching=True, update_creation_date=False)
    path(language).parent.mkdir(parents=True, exist_ok=True)
    with path(language).open("wb") as file:
        write_po(file, catalog, width=100, ignore_obsolete=True, include_lineno=False, omit_header=False)
    return sum(1 for message in catalog if message.id and not all(forms(message)))


def forms(message: Message) -> tuple[str, ...]:
    """Return a message's translations: one, or one for each plural form of the language."""
    string = message.string or ""
    return (string,) if isinstance(string, str) else tuple(string)


if __name__ == "__main__":
    for code in languages():
        print(f"{path(code).relative_to(BASE_DIR)}: {update(code)} to translate")  # noqa: T201  # a command
