"""The addresses of what is published."""

from typing import Any

from django.conf import settings
from django.urls import path, register_converter

from records import signing_in, views
from records.finding import Articles, robots, sitemap, sitemap_section
from records.models import Kind


class LanguageConverter:
    """A language of the site; any other first part of an address is no page."""

    regex = "|".join(code for code, _name in settings.LANGUAGES)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: Any) -> str:
        return str(value)


class KindConverter(LanguageConverter):
    """A kind of records, as addresses name it."""

    regex = "|".join(Kind.values)


register_converter(LanguageConverter, "site_language")
register_converter(KindConverter, "record_kind")

app_name = "records"

urlpatterns = [
    path("", views.to_language, name="start"),
    path("robots.txt", robots, name="robots"),
    path("sitemap.xml", sitemap, name="sitemap"),
    path("sitemap-<section>.xml", sitemap_section, name="sitemap-section"),
    path("<site_language:language>/", views.home, name="home"),
    path("<site_language:language>/sign-in/", signing_in.SignIn.as_view(), name="sign-in"),
    path("<site_language:language>/sign-out/", signing_in.SignOut.as_view(), name="sign-out"),
    path("<site_language:language>/feed.xml", Articles(), name="feed"),
    path("<site_language:language>/<record_kind:kind>/", views.records, name="kind"),
    path("<site_language:language>/<slug:kind>/<slug:slug>/", views.record, name="record"),
    path("passages/<int:version>/<slug:uid>/", views.passage, name="passage"),
]
