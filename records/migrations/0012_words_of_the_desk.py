from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0011_search_at_once"),
    ]

    operations = [
        migrations.AlterField(
            model_name="alert",
            name="key",
            field=models.CharField(
                help_text="Which failure of which flow, such as `ingestion:42`.", max_length=100, verbose_name="key"
            ),
        ),
        migrations.AlterField(
            model_name="alert",
            name="try_after",
            field=models.DateTimeField(blank=True, null=True, verbose_name="not told again before"),
        ),
    ]
