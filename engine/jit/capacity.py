"""Memory that grows while simulating: how a stage asks for more.

A stage that finds more contacts, rows, ... than their arrays can hold writes nothing past the end, calls
`request`, and leaves the counters of these arrays as it found them. The loop over stages
(engine/dynamics/run.py) stops there, Data grows and keeps what the arrays hold, and the same stage is called
again. No other stage is repeated, so memory may run out anywhere in a step, also in the sub-steps of an
integrator.
"""

from __future__ import annotations

from engine.jit.kernel import small
from engine.model.fields import CAPACITIES

(NCONMAX, NJMAX, NSEGMAX, NJENTRIES, NPAIRMAX, NADJMAX, NSUBMAX, NHMAX, NNEARMAX, NARMAX, NRUNMAX, NCCDMAX) = (
    CAPACITIES.index(name)
    for name in (
        "nconmax",
        "njmax",
        "nsegmax",
        "nJmax",
        "npairmax",
        "nadjmax",
        "nsubmax",
        "nHmax",
        "nnearmax",
        "nARmax",
        "nrunmax",
        "nccdmax",
    )
)


@small
def request(data, capacity, number):
    """Ask that Data hold this many of a capacity before the stage is run again."""
    data.need[capacity] = max(data.need[capacity], number)
    data.needs_memory = 1
