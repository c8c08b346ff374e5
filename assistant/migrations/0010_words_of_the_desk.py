import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("assistant", "0009_names_of_texts_and_feedback"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="apikey",
            options={"ordering": ["-created_at"], "verbose_name": "API key", "verbose_name_plural": "API keys"},
        ),
        migrations.AlterModelOptions(
            name="conversation",
            options={"verbose_name": "conversation", "verbose_name_plural": "conversations"},
        ),
        migrations.AlterModelOptions(
            name="refusalphrase",
            options={
                "ordering": ["category", "language", "text"],
                "verbose_name": "refusal phrase",
                "verbose_name_plural": "refusal phrases",
            },
        ),
        migrations.AlterModelOptions(
            name="turn",
            options={"ordering": ["conversation", "ordinal"], "verbose_name": "turn", "verbose_name_plural": "turns"},
        ),
        migrations.AlterField(
            model_name="apikey",
            name="created_at",
            field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
        ),
        migrations.AlterField(
            model_name="apikey",
            name="hint",
            field=models.CharField(
                editable=False,
                help_text="How the key begins, to tell keys apart.",
                max_length=12,
                verbose_name="beginning",
            ),
        ),
        migrations.AlterField(
            model_name="apikey",
            name="last_used_on",
            field=models.DateField(blank=True, editable=False, null=True, verbose_name="last used on"),
        ),
        migrations.AlterField(
            model_name="apikey",
            name="name",
            field=models.CharField(help_text="Who or what asks with it.", max_length=80, verbose_name="name"),
        ),
        migrations.AlterField(
            model_name="apikey",
            name="revoked_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="revoked at"),
        ),
        migrations.AlterField(
            model_name="ownerrules",
            name="changed_at",
            field=models.DateTimeField(auto_now=True, verbose_name="changed at"),
        ),
        migrations.AlterField(
            model_name="ownerrules",
            name="changed_by",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="changed by",
            ),
        ),
        migrations.AlterField(
            model_name="refusalphrase",
            name="active",
            field=models.BooleanField(default=True, verbose_name="active"),
        ),
        migrations.AlterField(
            model_name="refusalphrase",
            name="category",
            field=models.CharField(
                choices=[
                    ("meta", "Meta"),
                    ("commercial", "Commercial"),
                    ("private", "Private"),
                    ("speculation", "Speculation"),
                    ("task", "Task"),
                ],
                max_length=12,
                verbose_name="category",
            ),
        ),
        migrations.AlterField(
            model_name="refusalphrase",
            name="changed_at",
            field=models.DateTimeField(auto_now=True, verbose_name="changed at"),
        ),
        migrations.AlterField(
            model_name="refusalphrase",
            name="created_at",
            field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
        ),
        migrations.AlterField(
            model_name="refusalphrase",
            name="created_by",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="created by",
            ),
        ),
        migrations.AlterField(
            model_name="refusalphrase",
            name="language",
            field=models.CharField(
                choices=[
                    ("en", "English"),
                    ("fa", "Persian"),
                    ("ar", "Arabic"),
                    ("es", "Spanish"),
                    ("pt", "Portuguese"),
                    ("fr", "French"),
                    ("de", "German"),
                    ("ru", "Russian"),
                    ("hi", "Hindi"),
                    ("zh", "Chinese"),
                ],
                help_text="What the refusal is reported as; all questions are tried.",
                max_length=5,
                verbose_name="language",
            ),
        ),
        migrations.AlterField(
            model_name="refusalphrase",
            name="note",
            field=models.CharField(blank=True, max_length=300, verbose_name="note"),
        ),
        migrations.AlterField(
            model_name="turn",
            name="created_at",
            field=models.DateTimeField(auto_now_add=True, db_index=True, verbose_name="asked at"),
        ),
        migrations.AlterField(
            model_name="turn",
            name="language",
            field=models.CharField(
                help_text="The reader's language for this turn.", max_length=5, verbose_name="language"
            ),
        ),
        migrations.AlterField(
            model_name="turn",
            name="live_check",
            field=models.BooleanField(
                default=False,
                help_text="Asked by the site itself: in no figure about visitors.",
                verbose_name="live check",
            ),
        ),
        migrations.AlterField(
            model_name="turn",
            name="notice",
            field=models.CharField(blank=True, max_length=20, verbose_name="notice"),
        ),
        migrations.AlterField(
            model_name="turn",
            name="refusal",
            field=models.CharField(blank=True, max_length=20, verbose_name="refusal"),
        ),
        migrations.AlterField(
            model_name="turn",
            name="route",
            field=models.CharField(
                blank=True,
                choices=[
                    ("refusal", "Refusal"),
                    ("records", "Records"),
                    ("panorama", "Panorama"),
                    ("search", "Search"),
                ],
                max_length=10,
                verbose_name="route",
            ),
        ),
        migrations.AlterField(
            model_name="turn",
            name="state",
            field=models.CharField(choices=[("running", "running"), ("done", "done")], default="running", max_length=8),
        ),
        migrations.AlterField(
            model_name="turn",
            name="stop",
            field=models.CharField(
                blank=True,
                help_text="The code of the check that stopped the answer.",
                max_length=20,
                verbose_name="check that stopped it",
            ),
        ),
    ]
