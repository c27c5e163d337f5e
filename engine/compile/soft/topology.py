"""Topology of a flex: edges, outer faces, layers and neighbours of its elements.

Source: XML reference, "flex": contact/internal (pairs of a vertex and an element), contact/activelayers (layers).
Local edges and faces are in the order of mjModel.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.geometry.unique_rows import distinct

EDGES = {
    1: ((0, 1),),
    2: ((1, 2), (2, 0), (0, 1)),
    3: ((0, 1), (1, 2), (2, 0), (2, 3), (0, 3), (1, 3)),
}
"""Edges of an element of each dimension, by the places of their vertices in it."""
FACES = {
    1: ((0,), (1,)),
    2: ((0, 1), (1, 2), (2, 0)),
    3: ((0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)),
}
"""Sides of an element, each seen from outside counter-clockwise."""
OPPOSITE = {1: (1, 0), 2: (2, 0, 1), 3: (3, 2, 1, 0)}
"""The vertex that each side leaves out."""


def edges(element: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(edges, edges of each element) of elements (n, dim + 1).

    Edges (m, 2) have the lower vertex first and are in the order in which the elements name them.
    """
    dim = element.shape[1] - 1
    local = np.array(EDGES[dim])
    every = np.sort(element[:, local].reshape(-1, 2), axis=1)
    first, inverse = distinct(every)
    return every[first], inverse.reshape(len(element), len(local))


class ElementSides:
    """The sides of all elements, those of the same vertices one after another.

    shell    (m, dim) sides that only one element has, by their vertices' numbers
    pairs    (k, 2) an element, and the vertex of a neighbour across a side that it lacks itself, where one of the
             two elements is on the outside
    layers   (n,) for solids, how many steps over common sides lead to an element with a side outside; else 0
    """

    def __init__(self, element: np.ndarray):
        count, dim = len(element), element.shape[1] - 1
        local = np.array(FACES[dim])
        sides = element[:, local].reshape(-1, dim)
        owner = np.repeat(np.arange(count), len(local))
        left_out = element[:, np.array(OPPOSITE[dim])].ravel()
        key = np.sort(sides, axis=1)
        order = np.lexsort(key.T[::-1])
        key, sides, owner, left_out = key[order], sides[order], owner[order], left_out[order]
        same = (key[1:] == key[:-1]).all(1)
        alone = np.ones(len(key), bool)
        alone[1:] &= ~same
        alone[:-1] &= ~same
        self.shell = sides[alone]
        self.pairs = np.zeros((0, 2), np.int64)
        self.layers = np.zeros(count, np.int64)
        outer = np.zeros(count, bool)
        outer[owner[alone]] = True
        if dim == 3:
            at = np.flatnonzero(same)
            self.layers = _layers(np.stack([owner[at], owner[at + 1]], axis=1), outer)
            return
        at = np.flatnonzero(same & (outer[owner[1:]] | outer[owner[:-1]]))
        pairs = np.empty((len(at), 2, 2), np.int64)
        pairs[:, 0, 0], pairs[:, 0, 1] = owner[at + 1], left_out[at]
        pairs[:, 1, 0], pairs[:, 1, 1] = owner[at], left_out[at + 1]
        pairs = pairs.reshape(-1, 2)
        inside = (element[pairs[:, 0]] == pairs[:, 1, None]).any(1)
        self.pairs = pairs[~inside]


def _layers(neighbours: np.ndarray, outer: np.ndarray) -> np.ndarray:
    """Steps from the elements in the mask `outer`; `neighbours` (k, 2)."""
    layer = np.where(outer, 0, -1)
    one, two = np.concatenate([neighbours, neighbours[:, ::-1]]).T
    depth = 0
    while True:
        next_ = np.unique(two[layer[one] == depth])
        next_ = next_[layer[next_] < 0]
        if not len(next_):
            break
        depth += 1
        layer[next_] = depth
    return layer


def flaps(element: np.ndarray, element_edges: np.ndarray, nedge: int) -> tuple[np.ndarray, np.ndarray]:
    """(flaps, turned) of triangles (n, 3).

    flaps    (nedge, 2) the vertices of the two triangles at each edge that are not on it, -1 where there is none
    turned   (nedge,) whether the first of them runs along the edge from its higher to its lower vertex
    """
    result = np.full((nedge, 2), -1)
    flat = element_edges.ravel()
    order = np.argsort(flat, kind="stable")
    edge, vertex = flat[order], element.ravel()[order]  # edge k of a triangle is the one without vertex k
    start = np.ones(len(edge), bool)
    start[1:] = edge[1:] != edge[:-1]
    rank = np.arange(len(edge)) - np.maximum.accumulate(np.where(start, np.arange(len(edge)), 0))
    result[edge[start], 0] = vertex[start]
    more = np.flatnonzero(rank >= 1)
    result[edge[more], 1] = vertex[more]  # where more than two triangles meet, the last counts
    local = np.array(EDGES[2])
    down = (element[:, local[:, 0]] > element[:, local[:, 1]]).ravel()[order]
    turned = np.zeros(nedge, bool)
    turned[edge[start]] = down[start]
    return result, turned
