"""Bodies and what is fixed to them: poses, shapes, masses, joints, cameras, lights.

Everything is worked out in plain numbers element by element (`place`, `weigh`), then written into the model's arrays
column by column (`fill`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.compile import inertia, orientation
from engine.compile.indexing import DOFS, QPOS, Index, joint_type
from engine.compile.limits import limited
from engine.compile.orientation import IDENTITY, ORIGIN, BadOrientation, Pose, compose, rotate
from engine.enums import (
    CAMLIGHT_FIXED,
    CAMLIGHT_TARGETBODY,
    CAMLIGHT_TARGETBODYCOM,
    CAMLIGHT_TRACK,
    CAMLIGHT_TRACKCOM,
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_ELLIPSOID,
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_PLANE,
    GEOM_SDF,
    GEOM_SPHERE,
    JNT_BALL,
    JNT_FREE,
    JNT_HINGE,
    JNT_SLIDE,
    LIGHT_DIRECTIONAL,
    LIGHT_IMAGE,
    LIGHT_POINT,
    LIGHT_SPOT,
    SAMEFRAME_BODY,
    SAMEFRAME_BODYROT,
    SAMEFRAME_INERTIA,
    SAMEFRAME_INERTIAROT,
    SAMEFRAME_NONE,
)
from engine.spec.elements import Body, Element

if TYPE_CHECKING:
    from engine.compile.mesh import Mesh
    from engine.diagnostics import Diagnostics
    from engine.model import Model

MINVAL = 1e-15
SAME = 1e-6
"""Poses that differ by less in every number count as the same."""

GEOM_TYPES = {
    "plane": GEOM_PLANE,
    "hfield": GEOM_HFIELD,
    "sphere": GEOM_SPHERE,
    "capsule": GEOM_CAPSULE,
    "ellipsoid": GEOM_ELLIPSOID,
    "cylinder": GEOM_CYLINDER,
    "box": GEOM_BOX,
    "mesh": GEOM_MESH,
    "sdf": GEOM_SDF,
}
JOINT_TYPES = {"free": JNT_FREE, "ball": JNT_BALL, "slide": JNT_SLIDE, "hinge": JNT_HINGE}
MODES = {
    "fixed": CAMLIGHT_FIXED,
    "track": CAMLIGHT_TRACK,
    "trackcom": CAMLIGHT_TRACKCOM,
    "targetbody": CAMLIGHT_TARGETBODY,
    "targetbodycom": CAMLIGHT_TARGETBODYCOM,
}
LIGHT_TYPES = {
    "spot": LIGHT_SPOT,
    "directional": LIGHT_DIRECTIONAL,
    "point": LIGHT_POINT,
    "image": LIGHT_IMAGE,
}
SIZES = {GEOM_SPHERE: 1, GEOM_CAPSULE: 2, GEOM_ELLIPSOID: 3, GEOM_CYLINDER: 2, GEOM_BOX: 3}
"""How many sizes a shape needs."""
_FROMTO = {GEOM_CAPSULE: 2, GEOM_CYLINDER: 2, GEOM_ELLIPSOID: 3, GEOM_BOX: 3}
PLANE_EXTENT = 1e10


def same(a, b) -> bool:
    return all(abs(x - y) < SAME for x, y in zip(a, b, strict=True))


def same_turn(a, b) -> bool:
    return same(a, b) or all(abs(x + y) < SAME for x, y in zip(a, b, strict=True))


class Placed:
    """What was worked out of one element with a pose: geom, site, camera."""

    __slots__ = ("aabb", "dataid", "inertia", "kind", "mass", "pos", "quat", "rbound", "size")

    def __init__(self, pos, quat):
        self.pos, self.quat = pos, quat


class Tree:
    """The tree of one spec: place, weigh, then fill the model."""

    def __init__(self, index: Index, meshes: list[Mesh], diagnostics: Diagnostics):
        self.index = index
        self.spec = index.spec
        self.meshes = meshes
        self.diagnostics = diagnostics
        self.degree, self.sequence = self.spec.degree, self.spec.eulerseq
        objects = index.objects
        self.bodies = index.bodies
        self.body_pose = [self.pose(body) for body in self.bodies]
        self.body_pose[0] = (ORIGIN, IDENTITY)
        self.own_pose = [self.pose(body, framed=False) if body.frame else None for body in self.bodies]
        self.geoms = [self.geom(geom) for geom in objects["geom"]]
        self.sites = [self.site(site) for site in objects["site"]]
        self.cameras = [self.pose(camera) for camera in objects["camera"]]
        self.lights = [self.light(light) for light in objects["light"]]
        self.check_bodies()
        self.masses = [self.weigh(body) for body in self.bodies]
        self.total_mass()
        for body in self.bodies[1:]:
            if self.aligned(body):
                self.align(body)

    def error(self, element: Element, code: str, message: str, *attributes: str) -> None:
        self.diagnostics.error(element.at(*attributes), code, message)

    # ---- poses --------------------------------------------------------------------------------------

    def pose(self, element: Element, framed: bool = True) -> Pose:
        """The element's pose in its body (a body's: in its parent), with the frames around it or without."""
        values = element.values
        quat = IDENTITY
        try:
            quat = orientation.orientation(values, self.degree, self.sequence)
        except BadOrientation as error:
            self.error(element, "bad-orientation", str(error), "axisangle", "xyaxes", "zaxis", "euler")
        if "quat" in element.given and not np.any(values["quat"]):
            self.error(element, "bad-orientation", "quat is zero; give a quaternion with a length", "quat")
        pos = values.get("pos")
        pose = (ORIGIN if pos is None else tuple(pos.tolist())), quat
        return pose if element.frame is None or not framed else compose(element.frame, pose)

    def shape_pose(self, element: Element, kind: int, size: list[float]) -> Pose:
        """The pose of a geom or site, with fromto, which also sets its size."""
        ends = element.values.get("fromto")
        if ends is None:
            return self.pose(element)
        if kind not in _FROMTO:
            self.error(
                element,
                "bad-value",
                f"fromto does not fit type {element['type']}; use capsule, cylinder, box or ellipsoid",
                "fromto",
            )
            return self.pose(element)
        ends = ends.tolist()
        axis = [ends[i] - ends[3 + i] for i in range(3)]
        length = math.sqrt(sum(v * v for v in axis))
        quat = IDENTITY
        if length < MINVAL:
            self.error(
                element, "bad-value", "the two points of fromto are the same; move one of them", "fromto"
            )
        else:
            quat = orientation.from_zaxis(axis)
        if _FROMTO[kind] == 3:
            size[1] = size[0]
            size[2] = length / 2
        else:
            size[1] = length / 2
        pose = tuple((ends[i] + ends[3 + i]) / 2 for i in range(3)), quat
        return pose if element.frame is None else compose(element.frame, pose)

    def geom(self, geom: Element) -> Placed:
        kind = GEOM_TYPES[geom["type"]]
        size = geom["size"].tolist()
        placed = Placed(*self.shape_pose(geom, kind, size))
        placed.kind, placed.size, placed.dataid = kind, size, -1
        placed.rbound, placed.aabb = 0.0, (0.0,) * 6
        placed.mass, placed.inertia = 0.0, (0.0, 0.0, 0.0)
        if geom["condim"] not in (1, 3, 4, 6):
            self.error(geom, "bad-value", f"condim is {geom['condim']}; it must be 1, 3, 4 or 6", "condim")
        if geom.get("hfield"):
            self.index.reference(geom, "hfield", "hfield")
        if geom.get("mesh") or kind in (GEOM_MESH, GEOM_SDF):
            if not self.with_mesh(geom, placed):
                return placed
        if not self.check_size(geom, kind, placed.size):
            return placed
        if kind not in (GEOM_MESH, GEOM_SDF):
            placed.rbound, placed.aabb = bounds(kind, placed.size)
        self.geom_mass(geom, placed)
        return placed

    def with_mesh(self, geom: Element, placed: Placed) -> bool:
        """Take over a mesh's pose: of the mesh itself, or of the primitive that is fitted to it."""
        if not geom.get("mesh"):
            self.error(geom, "missing-attribute", f"a geom of type {geom['type']} needs a mesh; add mesh=...")
            return False
        at = self.index.reference(geom, "mesh", "mesh")
        mesh = self.meshes[at] if 0 <= at < len(self.meshes) else None
        if mesh is None:
            return False
        whole = placed.kind in (GEOM_MESH, GEOM_SDF)
        for name in ("fromto", "shellinertia") if whole else ("fromto",):
            if geom.node.attribute(name) is not None and geom.get(name) is not False:
                self.error(geom, "exclusive-attributes", f"{name} does not go with a mesh; remove it", name)
        placed.dataid = at
        if placed.kind in (GEOM_MESH, GEOM_SDF):
            placed.pos, placed.quat = compose((placed.pos, placed.quat), mesh.pose)
            placed.size = [abs(c) + h for c, h in zip(mesh.aabb[:3], mesh.aabb[3:], strict=True)]
            placed.aabb = mesh.aabb
            placed.rbound = math.sqrt(sum(v * v for v in placed.size))
            return True
        if placed.kind in (GEOM_PLANE, GEOM_HFIELD):
            self.error(geom, "bad-value", f"a {geom['type']} cannot be fitted to a mesh", "type")
            return False
        offset, placed.size = mesh.fit(placed.kind, self.spec.compiler["fitaabb"], geom["fitscale"])
        placed.pos, placed.quat = compose((placed.pos, placed.quat), offset)
        return True

    def check_size(self, geom: Element, kind: int, size: list[float]) -> bool:
        if kind == GEOM_PLANE and not size[2] > 0:
            self.error(
                geom,
                "bad-size",
                "a plane needs three sizes, the third, the spacing of its grid, above 0; for an endless plane write "
                'size="0 0 1"',
                "size",
            )
            return False
        for i in range(SIZES.get(kind, 0)):
            if not size[i] > 0:
                need = SIZES[kind]
                self.error(
                    geom,
                    "bad-size",
                    f"a geom of type {geom['type']} needs {need} size{'s' if need > 1 else ''} above 0 "
                    f"(number {i + 1} is {size[i]:g}); set size",
                    "size",
                )
                return False
        return True

    def geom_mass(self, geom: Element, placed: Placed) -> None:
        kind, size, shell = placed.kind, placed.size, bool(geom.get("shellinertia"))
        mesh = self.meshes[placed.dataid] if kind in (GEOM_MESH, GEOM_SDF) else None
        content = inertia.volume(kind, size, shell) if mesh is None else mesh.volume
        mass = geom.get("mass")
        if mass is None:
            mass = geom["density"] * content
        elif mass == 0 or content <= 0:
            mass = 0.0 if content <= 0 and mass == 0 else mass
        if mass < 0 or content <= 0:
            mass = max(mass, 0.0)
        placed.mass = mass
        placed.inertia = (
            inertia.moments(kind, size, mass, shell)
            if mesh is None
            else tuple(mass / mesh.volume * v if mesh.volume > 0 else 0.0 for v in mesh.inertia)
        )

    def site(self, site: Element) -> Placed:
        kind = GEOM_TYPES[site["type"]]
        size = site["size"].tolist()
        placed = Placed(*self.shape_pose(site, kind, size))
        placed.kind, placed.size = kind, size
        for i in range(SIZES.get(kind, 0)):
            if not size[i] > 0:
                self.error(site, "bad-size", f"number {i + 1} of the site's size must be above 0", "size")
                break
        return placed

    def light(self, light: Element) -> Pose:
        """(position, direction), the direction normalized."""
        pos, direction = tuple(light["pos"].tolist()), light["dir"].tolist()
        try:
            direction = orientation.direction(direction, "dir")
        except BadOrientation as error:
            self.error(light, "bad-value", str(error), "dir")
        if light.frame is not None:
            pos = compose(light.frame, (pos, IDENTITY))[0]
            direction = rotate(light.frame[1], direction)
        return pos, tuple(direction)

    # ---- masses -------------------------------------------------------------------------------------

    def weigh(self, body: Body) -> tuple[float, Any, Any, Any]:
        """(mass, centre, principal moments, orientation) of a body."""
        nothing = (0.0, ORIGIN, (0.0, 0.0, 0.0), IDENTITY)
        compiler = self.spec.compiler
        mode, own = compiler["inertiafromgeom"], body.inertial
        if body.id == 0:
            return nothing
        found = nothing
        counted = self.counted(body)
        if own is not None and (mode != "true" or not counted):
            found = self.inertial(body, own) or nothing
        elif mode != "false":
            parts = [(p.mass, p.pos, p.inertia, p.quat) for p in counted]
            if not parts:
                # no mass at all: the inertial frame means nothing and is that of the reference
                pos, quat = self.own_pose[body.id] or self.body_pose[body.id]
                found = (0.0, pos, (0.0, 0.0, 0.0), quat)
            elif len(parts) > 1 and sum(part[0] for part in parts) < MINVAL:
                self.error(
                    body,
                    "no-mass",
                    f"the geoms of {body.label()} have no mass, so that there is no centre of mass; give one of them "
                    "mass, or the body an inertial",
                )
            else:
                found = inertia.combine(parts)
        mass, centre, moments, quat = found
        mass = max(mass, compiler["boundmass"])
        moments = tuple(max(v, compiler["boundinertia"]) for v in moments)
        a, b, c = moments
        if compiler["balanceinertia"] and (a + b < c or a + c < b or b + c < a):
            mean = (a + b + c) / 3
            moments = (mean, mean, mean)
        elif a + b < c - 1e-14 * c or a + c < b - 1e-14 * b or b + c < a - 1e-14 * a:
            self.error(
                own or body,
                "bad-inertia",
                f"the moments of inertia {a:g} {b:g} {c:g} are impossible: no one of them may exceed the sum of the "
                "other two; correct them or set compiler/balanceinertia",
                "diaginertia",
                "fullinertia",
            )
        return mass, centre, moments, quat

    def counted(self, body: Body) -> list[Placed]:
        """The geoms of a body that its mass comes from."""
        low, high = self.spec.compiler["inertiagrouprange"].tolist()
        return [self.geoms[geom.id] for geom in body.geoms if low <= geom["group"] <= high]

    def inertial(self, body: Body, own: Element):
        values = own.values
        mass = values.get("mass", 0.0)
        pos = tuple(values["pos"].tolist()) if "pos" in values else ORIGIN
        full, diagonal = values.get("fullinertia"), values.get("diaginertia")
        if mass < 0:
            self.error(own, "bad-value", f"the mass is {mass:g}; it cannot be negative", "mass")
            return None
        if full is not None:
            if diagonal is not None:
                self.error(
                    own,
                    "exclusive-attributes",
                    "fullinertia and diaginertia exclude each other; keep one",
                    "fullinertia",
                )
                return None
            if any(values.get(n) is not None and n in own.given for n in ("quat", *_TURNS)):
                self.error(
                    own,
                    "exclusive-attributes",
                    "fullinertia has its own axes; remove the orientation",
                    "quat",
                    *_TURNS,
                )
                return None
            moments, quat = inertia.principal(full.tolist())
            if min(moments) < 1e-14:
                self.error(
                    own,
                    "bad-inertia",
                    "fullinertia is not positive definite; check its six numbers",
                    "fullinertia",
                )
                return None
            return mass, pos, moments, quat
        if diagonal is None:
            diagonal = np.zeros(3)
        if (diagonal < 0).any():
            self.error(own, "bad-inertia", "moments of inertia cannot be negative", "diaginertia")
            return None
        return mass, pos, tuple(diagonal.tolist()), self.pose(own)[1]

    def total_mass(self) -> None:
        wanted = self.spec.compiler["settotalmass"]
        if wanted <= 0:
            return
        total = sum(m[0] for m in self.masses)
        if total > MINVAL:
            s = wanted / total
            self.masses = [(m * s, c, tuple(s * i for i in inert), q) for m, c, inert, q in self.masses]

    def aligned(self, body: Body) -> bool:
        """Whether the frame of a free body without children goes to its principal axes of inertia."""
        joint = body.joints[0] if len(body.joints) == 1 else None
        if joint is None or joint_type(joint) != "free" or body.bodies:
            return False
        chosen = joint.get("align", "auto")
        return chosen == "true" or (chosen == "auto" and self.spec.compiler["alignfree"])

    def align(self, body: Body) -> None:
        mass, centre, moments, quat = self.masses[body.id]
        self.body_pose[body.id] = compose(self.body_pose[body.id], (centre, quat))
        back = orientation.invert((centre, quat))
        for placed in [self.geoms[g.id] for g in body.geoms] + [self.sites[s.id] for s in body.sites]:
            placed.pos, placed.quat = compose(back, (placed.pos, placed.quat))
        for camera in body.cameras:
            self.cameras[camera.id] = compose(back, self.cameras[camera.id])
        for light in body.lights:
            pos, direction = self.lights[light.id]
            self.lights[light.id] = compose(back, (pos, IDENTITY))[0], rotate(back[1], direction)
        self.masses[body.id] = mass, ORIGIN, moments, IDENTITY

    # ---- checks -------------------------------------------------------------------------------------

    def check_bodies(self) -> None:
        for joint in self.bodies[0].joints:
            self.error(joint, "bad-place", "the world cannot move: put the joint into a body")
        for body in self.bodies[1:]:
            if body.get("mocap") and (body.parent is not self.bodies[0] or body.joints):
                self.error(
                    body,
                    "bad-mocap",
                    "a mocap body must be a child of the world and have no joints; move it there, remove its joints",
                    "mocap",
                )
            self.check_joints(body)

    def check_joints(self, body: Body) -> None:
        dofs, ball, hinge = 0, False, False
        for joint in body.joints:
            kind = joint_type(joint)
            if kind == "free" and body.parent is not self.bodies[0]:
                self.error(
                    joint,
                    "bad-place",
                    "a free joint is only possible in a child of the world; use another joint",
                )
            if (kind == "ball" and (ball or hinge)) or (kind == "hinge" and ball):
                self.error(
                    joint,
                    "bad-joints",
                    "a ball joint already allows every rotation; remove the other rotational joints of this body",
                )
            ball, hinge = ball or kind == "ball", hinge or kind == "hinge"
            dofs += DOFS[kind]
        if dofs > 6:
            self.error(
                body,
                "bad-joints",
                f"the joints of {body.label()} have {dofs} degrees of freedom; 6 are possible",
            )

    # ---- into the model -----------------------------------------------------------------------------

    def fill(self, model: Model) -> None:
        self.fill_bodies(model)
        self.fill_joints(model)
        self.fill_geoms(model)
        self.fill_sites(model)
        self.fill_cameras(model)
        self.fill_lights(model)
        self.check_masses(model)

    def fill_bodies(self, m: Model) -> None:
        parent, root, weld, mocap, tree = [0], [0], [0], [-1], [-1]
        jntnum, jntadr, dofnum, dofadr, geomnum, geomadr = [], [], [], [], [], []
        nmocap = ntree = joints = dofs = geoms = 0
        for body in self.bodies:
            own = sum(DOFS[joint_type(joint)] for joint in body.joints)
            if body.id:
                p = body.parent.id
                parent.append(p)
                root.append(body.id if p == 0 else root[p])
                weld.append(body.id if body.joints else weld[p])
                mocap.append(nmocap if body.get("mocap") else -1)
                nmocap += bool(body.get("mocap"))
                if own and tree[p] < 0:
                    tree.append(ntree)
                    ntree += 1
                else:
                    tree.append(tree[p])
            jntnum.append(len(body.joints))
            jntadr.append(joints if body.joints else -1)
            dofnum.append(own)
            dofadr.append(dofs if own else -1)
            geomnum.append(len(body.geoms))
            geomadr.append(geoms if body.geoms else -1)
            joints, dofs, geoms = joints + len(body.joints), dofs + own, geoms + len(body.geoms)
        m.body_parentid, m.body_rootid, m.body_weldid = parent, root, weld
        m.body_mocapid, m.body_treeid = mocap, tree
        m.body_jntnum, m.body_jntadr, m.body_dofnum, m.body_dofadr = jntnum, jntadr, dofnum, dofadr
        m.body_geomnum, m.body_geomadr = geomnum, geomadr
        m.body_pos = [pose[0] for pose in self.body_pose]
        m.body_quat = [pose[1] for pose in self.body_pose]
        m.body_mass = [mass[0] for mass in self.masses]
        m.body_ipos = [mass[1] for mass in self.masses]
        m.body_inertia = [mass[2] for mass in self.masses]
        m.body_iquat = [mass[3] for mass in self.masses]
        frames = []
        for _, centre, _, quat in self.masses:
            if same_turn(quat, IDENTITY):
                frames.append(SAMEFRAME_BODY if same(centre, ORIGIN) else SAMEFRAME_BODYROT)
            else:
                frames.append(SAMEFRAME_NONE)
        m.body_sameframe = frames
        m.body_gravcomp = [body.get("gravcomp", 0.0) for body in self.bodies]
        m.body_plugin[...] = -1
        users(m.body_user, self.bodies)
        for body in self.bodies:
            for geom in body.geoms:
                m.body_contype[body.id] |= geom["contype"]
                m.body_conaffinity[body.id] |= geom["conaffinity"]
                m.body_margin[body.id] = max(m.body_margin[body.id], geom["margin"])
        subtree = m.body_mass.copy()
        for i in range(m.nbody - 1, 0, -1):
            subtree[parent[i]] += subtree[i]
        m.body_subtreemass = subtree

    def fill_joints(self, m: Model) -> None:
        joints = self.index.objects["joint"]
        if not joints:
            return
        kinds = [joint_type(joint) for joint in joints]
        body_of = [body.id for body in self.bodies for _ in body.joints]
        m.jnt_type = [JOINT_TYPES[kind] for kind in kinds]
        m.jnt_bodyid = body_of
        m.jnt_group = [joint["group"] for joint in joints]
        qpos, spring, dof_body, dof_joint, dof_parent = [], [], [], [], []
        last = {}  # last dof of each body or of its nearest moving ancestor
        at = 0
        for body in self.bodies:
            before = last.get(body.parent.id, -1) if body.parent is not None else -1
            for joint in body.joints:
                kind = kinds[at]
                m.jnt_qposadr[at], m.jnt_dofadr[at] = len(qpos), len(dof_body)
                start, rest = self.joint(m, at, joint, kind, body)
                qpos += start
                spring += rest
                for _ in range(DOFS[kind]):
                    dof_body.append(body.id)
                    dof_joint.append(at)
                    dof_parent.append(before)
                    before = len(dof_body) - 1
                at += 1
            last[body.id] = before
        m.qpos0, m.qpos_spring = qpos, spring
        m.dof_bodyid, m.dof_jntid, m.dof_parentid = dof_body, dof_joint, dof_parent
        m.dof_treeid = m.body_treeid[m.dof_bodyid]
        depth = []
        for i, parent in enumerate(dof_parent):
            m.dof_Madr[i] = sum(depth[-1:]) and m.dof_Madr[i - 1] + depth[-1] if i else 0
            depth.append(1 + (depth[parent] if parent >= 0 else 0))
        for name in ("armature", "damping", "frictionloss"):
            values = np.array([joint.get(name, 0.0) for joint in joints])
            setattr(m, "dof_" + name, values[m.dof_jntid])
        m.dof_solref = np.array([joint.get("solreffriction", SOLREF) for joint in joints])[m.dof_jntid]
        m.dof_solimp = np.array([joint.get("solimpfriction", SOLIMP) for joint in joints])[m.dof_jntid]
        users(m.jnt_user, joints)

    def joint(self, m: Model, i: int, joint: Element, kind: str, body: Body) -> tuple[list, list]:
        """Write one joint; returns its part of qpos0 and of qpos_spring."""
        values = joint.values
        angle = math.pi / 180 if self.degree and kind in ("ball", "hinge") else 1.0
        pos, axis = ORIGIN, (0.0, 0.0, 1.0)
        if kind != "free":
            pos = tuple(values["pos"].tolist())
            if kind != "ball":
                try:
                    axis = orientation.direction(values["axis"].tolist(), "axis")
                except BadOrientation as error:
                    self.error(joint, "bad-value", str(error), "axis")
            if joint.frame is not None:
                pos = compose(joint.frame, (pos, IDENTITY))[0]
                axis = rotate(joint.frame[1], axis) if kind != "ball" else axis
        m.jnt_pos[i], m.jnt_axis[i] = pos, axis
        bounds_ = values.get("range", np.zeros(2))
        if kind != "free":
            on = m.jnt_limited[i] = limited(
                self.spec, self.diagnostics, joint, "limited", "range", empty=kind == "ball"
            )
            # angles stay as they are written where nothing is limited, as in the reference
            bounds_ = bounds_ * angle if on else bounds_
            if kind == "ball" and on and bounds_[0]:
                self.error(
                    joint,
                    "bad-range",
                    "the range of a ball joint begins with 0; then comes the greatest angle",
                    "range",
                )
            if kind != "ball":
                m.jnt_actfrclimited[i] = limited(
                    self.spec, self.diagnostics, joint, "actuatorfrclimited", "actuatorfrcrange"
                )
        m.jnt_range[i] = bounds_
        m.jnt_actfrcrange[i] = values.get("actuatorfrcrange", 0.0)
        m.jnt_actgravcomp[i] = values.get("actuatorgravcomp", False)
        m.jnt_solref[i] = values.get("solreflimit", SOLREF)
        m.jnt_solimp[i] = values.get("solimplimit", SOLIMP)
        m.jnt_stiffness[i] = values.get("stiffness", 0.0)
        m.jnt_margin[i] = values.get("margin", 0.0)
        if kind == "free":
            start = [*self.body_pose[body.id][0], *self.body_pose[body.id][1]]
            return start, start
        if kind == "ball":
            return list(IDENTITY), list(IDENTITY)
        return [values["ref"] * angle], [values["springref"] * angle]

    def fill_geoms(self, m: Model) -> None:
        geoms, placed = self.index.objects["geom"], self.geoms
        if not geoms:
            return
        m.geom_type = [p.kind for p in placed]
        m.geom_bodyid = [body.id for body in self.bodies for _ in body.geoms]
        m.geom_dataid = [p.dataid for p in placed]
        m.geom_pos, m.geom_quat = [p.pos for p in placed], [p.quat for p in placed]
        m.geom_size = [p.size for p in placed]
        m.geom_aabb, m.geom_rbound = [p.aabb for p in placed], [p.rbound for p in placed]
        for name in (
            "contype", "conaffinity", "condim", "group", "priority", "solmix", "solref", "solimp", "friction", "margin",
            "gap", "rgba",
        ):  # fmt: skip
            setattr(m, "geom_" + name, [geom[name] for geom in geoms])
        m.geom_matid = [self.index.reference(geom, "material", "material") for geom in geoms]
        m.geom_sameframe = self.sameframe(placed, m.geom_bodyid)
        m.geom_plugin[...] = -1
        users(m.geom_user, geoms)
        for body in self.bodies:
            if m.body_weldid[body.id] == 0:
                continue
            for geom in body.geoms:
                if placed[geom.id].kind in (GEOM_PLANE, GEOM_HFIELD):
                    self.error(
                        geom,
                        "bad-place",
                        f"a {geom['type']} cannot move: put it into the world or a body without joints",
                        "type",
                    )

    def sameframe(self, placed: list[Placed], bodies) -> list[int]:
        result = []
        for p, body in zip(placed, bodies.tolist(), strict=True):
            _, centre, _, quat = self.masses[body]
            if same_turn(p.quat, IDENTITY):
                result.append(SAMEFRAME_BODY if same(p.pos, ORIGIN) else SAMEFRAME_BODYROT)
            elif same_turn(p.quat, quat):
                result.append(SAMEFRAME_INERTIA if same(p.pos, centre) else SAMEFRAME_INERTIAROT)
            else:
                result.append(SAMEFRAME_NONE)
        return result

    def fill_sites(self, m: Model) -> None:
        sites, placed = self.index.objects["site"], self.sites
        if not sites:
            return
        m.site_type = [p.kind for p in placed]
        m.site_bodyid = [body.id for body in self.bodies for _ in body.sites]
        m.site_pos, m.site_quat, m.site_size = zip(*[(p.pos, p.quat, p.size) for p in placed], strict=True)
        m.site_group = [site["group"] for site in sites]
        m.site_rgba = [site["rgba"] for site in sites]
        m.site_matid = [self.index.reference(site, "material", "material") for site in sites]
        m.site_sameframe = self.sameframe(placed, m.site_bodyid)
        users(m.site_user, sites)

    def fill_cameras(self, m: Model) -> None:
        cameras = self.index.objects["camera"]
        if not cameras:
            return
        m.cam_bodyid = [body.id for body in self.bodies for _ in body.cameras]
        m.cam_pos, m.cam_quat = zip(*self.cameras, strict=True)
        m.cam_mode = [MODES[camera["mode"]] for camera in cameras]
        m.cam_targetbodyid = [self.target(camera) for camera in cameras]
        m.cam_orthographic = [camera["orthographic"] for camera in cameras]
        m.cam_ipd = [camera["ipd"] for camera in cameras]
        m.cam_resolution = [camera["resolution"] for camera in cameras]
        for i, camera in enumerate(cameras):
            self.lens(m, i, camera)
        users(m.cam_user, cameras)

    def target(self, element: Element) -> int:
        at = self.index.reference(element, "target", "body")
        if not element.get("target") and element["mode"] in ("targetbody", "targetbodycom"):
            self.error(
                element,
                "missing-attribute",
                f"mode {element['mode']} needs a target; add target=... with a body",
                "mode",
            )
        return at

    def lens(self, m: Model, i: int, camera: Element) -> None:
        """Field of view and intrinsics: from fovy, or from the sensor's size and the focal length."""
        fovy = camera["fovy"]
        if fovy >= 180:
            self.error(camera, "bad-value", f"fovy is {fovy:g}; it must be below 180", "fovy")
        znear = self.spec.visual["map"]["znear"]
        intrinsic, sensor = [znear, znear, 0.0, 0.0], camera["sensorsize"].tolist()
        width, height = camera["resolution"].tolist()
        if width < 0 or height < 0:
            self.error(camera, "bad-value", "resolution cannot be negative", "resolution")
            return
        if sensor[0] > 0 and sensor[1] > 0:
            if width == 0 or height == 0:
                self.error(
                    camera, "bad-value", "with sensorsize the resolution must be above 0", "resolution"
                )
                return
            if "fovy" in camera.given:
                self.error(
                    camera,
                    "exclusive-attributes",
                    "fovy and sensorsize exclude each other; remove one",
                    "fovy",
                )
            density = width / sensor[0], height / sensor[1]
            for k in (0, 1):
                pixels = camera["focalpixel"][k]
                intrinsic[k] = pixels / density[k] if pixels else camera["focal"][k]
                pixels = camera["principalpixel"][k]
                intrinsic[2 + k] = pixels / density[k] if pixels else camera["principal"][k]
            fovy = math.degrees(2 * math.atan2(sensor[1] / 2, max(intrinsic[1], MINVAL)))
        m.cam_fovy[i], m.cam_intrinsic[i], m.cam_sensorsize[i] = fovy, intrinsic, sensor

    def fill_lights(self, m: Model) -> None:
        lights = self.index.objects["light"]
        if not lights:
            return
        m.light_bodyid = [body.id for body in self.bodies for _ in body.lights]
        m.light_pos, m.light_dir = zip(*self.lights, strict=True)
        m.light_mode = [MODES[light["mode"]] for light in lights]
        m.light_targetbodyid = [self.target(light) for light in lights]
        for i, light in enumerate(lights):
            kind = light["type"]
            if "directional" in light.given:
                if "type" in light.given and light.node.attribute("type") is not None:
                    self.error(
                        light,
                        "exclusive-attributes",
                        "type and directional exclude each other; remove directional",
                        "directional",
                    )
                kind = "directional" if light["directional"] else "spot"
            m.light_type[i] = LIGHT_TYPES[kind]
        m.light_texid = [self.index.reference(light, "texture", "texture") for light in lights]
        for name in (
            "castshadow", "active", "bulbradius", "intensity", "range", "attenuation", "cutoff", "exponent", "ambient",
            "diffuse", "specular",
        ):  # fmt: skip
            setattr(m, "light_" + name, [light[name] for light in lights])

    def check_masses(self, m: Model) -> None:
        """A body that moves must have mass and inertia, of its own or of a body fixed to it."""
        heavy = [mass > MINVAL and min(moments) > MINVAL for mass, _, moments, _ in self.masses]
        for body in reversed(self.bodies[1:]):
            if heavy[body.id] and not body.joints:
                heavy[body.parent.id] = True
        for body in self.bodies[1:]:
            if body.joints and not heavy[body.id]:
                self.error(
                    body,
                    "no-mass",
                    f"{body.label()} moves but has no mass or no inertia; give it a geom with mass, or an inertial",
                )


SOLREF = (0.02, 1.0)
SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)
_TURNS = ("axisangle", "xyaxes", "zaxis", "euler")


def bounds(kind: int, size) -> tuple[float, tuple]:
    """(radius of the bounding sphere, centre and half sides of the bounding box) of a primitive."""
    a, b, c = size
    if kind == GEOM_SPHERE:
        return a, (0, 0, 0, a, a, a)
    if kind == GEOM_CAPSULE:
        return a + b, (0, 0, 0, a, a, a + b)
    if kind == GEOM_CYLINDER:
        return math.hypot(a, b), (0, 0, 0, a, a, b)
    if kind == GEOM_ELLIPSOID:
        return max(size), (0, 0, 0, a, b, c)
    if kind == GEOM_BOX:
        return math.sqrt(a * a + b * b + c * c), (0, 0, 0, a, b, c)
    return 0.0, (0, 0, -PLANE_EXTENT / 2, PLANE_EXTENT, PLANE_EXTENT, PLANE_EXTENT / 2)


def users(array: np.ndarray, elements) -> None:
    """Write the user values of every element, the rest zeros."""
    if array.shape[1]:
        for i, element in enumerate(elements):
            user = element.get("user")
            if user is not None:
                array[i, : len(user)] = user[: array.shape[1]]


__all__ = ["QPOS", "Placed", "Tree", "bounds", "users"]
