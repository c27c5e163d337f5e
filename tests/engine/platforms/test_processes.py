"""How processes end, by the rules of each system, and what they may take here."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kinetree.engine.interpreter import command
from kinetree.engine.platforms import processes
from kinetree.engine.platforms.system import HERE
from tests.imports import ROOT

posix = pytest.mark.skipif(HERE == "windows", reason="limits and signals of POSIX")


@pytest.mark.parametrize(
    ("code", "system", "word"),
    [
        (-9, "linux", "SIGKILL"),
        (-11, "macos", "SIGSEGV"),
        (-200, "linux", "-200"),
        (3, "linux", "3"),
        (0xC0000005, "windows", "ACCESS_VIOLATION"),
        (0xC0000017 - (1 << 32), "windows", "NO_MEMORY"),
        (1, "windows", "1"),
        (-9, "windows", "-9"),
    ],
)
def test_how_a_process_has_ended(code, system, word):
    if system != "windows" and HERE == "windows":
        pytest.skip("names of signals of POSIX")
    assert processes.ended_by(code, system) == word


def test_crashes_are_told_from_ends():
    assert (
        processes.is_crash(-11, "linux") and not processes.is_crash(1, "linux") and not processes.is_crash(0, "macos")
    )
    assert processes.is_crash(0xC0000005, "windows") and processes.is_crash(0xC0000005 - (1 << 32), "windows")
    assert not processes.is_crash(1, "windows")


class Process:
    def __init__(self):
        self.is_asked = False

    def terminate(self) -> None:
        self.is_asked = True


@pytest.mark.parametrize(("system", "is_asked"), [("linux", True), ("macos", True), ("windows", False)])
def test_a_process_of_windows_is_asked_by_the_end_of_its_input(system, is_asked):
    """There `terminate` would end it before it has removed its unfinished files."""
    process = Process()
    processes.ask_to_end(process, system)
    assert process.is_asked is is_asked


def run(code: str) -> subprocess.CompletedProcess[str]:
    lines = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom kinetree.engine.platforms import processes\n{code}"
    return subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True)


@posix
def test_a_limit_of_memory():
    done = run(
        "assert processes.limit_memory(200 << 20)\ntry: bytearray(300 << 20)\nexcept MemoryError: print('refused')"
    )
    assert done.stdout == "refused\n", done.stderr


@posix
def test_a_lower_limit_stays():
    done = run(
        "import resource\nhard = 400 << 20\nresource.setrlimit(resource.RLIMIT_AS, (hard, hard))\n"
        "assert processes.limit_memory(1 << 40)\nprint(resource.getrlimit(resource.RLIMIT_AS)[0] == hard)"
    )
    assert done.stdout == "True\n", done.stdout + done.stderr


@posix
def test_a_lower_priority():
    assert run("import os; before = os.nice(0); processes.lower_priority(); print(os.nice(0) - before)").stdout == "5\n"


def test_the_memory_of_this_machine():
    assert 1 << 28 < processes.physical_memory() < 1 << 50


def test_the_age_of_a_process():
    done = run("import time; time.sleep(0.3); print(processes.since_start())")
    assert HERE != "linux" or 0.25 < float(done.stdout) < 600.0


def test_options_of_the_interpreter_are_for_windows(monkeypatch):
    assert ("-X" in command("kinetree")) is (HERE == "windows")
    monkeypatch.setattr("kinetree.engine.interpreter.INTERPRETER_OPTIONS", ("-X", "utf8"))
    assert command("kinetree", "a")[1:4] == ["-P", "-X", "utf8"]


def test_what_starts_first_imports_little():
    done = run("import kinetree.engine.platforms.connections; print(*sorted(sys.modules))")
    heavy = {"ctypes", "tempfile", "shutil", "numpy", "json", "resource"}
    assert not heavy & set(done.stdout.split()), done.stderr
