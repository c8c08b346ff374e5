"""Reads a folder of Markdown files, or one such file: a text each, translations told by suffix, folder or head.

It follows what static site generators do: `post.pt.md` or `pt/post.md`, `post/index.md`, `2019-03-02-post.md`,
drafts, days to come, kinds by folder. Links out of the folder, hidden files and section pages are left out and named.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.utils import timezone

from records.importing import front_matter, links, obsidian, shortcodes
from records.importing.entries import Entry, LeftOut, Unreadable
from records.importing.short_names import short_name
from records.models import Kind
from records.written_in import certain

SUFFIXES = {".md", ".markdown", ".mdx"}
LARGEST = 2_000_000  # bytes of one file
_KINDS = {
    Kind.CV: "cv experience education employment jobs job positions awards award resume",
    Kind.CASE_STUDY: "case-study case-studies projects project work works portfolio cases",
    Kind.ARTICLE: "article articles blog blogs post posts writing news notes essays publications publication",
    Kind.SERVICE: "service services offers offering offerings",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_LANGUAGES = {code for code, _ in settings.LANGUAGES}
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})-(.+)")
_TITLE = re.compile(r"\s*^#[ \t]+(?P<title>[^\n]+?)[ \t]*#*[ \t]*$\n?", re.MULTILINE)
_DRAFTS = {"_drafts", "drafts"}
# Folders that generators keep for themselves: anywhere, and at the top.
_OWN, _OWN_AT_TOP = {"_includes", "_layouts", "_data", "_sass", "_site"}, {"archetypes", "layouts", "themes"}
_TELLING = 8, 24  # words, or Chinese characters, that tell a language
_MODULE_LINE = re.compile(r"^(?:import|export)\s.*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Defaults:
    """What is meant where neither file nor folder says it."""

    kind: Kind | None = None
    language: str = "en"


def read(path: Path, defaults: Defaults) -> Iterator[Entry | LeftOut]:
    """Every text below the path, and what was left out; raises Unreadable where there is no such path."""
    if not path.exists():
        raise Unreadable(f"there is no {path}")
    root, files = (path, sorted(_files(path))) if path.is_dir() else (path.parent, [path])
    entries: list[Entry] = []
    others: Counter[str] = Counter()
    for file in files:
        name = PurePosixPath(file.relative_to(root))
        if not file.is_file():
            continue
        if file.suffix.lower() not in SUFFIXES:
            others[file.suffix.lower() or file.name] += 1
            continue
        try:
            found = _read_file(file, root, name, defaults)
        except Unreadable as error:
            found = LeftOut(str(name), str(error), bad=True)
        if isinstance(found, Entry):
            entries.append(found)
        else:
            yield found
    yield from links.led(_told_apart(entries))
    for suffix, count in sorted(others.items()):
        yield LeftOut(f"*{suffix}" if suffix.startswith(".") else suffix, f"{count} files that are no Markdown")


def _files(folder: Path) -> Iterator[Path]:
    """Every file below a folder that is not hidden; raises Unreadable, since what can't be seen is not gone."""

    def refuse(error: OSError) -> None:
        raise Unreadable(f"{error.filename} can't be read: {error.strerror}")

    for where, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        yield from (Path(where, name) for name in files if not name.startswith("."))


def _read_file(file: Path, root: Path, name: PurePosixPath, defaults: Defaults) -> Entry | LeftOut:
    origin = str(name)
    if not file.resolve().is_relative_to(root.resolve()):
        return LeftOut(origin, "it is a link out of the folder")
    if name.stem.lower() in {"readme", "license", "changelog"} or name.stem.startswith("_"):
        return LeftOut(origin, "it is about the folder, not a text of the site")
    folders = {part.lower() for part in name.parts[:-1]}
    if folders & _OWN or name.parts[0].lower() in _OWN_AT_TOP:
        return LeftOut(origin, "its folder is the generator's own")
    head = front_matter.read(_contents(file))
    if head.is_draft() or folders & _DRAFTS:
        return LeftOut(origin, "it is a draft")
    return _entry(origin, name, head, defaults)


def _contents(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST:
            raise Unreadable(f"it is larger than {LARGEST:,} bytes")
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("it is not UTF-8") from error
    except OSError as error:
        raise Unreadable(f"it can't be read: {error.strerror}") from error


def _entry(origin: str, name: PurePosixPath, head: front_matter.Head, defaults: Defaults) -> Entry | LeftOut:
    stem, said = _stem_and_language(name, head)
    language = said or defaults.language
    dated = _DATED.fullmatch(stem)
    stem = dated[2] if dated else stem
    facts = head.facts()
    if dated and not facts.start:
        head = replace(head, values={**head.values, "date": dated[1]})
        facts = head.facts()
    if head.is_scheduled(timezone.localdate()):
        return LeftOut(origin, "its day has not come")
    title, body, notes = _text(head, stem, is_module=name.suffix == ".mdx")
    summary = head.text(*front_matter.SUMMARY)
    if not (body or summary):
        if name.stem == "index":
            return LeftOut(origin, "it is a page of its folder, without a text of its own")
        raise Unreadable("there is no text in it")
    looks_like = None if said else certain(f"{title} {summary} {body[:2000]}", *_TELLING)
    if looks_like not in (None, language):
        notes = (*notes, f"taken as {language}, though it looks like {looks_like}: nothing says its language")
    slug = short_name(head.text("slug") or stem)
    return Entry(
        origin=origin,
        key=head.text("translationkey") or slug,
        slug=slug,
        kind=_kind(name, head, defaults),
        language=language,
        title=title,
        summary=summary,
        body=body,
        facts=facts,
        fields=head.fields(),
        notes=notes,
    )


def _text(head: front_matter.Head, stem: str, *, is_module: bool) -> tuple[str, str, tuple[str, ...]]:
    """Title, body and what was taken out of it."""
    body = _MODULE_LINE.sub("", head.body) if is_module else head.body
    body, removed = shortcodes.remove(body)
    body, private = obsidian.to_markdown(body)
    title = head.text("title")
    if not title and (heading := _TITLE.match(body)):
        title, body = heading["title"], body[heading.end() :]
    notes = [f"without the shortcodes {', '.join(removed)}"] if removed else []
    notes += [f"without {name}" for name in private]
    if left_out := head.left_out():
        notes.append(f"without {', '.join(left_out)} of its head")
    body = "\n\n".join(part for part in (body.strip(), *head.sections()) if part)
    return (title or stem.replace("-", " ").replace("_", " ").capitalize())[:300], body, tuple(notes)


def _stem_and_language(name: PurePosixPath, head: front_matter.Head) -> tuple[str, str | None]:
    """The name without its language, and the language: by head, by suffix or by folder, if any says it."""
    stem, _, suffix = name.stem.rpartition(".")
    by_suffix = _language(suffix) if stem else None
    stem = stem if by_suffix else name.stem
    if stem == "index" and len(name.parts) > 1:
        stem = name.parts[-2]
    written = head.text(*front_matter.LANGUAGE)
    if written and not _language(written):
        raise Unreadable(f"its language {written!r} is none of {', '.join(sorted(_LANGUAGES))}")
    by_folder = next(filter(None, map(_language, name.parts[:-1])), None)
    return stem, _language(written) or by_suffix or by_folder


def _language(written: str) -> str | None:
    """`pt`, `pt-BR` and `pt_br` are `pt`; anything else is no language of the site."""
    parts = re.split("[-_]", written.lower())
    return parts[0] if parts[0] in _LANGUAGES and all(len(part) in {2, 4} for part in parts[1:]) else None


def _kind(name: PurePosixPath, head: front_matter.Head, defaults: Defaults) -> Kind:
    written = head.text(*front_matter.KIND).lower().replace("_", "-").replace(" ", "-")
    by_folder = next(
        (kind for part in reversed(name.parts[:-1]) if (kind := _KIND_OF.get(part.lower().lstrip("_")))), None
    )
    return _KIND_OF.get(written) or defaults.kind or by_folder or Kind.ARTICLE


def _told_apart(entries: list[Entry]) -> Iterator[Entry]:
    """Files of one name in several folders are several texts: their folders become part of their names."""
    count = Counter((entry.key, entry.language) for entry in entries)
    clashing = {key for (key, _), number in count.items() if number > 1}
    for entry in entries:
        if entry.key not in clashing:
            yield entry
            continue
        folders = [part for part in PurePosixPath(entry.origin).parts[:-1] if not _language(part)]
        slug = short_name("-".join([*folders, entry.slug])) if folders else entry.slug
        yield replace(entry, key=slug, slug=slug)
