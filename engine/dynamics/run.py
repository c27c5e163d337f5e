"""The loop over steps: stages called through their addresses, nothing else compiled with it."""

from __future__ import annotations

from engine.jit.compiler import call_stage
from engine.jit.kernel import kernel


@kernel
def run(model, data, n, stages):
    """Run the stages n times; the number of times done.

    Ends early when contacts or constraint rows did not fit: before anything is integrated, so that the caller
    can make room (data.need_*) and go on. A check that reset the state has the stages of its step run once more: redo is 1
    until they are begun again, then 2 until that check lets them pass.
    """
    for i in range(n):
        k = 0
        while k < stages.shape[0]:
            call_stage(stages[k], model, data)
            if data.need_con + data.need_efc + data.need_J + data.need_near > 0:
                return i
            k += 1
            if data.redo == 1:
                data.redo = 2
                k = 0
    return n
