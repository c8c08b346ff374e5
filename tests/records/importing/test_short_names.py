import pytest

from records.importing.short_names import short_name


@pytest.mark.parametrize(
    ("written", "name"), [("Night_Flow", "Night_Flow"), ("Über uns", "uber-uns"), ("São João, 2019", "sao-joao-2019")]
)
def test_latin_letters_stay(written, name):
    assert short_name(written) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("یادداشت پل یک", "یادداشت پل دو"),
        ("مهندس، Google 2015", "مدیر، Google 2015"),
        ("报告 2019", "笔记 2019"),
        ("a " * 100 + "b", "a " * 100 + "c"),
    ],
)
def test_what_is_written_differently_has_different_names(one, other):
    assert short_name(one) != short_name(other)
    assert short_name(one) == short_name(one)
    assert len(short_name(one)) <= 100


def test_a_name_without_a_latin_letter_begins_with_what_it_is():
    assert short_name("سلام", "work").startswith("work-")
