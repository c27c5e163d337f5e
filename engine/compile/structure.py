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


# A tree with more dofs than this is split into branches.
BLOCK = 32
# An island with at most this many dofs is one dense node of the Hessian.
DENSE = 40


def blocks(dof_parentid: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Blocks of consecutive dofs: (dof_blockid, first dof of each block, block above each block or -1).

    A block is a whole tree, or in a large tree a branch with at most BLOCK dofs or a piece of the trunk that the
    branches hang on. All dofs above a block's dofs are in it or in the blocks on the way up from it.
    """
    nv = len(dof_parentid)
    size = np.ones(nv, np.int64)  # dofs from here to the tips
    for i in range(nv - 1, -1, -1):
        if dof_parentid[i] >= 0:
            size[dof_parentid[i]] += size[i]
    blockid, first, above = np.empty(nv, np.int32), [], []
    for i, parent in enumerate(dof_parentid):
        opens = parent < 0
        if not opens:
            inside = first[blockid[parent]]
            if size[inside] > BLOCK:  # the block above is a piece of a trunk: it takes dofs in single file
                trunk = size[i] > BLOCK and parent == i - 1
                opens = not trunk or i - inside >= BLOCK
        if opens:
            first.append(i)
            above.append(blockid[parent] if parent >= 0 else -1)
            blockid[i] = len(first) - 1
        else:
            blockid[i] = blockid[parent]
    return blockid, np.array(first, np.int32), np.array(above, np.int32)


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
    blockid, first, above = blocks(model.dof_parentid)
    number = len(first)
    model.dof_blockid = blockid
    model.block_dofadr[:number], model.block_dofadr[number:] = first, model.nv
    model.block_dofnum[:number], model.block_dofnum[number:] = np.diff([*first, model.nv]), 0
    model.block_parentid[:number], model.block_parentid[number:] = above, -1
    model.ten_J_rownnz, model.ten_J_rowadr, model.ten_J_colind = fixed_tendon_rows(model)
