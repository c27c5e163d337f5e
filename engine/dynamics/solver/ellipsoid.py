"""A quadratic function of two, three or five unknowns, minimised inside an ellipsoid: friction at a given normal
force.

    minimise 1/2 y'Ay + y'c    where sum (y_j / friction_j)^2 <= radius^2

Scaled by friction, the ellipsoid is a ball, and the minimum is y = -inverse(A + lambda I) c for the smallest
lambda >= 0 that keeps it inside. Newton's method finds lambda from below. Specification: Computation,
"Algorithms", PGS; rounds, tolerances and the answer to a singular matrix are the reference's.
"""

from __future__ import annotations

import math

from kinetree.engine.jit.kernel import kernel, small, view

ROUNDS = 20
TINY = 1e-10
SIZE = 25 + 25 + 2 * 5
"""Numbers of work space."""


@kernel
def _factor(n, matrix, shift, factor):
    """L D L' of the matrix plus shift on its diagonal: L below the diagonal, D on it. Whether it is regular."""
    product = 1.0
    for j in range(n):
        pivot = matrix[5 * j + j] + shift
        for k in range(j):
            pivot -= factor[5 * j + k] * factor[5 * j + k] * factor[5 * k + k]
        factor[5 * j + j] = pivot
        product *= pivot
        if n > 3 and pivot < TINY:
            return False
        for i in range(j + 1, n):
            value = matrix[5 * i + j]
            for k in range(j):
                value -= factor[5 * i + k] * factor[5 * j + k] * factor[5 * k + k]
            factor[5 * i + j] = value / pivot
    return n > 3 or product >= TINY


@kernel
def _solve(n, factor, x):
    """x <- the solution with the matrix that was factored."""
    for i in range(n):
        for k in range(i):
            x[i] -= factor[5 * i + k] * x[k]
    for i in range(n - 1, -1, -1):
        x[i] /= factor[5 * i + i]
        for k in range(i + 1, n):
            x[i] -= factor[5 * k + i] * x[k]


@small
def _minimise_two(a, c, friction, radius, y):
    """`minimise` for two unknowns."""
    c0, c1 = c[0] * friction[0], c[1] * friction[1]
    a00, a11 = a[0] * friction[0] * friction[0], a[6] * friction[1] * friction[1]
    a01 = a[1] * friction[0] * friction[1]
    shift = y0 = y1 = 0.0
    for _ in range(ROUNDS):
        p, q = a00 + shift, a11 + shift
        determinant = p * q - a01 * a01
        if determinant < TINY:
            y[0] = y[1] = 0.0
            return False
        inverse = 1.0 / determinant
        y0, y1 = (a01 * c1 - q * c0) * inverse, (a01 * c0 - p * c1) * inverse
        excess = y0 * y0 + y1 * y1 - radius * radius
        if excess < TINY:
            break
        slope = (q * y0 * y0 + p * y1 * y1 - 2.0 * a01 * y0 * y1) * inverse
        change = excess / (2.0 * slope)
        if change < TINY:
            break
        shift += change
    y[0], y[1] = y0 * friction[0], y1 * friction[1]
    return shift != 0.0


@kernel
def minimise(n, a, c, friction, radius, y, work):
    """y (n) <- the minimum; whether it lies on the surface of the ellipsoid.

    a: symmetric, rows of 5. work: SIZE numbers. A matrix that is singular to TINY gives y = 0: very heavy bodies lose
    their friction, as in the reference.
    """
    if n == 2:
        return _minimise_two(a, c, friction, radius, y)
    matrix, factor = view(work, 0, 25), view(work, 25, 25)
    scaled, step = view(work, 50, 5), view(work, 55, 5)
    for i in range(n):
        scaled[i] = -c[i] * friction[i]
        for k in range(n):
            matrix[5 * i + k] = a[5 * i + k] * friction[i] * friction[k]
    shift = 0.0
    for _ in range(ROUNDS):
        if not _factor(n, matrix, shift, factor):
            for i in range(n):
                y[i] = 0.0
            return False
        for i in range(n):
            y[i] = scaled[i]
        _solve(n, factor, y)
        excess = -radius * radius
        for i in range(n):
            excess += y[i] * y[i]
            step[i] = y[i]
        if excess < TINY:
            break
        _solve(n, factor, step)
        slope = 0.0
        for i in range(n):
            slope += y[i] * step[i]
        change = excess / (2.0 * slope)
        if change < TINY:
            break
        shift += change
    for i in range(n):
        y[i] *= friction[i]
    return shift != 0.0


@kernel
def to_surface(n, friction, radius, y):
    """Scale y so that it lies exactly on the ellipsoid."""
    square = 0.0
    for i in range(n):
        square += (y[i] / friction[i]) * (y[i] / friction[i])
    scale = radius / math.sqrt(square)
    for i in range(n):
        y[i] *= scale
