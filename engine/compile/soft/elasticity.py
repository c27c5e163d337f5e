"""Elastic constants of a flex, computed from its rest shape.

solid, sheet   Saint Venant-Kirchhoff's energy of linear elements as a quadratic form in the changes of squared edge
               lengths, with the reference's factors: lambda tr(E)^2 + mu tr(E^2) where E is twice the strain (of a
               sheet, the strain). Source: Weischedel, Tuganov, Hermansson, Linn, Wardetzky, "Construction of discrete
               shell models by geometric finite differences" (2012).
bending        Energy of bending as a quadratic form in the vertices around an edge. Source: Wardetzky, Bergou,
               Harmon, Zorin, Grinspun, "Discrete quadratic curvature energies" (2007), section 4.
cell           Stiffness of a box whose eight corners move it by trilinear interpolation: linear elasticity integrated
               with two Gauss points along each direction. Source: any text on finite elements.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from kinetree.engine.compile.soft.topology import EDGES

_PAIRS = {dim: [(i, j) for i in range(dim) for j in range(i, dim)] for dim in (2, 3)}


def lame(young: float, poisson: float) -> tuple[float, float]:
    """Lame's parameters (lambda, mu) of an isotropic material, in Pa for Young's modulus in Pa."""
    return young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))


def _metric(points: np.ndarray, content: np.ndarray, dim: int, young: float, poisson: float) -> np.ndarray:
    """(n, 21) upper triangles of the quadratic forms; `points` (n, dim + 1, dim) of each element.

    NaN for flat elements.
    """
    edge = np.array(EDGES[dim])
    d = points[:, edge[:, 1]] - points[:, edge[:, 0]]
    pairs = _PAIRS[dim]
    # T_e: the symmetric matrices with d_f' T_e d_f = 1 for f = e and 0 for the other edges
    system = np.stack([d[..., i] * d[..., j] * (1 if i == j else 2) for i, j in pairs], axis=-1)
    flat = ~(np.abs(content) > 0) | ~(np.linalg.det(system) != 0)
    system[flat] = np.eye(len(edge))
    solved = np.linalg.inv(system)
    solved[flat] = np.nan
    tensors = np.empty((len(points), len(edge), dim, dim))
    for k, (i, j) in enumerate(pairs):
        tensors[:, :, i, j] = tensors[:, :, j, i] = solved[:, k]
    trace = np.einsum("neii->ne", tensors)
    lam, mu = lame(young, poisson)
    form = lam * np.einsum("ne,nf->nef", trace, trace) + mu * np.einsum("neij,nfij->nef", tensors, tensors)
    form *= content[:, None, None]
    rows, columns = np.triu_indices(len(edge))
    result = np.zeros((len(points), 21))
    result[:, : len(rows)] = form[:, rows, columns]
    return result


def solid(points: np.ndarray, young: float, poisson: float) -> np.ndarray:
    """(n, 21) stiffness of tetrahedra (n, 4, 3)."""
    volume = np.abs(np.linalg.det(points[:, 1:] - points[:, :1])) / 6
    return _metric(points, volume, 3, young, poisson)


def sheet(points: np.ndarray, young: float, poisson: float, thickness: float) -> np.ndarray:
    """(n, 21) stiffness of triangles (n, 3, 3), the first six of each row in use."""
    a, b = points[:, 1] - points[:, 0], points[:, 2] - points[:, 0]
    length = np.linalg.norm(a, axis=1)
    along = np.einsum("ni,ni->n", a, b) / length
    height = np.linalg.norm(np.cross(a, b), axis=1) / length
    plane = np.zeros((len(points), 3, 2))
    plane[:, 1, 0], plane[:, 2, 0], plane[:, 2, 1] = length, along, height
    return _metric(plane, length * height / 2 * thickness / 4, 2, young, poisson)


def bending(
    points: np.ndarray, edge: np.ndarray, flap: np.ndarray, young: float, poisson: float, thickness: float
) -> np.ndarray:
    """(nedge, 16) forms over the edge's vertices and those of its flaps; zero where a flap is missing."""
    result = np.zeros((len(edge), 16))
    inner = (flap >= 0).all(1)
    a, b = points[edge[inner, 0]], points[edge[inner, 1]]
    c, d = points[flap[inner, 0]], points[flap[inner, 1]]
    twice = 0.0
    weights = np.zeros((len(a), 4))
    for k, tip in ((2, c), (3, d)):
        area = np.linalg.norm(np.cross(b - a, tip - a), axis=1)
        at_a = np.einsum("ni,ni->n", b - a, tip - a) / area
        at_b = np.einsum("ni,ni->n", a - b, tip - b) / area
        weights[:, 0] += at_b
        weights[:, 1] += at_a
        weights[:, k] = -at_a - at_b
        twice = twice + area
    mu = lame(young, poisson)[1]
    factor = mu * thickness**3 / (4 * twice)
    result[inner] = (factor[:, None, None] * weights[:, :, None] * weights[:, None, :]).reshape(-1, 16)
    return result


CORNERS = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
"""Corners of a box, the last coordinate fastest: the order of a trilinear flex's nodes."""


def cell(nodes: np.ndarray, young: float, poisson: float) -> np.ndarray:
    """(24, 24) stiffness of the box spanned by eight nodes (8, 3), as forces: negative semidefinite.

    As in the reference, shear counts half and only the diagonal of the box's Jacobian: right for boxes along the
    global axes.
    """
    lam, mu = lame(young, poisson)
    stiffness = np.zeros((8, 3, 8, 3))
    sides = np.array([nodes[4, 0] - nodes[0, 0], nodes[2, 1] - nodes[0, 1], nodes[1, 2] - nodes[0, 2]])
    slopes = np.where(CORNERS == 1, 1.0, -1.0) / sides
    for place in itertools.product((0.5 - 0.5 / math.sqrt(3), 0.5 + 0.5 / math.sqrt(3)), repeat=3):
        factors = np.where(CORNERS == 1, place, 1 - np.array(place))
        slope = slopes * factors[:, [1, 2, 0]] * factors[:, [2, 0, 1]]
        stiffness -= (sides.prod() / 8) * (
            lam * np.einsum("ai,bj->aibj", slope, slope)
            + mu / 2 * np.einsum("aj,bi->aibj", slope, slope)
            + mu / 2 * np.einsum("ak,bk,ij->aibj", slope, slope, np.eye(3))
        )
    return stiffness.reshape(24, 24)
