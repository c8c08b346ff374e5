import gettext
import json
import shutil
from pathlib import Path

import babel
import pytest

from launcher import setup
from launcher.console import Failure

UNKNOWN = "no-such-package-of-ours==1.0 --hash=sha256:" + "0" * 64 + "\n"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A checkout of its own with a virtual environment, made once; nothing is fetched from anywhere."""
    root = tmp_path_factory.mktemp("checkout")
    with pytest.MonkeyPatch.context() as patch:
        for name, path in (("ROOT", root), ("VAR", root / "var"), ("VENV", root / ".venv")):
            patch.setattr(setup, name, path)
        patch.setenv("PIP_NO_INDEX", "1")
        patch.delenv("PIP_FIND_LINKS", raising=False)
        (root / "requirements.txt").write_text("# nothing\n")
        setup.set_up(("requirements.txt",))
        yield root


def log_size(checkout):
    return (checkout / "var" / "log" / "setup.log").stat().st_size


def test_nothing_is_installed_again_until_its_lock_changes(checkout, capsys):
    setup.set_up(("requirements.txt",))
    capsys.readouterr()
    setup.set_up(("requirements.txt",))
    assert "Installing" not in capsys.readouterr().out
    (checkout / "requirements.txt").write_text("# something else\n")
    setup.set_up(("requirements.txt",))
    assert "Installing requirements.txt" in capsys.readouterr().out


def test_a_lock_that_cannot_be_installed_is_one_line_with_the_reason(checkout):
    (checkout / "requirements-dev.txt").write_text(UNKNOWN)
    with pytest.raises(
        Failure, match=r"^requirements-dev\.txt could not be installed: ERROR: .*no-such-package"
    ) as failed:
        setup.set_up(("requirements-dev.txt",))
    assert "\n" not in str(failed.value)


def test_missing_binaries_keep_nothing_else_from_being_installed(checkout, capsys):
    (checkout / setup.OPTIONAL).write_text(UNKNOWN)
    (checkout / "requirements-dev.txt").write_text("# nothing\n")
    setup.set_up((setup.OPTIONAL, "requirements-dev.txt"))
    noted = json.loads((checkout / ".venv" / "installed.json").read_text())
    assert "requirements-dev.txt" in noted
    assert setup.OPTIONAL not in noted
    assert "Going on without: set DATABASE_URL and REDIS_URL" in capsys.readouterr().err


def test_a_half_made_environment_is_recognised(tmp_path, monkeypatch):
    monkeypatch.setattr(setup, "VENV", tmp_path)
    assert not setup._usable()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin" / "python").chmod(0o755)
    assert not setup._usable()


class TestCatalogues:
    TEXT = '"Content-Type: text/plain; charset=utf-8\\n"\n'

    @pytest.fixture
    def catalogue(self, checkout):
        """One catalogue, in a checkout whose Python finds the Babel of this one."""
        [packages] = (checkout / ".venv" / "lib").glob("python*/site-packages")
        (packages / "babel.pth").write_text(str(Path(babel.__file__).parents[1]))
        catalogue = checkout / "locale" / "fa" / "LC_MESSAGES" / "django.po"
        catalogue.parent.mkdir(parents=True, exist_ok=True)
        self.write(catalogue, "کارها")
        setup.set_up(())
        yield catalogue
        shutil.rmtree(checkout / "locale")  # one that cannot be compiled is tried at every set-up

    def write(self, catalogue, translation):
        entries = f'msgid ""\nmsgstr ""\n{self.TEXT}\nmsgid "Work"\nmsgstr "{translation}"\n'
        catalogue.write_text(entries, encoding="utf-8")

    def said(self, catalogue):
        with catalogue.with_suffix(".mo").open("rb") as file:
            return gettext.GNUTranslations(file).gettext("Work")

    def test_they_are_compiled(self, catalogue):
        assert self.said(catalogue) == "کارها"

    def test_they_are_not_compiled_again_until_a_text_changes(self, checkout, catalogue):
        before = log_size(checkout)
        setup.set_up(())
        assert log_size(checkout) == before
        self.write(catalogue, "آثار")
        setup.set_up(())
        assert self.said(catalogue) == "آثار"

    def test_one_that_is_gone_is_compiled_again(self, catalogue):
        catalogue.with_suffix(".mo").unlink()
        setup.set_up(())
        assert self.said(catalogue) == "کارها"

    def test_one_that_cannot_be_compiled_does_not_keep_the_site_from_starting(self, catalogue, capsys):
        catalogue.write_bytes(b'msgid "Work"\nmsgstr "\xff"\n')
        setup.set_up(())
        assert "could not be compiled" in capsys.readouterr().err
