"""The command line with files that no one should open: diagnostics and exit code 1, in bounded time and memory."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys

import pytest

from tests import bad
from tests.conftest import ROOT

MEMORY = 2 << 30
SECONDS = 10
LINE = re.compile(r".+:\d+:\d+: (error|warning|info): .+ \[[a-z-]+\]")


def kinetree(*arguments: str, timeout: float = SECONDS) -> subprocess.CompletedProcess:
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    command = [sys.executable, "-m", "app", *arguments]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=timeout, preexec_fn=limit, env=environment
    )


def readable(name: str) -> bool:
    return name == "no permission" and os.geteuid() == 0


def check_lines(text: str) -> list[str]:
    assert "Traceback" not in text and "internal" not in text.lower()
    lines = text.splitlines()
    for line in lines:
        assert LINE.fullmatch(line), line
    return lines


def test_check_of_all_at_once(tmp_path):
    """One process survives every one of them; each file has its errors."""
    made = {name: path for name, path in bad.make(tmp_path).items() if not readable(name)}
    result = kinetree("check", *map(str, made.values()), timeout=60)
    assert result.returncode == 1
    assert not result.stderr
    lines = check_lines(result.stdout)
    for name, path in made.items():
        folder = str(tmp_path / path.relative_to(tmp_path).parts[0])
        if name == "include outside":  # its error is there
            folder = "/etc/passwd"
        assert any(line.startswith(folder) and ": error: " in line for line in lines), name


@pytest.mark.slow
@pytest.mark.parametrize("name", bad.FILES)
def test_check_of_each(name, tmp_path):
    if readable(name):
        pytest.skip("root may read everything")
    result = kinetree("check", str(bad.FILES[name](tmp_path)))
    assert result.returncode == 1
    assert not result.stderr
    assert any(": error: " in line for line in check_lines(result.stdout))


@pytest.mark.parametrize(
    "name", ["empty", "binary", "missing", "a fifo", "include cycle", "png cut short", "stl flat"]
)
def test_render(name, tmp_path):
    path = bad.FILES[name](tmp_path)
    result = kinetree("render", str(path), "-o", str(tmp_path / "picture.png"))
    assert result.returncode == 1
    assert not result.stdout
    assert any(": error: " in line for line in check_lines(result.stderr))
    assert not (tmp_path / "picture.png").exists()
