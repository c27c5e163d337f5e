"""Trees of boxes around the elements of a flex, by which collision detection finds the elements in a place.

A tree is binary with one element in each leaf; elements of a solid below its active layers are left out. The boxes
themselves move, and are data. The tree decides the order of contacts of a flex with itself, so it is the
reference's: a node's elements are split in two halves along the longest side of their box at the initial pose.
"""

from __future__ import annotations

import numpy as np

EQUAL = 1e-14
"""Sides of a box whose lengths differ by less are equally long, m."""


def nodes(elements: int) -> int:
    """The number of nodes of a tree with this many elements."""
    return max(0, 2 * elements - 1)


def tree(low: np.ndarray, high: np.ndarray, active: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(children (k, 2), element (k,)) of the nodes, each before the nodes below it; -1 for none.

    low, high   (n, 3) corners of the boxes around all elements
    active      elements that take part, ascending

    A node of m elements has 2 m - 1 nodes below and with it, so that the place of each is known beforehand.
    """
    count = len(active)
    child = np.full((nodes(count), 2), -1)
    element = np.full(len(child), -1)
    if not count:
        return child, element
    centre = 0.5 * (low + high)
    order, node, start = active.copy(), np.zeros(1, np.int64), np.zeros(1, np.int64)
    number = np.array([count])
    while len(node):
        leaf = number == 1
        element[node[leaf]] = order[start[leaf]]
        node, start, number = node[~leaf], start[~leaf], number[~leaf]
        if not len(node):
            break
        owner = np.repeat(np.arange(len(node)), number)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(number) - number, number) + np.repeat(start, number)
        first = np.cumsum(number) - number
        inside = order[place]
        side = np.maximum.reduceat(high[inside], first) - np.minimum.reduceat(low[inside], first)
        axis = np.zeros(len(node), np.int64)
        for k in (1, 2):
            axis = np.where(side[:, k] > side[np.arange(len(node)), axis] + EQUAL, k, axis)
        order[place] = inside[np.lexsort((inside, centre[inside, axis[owner]], owner))]
        half = number // 2
        left, right = node + 1, node + 2 * half
        child[node] = np.stack([left, right], 1)
        node = np.concatenate([left, right])
        start, number = np.concatenate([start, start + half]), np.concatenate([half, number - half])
    return child, element
