import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evals", "0009_rehearsed_together"),
        ("records", "0012_words_of_the_desk"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="calibration",
            name="dense",
            field=models.FloatField(
                help_text="The proposed floors; null where the questions speak for none.",
                null=True,
                verbose_name="floor of similarity",
            ),
        ),
        migrations.AlterField(
            model_name="calibration",
            name="embedder",
            field=models.CharField(max_length=100, verbose_name="embedder"),
        ),
        migrations.AlterField(
            model_name="calibration",
            name="started_at",
            field=models.DateTimeField(auto_now_add=True, db_index=True, verbose_name="begun at"),
        ),
        migrations.AlterField(
            model_name="calibration",
            name="words",
            field=models.FloatField(null=True, verbose_name="floor of words"),
        ),
        migrations.AlterField(
            model_name="owncase",
            name="category",
            field=models.CharField(
                blank=True,
                choices=[
                    ("meta", "Meta"),
                    ("commercial", "Commercial"),
                    ("private", "Private"),
                    ("speculation", "Speculation"),
                    ("task", "Task"),
                ],
                help_text="Of a question that must be refused.",
                max_length=12,
                verbose_name="category",
            ),
        ),
        migrations.AlterField(
            model_name="owncase",
            name="created_at",
            field=models.DateTimeField(auto_now_add=True, verbose_name="created at"),
        ),
        migrations.AlterField(
            model_name="rehearsal",
            name="act",
            field=models.CharField(
                choices=[("publish", "Publish"), ("withdraw", "Withdraw")], max_length=8, verbose_name="act"
            ),
        ),
        migrations.AlterField(
            model_name="rehearsal",
            name="record",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="records.record",
                verbose_name="record",
            ),
        ),
        migrations.AlterField(
            model_name="rehearsal",
            name="started_at",
            field=models.DateTimeField(auto_now_add=True, verbose_name="begun at"),
        ),
        migrations.AlterField(
            model_name="rehearsal",
            name="started_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="begun by",
            ),
        ),
        migrations.AlterField(
            model_name="rehearsal",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "waiting for the worker"),
                    ("choosing", "finding the questions that come near"),
                    ("before", "asking as the site is"),
                    ("after", "asking as the site would be"),
                    ("done", "done"),
                    ("failed", "stopped"),
                ],
                default="waiting",
                max_length=8,
                verbose_name="state",
            ),
        ),
    ]
