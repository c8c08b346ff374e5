import socket

import pytest

from launcher import preflight
from launcher.console import Failure


def test_a_free_port_is_accepted():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    assert preflight.port(str(free)) == free


def test_a_taken_port_is_one_line_with_the_way_out():
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        with pytest.raises(Failure, match=rf"^Port {taken} is taken: .*PORT={taken + 1}`\.$"):
            preflight.port(str(taken))


@pytest.mark.parametrize("value", ["", "abc", "0", "65536", "-1", "80 80", "٨٠٠٠", "1e3"])
def test_a_bad_port_is_refused(value):
    with pytest.raises(Failure, match="PORT must be a number"):
        preflight.port(value)


def test_a_full_disk_is_one_line(tmp_path):
    preflight.disk(tmp_path / "not" / "there", 1)
    with pytest.raises(Failure, match=r"^The disk is full: .* MB left, .* MB are needed\.$"):
        preflight.disk(tmp_path / "not" / "there", 10**18)


@pytest.mark.parametrize(
    ("flags", "machine", "has"),
    [
        ("fpu sse4_2 avx avx2 bmi2", "x86_64", True),
        ("fpu sse4_2 avx bmi2", "x86_64", False),
        ("fpu avx512f avx2x", "AMD64", False),
        ("fp asimd", "aarch64", True),
    ],
)
def test_avx2_is_read_from_the_processor_flags(tmp_path, capsys, flags, machine, has):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"processor\t: 0\nmodel name\t: some avx2 in its name\nflags\t\t: {flags}\n")
    assert preflight.has_avx2(cpuinfo, machine) is has
    assert preflight.embedder(cpuinfo, machine) == ({} if has else {"EMBEDDER": "none"})
    assert ("no AVX2" in capsys.readouterr().out) is not has
