"""Django's handle on this package."""

from django.apps import AppConfig


class MeteringConfig(AppConfig):
    name = "metering"
