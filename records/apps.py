"""Django's handle on this package."""

from django.apps import AppConfig


class RecordsConfig(AppConfig):
    name = "records"
