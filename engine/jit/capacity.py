"""Memory that grows while simulating: how a stage asks for more.

A stage that finds more contacts, rows, ... than their arrays can hold writes nothing past the end, calls
`request`, and leaves the counters of these arrays as it found them. The loop over stages
(engine/dynamics/run.py) stops there, Data grows and keeps what the arrays hold, and the same stage is called
again. No other stage is repeated, so memory may run out anywhere in a step, also in the sub-steps of an
integrator.

Growing ends at the limits below, which no sensible model reaches: thousands of bodies in one place would take all
memory, and minutes a step. Beyond them contacts are left out (WARN_CONTACTFULL), or all constraint rows of the step
(WARN_CNSTRFULL), as in MuJoCo when its arena is full. What is left out does not depend on how Data has grown.
"""

from __future__ import annotations

from kinetree.engine.jit.kernel import small
from kinetree.engine.model.fields import CAPACITIES

(NCONMAX, NJMAX, NSEGMAX, NJENTRIES, NPAIRMAX, NADJMAX, NSUBMAX, NHMAX, NNEARMAX, NBMAX, NCHUNKMAX, NCCDMAX) = (
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
        "nBmax",
        "nchunkmax",
        "nccdmax",
    )
)

MOST_CANDIDATES = 4_000_000
"""Pairs of the broad phase."""
MOST_CONTACTS = 50_000
MOST_HESSIAN = 1 << 24
"""Entries of the Hessians of all islands: one full island of 5,800 dofs."""
MOST_DUAL = 1 << 24
"""Entries of B and A that the dual solvers keep: four times those of MOST_CONTACTS contacts of free bodies."""


@small
def request(data, capacity, number):
    """Ask that Data hold this many of a capacity before the stage is run again."""
    data.need[capacity] = max(data.need[capacity], number)
    data.needs_memory = 1
