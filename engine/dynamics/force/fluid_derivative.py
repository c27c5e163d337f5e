"""Derivatives of the forces of a medium by joint velocities, added to data.qDeriv and data.qDeriv_upper.

For each body or geom that takes a force (engine/dynamics/force/fluid.py) the derivative of the local torque and force
by the local angular and linear velocity is a 6x6 matrix B; with J, the local velocity that each dof gives, J' B J is
added. The derivative is exact, small bodies aside (see _add_lift). As in the reference, B of an ellipsoid is made
symmetric for implicitfast.
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.force.fluid import (
    box_areas,
    cross_sections,
    has_ellipsoids,
    inertia_box,
    largest_area,
    local_velocity,
    magnus_factor,
    momenta,
    projections,
    semiaxes,
    shown_area,
    spin_shares,
    takes_part,
)
from kinetree.engine.dynamics.position.jacobian import arm_of, dof_velocity, last_dof
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MINVAL, load3, load6, load9, mulmatT3, norm3, store6
from kinetree.engine.model import enums

TORQUE, FORCE = 0, 3
BY_W, BY_V = 0, 3


@kernel
def _add_cross(matrix, row, column, a, scale):
    """Add scale [a]x, the matrix of b -> a x b, to a block."""
    matrix[row, column + 1] -= scale * a[2]
    matrix[row, column + 2] += scale * a[1]
    matrix[row + 1, column] += scale * a[2]
    matrix[row + 1, column + 2] -= scale * a[0]
    matrix[row + 2, column] -= scale * a[1]
    matrix[row + 2, column + 1] += scale * a[0]


@kernel
def _add_carried(matrix, row, column, a, share):
    """Subtract [a]x diag(share) from a block: the derivative of (share b) x a by b."""
    matrix[row, column + 1] += share[1] * a[2]
    matrix[row, column + 2] -= share[2] * a[1]
    matrix[row + 1, column] -= share[0] * a[2]
    matrix[row + 1, column + 2] += share[2] * a[0]
    matrix[row + 2, column] += share[0] * a[1]
    matrix[row + 2, column + 1] -= share[1] * a[0]


@kernel
def _add_outer(matrix, row, column, a, b, scale):
    """Add scale a b' to a block."""
    for i in range(3):
        for k in range(3):
            matrix[row + i, column + k] += scale * a[i] * b[k]


@small
def _clear(matrix):
    for i in range(6):
        store6(matrix, i, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))


@kernel
def box_derivative(model, body, w, v, matrix):
    """B of the inertia box: diagonal."""
    _clear(matrix)
    side = inertia_box(model, body)
    mean = (side[0] + side[1] + side[2]) / 3.0
    stick = math.pi * mean * model.opt_viscosity
    area, turned = box_areas(side)
    density = model.opt_density
    for k in range(3):
        matrix[k, k] = -stick * mean * mean - 2.0 * density * turned[k] * abs(w[k])
        matrix[3 + k, 3 + k] = -3.0 * stick - 2.0 * density * area[k] * abs(v[k])


@kernel
def ellipsoid_derivative(model, g, w, v, matrix):
    """B of the ellipsoid of a geom."""
    _clear(matrix)
    fluid, density = model.geom_fluid, model.opt_density
    s = semiaxes(model, g)
    linear, angular = momenta(model, g, w, v)
    mass = (density * fluid[g, 6], density * fluid[g, 7], density * fluid[g, 8])
    inertia = (density * fluid[g, 9], density * fluid[g, 10], density * fluid[g, 11])
    _add_cross(matrix, FORCE, BY_W, linear, 1.0)  # linear x w
    _add_carried(matrix, FORCE, BY_V, w, mass)
    _add_cross(matrix, TORQUE, BY_V, linear, 1.0)  # linear x v
    _add_carried(matrix, TORQUE, BY_V, v, mass)
    _add_cross(matrix, TORQUE, BY_W, angular, 1.0)  # angular x w
    _add_carried(matrix, TORQUE, BY_W, w, inertia)
    magnus = magnus_factor(model, g, s)  # times w x v
    _add_cross(matrix, FORCE, BY_W, v, -magnus)
    _add_cross(matrix, FORCE, BY_V, w, magnus)
    diameter = 2.0 / 3.0 * (s[0] + s[1] + s[2])
    stick = math.pi * diameter * model.opt_viscosity
    share = spin_shares(model, g, s)
    weighted = (share[0] * w[0], share[1] * w[1], share[2] * w[2])
    spin = norm3(weighted)
    for k in range(3):
        matrix[k, k] -= stick * diameter * diameter + density * spin
        matrix[3 + k, 3 + k] -= 3.0 * stick
    slope = (share[0] * weighted[0], share[1] * weighted[1], share[2] * weighted[2])
    _add_outer(matrix, TORQUE, BY_W, w, slope, -density / max(MINVAL, spin))
    _add_lift(model, g, s, v, matrix)
    _add_drag(model, g, s, v, matrix)


@small
def _shares(section, square, j):
    """Sum over k of (section_j - section_k) v_k^2."""
    return (
        (section[j] - section[0]) * square[0] + (section[j] - section[1]) * square[1]
        + (section[j] - section[2]) * square[2]
    )  # fmt: skip


@kernel
def _add_lift(model, g, s, v, matrix):
    """Lift has the components -c q v_i sum_k (section_i - section_k) v_k^2, with c = C / sqrt(p q |v|^2).

    The smallest values of denominators are those of the reference, and not those of the force: of bodies of some
    centimetres and less, or slow ones, this is not the derivative of the force.
    """
    section = cross_sections(s)
    p, q = projections(section, v)
    square = (v[0] * v[0], v[1] * v[1], v[2] * v[2])
    speed2 = square[0] + square[1] + square[2]
    factor = math.pi * model.geom_fluid[g, 4] * model.opt_density / max(MINVAL, math.sqrt(p * q * speed2))
    by_p, by_speed = q / max(MINVAL, p), q / max(MINVAL, speed2)
    for i in range(3):
        pull = _shares(section, square, i)
        matrix[3 + i, 3 + i] -= factor * q * pull
        for j in range(3):
            inner = section[j] * section[j] * by_p - section[j] + by_speed
            slope = 2.0 * q * (section[j] - section[i]) + pull * inner
            matrix[3 + i, 3 + j] += factor * v[i] * v[j] * slope


@kernel
def _add_drag(model, g, s, v, matrix):
    """Drag is -density |v| rough v; rough depends on the area shown to the flow."""
    fluid, density = model.geom_fluid, model.opt_density
    section = cross_sections(s)
    p, q = projections(section, v)
    square = (v[0] * v[0], v[1] * v[1], v[2] * v[2])
    area, speed = shown_area(p, q), norm3(v)
    blunt = fluid[g, 1] - fluid[g, 2]
    rough = density * (fluid[g, 2] * largest_area(s) + blunt * area)
    _add_outer(matrix, FORCE, BY_V, v, v, -rough / max(MINVAL, speed))
    factor = density * speed * blunt * math.pi / max(MINVAL, math.sqrt(q * q * q * p))
    weighted = (section[0] * square[0], section[1] * square[1], section[2] * square[2])
    slope = (
        section[0] * v[0] * _shares(section, weighted, 0),
        section[1] * v[1] * _shares(section, weighted, 1),
        section[2] * v[2] * _shares(section, weighted, 2),
    )
    _add_outer(matrix, FORCE, BY_V, v, slope, -factor)
    for k in range(3):
        matrix[3 + k, 3 + k] -= rough * speed


@kernel
def _symmetrise(matrix):
    for i in range(6):
        for k in range(i):
            mean = 0.5 * (matrix[i, k] + matrix[k, i])
            matrix[i, k] = mean
            matrix[k, i] = mean


@small
def _row(matrix, i, x):
    """Row i of the matrix times x."""
    return (
        matrix[i, 0] * x[0] + matrix[i, 1] * x[1] + matrix[i, 2] * x[2]
        + matrix[i, 3] * x[3] + matrix[i, 4] * x[4] + matrix[i, 5] * x[5]
    )  # fmt: skip


@kernel
def _add(model, data, body, point, axes, matrix):
    """Add J' B J to the derivatives, where J is the local velocity of a point of a body.

    implicitfast, like the reference, keeps only the diagonal of dofs whose part of M is diagonal.
    """
    full = model.opt_integrator == enums.INT_IMPLICIT
    arm = arm_of(model, data, body, point)
    last = last_dof(model, body)
    j = last
    while j >= 0:
        angular, linear = dof_velocity(data, j, arm)
        w, v = mulmatT3(axes, angular), mulmatT3(axes, linear)
        store6(data.fluid_jac, j, (w[0], w[1], w[2], v[0], v[1], v[2]))
        j = model.dof_parentid[j]
    j = last
    while j >= 0:
        x = load6(data.fluid_jac, j)
        push = (
            _row(matrix, 0, x), _row(matrix, 1, x), _row(matrix, 2, x),
            _row(matrix, 3, x), _row(matrix, 4, x), _row(matrix, 5, x),
        )  # fmt: skip
        i = last
        while i >= 0:  # force of dof i by velocity of dof j
            y = load6(data.fluid_jac, i)
            value = y[0] * push[0] + y[1] * push[1] + y[2] * push[2] + y[3] * push[3] + y[4] * push[4] + y[5] * push[5]
            below, above = max(i, j), min(i, j)
            if below == above or full or model.dof_simplenum[below] == 0:
                at = model.M_rowadr[below] + model.M_rownnz[above] - 1
                if i >= j:
                    data.qDeriv[at] += value
                if i <= j:
                    data.qDeriv_upper[at] += value
            i = model.dof_parentid[i]
        j = model.dof_parentid[j]


@kernel
def fluid_derivative(model, data):
    """Add the derivatives of the forces of the medium to qDeriv and qDeriv_upper."""
    if model.opt_disableflags & enums.DSBL_PASSIVE:
        return
    matrix = data.fluid_deriv
    for body in range(1, model.nbody):
        if not takes_part(model, body) or last_dof(model, body) < 0:
            continue
        if has_ellipsoids(model, body):
            for g in range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body]):
                if model.geom_fluid[g, 0] > 0.0:
                    point, axes = load3(data.geom_xpos, g), load9(data.geom_xmat, g)
                    w, v = local_velocity(model, data, body, point, axes)
                    ellipsoid_derivative(model, g, w, v, matrix)
                    if model.opt_integrator != enums.INT_IMPLICIT:
                        _symmetrise(matrix)
                    _add(model, data, body, point, axes, matrix)
        else:
            point, axes = load3(data.xipos, body), load9(data.ximat, body)
            w, v = local_velocity(model, data, body, point, axes)
            box_derivative(model, body, w, v, matrix)
            _add(model, data, body, point, axes, matrix)
