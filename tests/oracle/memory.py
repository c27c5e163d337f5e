"""Memory of Data and of mjData, bytes."""

from __future__ import annotations

import mujoco

import kinetree

SOLVER_STATISTICS = 20 * 200 * (3 * 8 + 4 * 4)
"""Of mjData itself: mjNISLAND * mjNSOLVER entries of mjSolverStat. Data keeps them in arrays."""


def bytes_of_data(data: kinetree.Data) -> int:
    """All arrays of a Data."""
    return sum(array.nbytes for array in data._arrays.values())


def bytes_of_reference(data: mujoco.MjData) -> int:
    """Its buffer, what was used of its arena (which is mostly larger by far), and its statistics of the solver."""
    return data.nbuffer + data.maxuse_arena + SOLVER_STATISTICS
