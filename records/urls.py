"""The addresses of what is published."""

from typing import Any

from django.conf import settings
from django.urls import path, register_converter

from records import views


class LanguageConverter:
    """A language of the site; any other first part of an address is no page."""

    regex = "|".join(code for code, _name in settings.LANGUAGES)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: Any) -> str:
        return str(value)


register_converter(LanguageConverter, "site_language")

app_name = "records"

urlpatterns = [
    path("", views.to_language, name="start"),
    path("<site_language:language>/", views.home, name="home"),
    path("<site_language:language>/<slug:kind>/<slug:slug>/", views.record, name="record"),
    path("passages/<int:version>/<slug:uid>/", views.passage, name="passage"),
]
