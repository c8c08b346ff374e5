"""Texts that somebody may write to break what shows them, and a page taken apart, to compare with a harmless one."""

from html.parser import HTMLParser

HARMLESS = "A plain text of a few words"

TEXTS = {
    "a script": "<script>alert(1)</script>",
    "an image that runs": '"><img src=x onerror=alert(1)>',
    "closing tags": "</title></a></p></textarea></select></main></body><h1>x</h1>",
    "an attribute": '" onmouseover="alert(1)" style=\'position:fixed\'',
    "a template": "{{ 7|add:7 }} {% debug %} ${7*7} %(x)s {0}",
    "links that run": "[x](javascript:alert(1)) ![x](data:text/html,<b>x</b>) <javascript:alert(1)> [y][z]",
    "unfinished Markdown": "# `` ` **a _b [c](d <!-- ~~~",
    "unfinished XML": "]]> <![CDATA[ <?xml ?> <!DOCTYPE x [ &x; ]>",
    "entities": "&lt;script&gt; &#60;b&#62; &amp;amp; &copy",
    "a formula": '=HYPERLINK("http://evil.example";"x")',
    "a header": "x\r\nBcc: evil\r\nSubject: y\r\n\r\n<b>body</b>",
    "turned letters": "\u202e21 days\u202c \u2067abc \u202dx \u2066y",
    "controls": "a\x07b\x0bc\x1b[31md\x7fe\ufffef",
    "nothing to see": "un\u200bseen\u2060 \ufeff \u00ad",
    "a pile of marks": "Z" + "\u0301\u0489" * 100 + "algo",
    "one long word": "W" * 5_000,
}

# What joins and parts letters and lines in Persian and Arabic, and must survive everything that is done above.
PERSIAN = "می\u200cخواهم کتاب\u200cها را (API) ببینم\u200f!"

_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_ADDRESSES = {"href", "src", "action", "formaction", "hx-get", "hx-post"}


class Page(HTMLParser):
    """A page as a browser takes it apart: the shapes of its elements in order, its texts, and where its links lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.shapes: list[tuple[str, ...]] = []
        self.foreign: list[tuple[str, ...]] = []  # the shapes of what an owner's Markdown made
        self.texts: list[str] = []
        self.addresses: list[str] = []
        self.unclosed: list[str] = []
        self._foreign = 0  # how deep in such a part
        self.feed(html)
        self.close()

    @property
    def text(self) -> str:
        """All that can be read, white space as a browser shows it."""
        return " ".join("".join(self.texts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.addresses += [value for name, value in given.items() if name in _ADDRESSES]
        (self.foreign if self._foreign else self.shapes).append((tag, *sorted(given)))
        if tag in _VOID:
            return
        self.unclosed.append(tag)
        if self._foreign or given.get("class") in ("body", "as-published") or given.get("id") == "contact":
            self._foreign += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.unclosed, f"</{tag}> closes nothing"
        assert self.unclosed.pop() == tag, f"</{tag}> closes another element"
        self._foreign = max(0, self._foreign - 1)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def is_safe(page: Page) -> bool:
    """Whether nothing in a page runs but its own files, and no link runs instead of leading somewhere."""
    shapes = [*page.shapes, *page.foreign]
    runs = [shape for shape in shapes if shape[0] == "script" and "src" not in shape]
    handlers = [shape for shape in shapes if any(name.startswith("on") or name == "style" for name in shape[1:])]
    leading = ("http://", "https://", "/", "#", "?", "mailto:", "data:image/")
    schemes = [address for address in page.addresses if ":" in address and not address.startswith(leading)]
    return not (runs or handlers or schemes or page.unclosed)
