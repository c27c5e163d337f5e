"""Results of the dynamics as dense arrays, for tests and panels; not used in the step."""

from __future__ import annotations

import numpy as np

from engine.dynamics.constraint_rows import PYRAMID
from engine.model.data import Data
from engine.model.model import Model


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
    """The matrix A + R of the dual problem as a dense array (nefc, nefc), where a dual solver has formed it."""
    dense = np.zeros((data.nefc, data.nefc))
    for g in range(data.ngrp):
        row, rows, place = data.grp_row[g], data.grp_nrow[g], 0
        block = data.sol_AR[data.grp_AR[g] :][: rows * data.grp_ARnum[g]].reshape(rows, -1)
        for k in range(data.grp_run[g], data.grp_run[g] + data.grp_nrun[g]):
            first, number = data.run_row[k], data.run_num[k]
            dense[row : row + rows, first : first + number] = block[:, place : place + number]
            place += (number + 3) // 4 * 4
    return dense
