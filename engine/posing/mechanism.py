"""Which dofs move when a body is dragged, and the constraints on them: limits of joints and tendons, and equalities."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kinetree.engine.dynamics.query.jac import chain
from kinetree.engine.geometry.orientation import rotation_vector
from kinetree.engine.model import enums
from kinetree.engine.model.data import Data
from kinetree.engine.model.kinds import JOINT_NV
from kinetree.engine.model.model import Model


def moving_dofs(model: Model, data: Data, body: int) -> np.ndarray:
    """The dofs that pose a body, ascending: those between it and the root of its tree, and all that active equalities
    couple with them.

    The free joint of a robot stays as it is, so that a limb moves and not the whole robot; unless the body has no other
    joint, or equalities hold the robot to the world.
    """
    own, coupled = set(chain(model, body).tolist()), list(_coupled(model, data))
    root = root_dofs(model, body)
    kept = _bases(model, data)
    if not own - root:
        kept -= root
    found, grows = own - kept, True
    while grows:
        grows = False
        for dofs in coupled:
            if dofs & found and not dofs - kept <= found:
                found |= dofs - kept
                grows = True
    return np.array(sorted(found), int)


def is_coupled(model: Model, data: Data, body: int) -> bool:
    """Whether an active equality couples the free joint at the root of a body's tree with something else."""
    root = root_dofs(model, body)
    return any(root & dofs for dofs in _coupled(model, data))


def root_dofs(model: Model, body: int) -> set[int]:
    """The dofs of a free joint at the root of a body's tree."""
    first = int(model.body_jntadr[model.body_rootid[body]])
    if first < 0 or int(model.jnt_type[first]) != enums.JNT_FREE:
        return set()
    dof = int(model.jnt_dofadr[first])
    return set(range(dof, dof + JOINT_NV[enums.JNT_FREE]))


def _bases(model: Model, data: Data) -> set[int]:
    """The dofs of free joints at the roots of robots (trees with other joints too) that nothing holds to the world."""
    free = model.jnt_dofadr[model.jnt_type == enums.JNT_FREE].tolist()
    trees = {int(model.dof_treeid[dof]): set(range(dof, dof + JOINT_NV[enums.JNT_FREE])) for dof in free}
    held = set(range(model.ntree)) - set(trees)
    pairs = [(_tree(model, first), _tree(model, second)) for first, second in _joined(model, data)]
    grows = True
    while grows:
        grows = False
        for first, second in pairs:
            if first != second and (first in held or first < 0) != (second in held or second < 0):
                held |= {first, second}
                grows = True
    sizes = np.bincount(model.dof_treeid, minlength=model.ntree)
    alone = [dofs for tree, dofs in trees.items() if tree not in held and sizes[tree] > len(dofs)]
    return set().union(*alone)


def _tree(model: Model, body: int) -> int:
    """The kinematic tree of a body, -1 for one that no joint moves."""
    dofs = chain(model, body)
    return int(model.dof_treeid[dofs[0]]) if len(dofs) else -1


def has_equalities(model: Model) -> bool:
    """Whether the model has equalities and the flags enable them."""
    return model.neq > 0 and not int(model.opt_disableflags) & (enums.DSBL_CONSTRAINT | enums.DSBL_EQUALITY)


def _active(model: Model, data: Data) -> Iterator[tuple[int, int, int, int]]:
    """(equality, type, first object, second object) of those that count."""
    if has_equalities(model):
        for number in np.flatnonzero(data.eq_active).tolist():
            yield number, int(model.eq_type[number]), int(model.eq_obj1id[number]), int(model.eq_obj2id[number])


def _joined(model: Model, data: Data) -> Iterator[tuple[int, int]]:
    """The two bodies of each active connect and weld."""
    for number, kind, first, second in _active(model, data):
        if kind in (enums.EQ_CONNECT, enums.EQ_WELD):
            sites = int(model.eq_objtype[number]) == enums.OBJ_SITE
            yield (int(model.site_bodyid[first]), int(model.site_bodyid[second])) if sites else (first, second)


def _coupled(model: Model, data: Data) -> Iterator[set[int]]:
    """The dofs coupled by each active equality. Two bodies are coupled by the joints that move only one of them."""
    for first, second in _joined(model, data):
        yield set(chain(model, first).tolist()) ^ set(chain(model, second).tolist())
    for _number, kind, first, second in _active(model, data):
        if kind == enums.EQ_JOINT:
            yield {int(model.jnt_dofadr[each]) for each in (first, second) if each >= 0}
        elif kind == enums.EQ_TENDON:
            yield {dof for each in (first, second) if each >= 0 for dof in _tendon_dofs(model, each).tolist()}


def _tendon_dofs(model: Model, tendon: int) -> np.ndarray:
    first = int(model.ten_J_rowadr[tendon])
    return model.ten_J_colind[first : first + int(model.ten_J_rownnz[tendon])]


def residual(model: Model, data: Data, dofs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(E (m, dofs), r (m,)): the Jacobian and the residual of the equalities that some dofs move, in the present
    position. Needs the run of the stages "pose" (engine/dynamics/forward.py)."""
    if not has_equalities(model):
        return np.zeros((0, len(dofs))), np.zeros(0)
    place = np.full(model.nv, -1)
    place[dofs] = np.arange(len(dofs))
    rows, values = [np.zeros((0, len(dofs)))], [np.zeros(0)]
    for group in range(int(data.ngrp)):
        row, dim = int(data.grp_row[group]), int(data.grp_dim[group])
        if row >= data.ne:
            break
        piece, moved = np.zeros((dim, len(dofs))), False
        for segment in range(int(data.grp_seg[group]), int(data.grp_seg[group] + data.grp_nseg[group])):
            first, count, adr = (int(each[segment]) for each in (data.seg_dof, data.seg_num, data.seg_adr))
            at = place[first : first + count]
            inside = at >= 0
            if inside.any():
                width = (count + 3) // 4 * 4
                entries = data.seg_J[adr : adr + dim * width].reshape(dim, width)[:, :count]
                piece[:, at[inside]] += entries[:, inside]
                moved = True
        if moved and piece.any():
            rows.append(piece)
            values.append(np.array(data.efc_pos[row : row + dim]))
    return np.concatenate(rows), np.concatenate(values)


class PoseLimits:
    """The limits of joints and tendons that some dofs move. `joints`: (joint, address in qpos, place among the dofs,
    low, high) of hinges and slides."""

    def __init__(self, model: Model, dofs: np.ndarray):
        self._model, self._dofs = model, dofs
        self.joints: list[tuple[int, int, int, float, float]] = []
        self._balls: list[tuple[int, int, int, float]] = []
        self._tendons: list[int] = []
        if int(model.opt_disableflags) & (enums.DSBL_CONSTRAINT | enums.DSBL_LIMIT):
            return
        place = {dof: number for number, dof in enumerate(dofs.tolist())}
        for joint in sorted(set(model.dof_jntid[dofs].tolist())):
            if not model.jnt_limited[joint]:
                continue
            kind, address = int(model.jnt_type[joint]), int(model.jnt_qposadr[joint])
            at, (low, high) = place[int(model.jnt_dofadr[joint])], model.jnt_range[joint].tolist()
            if kind == enums.JNT_BALL:
                self._balls.append((joint, address, at, max(low, high)))
            elif kind != enums.JNT_FREE and low <= high:
                self.joints.append((joint, address, at, low, high))
        for tendon in np.flatnonzero(model.tendon_limited).tolist():
            if np.isin(_tendon_dofs(model, tendon), dofs).any():
                self._tendons.append(tendon)

    def rows(self, data: Data) -> tuple[np.ndarray, np.ndarray]:
        """(A (k, dofs), a (k,)) so that a change x of the position stays within the limits where A x <= a."""
        count = len(self._dofs)
        rows, room = [np.zeros((0, count))], []
        for _joint, address, at, low, high in self.joints:
            pair = np.zeros((2, count))
            pair[0, at], pair[1, at] = 1.0, -1.0
            rows.append(pair)
            room += [high - data.qpos[address], data.qpos[address] - low]
        for _joint, address, at, most in self._balls:
            turn = np.array(rotation_vector(data.qpos[address : address + 4]))
            angle = float(np.linalg.norm(turn))
            if angle > 1e-6:
                row = np.zeros((1, count))
                row[0, at : at + 3] = turn / angle
                rows.append(row)
                room.append(most - angle)
        for tendon in self._tendons:
            row, first = np.zeros(self._model.nv), int(self._model.ten_J_rowadr[tendon])
            along = slice(first, first + int(self._model.ten_J_rownnz[tendon]))
            row[self._model.ten_J_colind[along]] = data.ten_J[along]
            low, high = self._model.tendon_range[tendon].tolist()
            rows.append(np.array([row[self._dofs], -row[self._dofs]]))
            room += [high - data.ten_length[tendon], data.ten_length[tendon] - low]
        return np.concatenate(rows), np.array(room, float)

    def excess(self, data: Data) -> float:
        """Largest violation of the limits, rad or m; 0 if all hold."""
        return max(0.0, -float(self.rows(data)[1].min(initial=0.0)))

    def reached(self, data: Data, close: float = 1e-6) -> list[int]:
        """The joints that are at an end of their range."""
        found = [
            joint
            for joint, address, _at, low, high in self.joints
            if not low + close < data.qpos[address] < high - close
        ]
        for joint, address, _at, most in self._balls:
            if np.linalg.norm(rotation_vector(data.qpos[address : address + 4])) > most - close:
                found.append(joint)
        return found
