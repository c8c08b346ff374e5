import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("assistant", "0008_opened_sources"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="feedback",
            options={"verbose_name": "feedback", "verbose_name_plural": "feedback"},
        ),
        migrations.AlterModelOptions(
            name="fixedtext",
            options={
                "ordering": ["name", "language"],
                "verbose_name": "fixed text",
                "verbose_name_plural": "fixed texts",
            },
        ),
        migrations.AlterField(
            model_name="feedback",
            name="reported",
            field=models.BooleanField(
                db_index=True, default=False, help_text="Reported as wrong or harmful.", verbose_name="reported"
            ),
        ),
        migrations.AlterField(
            model_name="feedback",
            name="verdict",
            field=models.CharField(
                blank=True, choices=[("up", "Helpful"), ("down", "Not helpful")], max_length=4, verbose_name="verdict"
            ),
        ),
        migrations.AlterField(
            model_name="fixedtext",
            name="changed_at",
            field=models.DateTimeField(auto_now=True, verbose_name="changed at"),
        ),
        migrations.AlterField(
            model_name="fixedtext",
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
            model_name="fixedtext",
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
                editable=False,
                max_length=5,
                verbose_name="language",
            ),
        ),
        migrations.AlterField(
            model_name="fixedtext",
            name="name",
            field=models.CharField(editable=False, max_length=20, verbose_name="name"),
        ),
    ]
