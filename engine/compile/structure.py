"""Sparsity that follows from the tree: rows of M, of tendon Jacobians, blocks of dofs by kinematic tree."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from engine.enums import (
    JNT_BALL,
    JNT_FREE,
    TRN_BODY,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_TENDON,
    WRAP_JOINT,
    WRAP_PULLEY,
    WRAP_SITE,
)
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


def moment_room(model: Model, chains) -> np.ndarray:
    """How many dofs each actuator can act on: all of them through contacts of a body."""
    room = []
    for kind, (first, second) in zip(
        model.actuator_trntype.tolist(), model.actuator_trnid.tolist(), strict=True
    ):
        if kind == TRN_TENDON:
            room.append(int(model.ten_J_rownnz[first]))
        elif kind in (TRN_SITE, TRN_SLIDERCRANK):
            sites = [at for at in (first, second) if at >= 0]
            room.append(len(frozenset().union(*(chains[int(model.site_bodyid[at])] for at in sites))))
        elif kind == TRN_BODY:
            room.append(model.nv)
        else:
            room.append({JNT_FREE: 6, JNT_BALL: 3}.get(int(model.jnt_type[first]), 1))
    return np.array(room, np.int64)


def tendon_rows(model: Model, chains) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of ten_J: the dofs that a tendon's length may depend on, ascending."""
    rows = []
    for adr, num in zip(model.tendon_adr.tolist(), model.tendon_num.tolist(), strict=True):
        kinds, objects = model.wrap_type[adr : adr + num].tolist(), model.wrap_objid[adr : adr + num].tolist()
        if WRAP_JOINT in kinds:
            rows.append(sorted({int(model.jnt_dofadr[j]) for j in objects}))
        else:
            bodies = path_bodies(kinds, objects, model.site_bodyid, model.geom_bodyid)
            rows.append(sorted(path_dofs(bodies, chains)))
    rownnz = np.array([len(row) for row in rows], np.int32)
    colind = np.array([dof for row in rows for dof in row], np.int32)
    return rownnz, np.cumsum(rownnz, dtype=np.int32) - rownnz, colind


class _Chains(dict):
    """Body -> the dofs that move it, worked out where asked for."""

    def __init__(self, model: Model):
        super().__init__()
        self.model = model

    def __missing__(self, body: int) -> frozenset[int]:
        model, found, dof = self.model, [], -1
        at = body
        while at > 0 and not model.body_dofnum[at]:
            at = model.body_parentid[at]
        if at > 0:
            dof = int(model.body_dofadr[at] + model.body_dofnum[at]) - 1
        while dof >= 0:
            found.append(dof)
            dof = int(model.dof_parentid[dof])
        self[body] = result = frozenset(found)
        return result


def path_bodies(kinds, objects, site_body, geom_body) -> list[list[int]]:
    """The bodies along each branch of a spatial tendon, in order."""
    branches: list[list[int]] = [[]]
    for kind, at in zip(kinds, objects, strict=True):
        if kind == WRAP_PULLEY:
            branches.append([])
        else:
            branches[-1].append(int((site_body if kind == WRAP_SITE else geom_body)[at]))
    return branches


def path_dofs(branches: list[list[int]], chains) -> set[int]:
    """The dofs that move some body of a branch and not all others with it."""
    return {dof for bodies in branches for one, two in pairwise(bodies) for dof in chains[one] ^ chains[two]}


def fill(model: Model) -> None:
    """Set what only depends on the tree, tendons and transmissions, with sizes nJten and nJmom; nC and ntree must fit."""
    model.M_rownnz, model.M_rowadr, model.M_colind = inertia_rows(model.dof_parentid)
    model.tree_dofadr, model.tree_dofnum = trees(model.dof_treeid, model.ntree)
    blockid, first, above = blocks(model.dof_parentid)
    number = len(first)
    model.dof_blockid = blockid
    model.block_dofadr[:number], model.block_dofadr[number:] = first, model.nv
    model.block_dofnum[:number], model.block_dofnum[number:] = np.diff([*first, model.nv]), 0
    model.block_parentid[:number], model.block_parentid[number:] = above, -1
    chains = _Chains(model)
    rownnz, rowadr, colind = tendon_rows(model, chains)
    model.resize("nJten", len(colind))
    model.ten_J_rownnz, model.ten_J_rowadr, model.ten_J_colind = rownnz, rowadr, colind
    room = moment_room(model, chains)
    model.resize("nJmom", room.sum())
    model.actuator_momentadr = np.cumsum(room) - room
