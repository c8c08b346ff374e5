"""From where an import reads: a folder, a file, or an address; and which importer reads it."""

import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from records.importing import json_resume, markdown_folder
from records.importing.entries import Entry, LeftOut, Unreadable
from records.importing.markdown_folder import LARGEST, Defaults

_SECONDS = 20.0


def read(location: str, defaults: Defaults) -> Iterator[Entry | LeftOut]:
    """What the importer for a path or address reads; raises Unreadable."""
    if urlsplit(location).scheme not in {"http", "https"}:
        yield from _read_path(Path(location), defaults)
        return
    name = PurePosixPath(urlsplit(location).path).name or "index"
    with TemporaryDirectory() as folder:
        file = Path(folder, name)
        file.write_bytes(_fetch(location))
        yield from _read_path(file, defaults)


def name(location: str) -> str:
    """The location as it is remembered from run to run."""
    return location if "://" in location else str(Path(location).resolve())


def _read_path(path: Path, defaults: Defaults) -> Iterator[Entry | LeftOut]:
    if path.is_dir() or path.suffix.lower() in markdown_folder.SUFFIXES:
        yield from markdown_folder.read(path, defaults)
    elif path.suffix.lower() == ".json":
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Unreadable(f"{path} can't be read: {error}") from error
        yield from json_resume.read(text, defaults.language)
    elif path.exists():
        raise Unreadable(f"{path.name}: only folders, Markdown files and JSON Resume (.json) can be imported")
    else:
        raise Unreadable(f"there is no {path}")


def _fetch(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as response:  # noqa: S310  # http and https alone get here
            content: bytes = response.read(LARGEST + 1)
    except (OSError, HTTPException, ValueError) as error:  # of the address, the line or the server
        raise Unreadable(f"{address} can't be fetched: {error}") from error
    if len(content) > LARGEST:
        raise Unreadable(f"{address} is larger than {LARGEST:,} bytes")
    return content
