"""Results of the dynamics as dense arrays, for tests and panels; not used in the step."""

from __future__ import annotations

import numpy as np

from kinetree.engine.dynamics.constraint.rows import PYRAMID
from kinetree.engine.jit.simd import WIDTH, padded
from kinetree.engine.jit.uncompiled import uncompiled
from kinetree.engine.model.data import Data
from kinetree.engine.model.model import Model


def efc_J(model: Model, data: Data) -> np.ndarray:
    """The constraint Jacobian as a dense array (nefc, nv)."""
    dense = np.zeros((data.nefc, model.nv))
    for g in range(data.ngrp):
        row, dim = data.grp_row[g], data.grp_dim[g]
        base = np.zeros((dim, model.nv))
        for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
            dof, num, adr = data.seg_dof[s], data.seg_num[s], data.seg_adr[s]
            width = (num + 3) // 4 * 4
            base[:, dof : dof + num] = data.seg_J[adr : adr + dim * width].reshape(dim, width)[:, :num]
        if data.grp_kind[g] == PYRAMID:
            friction = data.contact_friction[data.efc_id[row]]
            for k in range(1, dim):
                dense[row + 2 * k - 2] = base[0] + friction[k - 1] * base[k]
                dense[row + 2 * k - 1] = base[0] - friction[k - 1] * base[k]
        else:
            dense[row : row + dim] = base
    return dense


def velocity_derivative(model: Model, data: Data) -> np.ndarray:
    """data.qDeriv and data.qDeriv_upper as one dense array (nv, nv): force of the row's dof by velocity of the
    column's. Zero between dofs of different branches of the tree.
    """
    dense = np.zeros((model.nv, model.nv))
    rows = np.repeat(np.arange(model.nv), model.M_rownnz)
    dense[model.M_colind, rows] = data.qDeriv_upper
    dense[rows, model.M_colind] = data.qDeriv
    return dense


def efc_AR(model: Model, data: Data) -> np.ndarray:
    """The matrix A + R of the dual problem as a dense array (nefc, nefc), where a dual solver has formed its factor."""
    factor = np.zeros((data.nefc, len(data.sol_half)))
    for batch in range(data.nbatch):
        row, end = data.batch_row[batch : batch + 2]
        places = data.chunk_x[slice(*data.batch_chunk[batch : batch + 2])]
        adr = data.batch_own[batch] + uncompiled(padded)((end - row) ** 2)
        values = data.sol_B[adr:][: (end - row) * WIDTH * len(places)].reshape(end - row, len(places), WIDTH)
        for k, x in enumerate(places):
            factor[row:end, x : x + WIDTH] = values[:, k]
    return factor @ factor.T + np.diag(data.efc_R)
