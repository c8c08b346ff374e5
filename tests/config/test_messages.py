"""Every text that a reader can see stands in every catalogue, translated, with the same values to fill in."""

import gettext
import re

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.template.loader import get_template
from django.utils.translation import override

from config import messages

PLACE = re.compile(r"%\((\w+)\)s")
TEXTS = {(message.context, message.id): message for message in messages.extracted() if message.id}


def places(text: str) -> set[str]:
    return set(PLACE.findall(text))


def translated(language: str):
    """The messages of a catalogue, by context and text."""
    return {(message.context, message.id): message for message in messages.read(language) if message.id}


@pytest.fixture(params=messages.languages())
def language(request) -> str:
    return request.param


def test_every_language_of_the_site_but_the_codes_own_has_a_catalogue():
    assert {*messages.languages(), settings.LANGUAGE_CODE} == {code for code, _name in settings.LANGUAGES}
    assert all(messages.path(code).exists() for code in messages.languages())


def test_every_text_is_translated_and_nothing_else_is(language):
    found = translated(language)
    assert found.keys() == TEXTS.keys()
    unfinished = [message.id for message in found.values() if message.fuzzy or not all(messages.forms(message))]
    assert unfinished == []


def test_a_translation_fills_in_what_the_text_fills_in(language):
    for message in translated(language).values():
        *counted, last = messages.forms(message)
        wanted = places(message.id if isinstance(message.id, str) else message.id[-1])
        assert places(last) == wanted, message.id
        # One hour and two hours may be words without a number.
        assert all(places(form) <= wanted for form in counted), message.id


def test_no_line_of_french_begins_with_a_sign_that_ends_one():
    torn = re.compile(" [?!;:»]|« ")
    assert [
        form for message in translated("fr").values() for form in messages.forms(message) if torn.search(form)
    ] == []


def test_babel_has_nothing_to_say_against_a_catalogue(language):
    assert [(message.id, errors) for message, errors in messages.read(language).check()] == []


def test_a_text_with_a_count_has_every_form_of_its_language(language):
    catalog = messages.read(language)
    counted = [message for message in catalog if isinstance(message.id, tuple)]
    assert counted
    assert {len(messages.forms(message)) for message in counted} == {catalog.num_plurals}


def test_what_is_compiled_is_what_the_catalogue_says(language):
    """Set-up compiles: where this fails, `make setup` has not run since a text changed."""
    with messages.path(language).with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for (context, text), message in translated(language).items():
        if isinstance(text, str):
            said = compiled.pgettext(context, text) if context else compiled.gettext(text)
            assert said == message.string


def test_persian_is_written_with_persian_letters_and_half_spaces():
    for message in translated("fa").values():
        for form in messages.forms(message):
            assert not re.search("[يكىة]", form), form  # the Arabic forms of letters that Persian has of its own
            assert not re.search(r"\bن?می (?!‌)\w", form), form


class TestExtraction:
    def test_texts_of_templates_are_found_with_their_context_and_values(self):
        assert ("button that sends a question", "Ask") in TEXTS
        assert (None, "Version %(number)s, published on %(day)s") in TEXTS

    def test_a_text_of_the_code_is_found_however_it_is_marked(self):
        files = {file for message in TEXTS.values() for file, _line in message.locations}
        assert {"assistant/texts.py", "assistant/asking.py", "records/views.py"} <= files
        assert any(isinstance(text, tuple) for _context, text in TEXTS)

    def test_the_owners_desk_is_translated_and_a_terminals_texts_are_not(self):
        files = {file for message in TEXTS.values() for file, _line in message.locations}
        assert [file for file in files if "admin" in file]
        assert not [file for file in files if "management" in file]

    def test_every_template_can_be_read(self):
        for path in sorted((settings.BASE_DIR / "templates").rglob("*.html")):
            get_template(str(path.relative_to(settings.BASE_DIR / "templates")))

    def test_a_new_text_comes_in_untranslated_and_one_that_is_gone_goes(self, tmp_path, monkeypatch):
        monkeypatch.setattr(messages, "LOCALE", tmp_path)
        monkeypatch.setattr(messages, "BASE_DIR", tmp_path)
        (tmp_path / "templates").mkdir()
        page = tmp_path / "templates" / "page.html"
        page.write_text('{% load i18n %}\n  <p>{% translate "Work" %}</p>\n{% translate "Contact" %}\n')
        assert messages.update("fa") == 2
        catalogue = messages.path("fa")
        catalogue.write_text(catalogue.read_text().replace('msgid "Work"\nmsgstr ""', 'msgid "Work"\nmsgstr "کارها"'))
        page.write_text('{% load i18n %}{% translate "Work" %}{% translate "Works" %}\n')
        assert messages.update("fa") == 1
        with catalogue.open("rb") as file:
            after = read_po(file)
        assert {message.id: message.string for message in after if message.id} == {"Work": "کارها", "Works": ""}
        assert not any(message.fuzzy for message in after)


def test_every_language_has_a_name_in_every_other(language):
    with override(language):
        names = {code: str(name) for code, name in settings.LANGUAGES}
    english = {code: str(name) for code, name in settings.LANGUAGES}
    same = {code for code, name in names.items() if name == english[code]}
    assert same <= {"hi"}  # Hindi is Hindi in half of Europe
