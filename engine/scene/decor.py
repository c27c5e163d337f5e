"""Decor: everything in the scene that is not a geom or a site.

Joints, actuators, centres of mass, inertia boxes, contacts and their forces, cameras and lights, frames, tendons,
equality constraints, the selection's spring; and the labels, whose texts the window draws. Sizes are in units of
`stat.meansize`, times the factors of `visual/scale`; colours come from `visual/rgba`, as in MuJoCo.
"""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

import numpy as np

from engine.scene import scene as S
from engine.scene.options import Frame, Label, group_shown
from engine.scene.scene import Kind, Shape, linear, shape_number

OBJ_BODY, OBJ_JOINT, OBJ_CAMERA, OBJ_LIGHT = 1, 3, 7, 8
OBJ_EQUALITY, OBJ_TENDON, OBJ_ACTUATOR, OBJ_SENSOR = 17, 18, 19, 20
FREE, BALL, SLIDE, HINGE = range(4)
TRN_JOINT, TRN_JOINTINPARENT, TRN_SLIDERCRANK, TRN_TENDON, TRN_SITE, TRN_BODY = range(6)
EQ_CONNECT, EQ_WELD = 0, 1
SENS_RANGEFINDER = 7
PYRAMIDAL = 0
PULLEY = -2
DENSITY = 1000.0  # of the boxes drawn with "Scale Inertia"
ARROW = 0.5  # length of a drawn arrow, of the length that the settings give (as in MuJoCo)
IDENTITY = np.eye(3)
AXIS_COLORS = np.array([[0.9, 0.0, 0.0, 1.0], [0.0, 0.9, 0.0, 1.0], [0.0, 0.0, 0.9, 1.0]])


def frame_along(direction) -> np.ndarray:
    """(3, 3) rotation whose z column is `direction` (any length but zero)."""
    z = np.asarray(direction, float)
    z = z / max(np.sqrt(z @ z), 1e-15)
    helper = np.array([0.0, 0.0, 1.0]) if abs(z[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    x = np.cross(helper, z)
    x /= np.sqrt(x @ x)
    return np.stack([x, np.cross(z, x), z], axis=1)


class Collector:
    """Rows of decor, gathered one by one and turned into instance rows at the end."""

    def __init__(self):
        self._rows: list[tuple] = []

    @property
    def count(self) -> int:
        """Number of rows gathered."""
        return len(self._rows)

    def add(self, kind, pos, mat, size, rgba, half=0.0, obj=(-1, -1), emission=0.0, solid=False) -> None:
        """One shape: rotation `mat` (3, 3), `size` (3,), encoded `rgba`; `half`: a capsule's half length; `solid`: it
        casts and receives shadows."""
        if rgba[3] > 0:
            self._rows.append((int(kind), pos, mat, size, rgba, half, obj, emission, solid))

    def capsule(self, start, end, radius, rgba, obj=(-1, -1), emission=0.0, solid=False) -> None:
        """A capsule between two points."""
        start, end = np.asarray(start, float), np.asarray(end, float)
        along = end - start
        length = sqrt(along @ along)
        mat = frame_along(along) if length > 1e-12 else IDENTITY
        self.add(
            Shape.CAPSULE, 0.5 * (start + end), mat, (radius,) * 3, rgba, 0.5 * length, obj, emission, solid
        )

    def arrow(self, start, vector, width, rgba, obj=(-1, -1), double=False, emission=0.0) -> None:
        """An arrow from `start` along `vector`: a shaft of radius `width` and a head."""
        start, vector = np.asarray(start, float), np.asarray(vector, float)
        length = sqrt(vector @ vector)
        if length < 1e-12:
            return
        mat = frame_along(vector)
        z = mat[:, 2]
        head = min(4.0 * width, (0.4 if double else 0.6) * length)
        bottom = head if double else 0.0
        shaft = max(length - head - bottom, 0.0)
        self.add(
            Shape.CYLINDER,
            start + z * (bottom + 0.5 * shaft),
            mat,
            (width, width, 0.5 * shaft),
            rgba,
            0.0,
            obj,
            emission,
        )
        tip = (1.8 * width, 1.8 * width, 0.5 * head)
        self.add(Shape.CONE, start + z * (length - 0.5 * head), mat, tip, rgba, 0.0, obj, emission)
        if double:
            flipped = mat * np.array([1.0, -1.0, -1.0])
            self.add(Shape.CONE, start + z * (0.5 * head), flipped, tip, rgba, 0.0, obj, emission)

    def frame(self, pos, mat, length, width, obj=(-1, -1)) -> None:
        """Three axes, red x, green y, blue z."""
        mat = np.asarray(mat, float).reshape(3, 3)
        for axis in range(3):
            z = mat[:, axis]
            self.add(
                Shape.CYLINDER,
                np.asarray(pos) + 0.5 * length * z,
                frame_along(z),
                (width, width, 0.5 * length),
                AXIS_COLORS[axis],
                0.0,
                obj,
            )

    def rows(self) -> np.ndarray:
        """(count, NFIELD) float32."""
        n = len(self._rows)
        rows = np.zeros((n, S.NFIELD), np.float32)
        if not n:
            return rows
        _, pos, mat, size, rgba, half, _, emission, _ = zip(*self._rows)
        rows[:, S.POS : S.POS + 3] = pos
        rows[:, S.ROW0 : S.ROW2 + 4].reshape(n, 3, 4)[:, :, :3] = mat
        rows[:, S.SIZE] = size
        colors = np.asarray(rgba, float)
        rows[:, S.COLOR : S.COLOR + 3] = linear(colors[:, :3])
        rows[:, S.COLOR + 3] = colors[:, 3]
        rows[:, S.SURFACE] = emission
        rows[:, S.SURFACE + 1], rows[:, S.SURFACE + 2] = 0.3, 0.03
        rows[:, S.CAPSULE_HALF] = half
        return rows

    def segments(self) -> np.ndarray:
        """(count, 2) int32: object type and id."""
        return np.array([row[6] for row in self._rows], np.int32).reshape(-1, 2)

    def keys(self) -> np.ndarray:
        """(count,) int64 batch keys."""
        shape = np.array([shape_number(row[0]) for row in self._rows], np.int64)
        kind = np.array([0 if row[8] else int(Kind.DECOR) for row in self._rows], np.int64)
        return (kind << 50) | (shape << 1)

    def reach(self) -> np.ndarray:
        """(n, 3) points around everything that casts shadows."""
        solid = [row for row in self._rows if row[8]]
        if not solid:
            return np.zeros((0, 3))
        ends = np.array([np.asarray(row[2])[:, 2] * (row[5] + row[3][0]) for row in solid])
        centre = np.array([row[1] for row in solid])
        return np.concatenate([centre - ends, centre + ends])

    def radii(self) -> np.ndarray:
        """(count,) bounding radii."""
        return np.array([sqrt(r[3][0] ** 2 + r[3][1] ** 2 + r[3][2] ** 2) + r[5] for r in self._rows], float)

    def lods(self) -> np.ndarray:
        """(count,) whether the shape has levels of detail."""
        return np.array([row[0] not in (Shape.BOX, Shape.LINES_BOX) for row in self._rows], bool)


def _rgba(model, name: str) -> np.ndarray:
    return np.asarray(getattr(model.vis.rgba, name), float)


def collect(model, state, options, perturb, view) -> Collector:
    """Everything that the options ask for."""
    out = Collector()
    mean = float(model.stat.meansize)
    scale = model.vis.scale
    if options.inertia:
        _inertia(out, model, state, options, perturb)
    if options.tendon and model.ntendon:
        _tendons(out, model, state, options)
    if options.joint:
        _joints(out, model, state, options, mean * scale.jointlength, mean * scale.jointwidth)
    if options.actuator:
        _actuators(out, model, state, options, mean)
    if options.autoconnect:
        _autoconnect(out, model, state, mean)
    if options.com:
        for body in range(1, model.nbody):
            if model.body_parentid[body] == 0 and model.body_subtreemass[body] > 0:
                radius = mean * scale.com
                out.add(
                    Shape.SPHERE,
                    state.subtree_com[body],
                    IDENTITY,
                    (radius,) * 3,
                    _rgba(model, "com"),
                    obj=(OBJ_BODY, body),
                )
    if options.camera:
        _cameras(out, model, state, mean)
    if options.light:
        _lights(out, model, state, mean)
    if options.equality and model.neq:
        _equalities(out, model, state, mean)
    if options.rangefinder and model.nsensor:
        _rangefinders(out, model, state, mean)
    if options.contactpoint or options.contactforce or options.frame == Frame.CONTACT:
        _contacts(out, model, state, options, mean)
    if options.frame:
        _frames(out, model, state, options, mean * scale.framelength, mean * scale.framewidth)
    _perturbation(out, model, state, options, perturb, view, mean)
    return out


def _inertia(out, model, state, options, perturb) -> None:
    """Box (or ellipsoid) of the same inertia as each body; with `sclinertia` of the same mass at water's density."""
    ellipsoid = bool(model.vis.global_.ellipsoidinertia)
    factor = 5.0 if ellipsoid else 3.0  # I_x = m (b^2 + c^2) / factor for half-sizes b, c
    rgba = _rgba(model, "inertia")
    for body in range(1, model.nbody):
        mass = float(model.body_mass[body])
        if mass <= 1e-12:
            continue
        inertia = np.asarray(model.body_inertia[body], float)
        square = 0.5 * factor / mass * (inertia.sum() - 2.0 * inertia)
        size = np.sqrt(np.maximum(square, 1e-18))
        if options.sclinertia:
            volume = (4.0 / 3.0 * np.pi if ellipsoid else 8.0) * size.prod()
            size = size * (mass / DENSITY / max(volume, 1e-30)) ** (1.0 / 3.0)
        kind = Shape.SPHERE if ellipsoid else Shape.BOX
        selected = perturb is not None and int(getattr(perturb, "select", 0)) == body
        out.add(
            kind,
            state.xipos[body],
            np.asarray(state.ximat[body], float).reshape(3, 3),
            tuple(size),
            rgba,
            obj=(OBJ_BODY, body),
            emission=float(model.vis.global_.glow) if selected else 0.0,
        )


def _joints(out, model, state, options, length, width) -> None:
    rgba = _rgba(model, "joint")
    for joint in range(model.njnt):
        if group_shown(options.jointgroup, model.jnt_group[joint]):
            _joint(out, model, state, joint, length, width, rgba, (OBJ_JOINT, joint))


def _joint(out, model, state, joint, length, width, rgba, obj, head=True) -> None:
    kind = int(model.jnt_type[joint])
    anchor = np.asarray(state.xanchor[joint], float)
    mat = np.asarray(state.xmat[model.jnt_bodyid[joint]], float).reshape(3, 3)
    if kind == FREE:
        out.add(Shape.BOX, anchor, mat, (0.3 * length,) * 3, rgba, obj=obj)
    elif kind == BALL:
        out.add(Shape.SPHERE, anchor, mat, (0.3 * length,) * 3, rgba, obj=obj)
    else:
        vector = ARROW * length * np.asarray(state.xaxis[joint], float)
        if head or kind == SLIDE:
            out.arrow(anchor, vector, width, rgba, obj)
        else:
            mat = frame_along(vector)
            out.add(Shape.CYLINDER, anchor + 0.5 * vector, mat, (width, width, 0.25 * length), rgba, obj=obj)


def _actuators(out, model, state, options, mean) -> None:
    """Actuated joints, bodies and sites, coloured from the resting colour towards negative or positive control."""
    length, width = mean * model.vis.scale.actuatorlength, mean * model.vis.scale.actuatorwidth
    rest = _rgba(model, "actuator")
    for i in range(model.nu):
        if not group_shown(options.actuatorgroup, model.actuator_group[i]):
            continue
        value, span = _actuator_value(model, state, options, i)
        share = min(1.0, max(-1.0, value / span))
        rgba = rest + abs(share) * (
            _rgba(model, "actuatorpositive" if share > 0 else "actuatornegative") - rest
        )
        kind, target = int(model.actuator_trntype[i]), int(model.actuator_trnid[i][0])
        obj = (OBJ_ACTUATOR, i)
        if kind in (TRN_JOINT, TRN_JOINTINPARENT):
            _joint(out, model, state, target, length, width, rgba, obj, head=False)
        elif kind == TRN_TENDON:
            width_of = float(model.tendon_width[target]) * float(model.vis.map.actuatortendon)
            _tendon(out, model, state, target, width_of, rgba, obj)
        elif kind == TRN_SITE:
            size = np.maximum(np.asarray(model.site_size[target], float) * 1.05, 0.3 * width)
            mat = np.asarray(state.site_xmat[target], float).reshape(3, 3)
            out.add(Shape.BOX, state.site_xpos[target], mat, tuple(size), rgba, obj=obj)
        elif kind == TRN_SLIDERCRANK:
            slider = np.asarray(state.site_xpos[int(model.actuator_trnid[i][1])], float)
            crank = np.asarray(state.site_xpos[target], float)
            radius = mean * model.vis.scale.slidercrank
            out.capsule(slider, crank, 0.3 * radius, _rgba(model, "slidercrank"), obj)
        elif kind == TRN_BODY:
            out.add(
                Shape.SPHERE,
                state.xipos[target],
                IDENTITY,
                (0.5 * length,) * 3,
                rgba,
                obj=obj,
            )


def _actuator_value(model, state, options, i) -> tuple[float, float]:
    if options.activation and model.actuator_actadr[i] >= 0:
        value = float(state.act[model.actuator_actadr[i] + model.actuator_actnum[i] - 1])
        limited, limits = model.actuator_actlimited[i], model.actuator_actrange[i]
    else:
        value = float(state.ctrl[i])
        limited, limits = model.actuator_ctrllimited[i], model.actuator_ctrlrange[i]
    span = max(abs(float(limits[0])), abs(float(limits[1]))) if limited else 1.0
    return value, max(span, 1e-12)


def _autoconnect(out, model, state, mean) -> None:
    """Capsules from each body's centre through its joints to its parent's centre."""
    width, rgba = mean * model.vis.scale.connect, _rgba(model, "connect")
    for body in range(1, model.nbody):
        parent = int(model.body_parentid[body])
        if parent == 0:
            continue
        start = np.asarray(state.xipos[body], float)
        first = int(model.body_jntadr[body])
        for joint in range(first + int(model.body_jntnum[body]) - 1, first - 1, -1) if first >= 0 else ():
            end = np.asarray(state.xanchor[joint], float)
            out.capsule(start, end, 0.5 * width, rgba, (OBJ_BODY, body))
            start = end
        out.capsule(start, state.xipos[parent], 0.5 * width, rgba, (OBJ_BODY, body))


def _cameras(out, model, state, mean) -> None:
    size = mean * float(model.vis.scale.camera)
    rgba = _rgba(model, "camera")
    glass = np.array([*(rgba[:3] * 0.5), 1.0])
    for i in range(model.ncam):
        pos = np.asarray(state.cam_xpos[i], float)
        mat = np.asarray(state.cam_xmat[i], float).reshape(3, 3)
        obj = (OBJ_CAMERA, i)
        out.add(Shape.BOX, pos, mat, (size, 0.8 * size, 0.4 * size), rgba, obj=obj)
        lens = (0.4 * size, 0.4 * size, 0.3 * size)
        out.add(Shape.CYLINDER, pos - 0.6 * size * mat[:, 2], mat, lens, glass, obj=obj)
        if model.cam_sensorsize[i][1] > 0:
            _frustum(out, model, pos, mat, i, mean, obj)


def _frustum(out, model, pos, mat, i, mean, obj) -> None:
    """The pyramid that a camera with a sensor sees, up to `scale.frustum`: four see-through faces and eight edges."""
    depth = float(model.vis.scale.frustum) * mean
    fx, fy, px, py = (float(value) for value in model.cam_intrinsic[i])
    width, height = (float(value) for value in model.cam_sensorsize[i])
    rgba = _rgba(model, "frustum")
    solid = np.array([*rgba[:3], 1.0])
    corners = []
    for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        local = np.array([(sx * width / 2 + px) / fx, (sy * height / 2 + py) / fy, -1.0]) * depth
        corners.append(pos + mat @ local)
    radius = 0.004 * depth
    for a in range(4):
        b = (a + 1) % 4
        out.capsule(pos, corners[a], radius, solid, obj, emission=0.3)
        out.capsule(corners[a], corners[b], radius, solid, obj, emission=0.3)
    centre = 0.25 * sum(corners)
    basis = np.stack([0.5 * (corners[1] - corners[0]), 0.5 * (corners[3] - corners[0]), pos - centre], axis=1)
    out.add(Shape.PYRAMID, centre, basis, (1.0, 1.0, 1.0), rgba, obj=obj, emission=0.5)


def _lights(out, model, state, mean) -> None:
    size = mean * float(model.vis.scale.light)
    rgba = _rgba(model, "light")
    for i in range(model.nlight):
        mat = frame_along(state.light_xdir[i])
        out.add(
            Shape.CYLINDER,
            state.light_xpos[i],
            mat,
            (0.8 * size, 0.8 * size, size),
            rgba,
            obj=(OBJ_LIGHT, i),
            emission=0.3 if bool(model.light_active[i]) else 0.0,
        )


def _equalities(out, model, state, mean) -> None:
    radius, rgba = 0.5 * mean * model.vis.scale.constraint, _rgba(model, "constraint")
    active = getattr(state, "eq_active", None)
    for i in range(model.neq):
        if active is not None and not active[i]:
            continue
        ends = equality_ends(model, state, i)
        if ends is not None:
            for end in ends:
                out.add(Shape.SPHERE, end, IDENTITY, (2 * radius,) * 3, rgba, obj=(OBJ_EQUALITY, i))
            out.capsule(*ends, radius, rgba, (OBJ_EQUALITY, i))


def equality_ends(model, state, i) -> tuple[np.ndarray, np.ndarray] | None:
    """The two world points that a connect or weld constraint holds together; None for other kinds."""
    if int(model.eq_type[i]) not in (EQ_CONNECT, EQ_WELD):
        return None
    first, second = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
    data = np.asarray(model.eq_data[i], float)
    if int(model.eq_objtype[i]) == 6:  # sites
        return np.asarray(state.site_xpos[first], float), np.asarray(state.site_xpos[second], float)
    if int(model.eq_type[i]) == EQ_CONNECT:
        local = (data[0:3], data[3:6])
    else:
        local = (data[3:6], data[0:3])
    points = []
    for body, offset in zip((first, second), local):
        mat = np.asarray(state.xmat[body], float).reshape(3, 3)
        points.append(np.asarray(state.xpos[body], float) + mat @ offset)
    return points[0], points[1]


def _rangefinders(out, model, state, mean) -> None:
    for i in range(model.nsensor):
        if int(model.sensor_type[i]) != SENS_RANGEFINDER:
            continue
        distance = float(state.sensordata[model.sensor_adr[i]])
        if distance < 0:
            continue
        site = int(model.sensor_objid[i])
        pos = np.asarray(state.site_xpos[site], float)
        axis = np.asarray(state.site_xmat[site], float).reshape(3, 3)[:, 2]
        out.capsule(
            pos,
            pos + distance * axis,
            0.03 * mean,
            _rgba(model, "rangefinder"),
            (OBJ_SENSOR, i),
            emission=0.5,
        )


def contact_force(model, state, i: int) -> np.ndarray:
    """(3,) force of contact i in its frame (normal first), from the constraint forces; zeros where it has none.

    A pyramid's edge forces f sum to the normal force, and differ to the friction along tangent j by
    mu_j (f_{2j} - f_{2j+1}).
    """
    contact = state.contact
    force = np.zeros(3)
    address, dim = int(contact.efc_address[i]), int(contact.dim[i])
    if address < 0:
        return force
    efc = np.asarray(state.efc_force, float)
    if dim == 1 or int(model.opt.cone) != PYRAMIDAL:
        part = efc[address : address + min(dim, 3)]
        force[: len(part)] = part
        return force
    edges = efc[address : address + 2 * (dim - 1)]
    force[0] = edges.sum()
    for j in range(min(dim - 1, 2)):
        force[1 + j] = float(contact.friction[i][j]) * (edges[2 * j] - edges[2 * j + 1])
    return force


def _contacts(out, model, state, options, mean) -> None:
    contact, scale = state.contact, model.vis.scale
    width, height = mean * scale.contactwidth, mean * scale.contactheight
    point = _rgba(model, "contactpoint")
    gap = _rgba(model, "contactgap")
    for i in range(int(state.ncon)):
        pos = np.asarray(contact.pos[i], float)
        rows = np.asarray(contact.frame[i], float).reshape(3, 3)
        mat = np.stack([rows[1], rows[2], rows[0]], axis=1)
        excluded = int(contact.efc_address[i]) < 0
        if options.contactpoint:
            out.add(
                Shape.CYLINDER,
                pos,
                mat,
                (width, width, height),
                gap if excluded else point,
                emission=0.2,
            )
        if options.frame == Frame.CONTACT:
            out.frame(pos, mat, mean * scale.framelength, mean * scale.framewidth)
        if options.contactforce and not excluded:
            _contact_arrows(out, model, state, options, i, pos, rows, mean)


def _contact_arrows(out, model, state, options, i, pos, rows, mean) -> None:
    force = contact_force(model, state, i)
    per_newton = ARROW * float(model.vis.map.force) / max(float(model.stat.meanmass), 1e-12)
    width = 0.6 * mean * model.vis.scale.forcewidth
    # the force acts on the second geom; show it on the body that moves, upwards from a floor
    geoms = np.asarray(state.contact.geom[i]).reshape(-1)
    bodies = [int(model.body_weldid[model.geom_bodyid[geom]]) if geom >= 0 else -1 for geom in geoms]
    sign = -1.0 if bodies[1] == 0 else 1.0
    both = 0 not in bodies
    if options.contactsplit:
        normal = sign * per_newton * force[0] * rows[0]
        friction = sign * per_newton * (force[1] * rows[1] + force[2] * rows[2])
        out.arrow(pos, normal, width, _rgba(model, "contactforce"), double=both, emission=0.2)
        out.arrow(pos, friction, width, _rgba(model, "contactfriction"), double=both, emission=0.2)
    else:
        out.arrow(
            pos, sign * per_newton * (rows.T @ force), width, _rgba(model, "contactforce"), emission=0.2
        )


def _frames(out, model, state, options, length, width) -> None:
    mode = options.frame
    if mode == Frame.WORLD:
        out.frame(np.zeros(3), IDENTITY, 2.0 * length, 2.0 * width)
    elif mode == Frame.BODY:
        for body in range(1, model.nbody):
            out.frame(state.xpos[body], state.xmat[body], length, width, (OBJ_BODY, body))
    elif mode == Frame.GEOM:
        for geom in range(model.ngeom):
            if group_shown(options.geomgroup, model.geom_group[geom]):
                out.frame(state.geom_xpos[geom], state.geom_xmat[geom], length, width, (5, geom))
    elif mode == Frame.SITE:
        for site in range(model.nsite):
            if group_shown(options.sitegroup, model.site_group[site]):
                out.frame(state.site_xpos[site], state.site_xmat[site], length, width, (6, site))
    elif mode == Frame.CAMERA:
        for camera in range(model.ncam):
            out.frame(state.cam_xpos[camera], state.cam_xmat[camera], length, width, (OBJ_CAMERA, camera))
    elif mode == Frame.LIGHT:
        for light in range(model.nlight):
            out.frame(
                state.light_xpos[light],
                frame_along(state.light_xdir[light]),
                length,
                width,
                (OBJ_LIGHT, light),
            )


def _tendons(out, model, state, options) -> None:
    for tendon in range(model.ntendon):
        if not group_shown(options.tendongroup, model.tendon_group[tendon]):
            continue
        if int(state.ten_wrapnum[tendon]) < 2:
            continue  # a fixed tendon has no path
        rgba = np.asarray(model.tendon_rgba[tendon], float)
        mat = int(model.tendon_matid[tendon])
        if mat >= 0 and np.all(np.abs(rgba - np.array([0.5, 0.5, 0.5, 1.0])) < 1e-6):
            rgba = np.asarray(model.mat_rgba[mat], float)
        width = float(model.tendon_width[tendon])
        if not _hanging(out, model, state, tendon, width, rgba):
            _tendon(out, model, state, tendon, width, rgba, (OBJ_TENDON, tendon))


def _tendon(out, model, state, tendon, width, rgba, obj) -> None:
    """Capsules along the path; half as thick where it lies on a wrapping geom."""
    address, number = int(state.ten_wrapadr[tendon]), int(state.ten_wrapnum[tendon])
    points = np.asarray(state.wrap_xpos, float).reshape(-1, 3)
    objects = np.asarray(state.wrap_obj).reshape(-1)
    for j in range(address, address + number - 1):
        if objects[j] == PULLEY or objects[j + 1] == PULLEY:
            continue
        touching = objects[j] >= 0 and objects[j + 1] >= 0
        out.capsule(points[j], points[j + 1], width * (0.5 if touching else 1.0), rgba, obj, solid=True)


def _hanging(out, model, state, tendon, width, rgba) -> bool:
    """Draw a slack, limited tendon between two sites as a catenary of its longest length; False if it is not one."""
    if int(state.ten_wrapnum[tendon]) != 2 or not model.tendon_limited[tendon]:
        return False
    if (
        model.tendon_num[tendon] != 2
        or model.tendon_stiffness[tendon] > 0
        or model.tendon_damping[tendon] > 0
    ):
        return False
    if model.tendon_frictionloss[tendon] > 0 or model.tendon_range[tendon][0] != 0:
        return False
    driven = np.asarray(model.actuator_trntype) == TRN_TENDON
    if np.any(np.asarray(model.actuator_trnid)[driven, 0] == tendon):
        return False
    length = float(model.tendon_range[tendon][1])
    address = int(state.ten_wrapadr[tendon])
    ends = np.asarray(state.wrap_xpos, float).reshape(-1, 3)[address : address + 2]
    points = catenary(ends[0], ends[1], np.asarray(model.opt.gravity, float), length)
    if points is None:
        return False
    for a, b in pairwise(points):
        out.capsule(a, b, width, rgba, (OBJ_TENDON, tendon), solid=True)
    return True


def catenary(start, end, gravity, length: float, count: int = 31) -> np.ndarray | None:
    """(count, 3) points of a rope of `length` that hangs between two points; None if it is taut or has no weight.

    With horizontal distance h and drop v, the parameter a solves 2 a sinh(h / 2a) = sqrt(length^2 - v^2).
    """
    start, end = np.asarray(start, float), np.asarray(end, float)
    weight = np.linalg.norm(gravity)
    span = end - start
    if weight < 1e-12 or length <= np.linalg.norm(span) * (1 + 1e-9):
        return None
    down = gravity / weight
    drop = span @ down
    across = span - drop * down
    h = np.linalg.norm(across)
    if h < 1e-9 * length:  # hangs straight down and comes back up
        low = 0.5 * (length + drop)
        return np.stack([start, start + low * down, end])
    target = sqrt(length * length - drop * drop) / h
    # sinh(x) / x = target, by Newton from above
    x = sqrt(6.0 * (target - 1.0)) if target < 3.0 else np.log(2.0 * target) + np.log(np.log(2.0 * target))
    for _ in range(50):
        value = np.sinh(x) - target * x
        step = value / (np.cosh(x) - target)
        x -= step
        if abs(step) < 1e-13 * x:
            break
    a = h / (2.0 * x)
    middle = 0.5 * h - a * np.arctanh(np.clip(-drop / length, -1 + 1e-15, 1 - 1e-15))
    s = np.linspace(0.0, h, count)
    sag = a * (np.cosh(middle / a) - np.cosh((s - middle) / a))
    return start + s[:, None] * (across / h) + sag[:, None] * down


def _perturbation(out, model, state, options, perturb, view, mean) -> None:
    """The selected point, the spring that pulls it, and the frame that turns it."""
    if perturb is None or int(getattr(perturb, "select", 0)) <= 0:
        return
    body = int(perturb.select)
    mat = np.asarray(state.xmat[body], float).reshape(3, 3)
    point = np.asarray(state.xpos[body], float) + mat @ np.asarray(perturb.localpos, float)
    if options.select:
        radius = mean * model.vis.scale.selectpoint
        out.add(Shape.SPHERE, point, IDENTITY, (radius,) * 3, _rgba(model, "selectpoint"), emission=0.3)
    active = int(getattr(perturb, "active", 0))
    rgba = _rgba(model, "force")
    width = max(
        mean * model.vis.scale.forcewidth, 0.003 * view.height_at(max(view.depth(point), view.near)) / 2
    )
    if options.pertobj and active & 1:
        target = np.asarray(perturb.refselpos, float)
        out.add(Shape.SPHERE, point, IDENTITY, (1.6 * width,) * 3, rgba, emission=0.4)
        out.arrow(point, target - point, width, rgba, emission=0.4)
    if options.pertobj and active & 2:
        reference = perturb.refmat()
        length = mean * model.vis.scale.framelength * 2.0
        out.frame(state.xipos[body], reference, length, width)
        size = np.maximum(_inertia_size(model, body), 2 * width)
        out.add(
            Shape.LINES_BOX,
            state.xipos[body],
            reference @ perturb.inertial_offset(model),
            tuple(size),
            rgba,
            emission=0.5,
        )
    if options.pertforce:
        force = np.asarray(state.xfrc_applied[body], float)[:3]
        per_newton = ARROW * float(model.vis.map.force) / max(float(model.stat.meanmass), 1e-12)
        out.arrow(state.xipos[body], per_newton * force, width, rgba, emission=0.3)


def _inertia_size(model, body: int) -> np.ndarray:
    """(3,) half-sizes of the box of the body's inertia."""
    inertia = np.asarray(model.body_inertia[body], float)
    mass = max(float(model.body_mass[body]), 1e-12)
    return np.sqrt(np.maximum(1.5 / mass * (inertia.sum() - 2.0 * inertia), 1e-12))


def labels(model, state, options, perturb) -> list[S.Label]:
    """World positions and texts of the labels that `options.label` asks for."""
    mode = options.label
    names, positions = [], []

    def each(kind, pos, groups=None, group=None):
        for i, name in enumerate(_names(model, kind, len(pos))):
            if groups is None or group_shown(groups, group[i]):
                positions.append(pos[i])
                names.append(name)

    if mode == Label.BODY:
        each("body", state.xpos)
        positions, names = positions[1:], names[1:]
    elif mode == Label.JOINT:
        each("joint", state.xanchor, options.jointgroup, model.jnt_group)
    elif mode == Label.GEOM:
        each("geom", state.geom_xpos, options.geomgroup, model.geom_group)
    elif mode == Label.SITE:
        each("site", state.site_xpos, options.sitegroup, model.site_group)
    elif mode == Label.CAMERA:
        each("camera", state.cam_xpos)
    elif mode == Label.LIGHT:
        each("light", state.light_xpos)
    elif mode == Label.ACTUATOR:
        for i, name in enumerate(_names(model, "actuator", model.nu)):
            if int(model.actuator_trntype[i]) in (TRN_JOINT, TRN_JOINTINPARENT):
                positions.append(state.xanchor[model.actuator_trnid[i][0]])
                names.append(name)
    elif mode == Label.TENDON:
        points = np.asarray(state.wrap_xpos, float).reshape(-1, 3) if model.ntendon else ()
        for i, name in enumerate(_names(model, "tendon", model.ntendon)):
            address, number = int(state.ten_wrapadr[i]), int(state.ten_wrapnum[i])
            if number >= 2:
                middle = address + number // 2
                positions.append(0.5 * (points[middle - 1] + points[middle]))
                names.append(name)
    elif mode == Label.FLEX and model.nflex:
        vertices = np.asarray(state.flexvert_xpos, float).reshape(-1, 3)
        spans = zip(model.flex_vertadr, model.flex_vertnum)
        middles = [vertices[int(first) : int(first) + int(count)].mean(axis=0) for first, count in spans]
        each("flex", middles, options.flexgroup, model.flex_group)
    elif mode == Label.SKIN and model.nskin:
        bones = np.asarray(state.xpos, float)[np.asarray(model.skin_bonebodyid).astype(int)]
        spans = zip(model.skin_boneadr, model.skin_bonenum)
        middles = [bones[int(first) : int(first) + int(count)].mean(axis=0) for first, count in spans]
        each("skin", middles, options.skingroup, model.skin_group)
    elif mode == Label.CONSTRAINT:
        for i, name in enumerate(_names(model, "equality", model.neq)):
            ends = equality_ends(model, state, i)
            if ends is not None:
                positions.append(0.5 * (ends[0] + ends[1]))
                names.append(name)
    elif mode in (Label.CONTACT, Label.CONTACTFORCE):
        geom_names = _names(model, "geom", model.ngeom)
        for i in range(int(state.ncon)):
            first, second = (int(g) for g in np.asarray(state.contact.geom[i]).reshape(-1))
            positions.append(state.contact.pos[i])
            if mode == Label.CONTACTFORCE:
                names.append(f"{np.linalg.norm(contact_force(model, state, i)):.3g} N")
            else:
                names.append(f"{geom_names[first]} | {geom_names[second]}")
    elif mode in (Label.SELECTION, Label.SELPOINT) and perturb is not None and int(perturb.select) > 0:
        body = int(perturb.select)
        mat = np.asarray(state.xmat[body], float).reshape(3, 3)
        point = np.asarray(state.xpos[body], float) + mat @ np.asarray(perturb.localpos, float)
        positions.append(point)
        if mode == Label.SELECTION:
            names.append(_names(model, "body", model.nbody)[body])
        else:
            names.append("({:.3f}, {:.3f}, {:.3f})".format(*np.asarray(perturb.localpos, float)))
    return [S.Label(tuple(float(v) for v in pos), name) for pos, name in zip(positions, names)]


def _names(model, kind: str, count: int) -> list[str]:
    """Names of a kind of object, `kind i` for those without."""
    names = getattr(model, "names", None)
    if isinstance(names, dict):
        return [names[kind][i] or f"{kind} {i}" for i in range(count)]
    prefix = {"joint": "jnt", "camera": "cam", "equality": "eq"}.get(kind, kind)
    addresses = getattr(model, f"name_{prefix}adr")
    result = []
    for i in range(count):
        start = int(addresses[i])
        text = names[start : names.index(b"\0", start)].decode()
        result.append(text or f"{kind} {i}")
    return result
