"""`manage.py doctor`: look the installation over, and say for each problem what to do."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from evals.doctor import configuration, content, outside, services
from evals.doctor.finding import Finding, State


class Command(BaseCommand):
    """Exit status 1 where a check failed; a note fails nothing."""

    help = "Say what is configured, reachable, stale and uncalibrated, and what to do about it."
    requires_system_checks = ()  # they would stop it where it is needed most

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")

    def handle(self, *args: Any, **options: Any) -> None:
        environment = settings.TRAVA
        values = configuration.settings(environment)
        findings = _examine(environment)
        if options["json"]:
            document = {"settings": list(map(asdict, values)), "findings": list(map(asdict, findings))}
            self.stdout.write(json.dumps(document, ensure_ascii=False))
        else:
            width = max(len(item.name) for item in values)
            for item in values:
                mark = "*" if item.changed else " "
                self.stdout.write(f"{mark} {item.name:{width}}  {item.value or '(empty)'}  — {item.description}")
            self.stdout.write("(* set in the environment)")
            self.stdout.write("")
            for finding in findings:
                self.stdout.write(_line(finding))
        if failed := [finding.check for finding in findings if finding.state is State.PROBLEM]:
            raise CommandError(f"not well: {', '.join(failed)}")


def _examine(environment: Any) -> tuple[Finding, ...]:
    found = [
        *configuration.examine(
            environment.SECRET_KEY.get_secret_value(),
            environment.DEBUG,
            environment.SITE_URL,
            bool(environment.mail and environment.mail.bares_password),
        ),
        *configuration.idle(environment),
        *services.examine(environment.DATABASE_URL.get_secret_value(), environment.REDIS_URL.get_secret_value()),
    ]
    unreachable = {finding.check for finding in found if finding.state is State.PROBLEM}
    if not unreachable & {"PostgreSQL", "pgvector", "migrations"}:
        found += (*outside.examine(), *content.examine())
    return tuple(found)


def _line(finding: Finding) -> str:
    remedy = f"\n         → {finding.remedy}" if finding.remedy else ""
    return f"{finding.state:8} {finding.check}: {finding.seen}{remedy}"
