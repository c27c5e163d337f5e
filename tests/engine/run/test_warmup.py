"""Kernels compiled by worker processes into a cold cache; the first look that needs none."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.patience import LIMIT

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
import kinetree
from kinetree.engine.run import warmup

model = kinetree.load_string(
    "<mujoco><worldbody><body pos='0 0 1'><joint axis='0 1 0'/><geom size='.1'/></body></worldbody></mujoco>"
)
assert warmup.needed(model)
data = kinetree.Data(model)
kinetree.kinematics(model, data)
assert data.xpos[1, 2] == 1
assert not any(warmup.is_compiled(name) for name in warmup.needed(model))
seen = []
assert not warmup.warmup(model, cancelled=lambda: True)
assert warmup.warmup(model, progress=lambda done, total, name: seen.append((done, total, name)), processes=2)
assert seen[0][0] == 0 and seen[-1][0] == seen[-1][1] == len(warmup.needed(model))
assert sum(1 for row in seen if row[2]) == seen[-1][1], seen
assert all(warmup.is_compiled(name) for name in warmup.needed(model))
kinetree.step(model, data, 10)
assert data.time > 0
print("ready")
"""


@pytest.mark.slow("compiles kernels")
def test_cold_start_compiles_in_workers(tmp_path):
    import os

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(PROGRAM)],
        cwd=ROOT,
        env={**os.environ, "KINETREE_CACHE": str(tmp_path), "KINETREE_KERNELS": str(tmp_path / "none")},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.stdout.strip() == "ready", done.stdout + done.stderr
