import pytest

from records.importing.obsidian import to_markdown


@pytest.mark.parametrize(
    ("written", "read", "names"),
    [
        ("See [[Places/Orlow]].", "See [Orlow](<Places/Orlow>).", ()),
        ("See [[Orlow|the town]] and [[Orlow#Mill]].", "See [the town](<Orlow>) and [Orlow](<Orlow>).", ()),
        ("As [[#Results]] says.", "As Results says.", ()),
        ("![[photo.png|300]]\n![[Methods]]\nText.", "\n\nText.", ("embedded files",)),
        ("Open. %%Mine alone.%%\n\n%%\nTwo\nlines.\n%%\nEnd.", "Open. \n\n\nEnd.", ("comments",)),
        ("It is ==marked== so. ^ab1", "It is marked so.", ()),
        ("> [!warning]- Ice\n> On the pier.", "> **Ice**\n>\n> On the pier.", ()),
        ("> [!NOTE]\n> Mind it.", ">\n> Mind it.", ()),
        ("a == b and c == d, 5%% and 6%%, 2^3 ^", "a == b and c == d, 5%% and 6%%, 2^3 ^", ()),
        (
            "It has 14 spans. #field #bridge/steel\nMore on #Python, C# and [a](#b), #12.",
            "It has 14 spans. \nMore on Python, C# and [a](#b), #12.",
            ("tags",),
        ),
        ("`[[a]] ==b==`\n\n```\n%% c %%\n```", "`[[a]] ==b==`\n\n```\n%% c %%\n```", ()),
    ],
)
def test_becomes_markdown(written, read, names):
    assert to_markdown(written) == (read, names)
