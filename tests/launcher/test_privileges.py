import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from launcher import privileges
from launcher.console import Failure


def test_the_command_does_not_run_as_root(tmp_path):
    found = privileges.unprivileged(tmp_path)
    seen = subprocess.check_output([*found.prefix, "id", "-u"], text=True)
    assert int(seen) != 0


def test_a_directory_closed_to_others_is_found(tmp_path):
    closed = tmp_path / "closed"
    (closed / "in").mkdir(parents=True)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        if folder.stat().st_uid == os.geteuid():
            folder.chmod(0o711)
    assert privileges.closed_directory(closed / "in" / "file") is None
    closed.chmod(0o700)
    assert privileges.closed_directory(tmp_path / "file", closed / "in" / "file") == closed
    assert privileges.closed_directory(closed) is None, "what is handed over itself may be closed"


@pytest.fixture
def no_namespaces(tmp_path, monkeypatch):
    """A machine whose `unshare` is refused, as in Docker's default profile."""
    refused = tmp_path / "bin" / "unshare"
    refused.parent.mkdir()
    refused.write_text("#!/bin/sh\nexit 1\n")
    refused.chmod(0o755)
    monkeypatch.setenv("PATH", str(refused.parent), prepend=os.pathsep)


def test_without_namespaces_root_becomes_nobody_or_says_which_directory_is_closed(tmp_path, no_namespaces, capsys):
    if os.geteuid() != 0:
        assert privileges.unprivileged(tmp_path) == privileges.Privileges()
        return
    reached = tmp_path / "checkout" / "data"
    below_temporary = [folder for folder in tmp_path.parents if Path(tempfile.gettempdir()) in folder.parents]
    for folder in (reached, tmp_path, *below_temporary):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o711)
    found = privileges.unprivileged(reached)
    assert found.owner == privileges.NOBODY
    assert "runs as the user nobody" in capsys.readouterr().out
    (reached / "file").touch()
    found.give(reached)
    assert {path.stat().st_uid for path in (reached, reached / "file")} == {privileges.NOBODY}
    (tmp_path / "checkout").chmod(0o700)
    with pytest.raises(Failure, match=f"nobody, who cannot enter {tmp_path / 'checkout'}:"):
        privileges.unprivileged(reached)
