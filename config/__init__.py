"""Wiring of the whole: settings, addresses, ASGI, Celery."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
