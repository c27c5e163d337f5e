"""Forces of a medium (density, viscosity, wind) on moving bodies: data.qfrc_fluid.

Two models. A body with a geom of fluidshape "ellipsoid" takes the sum over its geoms of that kind, each as an
ellipsoid; any other body is a box with its mass and principal moments. Everything is computed in the frame of the
geom or of the body's inertia, from its velocity relative to the medium: w angular, v linear.

Specification: Computation, "Passive forces" (fluid forces), and Modeling, "Fluid forces". Added mass: Lamb,
Hydrodynamics, chapter 6. As in the reference only the terms of the added mass without acceleration count.
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.position.jacobian import apply_force, point_velocity
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MINVAL, add3, cross3, load3, load9, mulmat3, mulmatT3, norm3, scale3, sub3
from kinetree.engine.model import enums


@small
def takes_part(model, body):
    """Whether the medium acts on a body: massless ones move through it freely."""
    return model.body_mass[body] >= MINVAL


@small
def has_ellipsoids(model, body):
    """Whether a body has a geom with the ellipsoid model."""
    found = False
    for g in range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body]):
        if model.geom_fluid[g, 0] > 0.0:
            found = True
    return found


@small
def local_velocity(model, data, body, point, axes):
    """(angular, linear) velocity of a point of a body relative to the medium, in the axes given."""
    angular, linear = point_velocity(model, data, body, point)
    wind = (model.opt_wind[0], model.opt_wind[1], model.opt_wind[2])
    return mulmatT3(axes, angular), mulmatT3(axes, sub3(linear, wind))


# ---- a box with the body's inertia ----------------------------------------------------------------------------------


@small
def inertia_box(model, body):
    """Full side lengths of the box that has the body's mass and principal moments."""
    a, b, c = model.body_inertia[body, 0], model.body_inertia[body, 1], model.body_inertia[body, 2]
    scale = 6.0 / model.body_mass[body]
    return (
        math.sqrt(max(MINVAL, b + c - a) * scale),
        math.sqrt(max(MINVAL, c + a - b) * scale),
        math.sqrt(max(MINVAL, a + b - c) * scale),
    )


@small
def box_areas(side):
    """Areas that resist motion along the axes, and what stands for them in rotation about the axes, over 64."""
    x, y, z = side
    x4, y4, z4 = x * x * x * x, y * y * y * y, z * z * z * z
    turned = (x * (y4 + z4) / 64.0, y * (z4 + x4) / 64.0, z * (x4 + y4) / 64.0)
    return (0.5 * y * z, 0.5 * z * x, 0.5 * x * y), turned


@small
def square_drag(share, v):
    """share |v| v, componentwise"""
    return share[0] * abs(v[0]) * v[0], share[1] * abs(v[1]) * v[1], share[2] * abs(v[2]) * v[2]


@small
def _box_forces(model, body, w, v):
    """(torque, force) on the inertia box."""
    side = inertia_box(model, body)
    mean = (side[0] + side[1] + side[2]) / 3.0
    stick = math.pi * mean * model.opt_viscosity
    area, turned = box_areas(side)
    density = model.opt_density
    torque = add3(scale3(w, stick * mean * mean), scale3(square_drag(turned, w), density))
    force = add3(scale3(v, 3.0 * stick), scale3(square_drag(area, v), density))
    return scale3(torque, -1.0), scale3(force, -1.0)


# ---- ellipsoids -----------------------------------------------------------------------------------------------------


@small
def semiaxes(model, g):
    """Half axes of the ellipsoid that stands for a geom."""
    a, b, c = load3(model.geom_size, g)
    kind = model.geom_type[g]
    if kind == enums.GEOM_SPHERE:
        return a, a, a
    if kind == enums.GEOM_CAPSULE:
        return a, a, a + b
    if kind == enums.GEOM_CYLINDER:
        return a, a, b
    return a, b, c


@small
def cross_sections(s):
    """Squares of the products of the other two half axes."""
    return (s[1] * s[2]) ** 2, (s[2] * s[0]) ** 2, (s[0] * s[1]) ** 2


@small
def projections(section, v):
    """(P, Q): sums of the squared velocities, weighted with the squared sections and with the sections; the area that
    the ellipsoid shows to the flow is pi sqrt(P / Q).
    """
    p, q = 0.0, 0.0
    for k in range(3):
        square = section[k] * v[k] * v[k]
        q += square
        p += section[k] * square
    return p, q


@small
def shown_area(p, q):
    return math.pi * math.sqrt(p / max(MINVAL, q))


@small
def largest_area(s):
    largest = max(s[0], s[1], s[2])
    middle = s[0] + s[1] + s[2] - largest - min(s[0], s[1], s[2])
    return math.pi * largest * middle


@small
def spin_shares(model, g, s):
    """Weights of the components of w in the drag that is quadratic in it."""
    largest = max(s[0], s[1], s[2])
    middle = s[0] + s[1] + s[2] - largest - min(s[0], s[1], s[2])
    most = middle * largest**4
    angular, slender = model.geom_fluid[g, 3], model.geom_fluid[g, 2]
    own = (s[0] * max(s[1], s[2]) ** 4, s[1] * max(s[2], s[0]) ** 4, s[2] * max(s[0], s[1]) ** 4)
    scale = 8.0 / 15.0 * math.pi
    return (
        scale * (angular * own[0] + slender * (most - own[0])),
        scale * (angular * own[1] + slender * (most - own[1])),
        scale * (angular * own[2] + slender * (most - own[2])),
    )


@small
def momenta(model, g, w, v):
    """(linear, angular) momentum of the medium that the ellipsoid carries along."""
    fluid, density = model.geom_fluid, model.opt_density
    return (
        (density * fluid[g, 6] * v[0], density * fluid[g, 7] * v[1], density * fluid[g, 8] * v[2]),
        (density * fluid[g, 9] * w[0], density * fluid[g, 10] * w[1], density * fluid[g, 11] * w[2]),
    )


@small
def magnus_factor(model, g, s):
    return model.geom_fluid[g, 5] * model.opt_density * (4.0 / 3.0 * math.pi * s[0] * s[1] * s[2])


@kernel
def _ellipsoid_forces(model, g, w, v):
    """(torque, force) on the ellipsoid of a geom."""
    fluid, density = model.geom_fluid, model.opt_density
    s = semiaxes(model, g)
    linear, angular = momenta(model, g, w, v)
    force = cross3(linear, w)
    torque = add3(cross3(linear, v), cross3(angular, w))
    force = add3(force, scale3(cross3(w, v), magnus_factor(model, g, s)))
    # lift by circulation (Kutta)
    section = cross_sections(s)
    p, q = projections(section, v)
    area, speed = shown_area(p, q), norm3(v)
    cosine = q / max(MINVAL, speed * p)
    normal = (section[0] * v[0], section[1] * v[1], section[2] * v[2])
    circulation = scale3(cross3(normal, v), fluid[g, 4] * density * cosine * area)
    force = add3(force, cross3(circulation, v))
    # drag
    diameter = 2.0 / 3.0 * (s[0] + s[1] + s[2])
    stick = math.pi * diameter * model.opt_viscosity
    rough = area * fluid[g, 1] + fluid[g, 2] * (largest_area(s) - area)
    force = sub3(force, scale3(v, 3.0 * stick + density * speed * rough))
    share = spin_shares(model, g, s)
    spin = norm3((share[0] * w[0], share[1] * w[1], share[2] * w[2]))
    torque = sub3(torque, scale3(w, stick * diameter * diameter + density * spin))
    return torque, force


# ---- both -----------------------------------------------------------------------------------------------------------


@kernel
def _push(model, data, body, point, axes, torque, force):
    apply_force(model, data, body, point, mulmat3(axes, force), mulmat3(axes, torque), data.qfrc_fluid)


@kernel
def fluid(model, data):
    """qfrc_fluid, and its part of qfrc_passive."""
    for i in range(model.nv):
        data.qfrc_fluid[i] = 0.0
    if model.opt_disableflags & enums.DSBL_PASSIVE:
        return
    for body in range(1, model.nbody):
        if not takes_part(model, body):
            continue
        if has_ellipsoids(model, body):
            for g in range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body]):
                if model.geom_fluid[g, 0] > 0.0:
                    point, axes = load3(data.geom_xpos, g), load9(data.geom_xmat, g)
                    w, v = local_velocity(model, data, body, point, axes)
                    torque, force = _ellipsoid_forces(model, g, w, v)
                    _push(model, data, body, point, axes, torque, force)
        else:
            point, axes = load3(data.xipos, body), load9(data.ximat, body)
            w, v = local_velocity(model, data, body, point, axes)
            torque, force = _box_forces(model, body, w, v)
            _push(model, data, body, point, axes, torque, force)
    for i in range(model.nv):
        data.qfrc_passive[i] += data.qfrc_fluid[i]
