"""The site as it is, for tests that write through the admin: a test's end empties every table and numbers the
content types anew, which no site meets in its life, so this one reads them at each request."""

from typing import Any

from config.asgi import application  # first: it sets Django up

from django.contrib.contenttypes.models import ContentType  # isort: skip
from django.core.signals import request_started  # isort: skip

__all__ = ["application"]


def forget(**_sent: Any) -> None:
    ContentType.objects.clear_cache()


request_started.connect(forget)
