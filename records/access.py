"""Who may read what: one selector for search, lists, pages and exports. Everything filters by it before it ranks."""

from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Q

from records.models import Access


@dataclass(frozen=True, slots=True)
class Viewer:
    """What access depends on, and nothing more of who somebody is."""

    staff: bool = False
    groups: frozenset[int] = frozenset()

    @classmethod
    def of(cls, user: AbstractBaseUser | AnonymousUser) -> "Viewer":
        """Return what a request's user may see; who is not signed in, or not active, is the public."""
        if not (isinstance(user, User) and user.is_active):
            return PUBLIC
        return cls(staff=user.is_staff, groups=frozenset(user.groups.values_list("pk", flat=True)))


PUBLIC = Viewer()


def visible(viewer: Viewer, prefix: str = "") -> Q:
    """Return the condition on `access` and `group`, which stand at `prefix` ("version__", say), for this viewer."""
    if viewer.staff:
        return Q()
    readable = Q(**{f"{prefix}access": Access.PUBLIC})
    if viewer.groups:
        readable |= Q(**{f"{prefix}access": Access.RESTRICTED, f"{prefix}group__in": sorted(viewer.groups)})
    return readable
