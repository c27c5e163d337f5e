"""Sparsity: rows of M and of the Jacobians of tendons and flex edges, blocks of dofs by kinematic tree."""

from __future__ import annotations

from itertools import accumulate, chain, pairwise

from kinetree.engine.jit.uncompiled import Lists
from kinetree.engine.model import enums
from kinetree.engine.model.model import Model


def inertia_rows(dof_parentid: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Rows of the lower triangle of M: (rownnz, rowadr, colind); row i holds i's dof ancestors, then i."""
    rows: list[list[int]] = []
    for i, parent in enumerate(dof_parentid):
        rows.append([*rows[parent], i] if parent >= 0 else [i])
    return _joined(rows)


def _joined(rows: list[list[int]]) -> tuple[list[int], list[int], list[int]]:
    """(length of each, start of each, all of them one after the other)"""
    lengths = list(map(len, rows))
    return lengths, [0, *accumulate(lengths)][:-1], [value for row in rows for value in row]


def trees(dof_treeid: list[int], ntree: int) -> tuple[list[int], list[int]]:
    """First dof and number of dofs of each kinematic tree."""
    number = [0] * ntree
    for tree in dof_treeid:
        number[tree] += 1
    return [0, *accumulate(number)][:-1], number


# A tree with more dofs than this is split into branches.
BLOCK = 32


def blocks(dof_parentid: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Blocks of consecutive dofs: (dof_blockid, first dof of each block, block above each block or -1).

    A block is a whole tree, or in a large tree a branch with at most BLOCK dofs or a piece of the trunk that the
    branches hang on. All dofs above a block's dofs are in it or in the blocks on the way up from it.
    """
    nv = len(dof_parentid)
    size = [1] * nv  # dofs from here to the tips
    for i in range(nv - 1, -1, -1):
        if dof_parentid[i] >= 0:
            size[dof_parentid[i]] += size[i]
    blockid: list[int] = []
    first: list[int] = []
    above: list[int] = []
    for i, parent in enumerate(dof_parentid):
        opens = parent < 0
        if not opens:
            inside = first[blockid[parent]]
            if size[inside] > BLOCK:  # the block above is a piece of a trunk: a chain of dofs
                trunk = size[i] > BLOCK and parent == i - 1
                opens = not trunk or i - inside >= BLOCK
        if opens:
            first.append(i)
            above.append(blockid[parent] if parent >= 0 else -1)
            blockid.append(len(first) - 1)
        else:
            blockid.append(blockid[parent])
    return blockid, first, above


def moment_room(model: Lists, chains) -> list[int]:
    """Largest number of dofs that each actuator can act on; contacts of a body may act on all."""
    room = []
    for kind, (first, second) in zip(model.actuator_trntype, model.actuator_trnid, strict=True):
        if kind == enums.TRN_TENDON:
            room.append(model.ten_J_rownnz[first])
        elif kind in (enums.TRN_SITE, enums.TRN_SLIDERCRANK):
            sites = [at for at in (first, second) if at >= 0]
            room.append(len(frozenset().union(*(chains[model.site_bodyid[at]] for at in sites))))
        elif kind == enums.TRN_BODY:
            room.append(model.nv)
        else:
            room.append({enums.JNT_FREE: 6, enums.JNT_BALL: 3}.get(model.jnt_type[first], 1))
    return room


def tendon_rows(model: Lists, chains) -> tuple[list[int], list[int], list[int]]:
    """Rows of ten_J: the dofs that a tendon's length may depend on, ascending."""
    rows = []
    for adr, num in zip(model.tendon_adr, model.tendon_num, strict=True):
        kinds, objects = model.wrap_type[adr : adr + num], model.wrap_objid[adr : adr + num]
        if enums.WRAP_JOINT in kinds:
            rows.append(sorted({model.jnt_dofadr[j] for j in objects}))
        else:
            bodies = path_bodies(kinds, objects, model.site_bodyid, model.geom_bodyid)
            rows.append(sorted(path_dofs(bodies, chains)))
    return _joined(rows)


def edge_rows(model: Lists, chains) -> tuple[list[int], list[int], list[int]]:
    """Rows of flexedge_J: the dofs that move one end of an edge and not the other, ascending.

    Rigid edges and those of rigid and of interpolated flexes have none.
    """
    rows: list[list[int]] = [[]] * model.nflexedge
    for flex in range(model.nflex):
        if model.flex_rigid[flex] or model.flex_interp[flex]:
            continue
        bodies = model.flex_vertbodyid[model.flex_vertadr[flex] :]
        first = model.flex_edgeadr[flex]
        for edge in range(first, first + model.flex_edgenum[flex]):
            one, two = model.flex_edge[edge]
            if not model.flexedge_rigid[edge]:
                rows[edge] = sorted(chains[bodies[one]] ^ chains[bodies[two]])
    lengths = list(map(len, rows))
    return lengths, [0, *accumulate(lengths)][:-1], list(chain.from_iterable(rows))


class _Chains(dict):
    """Body -> the dofs that move it, computed on demand."""

    def __init__(self, model: Lists):
        super().__init__()
        self.model = model

    def __missing__(self, body: int) -> frozenset[int]:
        model, found, dof = self.model, [], -1
        at = body
        while at > 0 and not model.body_dofnum[at]:
            at = model.body_parentid[at]
        if at > 0:
            dof = model.body_dofadr[at] + model.body_dofnum[at] - 1
        while dof >= 0:
            found.append(dof)
            dof = model.dof_parentid[dof]
        self[body] = result = frozenset(found)
        return result


def path_bodies(kinds, objects, site_body, geom_body) -> list[list[int]]:
    """The bodies along each branch of a spatial tendon, in order."""
    branches: list[list[int]] = [[]]
    for kind, at in zip(kinds, objects, strict=True):
        if kind == enums.WRAP_PULLEY:
            branches.append([])
        else:
            branches[-1].append(int((site_body if kind == enums.WRAP_SITE else geom_body)[at]))
    return branches


def path_dofs(branches: list[list[int]], chains) -> set[int]:
    """The dofs that move some body of a branch and not all others with it."""
    return {dof for bodies in branches for one, two in pairwise(bodies) for dof in chains[one] ^ chains[two]}


def fill(model: Model, lists: Lists | None = None) -> None:
    """Set what only depends on the tree, tendons, flexes and transmissions, with sizes nJten, nJfe and nJmom; nC and
    ntree must fit."""
    lists = lists or Lists(model)
    nv, parents = model.nv, lists.dof_parentid
    if nv:
        rownnz, rowadr, colind = inertia_rows(parents)
        lists.put(M_rownnz=rownnz, M_rowadr=rowadr, M_colind=colind)
        first, number = trees(lists.dof_treeid, model.ntree)
        lists.put(tree_dofadr=first, tree_dofnum=number)
        blockid, first, above = blocks(parents)
        unused = nv - len(first)
        model.dof_blockid = blockid
        model.block_dofadr = first + [nv] * unused
        model.block_dofnum = [b - a for a, b in pairwise([*first, nv])] + [0] * unused
        model.block_parentid = above + [-1] * unused
    chains = _Chains(lists)
    if model.ntendon:
        rownnz, rowadr, colind = tendon_rows(lists, chains)
        model.resize("nJten", len(colind))
        lists.put(nJten=len(colind), ten_J_rownnz=rownnz, ten_J_rowadr=rowadr, ten_J_colind=colind)
    if model.nflexedge:
        rownnz, rowadr, colind = edge_rows(lists, chains)
        model.resize("nJfe", len(colind))
        model.flexedge_J_rownnz, model.flexedge_J_rowadr, model.flexedge_J_colind = rownnz, rowadr, colind
    if model.nu:
        room = moment_room(lists, chains)
        model.resize("nJmom", sum(room))
        lists.put(nJmom=sum(room), actuator_momentadr=[0, *accumulate(room)][:-1])
