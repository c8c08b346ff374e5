import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("metering", "0002_shares"),
    ]

    operations = [
        migrations.AlterField(
            model_name="charge",
            name="cached_tokens",
            field=models.PositiveIntegerField(
                default=0, help_text="Part of the tokens read.", verbose_name="tokens from the cache"
            ),
        ),
        migrations.AlterField(
            model_name="charge",
            name="reasoning_tokens",
            field=models.PositiveIntegerField(
                default=0, help_text="Part of the tokens written.", verbose_name="tokens of reasoning"
            ),
        ),
        migrations.AlterField(
            model_name="charge",
            name="reservation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="charges",
                to="metering.reservation",
                verbose_name="reservation",
            ),
        ),
        migrations.AlterField(
            model_name="reservation",
            name="month",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reservations",
                to="metering.spendmonth",
                verbose_name="month",
            ),
        ),
        migrations.AlterField(
            model_name="reservation",
            name="purpose",
            field=models.CharField(
                help_text="What the call is for: answer, embedding, …", max_length=40, verbose_name="purpose"
            ),
        ),
        migrations.AlterField(
            model_name="reservation",
            name="shares",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=64),
                blank=True,
                default=list,
                help_text="Of which conversation and address it is held, until it is settled.",
                size=None,
                verbose_name="shares",
            ),
        ),
        migrations.AlterField(
            model_name="reservation",
            name="subject",
            field=models.CharField(
                blank=True,
                help_text="The id of the turn or of the version, and no text.",
                max_length=64,
                verbose_name="subject",
            ),
        ),
    ]
