"""Checks of the state for NaN and huge values, with a warning and an automatic reset.

Specification: Computation, "Simulation pipeline".
"""

from __future__ import annotations

import sys

from kinetree.engine.jit.addresses import bytes_at, field_address
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MAXVAL
from kinetree.engine.jit.warn import warn
from kinetree.engine.model import enums

FINITE = sys.float_info.max


@small
def _first_bad(values, n, most):
    """1 + the index of the first value that is NaN or larger than `most`, 0 if there is none."""
    for i in range(n):
        if not abs(values[i]) <= most:  # of NaN too
            return i + 1
    return 0


@small
def _reset(model, data, warning, index):
    """Count a warning; set state and inputs to their start values, unless automatic reset is switched off.

    Then the warning counts twice, as in MuJoCo. A reset keeps the counters, for engine/run/divergence.py; MuJoCo's
    clears all but this one.
    """
    warn(data, warning, index)
    if model.opt_disableflags & enums.DSBL_AUTORESET:
        data.warning[warning, 1] += 1
        return False
    for row in range(data.start_table.shape[0]):
        count = data.start_table[row, 1]
        array = bytes_at(field_address(data, data.start_table[row, 0]), count)
        start = bytes_at(data.start_table[row, 2], count)
        for k in range(count):
            array[k] = start[k]
    data.time = 0.0
    data.nreset += 1
    return True


@small
def _check(model, data, most):
    """Warn and reset if a position or velocity is NaN or larger than `most`."""
    bad = _first_bad(data.qpos, model.nq, most)
    if bad:
        _reset(model, data, enums.WARN_BADQPOS, bad - 1)
    bad = _first_bad(data.qvel, model.nv, most)
    if bad:
        _reset(model, data, enums.WARN_BADQVEL, bad - 1)


@kernel
def check_state(model, data):
    """Warn and reset if a position or velocity is NaN or huge. A step begins with this check."""
    _check(model, data, MAXVAL)


@kernel
def check_result(model, data):
    """Warn and reset if a position or velocity is NaN or infinite. A step ends with this check.

    The reference waits until the next step. So it is here with states that are huge and finite.
    """
    _check(model, data, FINITE)


@kernel
def check_acc(model, data):
    """Warn and reset if an acceleration is NaN or huge, and run the step again from the reset state.

    Only once a step: otherwise a model whose rest pose gives bad accelerations would be reset for ever.
    """
    if data.redo == 2:
        data.redo = 0
        return
    bad = _first_bad(data.qacc, model.nv, MAXVAL)
    if bad and _reset(model, data, enums.WARN_BADQACC, bad - 1):
        data.redo = 1
