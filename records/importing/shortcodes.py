"""Takes site generators' shortcodes out of Markdown, and says which: they would be read and searched as words.

Hugo's `{{< name >}}` and `{{% name %}}`, Liquid's `{% name %}` and `{{ name }}`, WordPress' `[gallery]`, kramdown's
`{: .class}` and `{#id}`. What stands between an opening and a closing one stays; what stands in a comment goes with
it, what stands in `highlight` is code. Other code is left as it is.
"""

import re

from records.importing.prose import CODE

_SHORTCODE = re.compile(
    r"\{\{[<%]\s*/?\s*(?P<hugo>[\w./-]+)(?:[^{}]|\{(?!\{))*?[%>]\}\}"
    r"|\{%-?\s*(?P<tag>[\w-]+)[^{}]*?-?%\}"
    r"|\{\{-?\s*(?P<value>[\w.-]+)[^{}]*\}\}"
    r"|\[/?(?P<press>gallery|caption|embed|video|audio|playlist|contact-form(?:-\d+)?|shortcode)\b[^\]\n]*\]"
    r"|(?:^[*+-][ \t]+\w+\n)?\{:(?P<kramdown>)[^{}\n]*\}|(?<=\S)[ \t]+\{#(?P<id>)[\w:.-]+[^{}\n]*\}[ \t]*$",
    re.MULTILINE,
)
_UNNAMED = {"kramdown": "{:}", "id": "{#}"}
# What is read as a whole: code of every sort, and what an author keeps to himself.
_WHOLE = re.compile(
    rf"(?P<code>{CODE})"
    r"|\{%-?\s*(?P<comment>comment)\b[^%]*%\}.*?\{%-?\s*endcomment\s*-?%\}"
    r"|\{%-?\s*raw\s*-?%\}(?P<raw>.*?)\{%-?\s*endraw\s*-?%\}"
    r"|\{%-?\s*highlight\s+(?P<liquid>[\w+#-]*)[^%]*%\}(?P<liquid_code>.*?)\{%-?\s*endhighlight\s*-?%\}"
    r"|\{\{[<%]\s*highlight\s+\"?(?P<hugo>[\w+#-]*)[^>]*?[>%]\}\}(?P<hugo_code>.*?)\{\{[<%]\s*/\s*highlight\s*[>%]\}\}",
    re.DOTALL | re.MULTILINE,
)
_EMPTY_LINK = re.compile(r"(?<!!)\[(?P<words>[^\[\]]+)\]\(\s*\)")


def remove(markdown: str) -> tuple[str, tuple[str, ...]]:
    """The text without them, and the names of those that were in it."""
    names: dict[str, None] = {}

    def named(match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        names[match[kind] or _UNNAMED[kind]] = None
        return ""

    def without(prose: str) -> str:
        left = _SHORTCODE.sub(named, prose)
        # A link to where only the generator knew: its words stay.
        return prose if left == prose else _EMPTY_LINK.sub(r"\g<words>", left)

    parts: list[str] = []
    last = 0
    for whole in _WHOLE.finditer(markdown):
        parts += (without(markdown[last : whole.start()]), _kept(whole, names))
        last = whole.end()
    return "".join((*parts, without(markdown[last:]))), tuple(names)


def _kept(whole: re.Match[str], names: dict[str, None]) -> str:
    """What stays of code, of a comment, and of what a generator would have shown as it is."""
    if (code := whole["code"]) is not None:
        return code
    if whole["comment"]:
        names["comment"] = None
        return ""
    if (raw := whole["raw"]) is not None:
        names["raw"] = None
        return raw
    names["highlight"] = None
    language, code = whole["liquid"] or whole["hugo"] or "", whole["liquid_code"] or whole["hugo_code"] or ""
    return f"```{language}\n{code.strip(chr(10))}\n```"
