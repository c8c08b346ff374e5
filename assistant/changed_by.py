"""A desk whose rows tell who changed them last."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

# The admin's classes take their model as a type parameter in the stubs alone.
if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Any]
else:
    Admin = object


class ChangedBy(Admin):
    """Mixed into the admin of a model with `changed_by`."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.changed_by = request.user
        super().save_model(request, obj, form, change)
