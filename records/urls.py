"""The addresses of what is published."""

from typing import Any

from django.conf import settings
from django.contrib.sitemaps.views import sitemap
from django.urls import path, register_converter

from records import views
from records.finding import SITEMAPS, Articles, robots


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
    path("robots.txt", robots, name="robots"),
    path("sitemap.xml", sitemap, {"sitemaps": SITEMAPS}, name="sitemap"),
    path("<site_language:language>/", views.home, name="home"),
    path("<site_language:language>/feed.xml", Articles(), name="feed"),
    path("<site_language:language>/<slug:kind>/<slug:slug>/", views.record, name="record"),
    path("passages/<int:version>/<slug:uid>/", views.passage, name="passage"),
]
