"""Contact sensors (MPEX; MuJoCo 3.3.4 has none): which contacts there are between two sides, and their forces.

A side is a geom, a body or a subtree; instead of two sides, a sensor may name a site, in whose volume the positions of
its contacts are. Counted are the contacts that act: those nearer than margin minus gap. A sensor has `num` slots of
the numbers that `data` lists; slots without a contact are zero. `reduce` says which contacts fill them:

    none      the first ones, in the order of data.contact
    mindist   the nearest first
    maxforce  those with the greatest force first
    netforce  one slot: the sum of all

    found     the number of all contacts of the sensor, also where there are fewer slots (1 number)
    force     along normal, tangent, and the third axis, which is their cross product (3)
    torque    likewise (3)
    dist      distance of the surfaces, negative in penetration (1)
    pos       position, global (3)
    normal    from the first side to the second, global; of a site's contacts from geom 1 to geom 2 (3)
    tangent   first tangent, global (3)

The force is that on the second side. The sum of all has the axes of the world (normal x, tangent y), the mean position
weighted by the forces, the torque about it, and the least distance.

Source: Motphys MJCF reference, sensor/contact. Where it is silent, the rules are those of MuJoCo's later contact
sensor. The Motphys reference ignores sensors with a site; here they work as its list of attributes says.
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.constraint.post_constraint import contact_force
from kinetree.engine.dynamics.position.contact_side import side_body
from kinetree.engine.dynamics.sensor.values import cut_off, put3
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MINVAL, add3, addscale3, cross3, load3, load9, mulmatT3, norm3, scale3, sub3
from kinetree.engine.model import enums

MINDIST, MAXFORCE, NETFORCE = 1, 2, 3  # mpex_sensor_reduce
FOUND, FORCE, TORQUE, DIST, POS, NORMAL, TANGENT = range(7)  # mpex_sensor_data
ZERO = (0.0, 0.0, 0.0)


@kernel
def contact_sensor(model, data):
    """Stage: values of all contact sensors."""
    if model.opt_disableflags & enums.DSBL_SENSOR:
        return
    for i in range(model.nsensor):
        if model.sensor_type[i] != enums.SENS_CONTACT:
            continue
        adr, dim = model.sensor_adr[i], model.sensor_dim[i]
        for k in range(adr, adr + dim):
            data.sensordata[k] = 0.0
        found = 0
        for c in range(data.ncon):
            found += matches(model, data, i, c) != 0
        if found == 0:
            continue
        if model.mpex_sensor_reduce[i] == NETFORCE:
            _write_sum(model, data, i, found)
        else:
            slots = min(found, model.mpex_sensor_num[i])
            key, last = -math.inf, -1
            for k in range(slots):
                key, last = _next(model, data, i, key, last)
                _write(model, data, i, last, adr + k * (dim // model.mpex_sensor_num[i]), found)
        cut_off(model, data, i)


@kernel
def matches(model, data, i, c):
    """0: contact c is none of sensor i; 1: it is; -1: it is, with the sides exchanged."""
    if not data.contact_dist[c] < data.contact_includemargin[c]:
        return 0
    if model.sensor_objtype[i] == enums.OBJ_SITE:
        return 1 if in_site(model, data, model.sensor_objid[i], load3(data.contact_pos, c)) else 0
    if _is_side(model, data, i, 0, c, 0) and _is_side(model, data, i, 1, c, 1):
        return 1
    return -1 if _is_side(model, data, i, 0, c, 1) and _is_side(model, data, i, 1, c, 0) else 0


@small
def _is_side(model, data, i, which, c, side):
    """Whether a side of contact c is the first (which = 0) or second side of sensor i."""
    kind = model.sensor_objtype[i] if which == 0 else model.sensor_reftype[i]
    wanted = model.sensor_objid[i] if which == 0 else model.sensor_refid[i]
    if kind == enums.OBJ_GEOM:
        return data.contact_geom[c, side] == wanted
    body = side_body(model, data, c, side)
    if kind == enums.OBJ_XBODY:  # a subtree
        while body > wanted:
            body = model.body_parentid[body]
    return body == wanted


@kernel
def in_site(model, data, site, point):
    """Whether a global point is in the volume of a site."""
    p = mulmatT3(load9(data.site_xmat, site), sub3(point, load3(data.site_xpos, site)))
    kind = model.site_type[site]
    a, b, c = load3(model.site_size, site)
    if kind == enums.GEOM_SPHERE:
        return norm3(p) <= a
    if kind == enums.GEOM_BOX:
        return abs(p[0]) <= a and abs(p[1]) <= b and abs(p[2]) <= c
    if kind == enums.GEOM_CAPSULE:
        return norm3((p[0], p[1], max(0.0, abs(p[2]) - b))) <= a
    if kind == enums.GEOM_CYLINDER:
        return abs(p[2]) <= b and p[0] * p[0] + p[1] * p[1] <= a * a
    return norm3((p[0] / a, p[1] / b, p[2] / c)) <= 1.0  # an ellipsoid


@kernel
def _next(model, data, i, key, last):
    """(key, contact) of the contact that follows, ordered by key and then by number."""
    reduce = model.mpex_sensor_reduce[i]
    best, found = math.inf, -1
    for c in range(data.ncon):
        if matches(model, data, i, c) == 0:
            continue
        value = 0.0
        if reduce == MINDIST:
            value = data.contact_dist[c]
        elif reduce == MAXFORCE:
            value = -norm3(contact_force(data, c)[0])
        if (value > key or (value == key and c > last)) and (value < best or found < 0):
            best, found = value, c
    return best, found


@kernel
def _write(model, data, i, c, adr, found):
    """The values of contact c, from sensordata[adr] on."""
    force, torque = contact_force(data, c)
    frame = load9(data.contact_frame, c)
    normal, tangent = (frame[0], frame[1], frame[2]), (frame[3], frame[4], frame[5])
    if matches(model, data, i, c) < 0:  # seen from the other side; the third axis stays
        normal, tangent = scale3(normal, -1.0), scale3(tangent, -1.0)
        force, torque = (force[0], force[1], -force[2]), (torque[0], torque[1], -torque[2])
    _write_slot(
        model, data, i, adr, found, force, torque, data.contact_dist[c], load3(data.contact_pos, c), normal, tangent
    )


@kernel
def _write_slot(model, data, i, adr, found, force, torque, dist, pos, normal, tangent):
    """Write the listed values of a contact, in the order of the sensor."""
    for k in range(model.mpex_sensor_data.shape[1]):
        what = model.mpex_sensor_data[i, k]
        if what < 0:
            return
        if what == FOUND or what == DIST:
            data.sensordata[adr] = found if what == FOUND else dist
            adr += 1
            continue
        value = force
        if what == TORQUE:
            value = torque
        elif what == POS:
            value = pos
        elif what == NORMAL:
            value = normal
        elif what == TANGENT:
            value = tangent
        put3(data, adr, value)
        adr += 3


@kernel
def _write_sum(model, data, i, found):
    """The one slot of a sensor that sums its contacts up."""
    weight, centre, force, torque, least = 0.0, ZERO, ZERO, ZERO, math.inf
    for sweep in range(2):
        for c in range(data.ncon):
            side = matches(model, data, i, c)
            if side == 0:
                continue
            local_force, local_torque = contact_force(data, c)
            pos = load3(data.contact_pos, c)
            if sweep == 0:
                size = max(MINVAL, norm3(local_force))
                weight += size
                centre = addscale3(centre, pos, size)
                least = min(least, data.contact_dist[c])
                continue
            frame = load9(data.contact_frame, c)
            push = scale3(mulmatT3(frame, local_force), float(side))
            force = add3(force, push)
            torque = add3(torque, scale3(mulmatT3(frame, local_torque), float(side)))
            torque = add3(torque, cross3(sub3(pos, centre), push))
        if sweep == 0:
            centre = scale3(centre, 1.0 / weight)
    adr = model.sensor_adr[i]
    _write_slot(model, data, i, adr, found, force, torque, least, centre, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
