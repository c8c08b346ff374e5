"""Every address of the site."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from assistant import password_reset

urlpatterns = [
    *([path("admin/", include(password_reset.urlpatterns))] if settings.TRAVA.mail else []),
    path("admin/", admin.site.urls),
    path("", include("assistant.urls")),
    path("", include("records.urls")),
]
