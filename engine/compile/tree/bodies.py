"""Bodies and what is fixed to them, in plain numbers element by element; then the model's arrays column by column.

pose      poses of elements             joints   joints
shapes    geoms and sites               views    cameras and lights
masses    masses of bodies
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.compile.indexing import Index, users
from engine.compile.tree.joints import Joints
from engine.compile.tree.masses import Weighing
from engine.compile.tree.shapes import Shapes
from engine.compile.tree.views import Views
from engine.geometry import orientation
from engine.geometry.orientation import IDENTITY, ORIGIN, compose, rotate
from engine.mjcf.elements import Body
from engine.mjcf.joint_types import DOFS, joint_type
from engine.mjcf.pose import pose, same, same_turn
from engine.model.enums import SAMEFRAME_BODY, SAMEFRAME_BODYROT, SAMEFRAME_NONE

if TYPE_CHECKING:
    from engine.compile.assets.assets import Assets
    from engine.diagnostics import Diagnostics
    from engine.jit.uncompiled import Lists


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

    def fill(self, lists: Lists) -> None:
        self.fill_bodies(lists)
        self.joints.fill(lists)
        self.shapes.fill(lists, self.masses)
        self.views.fill(lists.model)
        self.weighing.check()

    def fill_bodies(self, m: Lists) -> None:
        parent, root, weld, mocap, tree = [0], [0], [0], [-1], [-1]
        jntnum, jntadr, dofnum, dofadr, geomnum, geomadr = [], [], [], [], [], []
        contype, conaffinity, margin = [], [], []
        nmocap = ntree = joints = dofs = geoms = 0
        for body in self.bodies:
            own = 0
            for joint in body.joints:
                own += DOFS[joint_type(joint)]
            if body.id:
                p = body.parent.id
                parent.append(p)
                root.append(body.id if p == 0 else root[p])
                weld.append(body.id if body.joints else weld[p])
                if body.values.get("mocap"):
                    mocap.append(nmocap)
                    nmocap += 1
                else:
                    mocap.append(-1)
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
            types = affinities = 0
            widest = 0.0
            for geom in body.geoms:
                values = geom.values
                types |= values["contype"]
                affinities |= values["conaffinity"]
                widest = max(widest, values["margin"])
            contype.append(types)
            conaffinity.append(affinities)
            margin.append(widest)
        m.put(
            body_parentid=parent, body_rootid=root, body_weldid=weld, body_mocapid=mocap, body_treeid=tree,
            body_jntnum=jntnum, body_jntadr=jntadr, body_dofnum=dofnum, body_dofadr=dofadr,
        )  # fmt: skip
        masses = [mass[0] for mass in self.masses]
        frames = []
        for _, centre, _, quat in self.masses:
            if same_turn(quat, IDENTITY):
                frames.append(SAMEFRAME_BODY if same(centre, ORIGIN) else SAMEFRAME_BODYROT)
            else:
                frames.append(SAMEFRAME_NONE)
        subtree = masses.copy()
        for i in range(len(subtree) - 1, 0, -1):
            subtree[parent[i]] += subtree[i]
        m.put(
            body_pos=[pose[0] for pose in self.poses],
            body_quat=[pose[1] for pose in self.poses],
            body_mass=masses,
            body_ipos=[mass[1] for mass in self.masses],
            body_inertia=[mass[2] for mass in self.masses],
            body_iquat=[mass[3] for mass in self.masses],
            body_sameframe=frames,
            body_subtreemass=subtree,
        )
        m.model.put(
            {
                "body_geomnum": geomnum,
                "body_geomadr": geomadr,
                "body_gravcomp": [body.values.get("gravcomp", 0.0) for body in self.bodies],
                "body_contype": contype,
                "body_conaffinity": conaffinity,
                "body_margin": margin,
            }
        )
        users(m.model, "body_user", self.bodies)
