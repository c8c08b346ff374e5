import os
import stat

import pytest

from launcher import paths
from launcher.console import Failure


def test_a_short_path_keeps_its_sockets(tmp_path):
    assert paths.socket_directory(tmp_path / "s", "x") == tmp_path / "s"


def test_a_long_path_gets_a_short_private_directory(tmp_path):
    long = tmp_path / ("deep" * 40)
    short = paths.socket_directory(long, ".s.PGSQL.5432")
    try:
        assert len(os.fsencode(short / ".s.PGSQL.5432")) <= paths.SOCKET_PATH_BYTES
        assert stat.S_IMODE(short.stat().st_mode) == 0o700
        assert paths.socket_directory(long, ".s.PGSQL.5432") == short
        assert paths.socket_directory(tmp_path / ("deeq" * 40), ".s.PGSQL.5432") != short
    finally:
        for found in short.parent.glob("trava-*"):
            if found.is_dir() and not any(found.iterdir()) and found.stat().st_ctime >= tmp_path.stat().st_ctime:
                found.rmdir()


def test_a_link_in_place_of_the_short_directory_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(paths, "SOCKET_PATH_BYTES", len(os.fsencode(tmp_path)) + 40)
    long = tmp_path / ("deep" * 40)
    short = paths.socket_directory(long, ".s.PGSQL.5432")
    short.rmdir()
    short.symlink_to(tmp_path)
    with pytest.raises(Failure, match="belongs to somebody else"):
        paths.socket_directory(long, ".s.PGSQL.5432")


def test_a_missing_wheel_is_named_with_the_setting_that_replaces_it(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(Failure, match="DATABASE_URL"):
        paths.postgres_binary("postgres")
    with pytest.raises(Failure, match="REDIS_URL"):
        paths.valkey_binary()


def test_the_installed_binaries_are_found():
    assert os.access(paths.postgres_binary("postgres"), os.X_OK)
    assert os.access(paths.valkey_binary(), os.X_OK)
