"""Sparsity that follows from the tree: rows of M, of tendon Jacobians, blocks of dofs by kinematic tree."""

from __future__ import annotations

import numpy as np

from engine.enums import WRAP_JOINT
from engine.model import Model


def inertia_rows(dof_parentid: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of the lower triangle of M: (rownnz, rowadr, colind); row i holds i's dof ancestors, then i."""
    rows = []
    for i, parent in enumerate(dof_parentid):
        rows.append([*(rows[parent] if parent >= 0 else []), i])
    rownnz = np.array([len(row) for row in rows], np.int32)
    colind = np.array([j for row in rows for j in row], np.int32)
    return rownnz, np.cumsum(rownnz, dtype=np.int32) - rownnz, colind


def trees(dof_treeid: np.ndarray, ntree: int) -> tuple[np.ndarray, np.ndarray]:
    """First dof and number of dofs of each kinematic tree."""
    number = np.bincount(dof_treeid, minlength=ntree).astype(np.int32)
    return np.cumsum(number, dtype=np.int32) - number, number


def fixed_tendon_rows(model: Model) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of ten_J for fixed tendons: the dofs of their joints, ascending, each once."""
    rows = []
    for adr, num in zip(model.tendon_adr, model.tendon_num, strict=True):
        wraps = range(adr, adr + num)
        joints = [model.wrap_objid[w] for w in wraps if model.wrap_type[w] == WRAP_JOINT]
        rows.append(sorted({int(model.jnt_dofadr[j]) for j in joints}))
    rownnz = np.array([len(row) for row in rows], np.int32)
    colind = np.array([dof for row in rows for dof in row], np.int32)
    return rownnz, np.cumsum(rownnz, dtype=np.int32) - rownnz, colind


def fill(model: Model) -> None:
    """Set the rows of model that only depend on its tree and tendons. Sizes nC, nJten and ntree must be right."""
    model.M_rownnz, model.M_rowadr, model.M_colind = inertia_rows(model.dof_parentid)
    model.tree_dofadr, model.tree_dofnum = trees(model.dof_treeid, model.ntree)
    model.ten_J_rownnz, model.ten_J_rowadr, model.ten_J_colind = fixed_tendon_rows(model)
