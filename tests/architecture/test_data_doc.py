"""docs/data.md names every table of ours, and no table that is not there."""

import re
from pathlib import Path

from django.apps import apps

DOC = Path(__file__).resolve().parents[2] / "docs" / "data.md"
PACKAGES = ("records", "assistant", "metering", "evals")


def test_the_table_lists_every_model_under_its_package():
    listed = set(re.findall(r"^\| (\w+) \| `(\w+)` \|", DOC.read_text(encoding="utf-8"), flags=re.MULTILINE))
    models = {
        (package, model.__name__)
        for package in PACKAGES
        for model in apps.get_app_config(package).get_models()
        if not model._meta.proxy
    }
    assert listed == models
