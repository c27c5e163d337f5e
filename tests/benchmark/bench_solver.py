"""Constraint rows and solver against mujoco's, on settled states: python -m tests.benchmark.bench_solver MODEL.xml ...

Both sides get the same state, contacts and warm start; times are medians with the cost of a call taken off.
mujoco's rows are mj_makeConstraint + mj_referenceConstraint, its solver is mj_fwdConstraint, called by pointer.
"""

from __future__ import annotations

import ctypes
import glob
import os
import statistics
import sys
import time

import mujoco

import kinetree
from kinetree.engine.dynamics import forward
from kinetree.engine.jit.compiler import compiled
from tests.oracle.bridge import model_from
from tests.oracle.constrained import copy_contacts, gap, run_both

ROWS = (
    "begin_constraint",
    "equality",
    "friction_loss",
    "limit",
    "contact_constraint",
    "reference_constraint",
)
ISLANDS = ("islands", "elimination")


def pointer(name: str):
    library = ctypes.CDLL(glob.glob(os.path.join(os.path.dirname(mujoco.__file__), "libmujoco.so*"))[0])
    function = getattr(library, name)
    function.argtypes, function.restype = [ctypes.c_void_p] * 2, None
    return function


def median(call, repeat: int, before=lambda: None) -> float:
    times = []
    for _ in range(repeat):
        before()
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def compare(m, steps: int, repeat: int) -> dict[str, float]:
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    mujoco.mj_step(m, d, steps)
    model = model_from(m)
    data = kinetree.Data(model)
    warm = d.qacc_warmstart.copy()
    run_both(m, d, model, data)
    theirs_iterations = d.solver_niter[0]
    kernels = {row.name: compiled(row.load()) for row in forward.stages(model, forward.FORWARD)}
    solver = next(name for name in ("solve", "cg", "pgs") if name in kernels)
    nothing = median(lambda: kernels["begin_constraint"](model, data), repeat)

    def reset_ours():
        data.qacc_warmstart = warm

    def rows():
        for name in ROWS:
            if name in kernels:
                kernels[name](model, data)

    result = {}
    count = sum(name in kernels for name in ROWS)
    copy_contacts(d, data)
    result["rows"] = median(rows, repeat) - nothing * count
    result["islands"] = sum(
        median(lambda kernel=kernels[name]: kernel(model, data), repeat) - nothing
        for name in ISLANDS
        if name in kernels
    )
    result["solve"] = median(lambda: kernels[solver](model, data), repeat, reset_ours) - nothing
    result["gap"] = gap(data.qacc, d.qacc)

    functions = {
        name: pointer("mj_" + name)
        for name in ("makeConstraint", "referenceConstraint", "fwdConstraint", "projectConstraint", "forward")
    }

    def reset_theirs():
        d.qacc_warmstart[:] = warm

    theirs = {}
    for name in ("makeConstraint", "referenceConstraint", "fwdConstraint"):
        times = []
        for _ in range(repeat):
            reset_theirs()
            functions["forward"](m._address, d._address)
            reset_theirs()
            start = time.perf_counter()
            functions[name](m._address, d._address)
            times.append(time.perf_counter() - start)
        theirs[name] = statistics.median(times) * 1e6
    mujoco.mj_forward(m, d)
    call = median(lambda: functions["projectConstraint"](m._address, d._address), repeat)
    result["mujoco rows"] = theirs["makeConstraint"] + theirs["referenceConstraint"] - 2 * call
    result["mujoco solve"] = theirs["fwdConstraint"] - call
    result["nefc"], result["iterations"] = data.nefc, data.solver_niter.max()
    result["mujoco iterations"] = theirs_iterations
    return result


def main() -> None:
    for path in sys.argv[1:]:
        m = mujoco.MjModel.from_xml_path(path)
        for steps in (200, 300):
            r = compare(m, steps, 200)
            ours, theirs = r["rows"] + r["islands"] + r["solve"], r["mujoco rows"] + r["mujoco solve"]
            print(
                f"{os.path.basename(path):24s} nv {m.nv:4d} rows {r['nefc']:5d} iterations {r['iterations']}/"
                f"{r['mujoco iterations']}  rows {r['rows']:7.2f}/{r['mujoco rows']:7.2f}  islands "
                f"{r['islands']:6.2f}  solve {r['solve']:8.2f}/{r['mujoco solve']:8.2f} us  ratio {ours / theirs:5.2f}"
                f"  gap {r['gap']:.1e}",
                flush=True,
            )


if __name__ == "__main__":
    main()
