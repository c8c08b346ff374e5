"""The admin of rows that only the program writes: looked at by hand, and never made, changed or deleted."""

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """Stands before the admin's own class among the bases."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
