"""Some of the faults of `python -m tests.benchmark.faults`: nothing is lost, and the user is told."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.benchmark.faults import run
from tests.conftest import ROOT
from tests.faults import trials
from tests.faults.trials import FILES, MEMORY

pytestmark = pytest.mark.skipif(trials.shim() is None, reason="needs Linux and a C compiler (cc) for the shim")


@pytest.mark.parametrize("name", ["text behind a link", "new text", "controls.npz", "convex parts"])
def test_each_system_call_of_a_save_fails_once(name):
    found = run(name, FILES, ["ENOSPC", "SHORT"])
    assert {"open64", "write", "close"} <= {trial.call for trial in found}
    assert {trial.outcome for trial in found} == {"saved", "refused"}
    wrong = [trial for trial in found if trial.is_wrong]
    assert not wrong, wrong


def test_the_journal_keeps_what_was_typed_when_a_write_fails():
    found = run("journal", FILES, ["EIO"], every=6, most=5)
    assert len(found) >= 3
    wrong = [trial for trial in found if trial.is_wrong]
    assert not wrong, wrong


def test_allocations_of_a_save_fail():
    found = run("text", MEMORY, ["ENOMEM"], every=20, most=20)
    assert len(found) >= 10 and {trial.call for trial in found} <= {"malloc", "calloc", "realloc"}
    wrong = [trial for trial in found if trial.is_wrong]
    assert not wrong, wrong


def test_a_wrong_outcome_is_seen(tmp_path):
    """Scenarios that lose, leave or conceal something are not taken for right."""
    code = """
import os
from pathlib import Path
from tests.faults.trials import FILES, Scenario, run

def write(folder, data):
    with open(folder / "f", "wb", buffering=0) as file:
        file.write(data)

def careless(folder):
    try:
        write(folder, b"new")
    except OSError:
        return "it failed"
    return ""

def silent(folder):
    careless(folder)
    return ""

def untidy(folder):
    try:
        write(folder, b"new")
    except OSError:
        (folder / "draft").write_bytes(b"")
        return "it failed"
    return ""

for save in (careless, silent, untidy):
    scenario = Scenario(save.__name__, lambda folder: write(folder, b"old"), save)
    print(save.__name__, sorted({trial.outcome for trial in run(scenario, FILES, ["ENOSPC"])}))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=trials.environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert "neither old nor new: f" in lines["careless"]
    assert "neither old nor new: f" in lines["silent"]
    assert "left behind: draft" in lines["untidy"]
