"""The words and n-grams of every entry as numbers, worked out for those that are there."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from records import lexemes
from records.context import keyword_context
from records.grams import pack, word_numbers


def fill(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    entries = apps.get_model("records", "SearchEntry").objects
    for entry in entries.select_related("placement__version").iterator(chunk_size=200):
        placement = entry.placement
        context = keyword_context(placement.version, placement.section_path)
        entry.grams = pack(own=entry.words, context=lexemes.terms(context, entry.language))
        entry.word_numbers = word_numbers(entry.words).tobytes()
        entry.save(update_fields=["grams", "word_numbers"])


class Migration(migrations.Migration):
    dependencies = [("records", "0007_personal_values")]

    operations = [
        # What every search looks at stays in the row itself; the rest of a row of this size moves out of it.
        migrations.RunSQL(
            "ALTER TABLE records_searchentry ALTER COLUMN vector SET STORAGE PLAIN, "
            "ALTER COLUMN lexemes SET STORAGE MAIN",
            "ALTER TABLE records_searchentry ALTER COLUMN vector SET STORAGE EXTERNAL, "
            "ALTER COLUMN lexemes SET STORAGE EXTENDED",
        ),
        migrations.AddField(
            model_name="searchentry",
            name="grams",
            field=models.BinaryField(
                default=b"", help_text="Character n-grams of context and text, packed, for the order of hits."
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="searchentry",
            name="word_numbers",
            field=models.BinaryField(
                default=b"", help_text="The own words as numbers, to be compared at once with many passages'."
            ),
            preserve_default=False,
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
