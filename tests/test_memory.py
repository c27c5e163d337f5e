"""The report tells the peak memory of each test process, and the suite fails where one takes too much."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import memory

ROOT = Path(__file__).resolve().parent.parent
TEXT = """
import pytest
from tests import memory

@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    memory.Memory.__init__.__defaults__ = (memory.peak() + {room},)
"""
TESTS = "def test_small(): pass\n\ndef test_large(): assert len(bytearray(b'1') * 300_000_000) > 1\n"


@pytest.mark.parametrize(("room", "code"), [(150e6, 1), (2e9, 0)])
@pytest.mark.parametrize("processes", [0, 2])
def test_a_process_over_the_limit_fails_the_run(tmp_path: Path, processes: int, room: float, code: int) -> None:
    """In one process, and in the workers of pytest-xdist. The limit is set as far above what pytest itself takes."""
    (tmp_path / "limit.py").write_text(TEXT.format(room=room))
    (tmp_path / "test_some.py").write_text(TESTS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        str(ROOT / "pyproject.toml"),
        "-p",
        "limit",
        "-p",
        "tests.conftest",
    ]
    command += ["--rootdir", str(tmp_path), "-p", "no:cacheprovider", "-q", "-n", str(processes), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == code, done.stdout + done.stderr
    names = ["gw0", "gw1"] if processes else ["main"]
    lines = done.stdout.splitlines()
    sizes = lines[next(number for number, line in enumerate(lines) if " peak memory " in line) + 1]
    assert [part.split()[0] for part in sizes.split(", ")] == names
    assert ("MB test_some.py::test_large" in done.stdout) == bool(code)


def test_a_large_parent_does_not_count() -> None:
    code = "from tests.memory import peak; print(peak())"
    large = bytearray(b"1") * 500_000_000
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert len(large) == 500_000_000
    assert 0 < int(done.stdout) < 200e6


def test_the_peak_is_in_bytes() -> None:
    before = memory.peak()
    assert len(bytearray(b"1") * 20_000_000) == 20_000_000
    assert before > 50e6
    assert memory.peak() >= before
