"""Bodies and what is fixed to them, in plain numbers element by element; then the model's arrays column by column.

pose      poses of elements             joints   joints
shapes    geoms and sites               views    cameras and lights
masses    masses of bodies
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.compile import orientation
from engine.compile.indexing import DOFS, Index, joint_type, users
from engine.compile.joints import Joints
from engine.compile.masses import Weighing
from engine.compile.orientation import IDENTITY, ORIGIN, compose, rotate
from engine.compile.pose import pose, same, same_turn
from engine.compile.shapes import Shapes
from engine.compile.views import Views
from engine.enums import SAMEFRAME_BODY, SAMEFRAME_BODYROT, SAMEFRAME_NONE
from engine.spec.elements import Body

if TYPE_CHECKING:
    from engine.compile.assets import Assets
    from engine.diagnostics import Diagnostics
    from engine.model import Model


class Tree:
    """The tree of one spec: place, weigh, then fill the model."""

    def __init__(self, index: Index, assets: Assets, diagnostics: Diagnostics):
        spec = index.spec
        self.spec = spec
        self.bodies = index.bodies
        self.diagnostics = diagnostics
        self.poses = [pose(body, spec, diagnostics) for body in self.bodies]
        self.poses[0] = (ORIGIN, IDENTITY)
        unframed = [
            pose(body, spec, diagnostics, framed=False) if body.frame else self.poses[i]
            for i, body in enumerate(self.bodies)
        ]
        self.shapes = Shapes(index, assets, diagnostics)
        self.views = Views(index, diagnostics)
        self.check_mocap()
        self.joints = Joints(index, self.poses, diagnostics)
        self.weighing = Weighing(index, self.shapes.geoms, unframed, diagnostics)
        self.masses = self.weighing.masses
        for body in self.bodies[1:]:
            if self.aligned(body):
                self.align(body)

    def check_mocap(self) -> None:
        for body in self.bodies[1:]:
            if body.get("mocap") and (body.parent is not self.bodies[0] or body.joints):
                self.diagnostics.error(
                    body.at("mocap"),
                    "bad-mocap",
                    "a mocap body must be a child of the world and have no joints; move it there, remove its joints",
                )

    def aligned(self, body: Body) -> bool:
        """Whether the frame of a free body without children goes to its principal axes of inertia."""
        joint = body.joints[0] if len(body.joints) == 1 else None
        if joint is None or joint_type(joint) != "free" or body.bodies:
            return False
        chosen = joint.get("align", "auto")
        return chosen == "true" or (chosen == "auto" and self.spec.compiler_of(body)["alignfree"])

    def align(self, body: Body) -> None:
        mass, centre, moments, quat = self.masses[body.id]
        self.poses[body.id] = compose(self.poses[body.id], (centre, quat))
        back = orientation.invert((centre, quat))
        for placed in [self.shapes.geoms[g.id] for g in body.geoms] + [
            self.shapes.sites[s.id] for s in body.sites
        ]:
            placed.pos, placed.quat = compose(back, (placed.pos, placed.quat))
        for camera in body.cameras:
            self.views.cameras[camera.id] = compose(back, self.views.cameras[camera.id])
        for light in body.lights:
            pos, direction = self.views.lights[light.id]
            self.views.lights[light.id] = compose(back, (pos, IDENTITY))[0], rotate(back[1], direction)
        self.masses[body.id] = mass, ORIGIN, moments, IDENTITY

    def fill(self, model: Model) -> None:
        self.fill_bodies(model)
        self.joints.fill(model)
        self.shapes.fill(model, self.masses)
        self.views.fill(model)
        self.weighing.check()

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
        m.body_pos = [pose[0] for pose in self.poses]
        m.body_quat = [pose[1] for pose in self.poses]
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


__all__ = ["Tree", "users"]
