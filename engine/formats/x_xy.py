"""Reads x_xy into a Spec: each joint of the format becomes one or several MuJoCo joints.

Sources: the format's "XML Syntax Documentation"; where it is silent, its own package:
  - gravity is the reading of a resting accelerometer: with "0 0 9.81" objects fall along -Z;
  - quat rotates vectors from the parent's frame to the body's: the orientation of the body is its conjugate;
  - there are no collisions; geoms of the world are only drawn.

Coordinates in the order of MuJoCo (the format has the rotation of free first, the angle of free_2d first):
  free            free joint; slides x y z and ball where it stands in another body or has a spring
  cor             the same in a body NAME_cor around, which turns the body about a centre that slides x y z move
  free_2d         slides y z, hinge x
  spherical       ball
  p3d             slides x y z
  saddle          hinges y z
  rr              hinge about an axis drawn at random
  rr_imp          the same, and a hinge about a random axis across it
  rsaddle         two hinges about random axes
  px .. rz        slide or hinge; frozen: none

The axis of each joint is drawn independently from `seed`: it does not change when other bodies are added or removed.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.diagnostics import meant
from kinetree.engine.formats import ReaderArguments
from kinetree.engine.formats.check import Checked, check, present
from kinetree.engine.formats.spec_reader import SpecReader, round_size
from kinetree.engine.formats.x_xy_table import COLOURS, JOINTS, PLAIN, TABLE
from kinetree.engine.geometry.orientation import IDENTITY, Quat, conj, from_axes, from_euler, mul, rotate, unit
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.elements import Body, Element, Spec
from kinetree.engine.translation import all_of, tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.document.tree import Attribute, Node

NAME = "x_xy"
SEED = 1
"""Seed of the random axes of joints without a given axis."""
HEADLIGHT = {"ambient": 0.35, "diffuse": 0.55, "specular": 0.3}
"""The light of every model: the format has no lights."""
NEARLY_NOTHING = 1e-12
"""Mass in kg, and a hundredth of it in kg m^2, of a body that moves and has no mass of its own."""

_X, _Y, _Z = np.eye(3)
_AXES = {"x": _X, "y": _Y, "z": _Z}
_ALONG_X = (0.5**0.5, 0.0, 0.5**0.5, 0.0)
"""Turns Z, the axis of a MuJoCo cylinder, to X."""
_COUNTS = {"box": 3, "sphere": 1, "cylinder": 2, "capsule": 2, "xyz": 1}
_PER_QD = ("damping", "armature", "spring_stiff")


def read(root: Node, diagnostics: Diagnostics, reading: ReaderArguments) -> Spec:
    """The spec of an <x_xy> element. Findings go to `diagnostics`. Raises ModelError after errors."""
    checked = check(root, TABLE, diagnostics)
    diagnostics.raise_if_errors()
    return _XxyReader(root, checked, diagnostics, SEED if reading.seed is None else reading.seed).read()


class _JointPart:
    """One MuJoCo joint of a joint: its type, axis and which coordinates and velocities of the format it has."""

    __slots__ = ("axis", "kind", "q", "qd", "suffix")

    def __init__(self, kind: str, suffix: str, q: slice, qd: list[int], axis: np.ndarray = _Z) -> None:
        self.kind, self.suffix, self.q, self.qd, self.axis = kind, suffix, q, qd, axis


class _Given:
    """The values of a body or geom with defaults applied, and the attribute of each value."""

    def __init__(self, node: Node, own: dict[str, Any], defaults: dict[str, Any], default: Node | None) -> None:
        self.node = node
        # only one form of an orientation: the element's own overrides the default
        turn = {"euler", "quat"}
        skip = turn if turn & set(own) else set()
        self.values = {**{k: v for k, v in defaults.items() if k not in skip}, **own}
        self.default = default

    def get(self, name: str, fallback: Any = None) -> Any:
        return self.values.get(name, fallback)

    def at(self, *names: str) -> Attribute | Node:
        for name in names:
            for node in (self.node, self.default):
                found = node.attribute(name) if node is not None else None
                if found is not None:
                    return found
        return self.node

    def places(self, names: dict[str, str]) -> dict[str, Attribute | Node | None]:
        """Attribute of MJCF -> where the text has it, from attribute of MJCF -> attribute of the format."""
        found = {ours: self.at(theirs) for ours, theirs in {"name": "name", **names}.items()}
        return {ours: place for ours, place in found.items() if place is not self.node}


class _XxyReader(SpecReader):
    def __init__(self, root: Node, checked: Checked, diagnostics: Diagnostics, seed: int) -> None:
        super().__init__(root, checked, diagnostics)
        self.seed = seed

    def read(self) -> Spec:
        names = self.checked.of(self.root)
        spec = self.begin(self.root.copy(None), names.get("model") or names.get("name") or NAME)
        for name, value in HEADLIGHT.items():
            spec.visual["headlight"][name] = np.full(3, value)
        self.options(self.root.find("options"))
        section = self.root.find("defaults")
        self.default_nodes = {tag: section.find(tag) if section is not None else None for tag in ("geom", "body")}
        stack: list[tuple[Node, Body]] = [(present(self.root.find("worldbody")), spec.world)]
        while stack:
            node, body = stack.pop()
            inside = []
            for child in node.children:
                if child.tag == "geom":
                    body.items.extend(self.geoms(child, body is spec.world))
                elif child.tag == "body":
                    inside.append((child, self.body(child, body, body is spec.world)))
            if body is not spec.world:
                self.weigh(body)
            stack.extend(reversed(inside))
        return spec

    def options(self, node: Node | None) -> None:
        given = self.checked.of(node)
        option = self.spec.option
        gravity = given.get("gravity", np.array((0.0, 0.0, 9.81)))
        option["gravity"] = -gravity + 0.0  # no negative zeros
        option["timestep"] = given.get("dt", 0.01)
        if node is not None and "dt" in given:
            option.given["timestep"] = present(node.attribute("dt"))
        if node is not None and gravity[2] < 0:
            self.diagnostics.warning(
                present(node.attribute("gravity")),
                "falls-upwards",
                tr(
                    "gravity is what a resting accelerometer shows, so that things fall upwards with a negative "
                    "Z; write {number:g} for the usual way",
                    number=-gravity[2],
                ),
            )

    def given(self, node: Node) -> _Given:
        default = self.default_nodes[node.tag]
        found = _Given(node, self.checked.of(node), self.checked.of(default), default)
        if "euler" in found.values and "quat" in found.values:
            self.diagnostics.error(
                found.at("euler"),
                "exclusive-attributes",
                tr("euler and quat exclude each other; remove one of them"),
            )
        return found

    def need(self, given: _Given, name: str) -> bool:
        if name in given.values:
            return True
        row = schema_row(given.node.tag, name)
        self.diagnostics.error(
            given.node.tag_span,
            "missing-attribute",
            tr(
                "'{tag}' needs the attribute '{name}' ({type_text}): {help}",
                tag=given.node.tag,
                name=name,
                type_text=row.type_text,
                help=row.help,
            ),
        )
        return False

    def turn(self, given: _Given) -> Quat:
        """The orientation of a body or geom in its parent."""
        if "euler" in given.values:
            return from_euler(given.get("euler").tolist(), "XYZ", True)
        if "quat" in given.values:
            quat = given.get("quat")
            if not np.any(quat):
                self.diagnostics.error(
                    given.at("quat"), "bad-orientation", tr("quat is zero; give a quaternion with a length")
                )
                return IDENTITY
            return conj(unit(quat.tolist()))
        return IDENTITY

    # ---- bodies -------------------------------------------------------------------------------------

    def body(self, node: Node, around: Body, top: bool) -> Body:
        given = self.given(node)
        name = given.get("name", "") if self.need(given, "name") else ""
        bounds = [side for side in ("pos_min", "pos_max") if side in given.values]
        if len(bounds) == 1:
            missing = "pos_max" if bounds == ["pos_min"] else "pos_min"
            self.diagnostics.error(
                given.at(*bounds),
                "missing-attribute",
                tr("{bounds} needs {missing} beside it; add it", bounds=bounds[0], missing=missing),
            )
        pose = {"pos": given.get("pos", np.zeros(3)), "quat": np.array(self.turn(given))}
        places = {"pos": "pos", "quat": "quat" if "quat" in given.values else "euler", "type": "joint"}
        parts: list[_JointPart] = []
        if self.need(given, "joint"):
            parts = self.parts(given, name, top)
        if given.get("joint") == "cor":
            outer = self.element("body", "body", node, f"{name}_cor", pose, given.places(places), Body)
            outer.items.extend(self.joint(part, name, given, places) for part in parts[:-3])
            self.weigh(outer)
            around.items.append(outer)
            around, parts, pose = outer, parts[-3:], {}
        body = self.element("body", "body", node, name, pose, given.places(places), Body)
        body.items.extend(self.joint(part, name, given, places) for part in parts)
        around.items.append(body)
        return body

    def weigh(self, body: Body) -> None:
        """Give a body without mass an inertial: zero mass if it is fixed, a tiny one if it moves."""
        if any(item.values.get("mass", 0.0) > 0 for item in body.items if item.kind == "geom"):
            return
        moves = any(item.kind == "joint" for item in body.items)
        mass = NEARLY_NOTHING if moves else 0.0
        values = {"mass": mass, "pos": np.zeros(3), "diaginertia": np.full(3, mass / 100)}
        body.items.append(self.element("inertial", "body.inertial", body.node, "", values, {}))

    # ---- joints -------------------------------------------------------------------------------------

    def parts(self, given: _Given, name: str, top: bool) -> list[_JointPart]:
        """The MuJoCo joints of a body; counts of its numbers are checked."""
        kind = given.get("joint")
        size = JOINTS[kind]
        for attribute, count in [*((n, size.qd) for n in _PER_QD), ("spring_zero", size.q)]:
            found = given.get(attribute)
            if found is not None and len(found) != count:
                what = "velocity" if attribute != "spring_zero" else "coordinate"
                self.diagnostics.error(
                    given.at(attribute),
                    "wrong-count",
                    tr(
                        "{attribute}: a joint of type {kind} has {count}, one for each {what}; found {count2}",
                        attribute=attribute,
                        kind=kind,
                        count=count,
                        what=what,
                        count2=len(found),
                    ),
                )
                del given.values[attribute]
        if kind == "frozen":
            return []
        if kind in ("free", "cor"):
            stiff = given.get("spring_stiff")
            if top and (stiff is None or not np.any(stiff[:6])):
                parts = [_JointPart("free", "", slice(0, 7), [3, 4, 5, 0, 1, 2])]
            else:
                parts = [_slide(axis, 4 + i, 3 + i) for i, axis in enumerate("xyz")]
                parts.append(_JointPart("ball", "_rot", slice(0, 4), [0, 1, 2]))
            if kind == "cor":
                parts += [_slide(axis, 7 + i, 6 + i, "_cor") for i, axis in enumerate("xyz")]
            return parts
        if kind == "spherical":
            return [_JointPart("ball", "", slice(0, 4), [0, 1, 2])]
        if kind == "free_2d":
            return [_slide("y", 1, 1), _slide("z", 2, 2), _hinge("_rx", 0, _X)]
        if kind == "p3d":
            return [_slide(axis, i, i) for i, axis in enumerate("xyz")]
        if kind == "saddle":
            return [_hinge("_ry", 0, _Y), _hinge("_rz", 1, _Z)]
        if kind in ("rr", "rr_imp", "rsaddle"):
            axes = self.drawn(given, name, kind)
            return [_hinge(f"_{i + 1}" if len(axes) > 1 else "", i, axis) for i, axis in enumerate(axes)]
        axis = _AXES[kind[1]]
        return [_JointPart("slide" if kind[0] == "p" else "hinge", "", slice(0, 1), [0], axis)]

    def drawn(self, given: _Given, name: str, kind: str) -> list[np.ndarray]:
        """The random axes of a joint; writes them to the log."""
        random = np.random.default_rng([self.seed & 0xFFFFFFFF, zlib.crc32(name.encode("utf-8", "backslashreplace"))])

        def direction() -> np.ndarray:
            v = random.standard_normal(3)
            return v / np.linalg.norm(v)

        axes = [direction()]
        if kind == "rsaddle":
            axes.append(direction())
        elif kind == "rr_imp":
            across = np.cross(axes[0], direction())
            axes.append(across / np.linalg.norm(across))
        text = all_of([" ".join(f"{v:.4f}" for v in axis) for axis in axes])
        self.diagnostics.info(
            given.at("joint"),
            "drawn-axis",
            tr(
                "the joint of '{name}' turns about {text}, drawn with seed {seed}; --seed N draws others",
                name=name,
                text=text,
                seed=self.seed,
            ),
        )
        return axes

    def joint(self, part: _JointPart, name: str, given: _Given, places: dict[str, str]) -> Element:
        values: dict[str, Any] = {"type": part.kind, "axis": part.axis, "limited": "false"}
        for ours, theirs in (("damping", "damping"), ("armature", "armature"), ("stiffness", "spring_stiff")):
            found = given.get(theirs)
            if found is None:
                continue
            found = found[part.qd]
            equal = np.ptp(found) <= 1e-12 * np.abs(found).max()
            if ours == "stiffness" or equal:
                if not equal:
                    self.diagnostics.error(
                        given.at(theirs),
                        "not-supported",
                        tr(
                            "Kinetree's ball joints have one spring stiffness for all directions; make these numbers "
                            "equal or use three revolute joints"
                        ),
                    )
                found = float(found[0])
            values[ours] = found
        zero = given.get("spring_zero")
        if zero is not None:
            zero = zero[part.q]
            if part.kind == "ball":
                if not np.any(zero):
                    self.diagnostics.error(
                        given.at("spring_zero"), "bad-orientation", tr("the quaternion in spring_zero is zero")
                    )
                    zero = np.array(IDENTITY)
                values["springref"] = np.array(conj(unit(zero.tolist())))
            elif part.kind != "free":
                values["springref"] = float(zero[0])
        where = {
            **places,
            "damping": "damping",
            "armature": "armature",
            "stiffness": "spring_stiff",
            "springref": "spring_zero",
        }
        return self.element("joint", "body.joint", given.node, name + part.suffix, values, given.places(where))

    # ---- shapes -------------------------------------------------------------------------------------

    def geoms(self, node: Node, world: bool) -> list[Element]:
        """A geom as one or several geoms of MuJoCo; xyz becomes three."""
        given = self.given(node)
        if not self.need(given, "type"):
            return []
        kind, dim = given.get("type"), self.dimensions(given)
        mass = given.get("mass", 0.0)
        if kind == "xyz":
            mass = 0.0
        elif not world and self.need(given, "mass") and mass < 0:
            self.diagnostics.error(
                given.at("mass"), "bad-value", tr("the mass is {mass:g}; it cannot be negative", mass=mass)
            )
            mass = 0.0
        if dim is None:
            return []
        rgba = self.colour(given)
        pos, turn = given.get("pos", np.zeros(3)), self.turn(given)
        if kind == "xyz":
            return self.axes(node, given, float(dim[0]), pos, turn, rgba[3])
        size = dim / 2 if kind == "box" else round_size(*dim)
        if kind in ("cylinder", "capsule"):
            turn = mul(turn, _ALONG_X)
        return [self.shape(node, given, kind, size, pos, turn, rgba, mass)]

    def shape(self, node, given, kind, size, pos, turn, rgba, mass) -> Element:
        values = {
            "type": kind,
            "size": size,
            "pos": np.asarray(pos),
            "quat": np.array(turn),
            "rgba": rgba,
            "mass": mass,
        }
        values |= {"contype": 0, "conaffinity": 0}
        places = {
            "type": "type",
            "size": "dim" if "dim" in given.values else "size",
            "mass": "mass",
            "pos": "pos",
        }
        return self.element("geom", "body.geom", node, "", values, given.places(places))

    def axes(self, node: Node, given: _Given, length: float, pos, turn: Quat, opacity: float) -> list[Element]:
        """Three thin capsules, red along X, green along Y, blue along Z."""
        columns = np.array([_rotated(turn, axis) for axis in (_X, _Y, _Z)])
        frames = [
            from_axes(columns[1], columns[2], columns[0]),
            from_axes(columns[2], columns[0], columns[1]),
            turn,
        ]
        size = round_size(length / 40, length)
        return [
            self.shape(
                node,
                given,
                "capsule",
                size,
                pos + columns[i] * length / 2,
                frames[i],
                (*COLOURS[c], opacity),
                0.0,
            )
            for i, c in enumerate(("red", "green", "blue"))
        ]

    def dimensions(self, given: _Given) -> np.ndarray | None:
        kind = given.get("type")
        if "dim" in given.values and "size" in given.values:
            self.diagnostics.error(
                given.at("size"), "exclusive-attributes", tr("dim and size mean the same; remove one of them")
            )
            return None
        name = "size" if "size" in given.values else "dim"
        dim = given.get(name)
        if dim is None:
            if kind == "xyz":
                return np.ones(1)
            self.need(given, "dim")
            return None
        if len(dim) != _COUNTS[kind]:
            row = schema_row("geom", "dim")
            self.diagnostics.error(
                given.at(name),
                "wrong-count",
                tr(
                    "{name}: a {kind} has {counts}, found {count}. {help}",
                    name=name,
                    kind=kind,
                    counts=_COUNTS[kind],
                    count=len(dim),
                    help=row.help,
                ),
            )
            return None
        if not (dim > 0).all():
            self.diagnostics.error(given.at(name), "bad-size", tr("{name}: lengths must be above 0", name=name))
            return None
        return dim

    def colour(self, given: _Given) -> tuple[float, ...]:
        text = given.get("color")
        if text is None:
            return (*PLAIN, 1.0)
        known = COLOURS.get(text.strip().lower())
        if known is not None:
            return (*known, 1.0)
        try:
            numbers = [float(word) for word in text.split()]
        except ValueError:
            numbers = []
        if len(numbers) in (3, 4) and np.isfinite(numbers).all():
            return (*numbers, 1.0)[:4]
        guess = schema.nearest(text, COLOURS)
        hint = (
            tr("did you mean '{guess}'?", guess=guess)
            if guess
            else tr("write three numbers from 0 to 1, or one of {names} ...", names=", ".join(list(COLOURS)[:8]))
        )
        self.diagnostics.error(
            given.at("color"),
            "bad-colour",
            tr("color: '{text}' is no colour; {hint}", text=text, hint=hint),
            meant(text, guess),
        )
        return (*PLAIN, 1.0)


def schema_row(tag: str, name: str):
    """The row of an attribute, for messages."""
    return TABLE.rows[tag].attributes[name]


def _slide(axis: str, q: int, qd: int, suffix: str = "") -> _JointPart:
    return _JointPart("slide", f"{suffix}_{axis}", slice(q, q + 1), [qd], _AXES[axis])


def _hinge(suffix: str, at: int, axis: np.ndarray) -> _JointPart:
    return _JointPart("hinge", suffix, slice(at, at + 1), [at], axis)


def _rotated(turn: Quat, axis: np.ndarray) -> np.ndarray:
    return np.array(rotate(turn, axis.tolist()))
