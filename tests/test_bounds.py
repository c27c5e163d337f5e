"""Kernels that check each index (tests/bounds.py), in a process of their own."""

import subprocess
import sys

import pytest

from tests.patience import LIMIT

PROGRAM = """
import sys
import numpy as np
import tests.bounds
from kinetree.engine.jit.compiler import compiled
from kinetree.engine.jit.kernel import kernel, view
from kinetree.engine.jit.simd import vload, vstore

@kernel
def item(a, i):
    return a[i]

@kernel
def part(a, i):
    return view(a, i, 4)[0]

@kernel
def vector(a, i):
    vstore(a, i, vload(a, i))
    return 0.0

print(compiled(globals()[sys.argv[1]])(np.arange(8.0), int(sys.argv[2])))
"""


@pytest.mark.parametrize(("name", "inside", "outside"), [("item", 7, 8), ("part", 4, 5), ("vector", 4, 5)])
def test_what_is_outside_of_an_array_ends_the_process(name, inside, outside, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    done = [
        subprocess.run([sys.executable, file, name, str(at)], capture_output=True, text=True, timeout=LIMIT)
        for at in (inside, outside)
    ]
    assert done[0].returncode == 0, done[0].stderr
    assert done[1].returncode < 0
    assert f"OUT OF BOUNDS in {name}" in done[1].stderr and "of 8" in done[1].stderr
