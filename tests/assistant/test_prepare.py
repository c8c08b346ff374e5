"""What `manage.py prepare` collects for the web server, and when."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles.finders import find
from django.core.management import call_command

from assistant.management.commands.prepare import outdated
from records.models import Record

ROOT = Path(__file__).parents[2]
SERVED = """
import json, django; django.setup()
from django.templatetags.static import static
from django.test import Client
address = static("site.css")
got = Client(headers={"accept-encoding": "gzip"}).get(address)
print(json.dumps([address, dict(got.headers), Client().get("/static/site.css").status_code]))
"""


@pytest.fixture(scope="module")
def collected(tmp_path_factory) -> dict[str, str]:
    """The environment of a program that finds this site's files collected."""
    folder = tmp_path_factory.mktemp("static")
    env = {**os.environ, "STATIC_ROOT": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run([sys.executable, "manage.py", "collectstatic", "--no-input"], cwd=ROOT, env=env, check=True)
    return env


def test_a_collected_stylesheet_is_compressed_and_kept_for_good_under_a_name_of_its_content(collected):
    ran = subprocess.run([sys.executable, "-c", SERVED], cwd=ROOT, env=collected, check=True, capture_output=True)
    address, headers, plain = json.loads(ran.stdout)
    assert re.fullmatch(r"/static/site\.[0-9a-f]{12}\.css", address)
    assert "immutable" in headers["Cache-Control"]
    assert headers["Content-Encoding"] == "gzip"
    assert int(headers["Content-Length"]) < Path(find("site.css")).stat().st_size / 2
    assert plain == 200  # other sites may have linked to it


def test_files_are_collected_again_only_when_one_is_newer(collected, tmp_path):
    manifest = Path(collected["STATIC_ROOT"], "staticfiles.json")
    assert not outdated(manifest)
    assert outdated(tmp_path / "staticfiles.json")
    before = Path(find("site.css")).stat().st_mtime - 1
    old = tmp_path / "staticfiles.json"
    old.touch()
    os.utime(old, (before, before))
    assert outdated(old)


@pytest.mark.django_db
def test_a_site_that_somebody_has_begun_with_gets_no_demo(capsys):
    User.objects.create_superuser("owner", password=None)
    call_command("prepare")
    assert not Record.objects.exists()


@pytest.mark.django_db
def test_a_new_site_gets_the_demo(capsys):
    call_command("prepare")
    assert Record.objects.filter(slug="skerrin-bridge").exists()


@pytest.mark.django_db
def test_a_site_is_started_without_the_demo(settings, capsys):
    settings.TRAVA = settings.TRAVA.model_copy(update={"DEMO": False})
    call_command("prepare")
    assert not Record.objects.exists()
    assert User.objects.filter(is_superuser=True).exists()
