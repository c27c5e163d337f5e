"""Least squares with linear equalities and inequalities, for small dense problems.

The equalities are solved by singular values, so that rows may depend on each other (a planar loop closed in space has
such rows). The inequalities are found by an active set on the dual problem, as in Lawson and Hanson, Solving Least
Squares Problems (1974), chapter 23.
"""

from __future__ import annotations

import numpy as np

RANK = 1e-7
"""Singular values below this part of the largest one count as 0."""
CLOSE = 1e-10
"""Violation of an inequality that does not count."""
DEPENDENT = 1e-12
"""Added to the diagonal of the dual problem, in its unit: rows that depend on each other."""


def minimize(
    hessian: np.ndarray,
    gradient: np.ndarray,
    equal: tuple[np.ndarray, np.ndarray],
    below: tuple[np.ndarray, np.ndarray],
) -> np.ndarray:
    """(n,) the x that makes x H x / 2 - g x least, where E x = e and A x <= a.

    hessian  (n, n), positive definite
    equal    E (m, n) and e (m,); where they contradict each other, the least squares solution counts
    below    A (k, n) and a (k,); where nothing satisfies them all, some stay violated
    """
    (rows, values), (sides, most) = equal, below
    particular, null = _solve(rows, values)
    if not null.shape[1]:
        return particular
    half = np.linalg.cholesky(null.T @ hessian @ null)
    free = np.linalg.solve(half, null.T @ (gradient - hessian @ particular))
    # in coordinates in which H is the identity: the point nearest to `free` where C y <= c
    sides_there = np.linalg.solve(half, null.T @ sides.T).T
    most_there = most - sides @ particular
    there = free - sides_there.T @ _multipliers(sides_there, sides_there @ free - most_there)
    return particular + null @ np.linalg.solve(half.T, there)


def _solve(rows: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(the shortest x with E x = e, a basis (n, .) of the null space of E)."""
    count = rows.shape[1]
    if not len(rows):
        return np.zeros(count), np.eye(count)
    left, sizes, right = np.linalg.svd(rows)
    rank = int(np.sum(sizes > RANK * max(float(sizes[0]), 1e-12))) if len(sizes) else 0
    particular = right[:rank].T @ ((left[:, :rank].T @ values) / sizes[:rank])
    return particular, right[rank:].T


def _multipliers(rows: np.ndarray, excess: np.ndarray) -> np.ndarray:
    """(k,) the multipliers >= 0 of C y <= c for the point y nearest to y0. `excess`: C y0 - c."""
    result = np.zeros(len(excess))
    if not len(excess) or excess.max() <= CLOSE:
        return result
    gram = rows @ rows.T
    excess = np.where(
        gram.diagonal() > RANK * float(gram.diagonal().max()), excess, -np.inf
    )  # nothing moves the others
    gram[np.diag_indices_from(gram)] += DEPENDENT * max(float(gram.diagonal().max()), 1e-12)
    active = np.zeros(len(excess), bool)
    for _ in range(3 * len(excess) + 10):
        left = np.where(active, -np.inf, excess - gram @ result)
        worst = int(np.argmax(left))
        if left[worst] <= CLOSE:
            break
        active[worst] = True
        while True:
            chosen = np.flatnonzero(active)
            wanted = np.linalg.solve(gram[np.ix_(chosen, chosen)], excess[chosen])
            if wanted.min() > 0.0:
                result[:] = 0.0
                result[chosen] = wanted
                break
            now = result[chosen]
            falling = wanted <= 0.0
            part = float(np.min(now[falling] / np.maximum(now[falling] - wanted[falling], 1e-300)))
            now = now + part * (wanted - now)
            now[falling & (now <= 1e-14)] = 0.0
            now[np.argmin(np.where(falling, now, np.inf))] = 0.0
            result[:] = 0.0
            result[chosen] = now
            active[chosen] = now > 0.0
            if not active.any():
                break
    return result
