"""Bodies and their parts: computed element by element, then written to the arrays of the model.

pose      poses of elements             joints   joints
shapes    geoms and sites               views    cameras and lights
masses    masses of bodies
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinetree.engine.compile.indexing import ObjectIndex, users
from kinetree.engine.compile.tree.joints import JOINT_TYPES, Joints
from kinetree.engine.compile.tree.kinematic_tree import addresses, kinematic_tree
from kinetree.engine.compile.tree.masses import Weighing
from kinetree.engine.compile.tree.shapes import GeomShapes
from kinetree.engine.compile.tree.views import CamerasAndLights
from kinetree.engine.geometry import orientation
from kinetree.engine.geometry.orientation import IDENTITY, ORIGIN, Quat, Vec, compose, rotate
from kinetree.engine.mjcf.elements import Body
from kinetree.engine.mjcf.joint_types import joint_type
from kinetree.engine.mjcf.pose import pose, same, same_turn
from kinetree.engine.model import enums
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.compile.assets.assets import Assets
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.jit.uncompiled import Lists


class BodyTree:
    """The tree of one spec: computes poses, shapes and masses, then fills the model."""

    def __init__(self, index: ObjectIndex, assets: Assets, diagnostics: Diagnostics):
        spec = index.spec
        self.spec = spec
        self.index = index
        self.bodies = index.bodies
        self.parents = [0 if body.parent is None else body.parent.id for body in self.bodies]
        self.diagnostics = diagnostics
        self.poses = [pose(body, spec, diagnostics) for body in self.bodies]
        self.poses[0] = (ORIGIN, IDENTITY)
        unframed = [
            pose(body, spec, diagnostics, framed=False) if body.frame else self.poses[i]
            for i, body in enumerate(self.bodies)
        ]
        self.shapes = GeomShapes(index, assets, diagnostics)
        self.views = CamerasAndLights(index, diagnostics)
        self.check_mocap()
        self.joints = Joints(index, self.poses, diagnostics)
        self.structure = kinematic_tree(
            self.parents,
            [body.id for body in self.bodies for _ in body.joints],
            [JOINT_TYPES[joint_type(joint)] for joint in index.objects["joint"]],
        )
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
                    tr(
                        "a mocap body must be a child of the world and have no joints; move it there, remove its joints"
                    ),
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
        for placed in [self.shapes.geoms[g.id] for g in body.geoms] + [self.shapes.sites[s.id] for s in body.sites]:
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
        self.fill_structure(m)
        self.fill_masses(m)
        m.model.put(self.collision_columns())
        m.model.body_gravcomp = [body.values.get("gravcomp", 0.0) for body in self.bodies]
        users(m.model, "body_user", self.bodies)

    def fill_structure(self, m: Lists) -> None:
        """Fill in the structure of bodies, joints and dofs, and mocap bodies."""
        mocap = [-1] * len(self.bodies)
        for number, body in enumerate(body for body in self.bodies if body.values.get("mocap")):
            mocap[body.id] = number
        joints, tree = self.index.objects["joint"], self.structure
        m.put(
            body_parentid=self.parents,
            body_mocapid=mocap,
            jnt_type=[JOINT_TYPES[joint_type(joint)] for joint in joints],
            jnt_bodyid=[body.id for body in self.bodies for _ in body.joints],
            **tree.bodies,
            **tree.joints,
            **tree.dofs,
        )
        geoms = [len(body.geoms) for body in self.bodies]
        m.model.put({"body_geomnum": geoms, "body_geomadr": addresses(geoms)})

    def fill_masses(self, m: Lists) -> None:
        """Fill in poses and masses of bodies."""
        subtree = [mass[0] for mass in self.masses]
        for i in range(len(subtree) - 1, 0, -1):
            subtree[self.parents[i]] += subtree[i]
        m.put(
            body_pos=[pose[0] for pose in self.poses],
            body_quat=[pose[1] for pose in self.poses],
            body_mass=[mass[0] for mass in self.masses],
            body_ipos=[mass[1] for mass in self.masses],
            body_inertia=[mass[2] for mass in self.masses],
            body_iquat=[mass[3] for mass in self.masses],
            body_sameframe=[_sameframe(centre, quat) for _, centre, _, quat in self.masses],
            body_subtreemass=subtree,
        )

    def collision_columns(self) -> dict[str, list]:
        """contype, conaffinity and margin of bodies, combined over their geoms."""
        contype, conaffinity, margin = [], [], []
        for body in self.bodies:
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
        return {"body_contype": contype, "body_conaffinity": conaffinity, "body_margin": margin}


def _sameframe(centre: Vec, quat: Quat) -> int:
    """SAMEFRAME_ of an inertial frame."""
    if not same_turn(quat, IDENTITY):
        return enums.SAMEFRAME_NONE
    return enums.SAMEFRAME_BODY if same(centre, ORIGIN) else enums.SAMEFRAME_BODYROT
