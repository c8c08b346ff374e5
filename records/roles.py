"""The three roles of those who sign in at the admin, as groups: owner, editor, reviewer.

Each package says in its AppConfig's `grants` which of its permissions editors and reviewers have; the owner has
all. The groups are brought to that after every migration: for another mixture, make another group.
"""

from typing import Any

from django.apps import AppConfig, apps
from django.contrib.auth.models import Group, Permission

OWNER, EDITOR, REVIEWER = "owner", "editor", "reviewer"
ROLES = (OWNER, EDITOR, REVIEWER)
Grants = dict[str, tuple[str, ...]]  # the codenames that a role has, or their beginnings with a star ("view_*")


def establish(app_config: AppConfig, using: str, **_kwargs: Any) -> None:
    """Bring the groups to what the packages grant; once, after the last package has its permissions."""
    if app_config is not list(apps.get_app_configs())[-1]:
        return
    permissions = list(Permission.objects.using(using).select_related("content_type"))
    for role in ROLES:
        group, _ = Group.objects.using(using).get_or_create(name=role)
        wanted = {permission.pk for permission in permissions if _has(role, permission)}
        held = set(group.permissions.using(using).values_list("pk", flat=True))
        group.permissions.add(*wanted - held)
        group.permissions.remove(*held - wanted)


def _has(role: str, permission: Permission) -> bool:
    if role == OWNER:
        return True
    granted = granted_by(permission.content_type.app_label).get(role, ())
    return any(
        permission.codename.startswith(name[:-1]) if name.endswith("*") else permission.codename == name
        for name in granted
    )


def granted_by(label: str) -> Grants:
    """Return what a package grants to the roles; packages that say nothing grant nothing."""
    if not apps.is_installed(label) and label not in apps.app_configs:
        return {}
    return getattr(apps.get_app_config(label), "grants", {})
