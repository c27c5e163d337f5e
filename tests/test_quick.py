"""The quick suite leaves out what it says, and says how much; without `--quick` everything runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import quick

ROOT = Path(__file__).resolve().parent.parent
TEXT = """
import pytest

@pytest.fixture
def make_window():
    pass

@pytest.mark.slow("made up")
@pytest.mark.parametrize("case", range(3))
def test_slow(case): pass

@pytest.mark.parametrize("case", range(40))
def test_sweep(case): assert case % 4 == 0

@pytest.mark.parametrize("case", range(CASES))
def test_few(case): pass

def test_window_1(make_window): pass
def test_window_2(make_window): assert False
def test_window_3(make_window): assert False
def test_alone(): pass
def test_window_4(make_window): assert False
def test_window_5(make_window): pass

@pytest.mark.parametrize("model", [])
def test_models(model): pass

def test_shared(): pytest.skip("no ../shared beside this clone")
"""


@pytest.mark.parametrize("processes", [0, 2])
def test_it_counts_what_it_leaves_out(tmp_path: Path, processes: int) -> None:
    """In one process, and in the workers of pytest-xdist."""
    (tmp_path / "test_some.py").write_text(TEXT.replace("CASES", str(quick.CASES)))
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest"]
    command += ["--rootdir", str(tmp_path), "-p", "no:cacheprovider", "-q", "-n", str(processes), str(tmp_path)]
    done = subprocess.run([*command, "--quick"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    start = next(number for number, line in enumerate(lines) if "left out of the quick suite" in line)
    left_out = [line.split(maxsplit=1) for line in lines[start + 1 :][:5]]
    assert left_out == [
        ["3", quick.IN_WINDOWS],
        ["3", "slow: made up"],
        ["30", quick.OF_SWEEPS],
        ["36", "tests in all; ./test --full runs them"],
        ["2", "tests and sweeps over models need the folder ../shared, which is not there"],
    ]
    assert f"{quick.CASES + 10 + 2 + 1} passed, 2 skipped" in done.stdout
    if not processes:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert f"{30 + 3} failed, {quick.CASES + 10 + 3 + 2 + 1} passed, 2 skipped" in done.stdout
        assert "left out" not in done.stdout
