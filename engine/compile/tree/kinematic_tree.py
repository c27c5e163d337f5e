"""Everything about bodies, joints and degrees of freedom that follows from parents and joint types alone.

The compiler fills a model with it, and the reader of binary files checks a file's numbers against it. Bodies
are numbered depth first, joints and degrees of freedom body by body.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kinetree.engine.model.kinds import JOINT_NQ, JOINT_NV

Columns = dict[str, list[int]]


class KinematicTree(NamedTuple):
    """Fields of a Model by name.

    bodies  roots, welds, trees; counts and first addresses of joints and dofs
    joints  first addresses in qpos and of dofs
    dofs    body, joint, the dof before in the chain, tree, address of the diagonal in MuJoCo's legacy layout
            of M
    sizes   nq, nv, entries of the inertia matrix (nM, nC), number of kinematic trees
    """

    bodies: Columns
    joints: Columns
    dofs: Columns
    sizes: dict[str, int]


def kinematic_tree(parents: Sequence[int], jnt_bodyid: Sequence[int], jnt_type: Sequence[int]) -> KinematicTree:
    """The tree of bodies with these parents and of joints on these bodies, of these types (JNT_)."""
    nbody = len(parents)
    widths = [JOINT_NV[kind] for kind in jnt_type]
    jntnum, dofnum = [0] * nbody, [0] * nbody
    for body, width in zip(jnt_bodyid, widths, strict=True):
        jntnum[body] += 1
        dofnum[body] += width
    dof_jntid = [joint for joint, width in enumerate(widths) for _ in range(width)]
    dof_bodyid = [jnt_bodyid[joint] for joint in dof_jntid]
    dofadr = addresses(dofnum)
    tree, ntree = _trees(parents, dofnum)
    chain = _chain(parents, dofnum, dofadr)
    depth = _depths(chain)
    entries = sum(depth)
    bodies = {
        "body_rootid": _inherited(parents, [parent == 0 for parent in parents]),
        "body_weldid": _inherited(parents, [count > 0 for count in jntnum]),
        "body_treeid": tree,
        "body_jntnum": jntnum,
        "body_jntadr": addresses(jntnum),
        "body_dofnum": dofnum,
        "body_dofadr": dofadr,
    }
    numbers = [JOINT_NQ[kind] for kind in jnt_type]
    joints = {"jnt_qposadr": addresses(numbers), "jnt_dofadr": addresses(widths)}
    dofs = {
        "dof_bodyid": dof_bodyid,
        "dof_jntid": dof_jntid,
        "dof_parentid": chain,
        "dof_treeid": [tree[body] for body in dof_bodyid],
        "dof_Madr": addresses(depth),
    }
    sizes = {"nq": sum(numbers), "nv": len(dof_bodyid), "nM": entries, "nC": entries, "ntree": ntree}
    return KinematicTree(bodies, joints, dofs, sizes)


def addresses(counts: Sequence[int]) -> list[int]:
    """First address of each object's elements in an array of the elements of all; -1 where it has none."""
    found, start = [], 0
    for count in counts:
        found.append(start if count else -1)
        start += count
    return found


def _inherited(parents: Sequence[int], starts: Sequence[bool]) -> list[int]:
    """For each body the nearest of itself and its ancestors that `starts`; 0 where there is none."""
    found = [0]
    for body in range(1, len(parents)):
        found.append(body if starts[body] else found[parents[body]])
    return found


def _trees(parents: Sequence[int], dofnum: Sequence[int]) -> tuple[list[int], int]:
    """(kinematic tree of each body, number of trees). A body with dofs below static ones begins a tree;
    static ones have -1."""
    found, count = [-1], 0
    for body in range(1, len(parents)):
        above = found[parents[body]]
        if above < 0 and dofnum[body]:
            above = count
            count += 1
        found.append(above)
    return found, count


def _chain(parents: Sequence[int], dofnum: Sequence[int], dofadr: Sequence[int]) -> list[int]:
    """For each dof the one before it in its body or the last of the nearest ancestor with dofs; -1: none."""
    last, chain = [-1] * len(parents), []
    for body, count in enumerate(dofnum):
        before = last[parents[body]] if body else -1
        for dof in range(dofadr[body], dofadr[body] + count):
            chain.append(before)
            before = dof
        last[body] = before
    return chain


def _depths(chain: Sequence[int]) -> list[int]:
    """For each dof the length of its chain, itself included: the entries of its row of the inertia matrix."""
    depth: list[int] = []
    for before in chain:
        depth.append(1 + (depth[before] if before >= 0 else 0))
    return depth
