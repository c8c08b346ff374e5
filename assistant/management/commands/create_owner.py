"""Creates the owner's login when the site has none; its password is shown this once and kept nowhere."""

import secrets
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.management.base import BaseCommand

from records.roles import OWNER

USERNAME = "owner"


class Command(BaseCommand):
    help = "Create the owner's login, unless somebody can already administer the site."

    def handle(self, *args: Any, **options: Any) -> None:
        users = get_user_model().objects
        if users.filter(is_superuser=True, is_active=True).exists():
            return
        password = secrets.token_urlsafe(15)
        owner = users.create_superuser(USERNAME, password=password)
        owner.groups.add(Group.objects.get(name=OWNER))
        self.stdout.write(
            f"\nOwner login, shown only this once: {USERNAME} / {password}\n"
            f"Another password: .venv/bin/python manage.py changepassword {USERNAME}\n"
        )
