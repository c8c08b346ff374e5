import json

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


def test_nothing_is_installed_again_until_its_lock_changes(checkout):
    before = log_size(checkout)
    setup.set_up(("requirements.txt",))
    assert log_size(checkout) == before
    (checkout / "requirements.txt").write_text("# something else\n")
    setup.set_up(("requirements.txt",))
    assert log_size(checkout) > before


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
