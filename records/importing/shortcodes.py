"""Takes site generators' shortcodes out of Markdown, and says which: they would be read and searched as words.

Hugo's `{{< name >}}` and `{{% name %}}`, Liquid's `{% name %}` and `{{ name }}`, WordPress' `[gallery]`; what stands
between an opening and a closing one stays. Code is left as it is.
"""

import re

_SHORTCODE = re.compile(
    r"\{\{[<%]\s*/?\s*(?P<hugo>[\w./-]+)(?:[^{}]|\{(?!\{))*?[%>]\}\}"
    r"|\{%-?\s*(?P<tag>[\w-]+)[^{}]*?-?%\}"
    r"|\{\{-?\s*(?P<value>[\w.-]+)[^{}]*\}\}"
    r"|\[/?(?P<press>gallery|caption|embed|video|audio|playlist|contact-form(?:-\d+)?|shortcode)\b[^\]\n]*\]"
)
_CODE = re.compile(r"(^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\2[`~]*[ \t]*$|\Z)|`[^`\n]+`)", re.DOTALL | re.MULTILINE)


def remove(markdown: str) -> tuple[str, tuple[str, ...]]:
    """The text without them, and the names of those that were in it."""
    names: dict[str, None] = {}

    def named(match: re.Match[str]) -> str:
        names[match[match.lastgroup or 0]] = None
        return ""

    parts: list[str] = []
    last = 0
    for code in _CODE.finditer(markdown):
        parts += (_SHORTCODE.sub(named, markdown[last : code.start()]), code.group())
        last = code.end()
    parts.append(_SHORTCODE.sub(named, markdown[last:]))
    return "".join(parts), tuple(names)
