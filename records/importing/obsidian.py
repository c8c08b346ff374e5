"""Turns what Obsidian writes beside Markdown into Markdown, and says what it took out; code is left as it is.

Links between notes become Markdown's own, which `links` follows; a callout (GitHub's alerts too) becomes a quotation
under its title; a tag becomes its word. Comments are their author's and go, as do rows of tags and what is embedded.
"""

import re
from pathlib import PurePosixPath

from records.importing import prose

_TAG = r"#[^\W\d_][\w/-]*"
_MARK = re.compile(
    r"(?P<comment>(?<![\w%])%%(?!%).*?%%)"
    r"|(?P<embed>!\[\[[^\[\]\n]+\]\])"
    r"|\[\[(?P<note>[^\[\]\n|#]*)(?:\#(?P<section>[^\[\]\n|]+))?(?:\|(?P<words>[^\[\]\n]+))?\]\]"
    r"|==(?=\S)(?P<highlight>[^=\n]+?)(?<=\S)=="
    r"|(?P<block>[ \t]+\^[\w-]+[ \t]*$)"
    rf"|(?P<tags>(?:^|(?<=\s)){_TAG}(?:[ \t]+{_TAG})+[ \t]*$)|(?:^|(?<=\s))#(?P<tag>{_TAG[1:]})"
    r"|^(?P<callout>(?:[ \t]*>)+[ \t]*)\[![\w-]+(?:\|[^\]\n]*)?\][+-]?[ \t]*(?P<title>[^\n]*)",
    re.DOTALL | re.MULTILINE,
)
_TAKEN_OUT = {"comment": "comments", "embed": "embedded files", "tags": "tags"}


def to_markdown(text: str) -> tuple[str, tuple[str, ...]]:
    """The text as other readers of Markdown understand it, and names for what was taken out of it."""
    names: dict[str, None] = {}

    def written(mark: re.Match[str]) -> str:
        for group, name in _TAKEN_OUT.items():
            if mark[group]:
                names[name] = None
                return ""
        if word := mark["highlight"] or mark["tag"]:
            return word
        if mark["block"]:
            return ""
        return _callout(mark) if mark["callout"] else _link(mark)

    return prose.changed(text, lambda stretch: _MARK.sub(written, stretch)), tuple(names)


def _callout(mark: re.Match[str]) -> str:
    quote = mark["callout"].rstrip()
    return f"{quote} **{mark['title']}**\n{quote}" if mark["title"] else quote


def _link(mark: re.Match[str]) -> str:
    note, section = (mark["note"] or "").strip(), (mark["section"] or "").strip()
    words = (mark["words"] or PurePosixPath(note).name or section).strip()
    return f"[{words}](<{note}>)" if note else words
