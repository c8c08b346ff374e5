import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.importing.shortcodes import remove


@pytest.mark.parametrize(
    ("markdown", "left", "names"),
    [
        ('a {{< figure src="x.png" caption="b" >}} c', "a  c", ("figure",)),
        ("{{% note %}}Mind the gap.{{% /note %}}", "Mind the gap.", ("note",)),
        ("{% include header.html %}text", "text", ("include",)),
        ("by {{ site.author }}.", "by .", ("site.author",)),
        ('[gallery ids="1,2"] and [link](x)', " and [link](x)", ("gallery",)),
        ('See [the next]({{< ref "b.md" >}}).', "See the next.", ("ref",)),
        ("a{% comment %}mine{% endcomment %}b", "ab", ("comment",)),
        ("{% raw %}{{ shown }}{% endraw %}", "{{ shown }}", ("raw",)),
        ("{% highlight ruby %}\nputs 1\n{% endhighlight %}", "```ruby\nputs 1\n```", ("highlight",)),
        ('{{< highlight go "linenos=1" >}}x := 1{{< /highlight >}}', "```go\nx := 1\n```", ("highlight",)),
        ("Text\n{: .lead }\n\n* TOC\n{:toc}\n", "Text\n\n\n\n", ("{:}",)),
        ("## Results {#results}\n\nText", "## Results\n\nText", ("{#}",)),
        ("a [1] and {braces} and {{", "a [1] and {braces} and {{", ()),
    ],
)
def test_removed_and_named(markdown, left, names):
    assert remove(markdown) == (left, names)


@pytest.mark.parametrize(
    "code",
    [
        "`{{ value }}`",
        "```\n{% raw %}\n```",
        "```\n{% highlight a %}b{% endhighlight %}\n```",
        "~~~ yaml\n{{ a }}\n~~~",
        "```\n{{ open",
    ],
)
def test_code_is_left_as_it_is(code):
    assert remove(f"before\n\n{code}") == (f"before\n\n{code}", ())


@given(st.text(alphabet="ab `~{}%<>[]/\n", max_size=60))
def test_nothing_but_shortcodes_goes(text):
    left, names = remove(text)
    assert (left == text) is (names == ())
