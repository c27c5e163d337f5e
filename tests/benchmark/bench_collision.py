"""Collision detection against mujoco's: python -m tests.benchmark.bench_collision MODEL.xml ..."""

from __future__ import annotations

import ctypes
import sys
import time
from pathlib import Path

import mujoco
import numpy as np

from kinetree.engine.collision.broadphase import broad_phase
from kinetree.engine.collision.driver import collision
from kinetree.engine.jit.addresses import call_stage
from kinetree.engine.jit.compiler import address_of, compiled
from kinetree.engine.jit.kernel import kernel
from tests.oracle.collide import Twin


@kernel
def repeat(model, data, number, stages):
    for _ in range(number):
        for k in range(stages.shape[0]):
            call_stage(stages[k], model, data)


def best_of(function, number: int, rounds: int = 7) -> float:
    """Least seconds of one call."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function(number)
        times.append((time.perf_counter() - start) / number)
    return min(times)


def main() -> None:
    library = ctypes.CDLL(str(next(Path(mujoco.__file__).parent.glob("libmujoco*"))))
    library.mj_collision.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.mj_collision.restype = None
    stages = np.array([address_of(broad_phase), address_of(collision)])
    for path in sys.argv[1:]:
        twin = Twin(mujoco.MjModel.from_xml_path(path))
        if twin.m.nkey:
            mujoco.mj_resetDataKeyframe(twin.m, twin.d, 0)
        mujoco.mj_step(twin.m, twin.d, 100)
        twin.reference()
        twin.ours()
        number = max(5, 20000 // (twin.d.ncon + 10))
        ours = best_of(lambda n, t=twin: compiled(repeat)(t.model, t.data, n, stages), number)

        def reference(n, t=twin):
            for _ in range(n):
                library.mj_collision(t.m._address, t.d._address)

        theirs = best_of(reference, number)
        print(
            f"{Path(path).name:24s} geoms {twin.m.ngeom:5d} candidates {twin.data.nnear:5d} contacts {twin.data.ncon:4d}"
            f"  ours {ours * 1e6:9.2f} us  mujoco {theirs * 1e6:9.2f} us  {ours / theirs:5.2f}"
        )


if __name__ == "__main__":
    main()
