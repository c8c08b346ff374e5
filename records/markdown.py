"""Markdown as blocks of plain text, and as clean HTML. No home-made parser: markdown-it reads, nh3 cleans.

Blocks hold what can be read aloud: links and emphasis leave their words, pictures and raw HTML tags nothing, a
footnote follows the paragraph that points to it, a table becomes a line a row. Code is kept, and kept apart, as are
formulas that stand on lines of their own.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape, unescape
from typing import Literal

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from guardrails.characters import speakable

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(footnote_plugin)
_PARSER.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
# What is neither a letter nor has any of these stood between two signs of a currency.
_FORMULA = re.compile(r"[\\^_={}]|\A[A-Za-z]{1,2}\Z")
_FOOTNOTE = re.compile(r"fn(?:ref)?\d+(?::\d+)?")
_ATTRIBUTES = {**nh3.ALLOWED_ATTRIBUTES, "a": {"href", "hreflang", "id"}, "li": {"id"}}
# What scrolls sideways where a window is small must be reached by keyboard to be read.
_SCROLLING = {"pre": {"tabindex": "0"}, "table": {"tabindex": "0"}}

Kind = Literal["heading", "prose", "code"]


@dataclass(frozen=True, slots=True)
class Block:
    """One heading, paragraph, list, table or piece of code. `lines` are its items or rows, else one."""

    kind: Kind
    lines: tuple[str, ...]
    level: int = 0


def html(markdown: str) -> str:
    """Return the text as HTML that is safe to show."""
    return nh3.clean(
        _PARSER.render(speakable(markdown)),
        attributes=_ATTRIBUTES,
        attribute_filter=_kept,
        set_tag_attribute_values=_SCROLLING,
        link_rel="noopener nofollow",
    )


def _kept(_tag: str, name: str, value: str) -> str | None:
    """Ids are a page's own, but for those that footnotes are reached by."""
    return None if name == "id" and not _FOOTNOTE.fullmatch(value) else value


def _formula(_renderer: RendererProtocol, tokens: list[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    token = tokens[index]
    if token.type == "math_block":
        return f"<pre><code>{escape(token.content.strip())}</code></pre>\n"
    formula = _inline_formula(token.type, token.content)
    return escape(formula) if formula.startswith("$") else f"<code>{escape(formula)}</code>"


def _inline_formula(kind: str, content: str) -> str:
    """A formula without the signs around it, or with them where it is none."""
    return content if kind == "math_inline_double" or _FORMULA.search(content) else f"${content}$"


for _kind in ("math_inline", "math_inline_double", "math_block"):
    _PARSER.add_render_rule(_kind, _formula)


def blocks(markdown: str) -> Iterator[Block]:
    """Yield the blocks of a text in order."""
    text = unicodedata.normalize("NFC", speakable(markdown))
    *body, last = [*SyntaxTreeNode(_PARSER.parse(text)).children, None]
    if body and body[-1].type == "footnote_block":
        last = body.pop()
    notes = {note.meta["id"]: _words(note) for note in (last.children if last else ())}
    for node in body:
        yield from _block(node)
        for reference in node.walk():
            if reference.type == "footnote_ref" and (note := notes.pop(reference.meta["id"], "")):
                yield Block("prose", (note,))


def _block(node: SyntaxTreeNode) -> Iterator[Block]:
    match node.type:
        case "heading":
            yield from _written("heading", [_words(node)], level=int(node.tag[1]))
        case "fence" | "code_block" | "math_block":
            yield from _written("code", node.content.strip("\n").split("\n"))
        case "table":
            yield from _written("prose", _rows(node))
        case "bullet_list" | "ordered_list":
            yield from _written("prose", _items(node))
        case "blockquote":
            for child in node.children:
                yield from _block(child)
        case _:
            yield from _written("prose", [_words(node)])


def _written(kind: Kind, lines: list[str], level: int = 0) -> Iterator[Block]:
    """The block, unless nothing is written in it."""
    if any(lines):
        yield Block(kind, tuple(lines if kind == "code" else filter(None, lines)), level)


def _items(node: SyntaxTreeNode) -> list[str]:
    lines: list[str] = []
    for number, item in enumerate(node.children, start=int(node.attrs.get("start", 1))):
        own = " ".join(filter(None, (_words(child) for child in item.children if not child.type.endswith("_list"))))
        if own:
            lines.append(f"{number}. {own}" if node.type == "ordered_list" else f"- {own}")
        for child in item.children:
            if child.type.endswith("_list"):
                lines += _items(child)
    return lines


def _rows(table: SyntaxTreeNode) -> list[str]:
    """Each row as "column: cell; column: cell", so that a row can be understood, found and quoted by itself."""
    head, *bodies = table.children
    columns = [_words(cell) for cell in head.children[0].children]
    return [
        "; ".join(
            f"{column}: {cell}" if column else cell
            for column, cell in zip(columns, map(_words, row.children), strict=True)
            if cell
        )
        for body in bodies
        for row in body.children
    ]


def _words(node: SyntaxTreeNode) -> str:
    """The words of a node on one line; a hard line break is a space like any other."""
    return " ".join("".join(_pieces(node)).split())


def _pieces(node: SyntaxTreeNode) -> Iterator[str]:
    match node.type:
        case "text" | "code_inline":
            yield node.content
        case "math_inline" | "math_inline_double":
            yield _inline_formula(node.type, node.content)
        case "html_block":
            yield unescape(nh3.clean(node.content, tags=set()))
        case "html_inline":
            yield " " if node.content.lower().startswith("<br") else ""
        case "table":
            yield " ".join(_rows(node))
        case silent if silent in _SILENT:
            return
        case _:
            for child in node.children:
                yield from _pieces(child)
            yield "" if node.type in _WITHIN_A_WORD else " "


_SILENT = {"image", "footnote_ref", "footnote_anchor", "fence", "code_block", "math_block"}
_WITHIN_A_WORD = {"em", "strong", "s", "link"}
