"""Masses of bodies: from geoms or from inertial, within the bounds of the compiler settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.compile.indexing import ObjectIndex
from kinetree.engine.compile.tree.shapes import PlacedShape
from kinetree.engine.geometry import inertia
from kinetree.engine.geometry.inertia import Mass
from kinetree.engine.geometry.orientation import IDENTITY, ORIGIN, Pose, compose, invert
from kinetree.engine.mjcf.elements import Body, Element
from kinetree.engine.mjcf.pose import TURNS, pose
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics

MINVAL = 1e-15


class Weighing:
    """The masses of all bodies of a spec, by id: `masses`.

    geoms    computed shapes of geoms, by id
    poses    each body's pose without the frames around it, by id
    """

    def __init__(self, index: ObjectIndex, geoms: list[PlacedShape], poses: list[Pose], diagnostics: Diagnostics):
        self.index = index
        self.spec = index.spec
        self.geoms = geoms
        self.poses = poses
        self.diagnostics = diagnostics
        self.masses: list[Mass] = [self.weigh(body) for body in index.bodies]
        self.total_mass()

    def error(self, element: Element, code: str, message: str, *attributes: str) -> None:
        self.diagnostics.error(element.at(*attributes), code, message)

    def weigh(self, body: Body) -> Mass:
        """The mass of a body with the static ones that are fused with it, added one after the other."""
        total = self.own(body)
        for inner, place in body.fused:
            mass, centre, moments, quat = self.own(inner, place)
            if mass >= MINVAL and body.id:  # bodies that are fused with the world are only checked
                # mujoco 3.3.4 leaves out how the fused body is turned; its specification promises identical dynamics
                centre, quat = compose(place, (centre, quat))
                part = mass, centre, moments, quat
                total = part if total[0] < MINVAL else inertia.combine([total, part])
        return total

    def own(self, body: Body, place: Pose | None = None) -> Mass:
        """(mass, centre, principal moments, orientation) of a body alone, in its own frame.

        `place`: the pose of a fused body in the one that has its geoms now.
        """
        nothing = (0.0, ORIGIN, (0.0, 0.0, 0.0), IDENTITY)
        compiler = self.spec.compiler_of(body)
        mode, own = compiler["inertiafromgeom"], body.inertial
        if body.id == 0:  # URDF can give the world a mass
            return nothing if own is None else self.inertial(own) or nothing
        found = nothing
        geoms = body.geoms if body.weighed is None else body.weighed
        counted = self.counted(body, geoms)
        if own is not None and (mode != "true" or not counted):
            found = self.inertial(own) or nothing
        else:
            for geom in geoms:
                name = "mass" if geom.get("mass") is not None else "density"
                if geom[name] < 0 and self.geoms[geom.id] in counted:
                    self.error(
                        geom,
                        "bad-value",
                        tr("{name} is {geom:g}; it cannot be negative", name=name, geom=geom[name]),
                        name,
                    )
            if mode == "false":
                counted = []
            parts = [(p.mass, p.pos, p.inertia, p.quat) for p in counted]
            if place is not None:
                back = invert(place)
                poses = [compose(back, (p.pos, p.quat)) for p in counted]
                parts = [(p.mass, pos, p.inertia, quat) for p, (pos, quat) in zip(counted, poses)]
            if not parts:
                # without mass the inertial frame has no effect; it is that of the reference
                fused = place is not None
                pos, quat = pose(body, self.spec, self.diagnostics, False) if fused else self.poses[body.id]
                found = (0.0, pos, (0.0, 0.0, 0.0), quat)
            elif len(parts) > 1 and sum(part[0] for part in parts) < MINVAL:
                self.error(
                    body,
                    "no-mass",
                    tr(
                        "the geoms of {label} have no mass, so that there is no centre of mass; give one of them "
                        "mass, or the body an inertial",
                        label=body.label(),
                    ),
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
                tr(
                    "the moments of inertia {a:g} {b:g} {c:g} are impossible: no one of them may exceed the sum "
                    "of the other two; correct them or set compiler/balanceinertia",
                    a=a,
                    b=b,
                    c=c,
                ),
                "diaginertia",
                "fullinertia",
            )
        return mass, centre, moments, quat

    def counted(self, body: Body, geoms: list[Element]) -> list[PlacedShape]:
        """The geoms of a body that contribute to its mass."""
        low, high = self.spec.compiler_of(body)["inertiagrouprange"].tolist()
        return [self.geoms[geom.id] for geom in geoms if low <= geom["group"] <= high]

    def inertial(self, own: Element) -> Mass | None:
        values = own.values
        mass = values.get("mass", 0.0)
        pos = tuple(values["pos"].tolist()) if "pos" in values else ORIGIN
        full, diagonal = values.get("fullinertia"), values.get("diaginertia")
        if mass < 0:
            self.error(own, "bad-value", tr("the mass is {mass:g}; it cannot be negative", mass=mass), "mass")
            return None
        if full is not None:
            if diagonal is not None:
                self.error(
                    own,
                    "exclusive-attributes",
                    tr("fullinertia and diaginertia exclude each other; keep one"),
                    "fullinertia",
                )
                return None
            if any(values.get(n) is not None and n in own.given for n in ("quat", *TURNS)):
                self.error(
                    own,
                    "exclusive-attributes",
                    tr("fullinertia has its own axes; remove the orientation"),
                    "quat",
                    *TURNS,
                )
                return None
            moments, quat = inertia.principal(full.tolist())
            if min(moments) < 1e-14:
                self.error(
                    own,
                    "bad-inertia",
                    tr("fullinertia is not positive definite; check its six numbers"),
                    "fullinertia",
                )
                return None
            return mass, pos, moments, quat
        if diagonal is None:
            diagonal = np.zeros(3)
        if (diagonal < 0).any():
            self.error(own, "bad-inertia", tr("moments of inertia cannot be negative"), "diaginertia")
            return None
        return mass, pos, tuple(diagonal.tolist()), pose(own, self.spec, self.diagnostics)[1]

    def total_mass(self) -> None:
        wanted = self.spec.compiler["settotalmass"]
        if wanted <= 0:
            return
        total = sum(m[0] for m in self.masses)
        if total > MINVAL:
            s = wanted / total
            self.masses = [(m * s, c, tuple(s * i for i in inert), q) for m, c, inert, q in self.masses]

    def check(self) -> None:
        """Report moving bodies without mass or inertia, unless a body fixed to it has both."""
        heavy = [mass > MINVAL and min(moments) > MINVAL for mass, _, moments, _ in self.masses]
        for body in reversed(self.index.bodies[1:]):
            if heavy[body.id] and not body.joints and body.parent is not None:
                heavy[body.parent.id] = True
        for body in self.index.bodies[1:]:
            if body.joints and not heavy[body.id]:
                self.error(
                    body,
                    "no-mass",
                    tr(
                        "{label} moves but has no mass or no inertia (above {least:g}); give it a geom with mass, "
                        "or an inertial",
                        label=body.label(),
                        least=MINVAL,
                    ),
                )
