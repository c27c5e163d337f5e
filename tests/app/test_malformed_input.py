"""The command line with malformed files: diagnostics and exit code 1, in bounded time and memory."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys

import pytest

from tests import malformed
from tests.conftest import ROOT
from tests.patience import LIMIT

MEMORY = 2 << 30
SECONDS = 10
"""Of the processor, however busy the machine is."""
LINE = re.compile(r".+:\d+:\d+: (error|warning|info): .+ \[[a-z-]+\]")


def kinetree(*arguments: str, seconds: int = SECONDS) -> subprocess.CompletedProcess:
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    command = [sys.executable, "-m", "kinetree", *arguments]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, preexec_fn=limit, env=environment
    )


def readable(name: str) -> bool:
    return name == "no permission" and os.geteuid() == 0


def check_lines(text: str) -> list[str]:
    assert "Traceback" not in text and "internal" not in text.lower()
    lines = text.splitlines()
    for line in lines:
        assert LINE.fullmatch(line), line
    return lines


def test_check_of_all_together(tmp_path):
    """One process survives every one of them; each file has its errors."""
    made = {name: path for name, path in malformed.make(tmp_path).items() if not readable(name)}
    result = kinetree("check", *map(str, made.values()), seconds=LIMIT)
    assert result.returncode == 1
    assert not result.stderr
    lines = check_lines(result.stdout)
    for name, path in made.items():
        folder = str(tmp_path / path.relative_to(tmp_path).parts[0])
        if name == "include outside":  # its error is there
            folder = "/etc/passwd"
        assert any(line.startswith(folder) and ": error: " in line for line in lines), name


ONE_OF_EACH_KIND = [
    "empty", "hundred sparse gigabytes", "no permission", "a device", "deep nesting", "billion laughs", "include chain",
    "replicas without end", "negative mass", "png of 50000 x 50000", "stl of a billion faces", "mesh that is a fifo",
]  # fmt: skip
"""Each in a process of its own; the others are checked together, and each alone in tests/engine."""


@pytest.mark.parametrize("name", ONE_OF_EACH_KIND)
def test_check(name, tmp_path):
    if readable(name):
        pytest.skip("root may read everything")
    result = kinetree("check", str(malformed.FILES[name](tmp_path)))
    assert result.returncode == 1
    assert not result.stderr
    assert any(": error: " in line for line in check_lines(result.stdout))


@pytest.mark.parametrize("name", ["empty", "binary", "missing", "a fifo", "include cycle", "png cut short", "stl flat"])
def test_render(name, tmp_path):
    path = malformed.FILES[name](tmp_path)
    result = kinetree("render", str(path), "-o", str(tmp_path / "picture.png"))
    assert result.returncode == 1
    assert not result.stdout
    assert any(": error: " in line for line in check_lines(result.stderr))
    assert not (tmp_path / "picture.png").exists()
