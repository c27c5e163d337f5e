"""Inverse weights: approximate inverse inertia of bodies, dofs, tendons and actuators at qpos0.

Source: Computation, "Constraint model" (approximate inverse inertia).
"""

from __future__ import annotations

import math

import numpy as np

from kinetree.engine.compile.derived.flex_weights import EdgeWeights
from kinetree.engine.jit.uncompiled import Lists, ListState
from kinetree.engine.model import enums
from kinetree.engine.model.model import Model

MINVAL = 1e-15
SINGULAR = 1e-13
"""Relative size of a pivot below which the inertia counts as singular."""
BATCH = 1 << 20
"""Numbers of the inverse inertia that are gathered at a time."""


class Inverse:
    """The inverse of M, block by block: sets of dofs between which M has no entries.

    blocks    the dofs of each block, consecutive and ascending
    parts     the inverse of each block
    block_of  block of each dof
    singular  the first dof of each block whose inertia is singular
    """

    def __init__(self, model: Lists, m: list[float]):
        self.blocks = _blocks(model)
        self.singular: list[int] = []
        self.block_of = [b for b, dofs in enumerate(self.blocks) for _ in dofs]
        by_size: dict[int, list[int]] = {}
        for b, dofs in enumerate(self.blocks):
            by_size.setdefault(len(dofs), []).append(b)
        self.parts: list[np.ndarray] = [np.empty(0)] * len(self.blocks)
        for size, found in by_size.items():
            if size == 1:
                parts = [_number(m[model.M_rowadr[self.blocks[b][0]]]) for b in found]
            else:
                parts = _inverses(np.array([self._dense(model, m, self.blocks[b]) for b in found]))
            for b, (part, regular) in zip(found, parts, strict=True):
                self.parts[b] = part
                if not regular:
                    self.singular.append(self.blocks[b][0])
        self.singular.sort()

    def _dense(self, model: Lists, m: list[float], dofs: range) -> np.ndarray:
        """The block of M as a full matrix."""
        start, size = dofs[0], len(dofs)
        first = model.M_rowadr[start]
        last = model.M_rowadr[dofs[-1]] + model.M_rownnz[dofs[-1]]
        rows = np.repeat(np.arange(size), model.M_rownnz[start : dofs[-1] + 1])
        columns = np.array(model.M_colind[first:last]) - start
        dense = np.zeros((size, size))
        dense[rows, columns] = dense[columns, rows] = m[first:last]
        return dense

    def diagonal(self) -> list[float]:
        """The diagonal of the whole."""
        return [value for part in self.parts for value in part.diagonal().tolist()]

    def pieces(self, columns: list[int], values: list[float]):
        """A sparse row cut into its parts in each block: (inverse of the block, columns in it, values)."""
        found: dict[int, list[int]] = {}
        for k, column in enumerate(columns):
            found.setdefault(self.block_of[column], []).append(k)
        for b in sorted(found):
            start, at = self.blocks[b][0], found[b]
            yield self.parts[b], [columns[k] - start for k in at], [values[k] for k in at]


def _blocks(model: Lists) -> list[range]:
    """Kinematic trees, or all dofs where tendons couple them."""
    if any(model.tendon_armature):
        return [range(model.nv)]
    return [range(a, a + n) for a, n in zip(model.tree_dofadr, model.tree_dofnum, strict=True)]


def _number(m: float) -> tuple[np.ndarray, bool]:
    """The inverse of a block of one dof; see _inverse, whose steps these are."""
    if 1e-300 < m < math.inf:
        root = 1 / math.sqrt(m)
        return np.array([[root * root]]), True
    return _inverse(np.array([[m]]))


def _inverses(m: np.ndarray) -> list[tuple[np.ndarray, bool]]:
    """See _inverse; for many (k, n, n) of one size at a time."""
    if len(m) > 1:
        try:
            factor = np.linalg.cholesky(m)
            if (np.diagonal(factor, 0, 1, 2) ** 2 > SINGULAR * np.diagonal(m, 0, 1, 2)).all():
                inverse = np.linalg.inv(factor)
                return [(each, True) for each in inverse.transpose(0, 2, 1) @ inverse]
        except np.linalg.LinAlgError:
            pass
    return [_inverse(each) for each in m]


def _inverse(m: np.ndarray) -> tuple[np.ndarray, bool]:
    """(inverse, True) of a positive definite matrix; (what is nearest to it, False) of a singular one."""
    try:
        factor = np.linalg.cholesky(m)
        if (factor.diagonal() ** 2 > SINGULAR * m.diagonal()).all():
            inverse = np.linalg.inv(factor)
            return inverse.T @ inverse, True
    except np.linalg.LinAlgError:
        pass
    if not np.isfinite(m).all():  # the last check says where
        return np.full_like(m, np.nan), True
    return np.linalg.pinv(m), False


def chains(model: Lists) -> list[list[int]]:
    """For each body, the dofs that move it, ascending."""
    result: list[list[int]] = [[]]
    for i in range(1, model.nbody):
        before, number, first = result[model.body_parentid[i]], model.body_dofnum[i], model.body_dofadr[i]
        result.append([*before, *range(first, first + number)] if number else before)
    return result


def fill(model: Model, lists: Lists, state: ListState) -> list[int]:
    """Set every inverse weight; returns the first dof of each block whose inertia is singular.

    state: at the reference configuration, with M.
    """
    if not model.nv:
        return []
    inverse = Inverse(lists, state.M)
    chain = chains(lists)
    weights = _bodies(lists, state, chain, inverse)
    _tendons(model, lists, state, inverse)
    _actuators(model, state, inverse)
    diagonal = inverse.diagonal()
    for kind, a in zip(lists.jnt_type, lists.jnt_dofadr, strict=True):
        if kind in (enums.JNT_FREE, enums.JNT_BALL):
            for at in (a, a + 3) if kind == enums.JNT_FREE else (a,):
                x, y, z = diagonal[at : at + 3]
                diagonal[at : at + 3] = [(x + y + z) / 3] * 3
    for i, simple in enumerate(lists.body_simple):
        if simple == 2:  # only sliders: the mass, whatever their armature
            weight = 1 / max(MINVAL, lists.body_mass[i])
            weights[i] = weight, 0.0
            first, number = lists.body_dofadr[i], lists.body_dofnum[i]
            diagonal[first : first + number] = [weight] * number
    model.body_invweight0 = weights
    model.dof_invweight0 = diagonal
    if model.nflex:
        edges = EdgeWeights(model, state.arrays, [np.array(c, int) for c in chain], inverse.block_of)
        for b, dofs in enumerate(inverse.blocks):
            edges.add(b, inverse.parts[b], dofs[0])
        edges.finish()
    return inverse.singular


def _bodies(model: Lists, state: ListState, chain: list[list[int]], inverse: Inverse) -> list[tuple[float, float]]:
    """body_invweight0: the means of the diagonal of J M^-1 J' of each body's centre of mass, linear and angular."""
    result = [(0.0, 0.0)] * model.nbody
    cdof, xipos, com = list(state.cdof), list(state.xipos), list(state.subtree_com)
    by_length: dict[int, list[int]] = {}
    for i in range(1, model.nbody):
        if not model.body_weldid[i]:
            continue
        dofs = chain[i]
        if len(dofs) > 1:
            by_length.setdefault(len(dofs), []).append(i)
            continue
        a, b, c, d, e, f = cdof[dofs[0]]
        one, root = xipos[i], com[model.body_rootid[i]]
        x, y, z = one[0] - root[0], one[1] - root[1], one[2] - root[2]
        d, e, f = d + (b * z - c * y), e + (c * x - a * z), f + (a * y - b * x)
        part = inverse.parts[inverse.block_of[dofs[0]]]
        at = dofs[0] - inverse.blocks[inverse.block_of[dofs[0]]][0]
        w = part[at, at].item()
        result[i] = (d * w * d + e * w * e + f * w * f) / 3, (a * w * a + b * w * b + c * w * c) / 3
    if by_length:
        _many_bodies(model, state, chain, inverse, by_length, result)
    return result


def _many_bodies(
    model: Lists,
    state: ListState,
    chain: list[list[int]],
    inverse: Inverse,
    by_length: dict[int, list[int]],
    result: list[tuple[float, float]],
) -> None:
    """Do as _bodies for bodies with several dofs, all with the same number of dofs at a time."""
    cdof, xipos, com = state.arrays.cdof, state.arrays.xipos, state.arrays.subtree_com
    alone = len(inverse.blocks) == 1
    for length, bodies in by_length.items():
        for first in range(0, len(bodies), max(1, BATCH // length**2)):
            some = bodies[first : first + max(1, BATCH // length**2)]
            dofs = np.array([chain[i] for i in some])
            away = (xipos[some] - com[[model.body_rootid[i] for i in some]])[:, None]
            axis = cdof[dofs]
            turn = axis[:, :, :3]
            j = np.empty((len(some), 6, length))
            # the velocity of the centre of mass: linear, and what comes from turning
            crossed = turn[:, :, _NEXT] * away[:, :, _AFTER] - turn[:, :, _AFTER] * away[:, :, _NEXT]
            j[:, :3] = (axis[:, :, 3:] + crossed).transpose(0, 2, 1)
            j[:, 3:] = turn.transpose(0, 2, 1)
            if alone:
                part = inverse.parts[0][dofs[:, :, None], dofs[:, None, :]]
            else:
                part = np.empty((len(some), length, length))
                for k, i in enumerate(some):
                    block = inverse.block_of[chain[i][0]]
                    at = dofs[k] - inverse.blocks[block][0]
                    part[k] = inverse.parts[block][at[:, None], at]
            for i, (a, b, c, d, e, f) in zip(some, np.einsum("bij,bjk,bik->bi", j, part, j).tolist(), strict=True):
                result[i] = (a + b + c) / 3, (d + e + f) / 3


_NEXT, _AFTER = [1, 2, 0], [2, 0, 1]
"""Components of a cross product: those multiplied, c[i] = a[next] b[after] - a[after] b[next]."""


def _tendons(model: Model, lists: Lists, state: ListState, inverse: Inverse) -> None:
    """Set tendon_invweight0: j M^-1 j' with the gradient j of the length."""
    weights = []
    for adr, number in zip(lists.ten_J_rowadr, lists.ten_J_rownnz, strict=True):
        total = 0.0
        columns, values = lists.ten_J_colind[adr : adr + number], state.ten_J[adr : adr + number]
        for part, at, some in inverse.pieces(columns, values):
            j = np.array(some)
            total += (j @ part[np.ix_(at, at)] @ j).item()
        weights.append(total)
    if weights:
        model.tendon_invweight0 = weights


def _actuators(model: Model, state: ListState, inverse: Inverse) -> None:
    """Set actuator_acc0: the length of M^-1 j' with the moments j."""
    squares = []
    for i in range(model.nu):
        adr, number = state.moment_rowadr[i], state.moment_rownnz[i]
        total = 0.0
        columns, values = state.moment_colind[adr : adr + number], state.actuator_moment[adr : adr + number]
        for part, at, some in inverse.pieces(columns, values):
            v = part[:, at[0]] * some[0] if len(at) == 1 else part[:, at] @ np.array(some)
            total += v.dot(v).item()
        squares.append(math.sqrt(total))
    if squares:
        model.actuator_acc0 = squares
