"""Levels of processors: which one a machine gets, and that code for others is what it says."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from kinetree.engine.jit import targets
from kinetree.engine.jit.kernel import find
from kinetree.engine.jit.targets import LINUX, MACOS, WINDOWS, Target, fits, labelled, levels
from kinetree.engine.jit.translation import translate
from kinetree.engine.run import warmup

V3, V2, AARCH64 = levels(LINUX)
EVERYTHING = frozenset(V3.needs)
MACHINES = {"x86-64-v3": 62, "x86-64-v2": 62, "aarch64": 183}
"""Level -> what an ELF file says of its machine."""


def best(triple: str, present: frozenset[str]) -> str | None:
    return next((t.name for t in levels(triple.partition("-")[2]) if fits(t, triple, present)), None)


@pytest.mark.parametrize("system", [LINUX, MACOS, WINDOWS])
def test_a_machine_gets_the_highest_level_that_it_has(system):
    assert best(f"x86_64-{system}", EVERYTHING | {"avx512f"}) == "x86-64-v3"
    for lacking in set(V3.needs) - set(V2.needs):
        assert best(f"x86_64-{system}", EVERYTHING - {lacking}) == "x86-64-v2", lacking
    assert best(f"x86_64-{system}", EVERYTHING - {"sse4.2"}) is None
    assert best(f"aarch64-{system}", frozenset()) == "aarch64"
    assert best(f"riscv64-{system}", EVERYTHING) is None


def test_labels_tell_systems_apart_and_lead_back():
    every = [each for system in (LINUX, MACOS, WINDOWS) for each in levels(system)]
    assert len({each.label for each in every}) == len(every)
    assert [labelled(each.label) for each in every] == every
    assert V3.label == "linux-x86-64-v3"
    assert Target("native", "riscv64-unknown-linux-gnu", "generic").label == "linux-native"


def ask(name: str) -> subprocess.CompletedProcess:
    program = "from kinetree.engine.jit.targets import here; print(here().name)"
    environment = {**os.environ, "KINETREE_TARGET": name}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)


def test_another_target_can_be_named():
    assert ask("native").stdout.strip() == "native"
    assert ask("").stdout.strip() == targets.here().name or "KINETREE_TARGET" in os.environ
    wrong = ask("x86-64-v9")
    assert wrong.returncode == 1 and "'x86-64-v9': this machine runs code for" in wrong.stderr


@pytest.mark.parametrize(
    "name", ["kinetree.engine.dynamics.position.kinematics:kinematics", "kinetree.engine.jit.parallel:assist"]
)
def test_one_machine_compiles_for_all_levels(name):
    """assist has the instruction of a waiting thread, which each architecture has its own of."""
    codes = translate(find(name), warmup.signature(name), levels(LINUX))
    for target, made in zip(levels(LINUX), codes, strict=True):
        assert made.code[:4] == b"\x7fELF"
        assert int.from_bytes(made.code[18:20], "little") == MACHINES[target.name]
        assert made.symbol.startswith(name)
    assert codes[0].code != codes[2].code
    assert not any("relax" in call for made in codes for call in made.calls)


def test_the_same_kernel_gives_the_same_bytes_whatever_was_compiled_before():
    program = """
import sys, hashlib
from kinetree.engine.jit.kernel import find
from kinetree.engine.jit.targets import here
from kinetree.engine.jit.translation import translate
from kinetree.engine.run.warmup import signature
for name in sys.argv[1:]:
    (code,) = translate(find(name), signature(name), [here()])
    print(name, hashlib.sha256(code.code).hexdigest())
"""
    names = ["kinetree.engine.dynamics.position.kinematics:kinematics", "kinetree.engine.jit.parallel:assist"]
    made = []
    for order in (names, names[::-1]):
        done = subprocess.run([sys.executable, "-c", program, *order], capture_output=True, text=True, check=True)
        made.append(sorted(done.stdout.splitlines()))
    assert made[0] == made[1] and len(made[0]) == 2
