"""Reads URDF into a Spec: links become bodies, joints become joints of the child body.

Sources: the URDF XML specification; MuJoCo's documentation, Modeling, "URDF extensions"; where these are silent,
mujoco 3.3.4:
  - angles are radians; strippath, fusestatic and discardvisual are true unless <mujoco><compiler/> says otherwise;
  - a link 'world' is the world; links without a parent are fixed to the world;
  - visual shapes are geoms of group 1 without collision and mass; collision shapes have group 0;
  - the colour of a shape also applies to later shapes of the same link, including collision shapes;
  - revolute and continuous are hinges, limited where lower and upper are both given and lower < upper; effort limits
    the force of actuators (actuatorfrcrange);
  - planar is two slides and a hinge, NAME_TX, NAME_TY, NAME_RZ; the first has the limits;
  - a mesh with several scales becomes several numbered meshes; of shapes with the same name the first keeps it.

Deliberate differences: the rpy of an inertial is applied, as URDF says; a repeated scaled mesh refers to the mesh with
that scale; mimic becomes a joint equality; meshes are searched for as in packages.py, and may be COLLADA.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.diagnostics import meant
from kinetree.engine.formats import ReaderArguments
from kinetree.engine.formats.check import Checked, check, present
from kinetree.engine.formats.spec_reader import SpecReader, round_size
from kinetree.engine.formats.urdf_table import TABLE, TRUE_BY_DEFAULT
from kinetree.engine.geometry import inertia
from kinetree.engine.geometry.orientation import IDENTITY, Quat, from_euler, from_zaxis, mul, rotate
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.elements import Body, Element, Spec
from kinetree.engine.resources import packages
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.document.tree import Attribute, Node

NAME = "URDF"
WORLD = "world"
_JOINTS = {
    "revolute": "hinge",
    "continuous": "hinge",
    "prismatic": "slide",
    "floating": "free",
    "spherical": "ball",
}
_SHAPES = ("box", "cylinder", "sphere", "capsule", "mesh")
"""Of several shapes in one geometry the first in this order counts."""
_SMALL = 1e-14


def read(root: Node, diagnostics: Diagnostics, reading: ReaderArguments) -> Spec:
    """The spec of a <robot> element. Findings go to `diagnostics`. Raises ModelError after errors."""
    discard = _discards_visuals(root)
    lenient = {"mimic": True, **({"visual": True, "material": False} if discard else {})}
    checked = check(root, TABLE, diagnostics, lambda node: lenient.get(node.tag))
    diagnostics.raise_if_errors()
    return _UrdfReader(root, checked, diagnostics, reading).read()


def _discards_visuals(root: Node) -> bool:
    extension = root.find("mujoco")
    compiler = extension.find("compiler") if extension is not None else None
    return compiler is None or compiler.get("discardvisual") != "false"


@dataclass
class _Joint:
    node: Node
    parent: str
    child: str


class _UrdfReader(SpecReader):
    def __init__(self, root: Node, checked: Checked, diagnostics: Diagnostics, reading: ReaderArguments) -> None:
        super().__init__(root, checked, diagnostics)
        self.base = Path(reading.base)
        self.bodies: dict[str, Body] = {}
        self.shapes: set[str] = set()
        self.meshes: dict[tuple[str, tuple[float, ...]], str] = {}
        self.stems: dict[str, int] = {}
        self.elsewhere: list[tuple[Attribute, str]] = []

    def read(self) -> Spec:
        spec = self.settings()
        self.discard = spec.compiler["discardvisual"]
        self.strip = spec.compiler["strippath"]
        self.meshdir = spec.compiler.folder("meshdir")
        # names of meshes are resolved here; nothing is left to strip
        spec.compiler["strippath"] = False
        self.colours = self.materials()
        self.joints = {self.value(node, "name"): node for node in self.root.children if node.tag == "joint"}
        self.tree()
        for node in self.joints.values():
            self.mimic(node)
        self.remarks()
        return spec

    def settings(self) -> Spec:
        """An empty spec with the settings of <mujoco>."""
        extension = self.root.find("mujoco")
        known = TABLE.children["mujoco"]
        if extension is None:
            bare = self.root.copy(None)
        else:
            bare = extension.copy(None, [child for child in extension.children if child.tag in known])
        spec = self.begin(bare, self.value(self.root, "name", "MuJoCo Model"))
        for name in TRUE_BY_DEFAULT:
            if name not in spec.compiler.given:
                spec.compiler[name] = True
        return spec

    def value(self, node: Node | None, name: str, default: Any = None) -> Any:
        return self.checked.of(node).get(name, default)

    def pose(self, node: Node) -> tuple[np.ndarray, Quat]:
        """Position and orientation of the <origin> inside an element."""
        origin = self.checked.of(node.find("origin"))
        rpy = origin.get("rpy")
        quat = IDENTITY if rpy is None else from_euler(rpy.tolist(), "XYZ", False)
        return origin.get("xyz", np.zeros(3)), quat

    # ---- the tree -----------------------------------------------------------------------------------

    def tree(self) -> None:
        """Make a body of every link, in the order of the joints; fills spec.world."""
        links = {self.value(node, "name"): node for node in self.root.children if node.tag == "link"}
        above: dict[str, _Joint] = {}
        below: dict[str, list[_Joint]] = {}
        for node in self.root.children:
            if node.tag != "joint":
                continue
            joint = _Joint(node, *(self.value(node.find(tag), "link") for tag in ("parent", "child")))
            if joint.child in above:
                self.diagnostics.error(
                    present(present(node.find("child")).attribute("link")),
                    "two-parents",
                    tr(
                        "the link '{child}' is the child of the joint in line {line} already; a link has one parent: "
                        "close the loop with an equality constraint in MJCF",
                        child=joint.child,
                        line=above[joint.child].node.line,
                    ),
                )
                continue
            above[joint.child] = joint
            below.setdefault(joint.parent, []).append(joint)
        for name, node in links.items():
            if name in above:
                continue
            stack: list[tuple[Node, str, _Joint | None, Body]] = [(node, name, None, self.spec.world)]
            while stack:
                node, name, joint, around = stack.pop()
                body = self.link(node, name, joint, around)
                stack.extend((links[j.child], j.child, j, body) for j in reversed(below.get(name, ())))
        if len(self.bodies) < len(links):
            if not self.diagnostics.has_errors:
                self.loop(above)
            return
        for name, node in links.items():  # shapes and meshes are numbered in the order of the text
            self.geoms(node, self.bodies[name])

    def loop(self, above: dict[str, _Joint]) -> None:
        """Report a cycle of joints."""
        for start in above:
            name, seen = start, set()
            while name in above and name not in seen:
                seen.add(name)
                name = above[name].parent
            if name in seen:
                break
        joint = above[name]
        self.diagnostics.error(
            present(present(joint.node.find("parent")).attribute("link")),
            "joint-loop",
            tr(
                "the link '{name}' is, joint by joint, its own parent; remove one of the joints of this ring", name=name
            ),
        )

    def link(self, node: Node, name: str, joint: _Joint | None, around: Body) -> Body:
        """Add a link as a body to `around`; returns the parent body of its children."""
        if name == WORLD:
            body = self.spec.world
            if joint is not None:
                self.world_as_child(joint)
        else:
            values, places = {}, {"name": node.attribute("name")}
            if joint is not None:
                pos, quat = self.pose(joint.node)
                values = {"pos": pos, "quat": np.array(quat)}
                origin = joint.node.find("origin")
                if origin is not None:
                    places |= {"pos": origin.attribute("xyz"), "quat": origin.attribute("rpy")}
            body = self.element("body", "body", node, name, values, places, Body)
            around.items.append(body)
            if joint is not None:
                body.items.extend(self.joint(joint.node))
        inertial = node.find("inertial")
        if inertial is not None:
            own = self.inertial(inertial)
            if own is not None:
                body.items.append(own)
        self.bodies[name] = body
        return body

    def world_as_child(self, joint: _Joint) -> None:
        kind = present(joint.node.attribute("type"))
        if kind.value != "fixed":
            self.diagnostics.error(
                present(present(joint.node.find("child")).attribute("link")),
                "world-moves",
                tr("the link 'world' is the fixed ground and cannot be moved by a joint; name the link otherwise"),
            )
        elif joint.node.find("origin") is not None:
            self.diagnostics.warning(
                present(joint.node.find("origin")),
                "no-effect",
                tr("both links of this joint are fixed in the world, at its origin; the pose has no effect"),
            )

    # ---- joints -------------------------------------------------------------------------------------

    def joint(self, node: Node) -> list[Element]:
        kind, name = self.value(node, "type"), self.value(node, "name")
        if kind == "fixed":
            return []
        limit, dynamics, axis = (node.find(tag) for tag in ("limit", "dynamics", "axis"))
        direction = self.value(axis, "xyz", np.array((1.0, 0.0, 0.0)))
        places: dict[str, Any] = {"name": node.attribute("name"), "type": node.attribute("type")}
        if axis is not None:
            places["axis"] = axis.attribute("xyz")
        if dynamics is not None:
            places |= {
                "damping": dynamics.attribute("damping"),
                "frictionloss": dynamics.attribute("friction"),
            }
        slow = {
            "damping": self.value(dynamics, "damping", 0.0),
            "frictionloss": self.value(dynamics, "friction", 0.0),
        }
        limits: dict[str, Any] = {"limited": "false", "actuatorfrclimited": "false"}
        if limit is not None:
            places |= {"range": limit.attribute("lower") or limit.attribute("upper") or limit}
            places |= {"actuatorfrcrange": limit.attribute("effort")}
            limits |= self.limits(limit, kind)
        made = {"type": _JOINTS.get(kind, "slide"), "axis": direction, **slow, **limits}
        if kind != "planar":
            return [self.element("joint", "body.joint", node, name, made, places)]
        if not np.any(direction):
            self.diagnostics.error(places.get("axis") or node, "bad-value", tr("the axis is zero; give it a length"))
            return []
        turn = from_zaxis(direction.tolist())
        free = {"limited": "false", "actuatorfrclimited": "false", **slow}
        parts = (
            ("_TX", {**made, "axis": np.array(rotate(turn, (1.0, 0.0, 0.0)))}),
            ("_TY", {**free, "type": "slide", "axis": np.array(rotate(turn, (0.0, 1.0, 0.0)))}),
            ("_RZ", {**free, "type": "hinge", "axis": direction}),
        )
        return [self.element("joint", "body.joint", node, name + end, values, places) for end, values in parts]

    def limits(self, limit: Node, kind: str) -> dict[str, Any]:
        given = self.checked.of(limit)
        lower, upper = given.get("lower", 0.0), given.get("upper", 0.0)
        limited = "lower" in given and "upper" in given and lower < upper
        found: dict[str, Any] = {
            "range": np.array((lower, upper)),
            "limited": "true" if limited and kind != "floating" else "false",
        }
        if "lower" in given and "upper" in given and lower > upper:
            self.diagnostics.warning(
                present(limit.attribute("lower")),
                "bad-range",
                tr("lower is above upper, so that the joint is not limited; swap them"),
            )
        if kind == "continuous" and limited:
            self.diagnostics.warning(
                present(limit.attribute("lower")),
                "limited-continuous",
                tr(
                    "a continuous joint turns without end, but has limits; they are in force, as in MuJoCo: "
                    "remove them, or "
                    "make it revolute"
                ),
            )
        effort = abs(given.get("effort", 0.0))
        if effort > 0 and math.isfinite(effort):
            found["actuatorfrcrange"] = np.array((-effort, effort))
            found["actuatorfrclimited"] = "false" if kind in ("floating", "spherical") else "true"
        return found

    def mimic(self, node: Node) -> None:
        """Add an equality for a joint that follows another."""
        mimic = node.find("mimic")
        if mimic is None:
            return
        leader = self.joints.get(self.value(mimic, "joint"))
        if leader is None:
            return  # reported by the check of references
        for follower in (node, leader):
            kind = self.value(follower, "type")
            if _JOINTS.get(kind) not in ("hinge", "slide"):
                self.diagnostics.warning(
                    mimic,
                    "no-effect",
                    tr("a {kind} joint has no single position to follow; mimic is left out", kind=kind),
                )
                return
        if leader is node:
            self.diagnostics.error(
                present(mimic.attribute("joint")),
                "bad-reference",
                tr("a joint cannot follow itself; name another"),
            )
            return
        polynomial = np.zeros(5)
        polynomial[:2] = self.value(mimic, "offset", 0.0), self.value(mimic, "multiplier", 1.0)
        values = {
            "joint1": self.value(node, "name"),
            "joint2": self.value(leader, "name"),
            "polycoef": polynomial,
        }
        places = {"joint2": mimic.attribute("joint"), "polycoef": mimic.attribute("multiplier")}
        self.spec.lists["equality"].append(self.element("equality", "equality.joint", mimic, "", values, places))

    # ---- mass ---------------------------------------------------------------------------------------

    def inertial(self, node: Node) -> Element | None:
        mass, matrix = present(node.find("mass")), present(node.find("inertia"))
        entries = self.checked.of(matrix)
        pos, turn = self.pose(node)
        moments, axes = inertia.principal([entries[n] for n in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")])
        weightless = not any(entries.values())
        if weightless:
            moments, axes = (0.0, 0.0, 0.0), IDENTITY
        elif min(moments) < _SMALL:
            self.diagnostics.error(
                matrix,
                "bad-inertia",
                tr(
                    "the inertia is not positive definite (its moments are {moments:g} {moments2:g} "
                    "{moments3:g}); correct its six numbers, or remove <inertial>, so that mass and inertia "
                    "follow from the collision shapes",
                    moments=moments[0],
                    moments2=moments[1],
                    moments3=moments[2],
                ),
            )
            return None
        if turn != IDENTITY and not _isotropic(moments):
            axes = mul(turn, axes)
        values = {
            "pos": pos,
            "mass": self.value(mass, "value"),
            "diaginertia": np.array(moments),
            "quat": np.array(axes),
        }
        places = {"mass": present(mass.attribute("value")), "diaginertia": matrix}
        return self.element("inertial", "body.inertial", node, "", values, places)

    # ---- shapes -------------------------------------------------------------------------------------

    def materials(self) -> dict[str, np.ndarray]:
        """Named colours; the first of each name is used."""
        found: dict[str, np.ndarray] = {}
        for node in self.root.iter("material"):
            rgba = self.value(node.find("color"), "rgba")
            name = self.value(node, "name")
            if not name and rgba is None and present(node.parent).tag in ("robot", "visual"):
                self.diagnostics.error(node, "missing-attribute", tr("a material needs a name or a <color>; add one"))
            if name and rgba is not None and present(node.parent).tag in ("robot", "visual"):
                found.setdefault(name, rgba)
        return found

    def geoms(self, link: Node, body: Body) -> None:
        rgba = None
        for node in link.children:
            if node.tag == "visual":
                rgba = self.colour(node, rgba)
                if self.discard:
                    continue
            elif node.tag != "collision":
                continue
            geom = self.geom(node, rgba)
            if geom is not None:
                body.items.append(geom)

    def colour(self, visual: Node, before: np.ndarray | None) -> np.ndarray | None:
        material = visual.find("material")
        if material is None:
            return before
        own = self.value(material.find("color"), "rgba")
        if own is not None:
            return own
        name = self.value(material, "name")
        if name and name not in self.colours:
            guess = schema.nearest(name, self.colours)
            if guess is not None:
                self.diagnostics.warning(
                    present(material.attribute("name")),
                    "undefined-reference",
                    tr("no material '{name}' has a colour; did you mean '{guess}'?", name=name, guess=guess),
                    meant(name, guess),
                )
        return self.colours.get(name, before)

    def geom(self, node: Node, rgba: np.ndarray | None) -> Element | None:
        geometry = present(node.find("geometry"))
        shape = next((found for tag in _SHAPES if (found := geometry.find(tag)) is not None), None)
        if shape is None:
            self.diagnostics.error(
                geometry,
                "missing-element",
                tr("the geometry is empty; put one of {names} inside", names=", ".join(_SHAPES)),
            )
            return None
        pos, quat = self.pose(node)
        values: dict[str, Any] = {"pos": pos, "quat": np.array(quat), "type": shape.tag}
        places: dict[str, Any] = {"type": shape, "name": node.attribute("name")}
        origin = node.find("origin")
        if origin is not None:
            places |= {"pos": origin.attribute("xyz"), "quat": origin.attribute("rpy")}
        if shape.tag == "mesh":
            values["mesh"] = self.mesh(shape)
            places["mesh"] = shape.attribute("filename")
        else:
            values["size"], places["size"] = self.size(shape)
        if node.tag == "visual":
            values |= {"contype": 0, "conaffinity": 0, "group": 1, "density": 0.0}
        if rgba is not None:
            values["rgba"] = rgba
        name = self.value(node, "name", "")
        if name in self.shapes:
            if name and node.tag == "collision":
                self.diagnostics.info(
                    present(node.attribute("name")),
                    "repeated-name",
                    tr("another shape has the name '{name}'; this one is left without a name", name=name),
                )
            name = ""
        self.shapes.add(name)
        return self.element("geom", "body.geom", node, name, values, places)

    def size(self, shape: Node) -> tuple[np.ndarray, Attribute | None]:
        given = self.checked.of(shape)
        if shape.tag == "box":
            return given["size"] / 2, shape.attribute("size")
        says = "length" if "length" in given and given["radius"] > 0 else "radius"
        return round_size(given["radius"], given.get("length", 0.0)), shape.attribute(says)

    def mesh(self, shape: Node) -> str:
        """The name of the mesh with this file and scale; makes the mesh at the first use."""
        given = self.checked.of(shape)
        filename, scale = given["filename"], given.get("scale", np.ones(3))
        path, usual = packages.locate(filename, self.base, self.meshdir, self.strip)
        if not usual:
            self.elsewhere.append((present(shape.attribute("filename")), path))
        key = (path, tuple(scale.tolist()))
        name = self.meshes.get(key)
        if name is None:
            stem = PurePosixPath(path.replace("\\", "/")).stem
            number = self.stems.get(stem, 0)
            self.stems[stem] = number + 1
            name = self.meshes[key] = f"{stem}{number}" if number else stem
            places = {"file": shape.attribute("filename"), "scale": shape.attribute("scale")}
            values = {"file": path, "scale": scale}
            self.spec.lists["mesh"].append(self.element("mesh", "asset.mesh", shape, name, values, places))
        return name

    # ---- remarks ------------------------------------------------------------------------------------

    def remarks(self) -> None:
        if self.elsewhere:
            attribute, path = self.elsewhere[0]
            more = len(self.elsewhere) - 1
            found = (
                tr("this mesh and {more} more were found, this one", more=more) if more else tr("this mesh was found")
            )
            self.diagnostics.info(
                attribute,
                "found-elsewhere",
                tr(
                    "{found} as {path}; MuJoCo drops folders from names of URDF (strippath) and would not find it",
                    found=found,
                    path=path,
                ),
            )
        visual = next(self.root.iter("visual"), None)
        if visual is not None and self.discard and "discardvisual" not in self.spec.compiler.given:
            self.diagnostics.info(
                visual,
                "visuals-discarded",
                tr(
                    "visual shapes are left out, as MuJoCo does with URDF; to see them put "
                    '<mujoco><compiler discardvisual="false"/></mujoco> inside <robot>'
                ),
            )


def _isotropic(moments: tuple[float, ...]) -> bool:
    return max(moments) - min(moments) <= 1e-12 * max(moments)
