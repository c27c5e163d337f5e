"""The length of a step along the search direction of a primal solver.

The cost along the line is phi(alpha) = smooth1 alpha + 1/2 smooth2 alpha^2 + the cost of the rows, up to a constant:
smooth1 and smooth2 come from the motion (Gauss) part, p'M(a - qacc_smooth) and p'Mp for the direction p.

The search is MuJoCo's, so that models which allow few iterations or few evaluations move as they do there: Newton's
method from one side until the derivative changes its sign, then a bracket that Newton's points and the midpoint narrow.
Its points are tuples (alpha, phi, phi', phi'').
"""

from __future__ import annotations

from kinetree.engine.dynamics.solver.cost import add_group_line, line_of_rows
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MINVAL

# The relative rounding of a cost. A smaller difference does not tell which of two points costs less: close to
# convergence a Newton step gains less than that, and is taken all the same.
COST_ERROR = 1e-14


@small
def point(alpha, smooth1, smooth2, cost, slope, curve):
    """A point of the line, from the cost of the rows there and its derivatives."""
    curve += smooth2
    value = cost + alpha * (smooth1 + 0.5 * alpha * smooth2)
    return alpha, value, slope + smooth1 + alpha * smooth2, curve if curve > 0.0 else MINVAL


@small
def newton_step(p):
    """Where Newton's method expects the derivative to vanish."""
    return p[0] - p[2] / p[3]


@kernel
def line_of_islands(model, data, first, end, alpha):
    """`line_of_rows` for a range of islands."""
    if first == 0 and end == data.nisland:
        return line_of_rows(model, data, alpha)
    cost = slope = curve = 0.0
    for k in range(data.isl_grpadr[first], data.isl_grpadr[end - 1] + data.isl_grpnum[end - 1]):
        cost, slope, curve = add_group_line(data, data.isl_grp[k], alpha, cost, slope, curve)
    return cost, slope, curve


@kernel
def evaluate(model, data, first, end, smooth1, smooth2, alpha):
    """The point at alpha, over a range of islands."""
    cost, slope, curve = line_of_islands(model, data, first, end, alpha)
    return point(alpha, smooth1, smooth2, cost, slope, curve)


@small
def _is_nearer(p, end):
    """Whether the derivative at p has the sign of that at an end of the bracket, and is smaller."""
    return end[2] < p[2] < 0.0 or 0.0 < p[2] < end[2]


@kernel
def line_search(model, data, first, end, smooth1, smooth2, least, p0, p1):
    """(alpha, derivative there, number of evaluations).

    p0, p1: the points at 0 and at the end of Newton's step from there. least: a smaller derivative counts as zero.
    """
    most = model.opt_ls_iterations
    n = 2
    if p0[1] < p1[1] - COST_ERROR * abs(p0[1]):
        p1 = p0
    if abs(p1[2]) < least:
        return p1[0], p1[2], n
    sign = 1.0 if p1[2] < 0.0 else -1.0
    p2 = p1
    moved = False
    while sign * p1[2] <= -least and n < most:
        p2 = p1
        p1 = evaluate(model, data, first, end, smooth1, smooth2, newton_step(p1))
        n += 1
        moved = True
        if abs(p1[2]) < least:
            return p1[0], p1[2], n
    if n >= most or not moved:
        return p1[0], p1[2], n
    # The minimum lies between p1 and p2. Each end has a Newton point, next1 and next2.
    next2 = p1
    next1 = evaluate(model, data, first, end, smooth1, smooth2, newton_step(p1))
    n += 1
    while n < most:
        middle = evaluate(model, data, first, end, smooth1, smooth2, 0.5 * (p1[0] + p2[0]))
        n += 1
        best = middle
        found = False
        for candidate in (next1, next2, middle):
            if abs(candidate[2]) < least and (not found or candidate[1] < best[1]):
                best = candidate
                found = True
        if found:
            return best[0], best[2], n
        moved1 = moved2 = False
        for candidate in (next1, next2, middle):
            if _is_nearer(candidate, p1):
                p1 = candidate
                moved1 = True
            if _is_nearer(candidate, p2):
                p2 = candidate
                moved2 = True
        if moved1:
            next1 = evaluate(model, data, first, end, smooth1, smooth2, newton_step(p1))
            n += 1
        if moved2:
            next2 = evaluate(model, data, first, end, smooth1, smooth2, newton_step(p2))
            n += 1
        if not moved1 and not moved2:
            return middle[0], middle[2], n
    if p1[1] <= p2[1] and p1[1] < p0[1]:
        return p1[0], p1[2], n
    if p2[1] <= p1[1] and p2[1] < p0[1]:
        return p2[0], p2[2], n
    return 0.0, p0[2], n
