"""The loop over steps: stages called through their addresses, nothing else compiled with it."""

from __future__ import annotations

from kinetree.engine.jit.addresses import call_stage
from kinetree.engine.jit.kernel import kernel, takes


@takes("Model", "Data", "i8", "i8[1]", "i8")
@kernel
def run(model, data, n, stages, first):
    """Run the stages n times, beginning the first time with stage `first`; the number of times done.

    Ends early when a stage runs out of memory (data.needs_memory): data.stage says which. Once Data has
    grown, the caller goes on with that stage. All results of the stages before it are kept, so the list may
    hold sub-steps that integrate. A check that has reset the state sets data.redo to 1: the stages are run
    again from the first one, with data.redo at 2 until that check has let them pass.
    """
    for i in range(n):
        k = first
        first = 0
        while k < stages.shape[0]:
            call_stage(stages[k], model, data)
            if data.needs_memory != 0:
                data.stage = k
                return i
            k += 1
            if data.redo == 1:
                data.redo = 2
                k = 0
    return n
