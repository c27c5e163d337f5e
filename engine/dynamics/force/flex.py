"""Forces of flexes: springs and dampers of edges, elasticity of surfaces and solids.

The energy of an element is a quadratic form in the elongations of its edges, differences of squared lengths
(model.flex_stiffness; Weischedel 2012, "A discrete geometric view on shear-deformable shell models"; Saint
Venant-Kirchhoff material). That of bending is one in the four vertices around an edge (model.flex_bending; Wardetzky
et al. 2007, "Discrete quadratic curvature energies"). An interpolated flex is one corotated cell with eight nodes
(Mueller et al. 2016, "A robust method to extract the rotational part of deformations"). What the specification leaves
open was found by comparing with mujoco 3.3.4.
"""

from __future__ import annotations

from kinetree.engine.dynamics.position.flex import has_edges, node_position, uses_edges
from kinetree.engine.dynamics.position.jacobian import arm_of, last_dof, point_velocity
from kinetree.engine.jit.kernel import kernel, small, view
from kinetree.engine.jit.vec import (
    MINVAL,
    add3,
    addscale3,
    axisangle,
    cross3,
    dot3,
    load3,
    load6,
    mulmat3,
    mulmatT3,
    mulquat,
    norm3,
    normalize3,
    quat2mat,
    scale3,
    store3,
    sub3,
)
from kinetree.engine.model import enums

POSITION, DISPLACEMENT, VELOCITY, FORCE = 0, 1, 2, 3
"""Rows of data.flexcell."""
ROUNDS = 500
"""Most iterations of the search for a cell's rotation."""
SMALL_TURN = 1e-9
"""It ends with a turn below this, rad."""
ROUNDING = 2.0**-51
"""Error of a position relative to its size: four units in the last place."""


@kernel
def flex_velocity(model, data):
    """Stage: flexedge_velocity."""
    for f in range(model.nflex):
        if not has_edges(model, f) or not uses_edges(model, f):
            continue
        for e in range(model.flex_edgeadr[f], model.flex_edgeadr[f] + model.flex_edgenum[f]):
            value = 0.0
            for k in range(model.flexedge_J_rowadr[e], model.flexedge_J_rowadr[e] + model.flexedge_J_rownnz[e]):
                value += data.flexedge_J[k] * data.qvel[model.flexedge_J_colind[k]]
            data.flexedge_velocity[e] = value


@kernel
def flex_passive(model, data):
    """Stage: add the forces of flexes to qfrc_spring, qfrc_damper and qfrc_passive.

    The damping of elastic elements counts among the springs, as in the reference.
    """
    if model.opt_disableflags & enums.DSBL_PASSIVE:
        return
    for f in range(model.nflex):
        if model.flex_rigid[f]:
            continue
        stretches = model.flex_stiffness[model.flex_elemadr[f], 0] != 0.0
        if model.flex_interp[f] != 0:
            if stretches:
                _cell(model, data, f)
            continue
        if model.flex_dim[f] == 2:
            _bending(model, data, f)
        if stretches and model.flex_dim[f] > 1:
            _stretch(model, data, f)
        if model.flex_edgestiffness[f] != 0.0 or model.flex_edgedamping[f] != 0.0:
            _edges(model, data, f)


@small
def _add_spring(data, dof, force):
    data.qfrc_spring[dof] += force
    data.qfrc_passive[dof] += force


@kernel
def _edges(model, data, f):
    """Springs and dampers along the edges."""
    stiffness, damping = model.flex_edgestiffness[f], model.flex_edgedamping[f]
    for e in range(model.flex_edgeadr[f], model.flex_edgeadr[f] + model.flex_edgenum[f]):
        if model.flexedge_rigid[e]:
            continue
        force = stiffness * (model.flexedge_length0[e] - data.flexedge_length[e])
        drag = -damping * data.flexedge_velocity[e]
        for k in range(model.flexedge_J_rowadr[e], model.flexedge_J_rowadr[e] + model.flexedge_J_rownnz[e]):
            dof, j = model.flexedge_J_colind[k], data.flexedge_J[k]
            data.qfrc_damper[dof] += j * drag
            data.qfrc_passive[dof] += j * drag
            _add_spring(data, dof, j * force)


@kernel
def _bending(model, data, f):
    """Bending about the inner edges of a surface, straight onto the dofs of the vertices' bodies."""
    first = model.flex_vertadr[f]
    for e in range(model.flex_edgeadr[f], model.flex_edgeadr[f] + model.flex_edgenum[f]):
        if model.flex_edgeflap[e, 0] < 0 or model.flex_edgeflap[e, 1] < 0:
            continue
        a, b = first + model.flex_edge[e, 0], first + model.flex_edge[e, 1]
        c, d = first + model.flex_edgeflap[e, 0], first + model.flex_edgeflap[e, 1]
        origin = load3(data.flexvert_xpos, a)
        way2 = sub3(load3(data.flexvert_xpos, b), origin)
        way3 = sub3(load3(data.flexvert_xpos, c), origin)
        way4 = sub3(load3(data.flexvert_xpos, d), origin)
        rounding = ROUNDING * (
            abs(origin[0]) + abs(origin[1]) + abs(origin[2]) + norm3(way2) + norm3(way3) + norm3(way4)
        )
        _bend(model, data, a, way2, way3, way4, rounding, e, 0)
        _bend(model, data, b, way2, way3, way4, rounding, e, 4)
        _bend(model, data, c, way2, way3, way4, rounding, e, 8)
        _bend(model, data, d, way2, way3, way4, rounding, e, 12)


@small
def _bend(model, data, vertex, way2, way3, way4, rounding, e, row):
    """The force on a vertex from the bending of an edge: a row of its form, from column `row` of flex_bending on.

    A row sums to zero, so that it takes the ways from the first vertex to the others. What is within the rounding of
    positions counts as none: a flat flex at rest has no force.
    """
    form = model.flex_bending
    k2, k3, k4 = form[e, row + 1], form[e, row + 2], form[e, row + 3]
    none = rounding * (abs(k2) + abs(k3) + abs(k4))
    dof = model.body_dofadr[model.flex_vertbodyid[vertex]]
    for k in range(3):
        force = k2 * way2[k] + k3 * way3[k] + k4 * way4[k]
        if not abs(force) <= none:  # also where it is no number
            _add_spring(data, dof + k, -force)


@small
def _elongation(model, data, e, rate):
    """Change of the squared length of an edge, and `rate` times its change within a time step, m^2.

    Differences of squares as products, so that they are zero at rest.
    """
    length, rest = data.flexedge_length[e], model.flexedge_length0[e]
    before = length - model.opt_timestep * data.flexedge_velocity[e]
    return (length - rest) * (length + rest) + rate * ((length - before) * (length + before))


@kernel
def _stretch(model, data, f):
    """Elasticity of triangles and tetrahedra."""
    first, number = model.flex_vertadr[f], model.flex_vertnum[f]
    rate = model.flex_damping[f] / model.opt_timestep
    for v in range(first, first + number):
        store3(data.flexvert_force, v, (0.0, 0.0, 0.0))
    for element in range(model.flex_elemnum[f]):
        if model.flex_dim[f] == 2:
            _triangle(model, data, f, element, rate)
        else:
            _tetrahedron(model, data, f, element, rate)
    for v in range(first, first + number):
        _apply(model, data, model.flex_vertbodyid[v], load3(data.flexvert_xpos, v), load3(data.flexvert_force, v))


@small
def _push(data, vertex, force):
    store3(data.flexvert_force, vertex, add3(load3(data.flexvert_force, vertex), force))


@small
def _triangle(model, data, f, element, rate):
    """Add the forces of a triangle to flexvert_force. Its edges lie across from its corners."""
    first, start = model.flex_vertadr[f], model.flex_edgeadr[f]
    corner = view(model.flex_elem, model.flex_elemdataadr[f] + 3 * element, 3)
    edge = view(model.flex_elemedge, model.flex_elemedgeadr[f] + 3 * element, 3)
    form, at = model.flex_stiffness, model.flex_elemadr[f] + element
    v0, v1, v2 = first + corner[0], first + corner[1], first + corner[2]
    d0 = _elongation(model, data, start + edge[0], rate)
    d1 = _elongation(model, data, start + edge[1], rate)
    d2 = _elongation(model, data, start + edge[2], rate)
    t0 = form[at, 0] * d0 + form[at, 1] * d1 + form[at, 2] * d2
    t1 = form[at, 1] * d0 + form[at, 3] * d1 + form[at, 4] * d2
    t2 = form[at, 2] * d0 + form[at, 4] * d1 + form[at, 5] * d2
    x0, x1, x2 = load3(data.flexvert_xpos, v0), load3(data.flexvert_xpos, v1), load3(data.flexvert_xpos, v2)
    f0, f1, f2 = scale3(sub3(x2, x1), t0), scale3(sub3(x0, x2), t1), scale3(sub3(x1, x0), t2)
    _push(data, v0, sub3(f2, f1))
    _push(data, v1, sub3(f0, f2))
    _push(data, v2, sub3(f1, f0))


@small
def _tetrahedron(model, data, f, element, rate):
    """Add the forces of a tetrahedron to flexvert_force. Its edges: 01, 12, 20, 23, 03, 13."""
    first, start = model.flex_vertadr[f], model.flex_edgeadr[f]
    corner = view(model.flex_elem, model.flex_elemdataadr[f] + 4 * element, 4)
    edge = view(model.flex_elemedge, model.flex_elemedgeadr[f] + 6 * element, 6)
    k, at = model.flex_stiffness, model.flex_elemadr[f] + element
    v0, v1, v2, v3 = first + corner[0], first + corner[1], first + corner[2], first + corner[3]
    d0 = _elongation(model, data, start + edge[0], rate)
    d1 = _elongation(model, data, start + edge[1], rate)
    d2 = _elongation(model, data, start + edge[2], rate)
    d3 = _elongation(model, data, start + edge[3], rate)
    d4 = _elongation(model, data, start + edge[4], rate)
    d5 = _elongation(model, data, start + edge[5], rate)
    t0 = k[at, 0] * d0 + k[at, 1] * d1 + k[at, 2] * d2 + k[at, 3] * d3 + k[at, 4] * d4 + k[at, 5] * d5
    t1 = k[at, 1] * d0 + k[at, 6] * d1 + k[at, 7] * d2 + k[at, 8] * d3 + k[at, 9] * d4 + k[at, 10] * d5
    t2 = k[at, 2] * d0 + k[at, 7] * d1 + k[at, 11] * d2 + k[at, 12] * d3 + k[at, 13] * d4 + k[at, 14] * d5
    t3 = k[at, 3] * d0 + k[at, 8] * d1 + k[at, 12] * d2 + k[at, 15] * d3 + k[at, 16] * d4 + k[at, 17] * d5
    t4 = k[at, 4] * d0 + k[at, 9] * d1 + k[at, 13] * d2 + k[at, 16] * d3 + k[at, 18] * d4 + k[at, 19] * d5
    t5 = k[at, 5] * d0 + k[at, 10] * d1 + k[at, 14] * d2 + k[at, 17] * d3 + k[at, 19] * d4 + k[at, 20] * d5
    x0, x1 = load3(data.flexvert_xpos, v0), load3(data.flexvert_xpos, v1)
    x2, x3 = load3(data.flexvert_xpos, v2), load3(data.flexvert_xpos, v3)
    f01, f12, f20 = scale3(sub3(x1, x0), t0), scale3(sub3(x2, x1), t1), scale3(sub3(x0, x2), t2)
    f23, f03, f13 = scale3(sub3(x3, x2), t3), scale3(sub3(x3, x0), t4), scale3(sub3(x3, x1), t5)
    _push(data, v0, add3(sub3(f01, f20), f03))
    _push(data, v1, add3(sub3(f12, f01), f13))
    _push(data, v2, add3(sub3(f20, f12), f23))
    _push(data, v3, scale3(add3(add3(f23, f03), f13), -1.0))


@kernel
def _apply(model, data, body, point, force):
    """Add a force at a point of a body to the springs.

    As in the reference straight onto the dofs of a body that can only slide, whatever their directions.
    """
    if model.body_simple[body] == 2:
        for k in range(min(3, model.body_dofnum[body])):
            _add_spring(data, model.body_dofadr[body] + k, force[k])
        return
    torque = cross3(arm_of(model, data, body, point), force)
    dof = last_dof(model, body)
    while dof >= 0:
        s = load6(data.cdof, dof)
        _add_spring(data, dof, dot3((s[0], s[1], s[2]), torque) + dot3((s[3], s[4], s[5]), force))
        dof = model.dof_parentid[dof]


# ---- interpolated flexes -----------------------------------------------------------------------------------------


@small
def _slope(corner, axis):
    """Derivative of a corner's trilinear weight by a coordinate at the centre of the unit cell."""
    return 0.25 if corner & (4 >> axis) else -0.25


@kernel
def _cell(model, data, f):
    """Elasticity and damping of an interpolated flex: linear elasticity in axes that turn with it."""
    cell, first = data.flexcell, model.flex_nodeadr[f]
    mean = middle = (0.0, 0.0, 0.0)  # of the nodes now, and at rest
    for n in range(8):
        pos = node_position(model, data, f, first + n)
        _put(cell, POSITION, n, pos)
        mean = addscale3(mean, pos, 0.125)
        middle = addscale3(middle, load3(model.flex_node0, first + n), 0.125)
    rotation = _rotation(cell, mean)
    for n in range(8):
        body = model.flex_nodebodyid[first + n]
        pos = sub3(_get(cell, POSITION, n), mean)
        rest = sub3(load3(model.flex_node0, first + n), middle)
        moved = sub3(mulmatT3(rotation, pos), rest)
        none = ROUNDING * (norm3(mean) + norm3(middle) + norm3(rest))
        _put(cell, DISPLACEMENT, n, (_above(moved[0], none), _above(moved[1], none), _above(moved[2], none)))
        if model.flex_centered[f] and model.body_dofnum[body] >= 3:
            dof = model.body_dofadr[body]
            velocity = (data.qvel[dof], data.qvel[dof + 1], data.qvel[dof + 2])
        else:
            velocity = point_velocity(model, data, body, _get(cell, POSITION, n))[1]
        _put(cell, VELOCITY, n, mulmatT3(rotation, velocity))
    _spread(model, data, f, rotation, DISPLACEMENT, 1.0, False)
    if model.flex_damping[f] > 0.0:
        _spread(model, data, f, rotation, VELOCITY, model.flex_damping[f], True)


@small
def _above(x, none):
    """A displacement; 0 within the rounding of positions, so that a cell at rest has no force."""
    return 0.0 if abs(x) <= none else x


@small
def _get(cell, row, n):
    return cell[row, 3 * n], cell[row, 3 * n + 1], cell[row, 3 * n + 2]


@small
def _put(cell, row, n, v):
    cell[row, 3 * n] = v[0]
    cell[row, 3 * n + 1] = v[1]
    cell[row, 3 * n + 2] = v[2]


@kernel
def _rotation(cell, mean):
    """The rotation of the deformed cell, a matrix by rows: that which brings the deformation at the centre nearest to a
    symmetric one.
    """
    gx = gy = gz = (0.0, 0.0, 0.0)  # columns of the deformation gradient
    for n in range(8):
        pos = sub3(_get(cell, POSITION, n), mean)
        gx = addscale3(gx, pos, _slope(n, 0))
        gy = addscale3(gy, pos, _slope(n, 1))
        gz = addscale3(gz, pos, _slope(n, 2))
    quat = (1.0, 0.0, 0.0, 0.0)
    r = quat2mat(quat)
    for _ in range(ROUNDS):
        rx, ry, rz = (r[0], r[3], r[6]), (r[1], r[4], r[7]), (r[2], r[5], r[8])
        turn = add3(add3(cross3(rx, gx), cross3(ry, gy)), cross3(rz, gz))
        axis, angle = normalize3(scale3(turn, 1.0 / (abs(dot3(rx, gx) + dot3(ry, gy) + dot3(rz, gz)) + MINVAL)))
        if angle < SMALL_TURN:
            break
        quat = mulquat(axisangle(axis, angle), quat)
        r = quat2mat(quat)
    return r


@kernel
def _spread(model, data, f, rotation, row, scale, damps):
    """Apply the cell's stiffness times a row of data.flexcell to the bodies of the nodes."""
    cell, first = data.flexcell, model.flex_nodeadr[f]
    start = model.flex_elemadr[f]
    for i in range(24):
        total = 0.0
        for j in range(24):
            at = 24 * i + j
            total += model.flex_stiffness[start + at // 21, at % 21] * cell[row, j]
        cell[FORCE, i] = scale * total
    for n in range(8):
        body = model.flex_nodebodyid[first + n]
        force = mulmat3(rotation, _get(cell, FORCE, n))
        if model.flex_centered[f] and model.body_dofnum[body] >= 3:
            for k in range(3):
                _add(data, damps, model.body_dofadr[body] + k, force[k])
            continue
        torque = cross3(arm_of(model, data, body, _get(cell, POSITION, n)), force)
        dof = last_dof(model, body)
        while dof >= 0:
            s = load6(data.cdof, dof)
            _add(data, damps, dof, dot3((s[0], s[1], s[2]), torque) + dot3((s[3], s[4], s[5]), force))
            dof = model.dof_parentid[dof]


@small
def _add(data, damps, dof, force):
    if damps:
        data.qfrc_damper[dof] += force
        data.qfrc_passive[dof] += force
    else:
        _add_spring(data, dof, force)
