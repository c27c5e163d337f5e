"""What one flexcomp stands for: bodies, a flex, an equality."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.compile.flex import NODES
from engine.compile.orientation import BadOrientation, matrix, orientation
from engine.spec import make
from engine.spec.elements import Body, Element, Spec
from engine.spec.flexcomp import files, points
from engine.spec.flexcomp.pins import pinned
from engine.spec.flexcomp.points import BadFlexcomp, Shape

if TYPE_CHECKING:
    from engine.compile.files import Files
    from engine.diagnostics import Diagnostics

_THREE = np.eye(3)
_PASSED = ("radius", "material", "rgba", "group")


def expand(
    item: Element, parent: Body, spec: Spec, read: Files | None, diagnostics: Diagnostics
) -> list[Body]:
    """The bodies that a flexcomp puts into its parent; flex and equality go to the spec's lists."""
    try:
        return _Expansion(item, parent, spec, read).bodies()
    except BadFlexcomp as error:
        place = getattr(error, "place", item)
        diagnostics.error(place.at(*error.attributes), error.code, f"{item.label()}: {error}")
    except BadOrientation as error:
        diagnostics.error(
            item.at("quat", "axisangle", "xyaxes", "zaxis", "euler"), "bad-orientation", str(error)
        )
    except files.Unread:  # reported where it was read
        pass
    return []


class _Expansion:
    def __init__(self, item: Element, parent: Body, spec: Spec, read: Files | None):
        self.item, self.parent, self.spec = item, parent, spec
        self.joint = make.defaults(spec, "body.joint")
        self.name = item.name
        if parent is not spec.world and not parent.name:
            raise BadFlexcomp(
                "the body around a flexcomp needs a name; add name=... to it", code="missing-name"
            )
        shape = self.shape = files.shape(item, read)
        self.check(shape)
        self.place(shape)
        used = np.zeros(len(shape.point), bool)
        used[shape.element] = True
        self.used = np.flatnonzero(used)
        rank = np.cumsum(used) - 1
        self.element = rank[shape.element]

    def check(self, shape: Shape) -> None:
        item = self.item
        if not len(shape.element):
            raise BadFlexcomp("the shape has no elements", "type")
        wrong = shape.element[(shape.element < 0) | (shape.element >= len(shape.point))]
        if len(wrong):
            raise BadFlexcomp(
                f"an element names point {wrong[0]}, but there are {len(shape.point)} points",
                "element",
                code="out-of-range",
            )
        if item["type"] in ("grid", "box", "cylinder", "ellipsoid", "disc", "circle"):
            if (np.asarray(item["spacing"]) < 2 * item["radius"]).any():
                raise BadFlexcomp(
                    f"neighbouring points overlap: spacing must be at least twice the radius ({item['radius']:g})",
                    "spacing",
                    "radius",
                )

    def place(self, shape: Shape) -> None:
        item = self.item
        turn = np.array(matrix(orientation(item.values, self.spec.degree, self.spec.eulerseq)))
        shift = np.asarray(item["pos"], float) if item.get("pos") is not None else np.zeros(3)
        self.point = shape.point @ turn.T + shift

    # ---- bodies -------------------------------------------------------------------------------------

    def bodies(self) -> list[Body]:
        return getattr(self, self.item["dof"])()

    def body(self, name: str, pos: np.ndarray, mass: float, axes: np.ndarray) -> Body:
        node = self.item.node
        found = make.body(node, name, {"pos": pos})
        side = self.item["inertiabox"]
        inertia = np.full(3, mass * side * side * 2 / 3)
        found.inertial = make.element(
            "body.inertial", node, {"pos": np.zeros(3), "mass": mass, "diaginertia": inertia}
        )
        for axis in axes:
            values = {"type": "slide", "pos": np.zeros(3), "axis": axis}
            found.joints.append(make.element("body.joint", node, values, "joint", self.joint))
        return found

    def full(self) -> list[Body]:
        return self.point_bodies(None)

    def radial(self) -> list[Body]:
        return self.point_bodies(self.point)

    def point_bodies(self, axes: np.ndarray | None) -> list[Body]:
        """A body for each point that is not pinned; it slides along its axis, or in all directions."""
        count = len(self.point)
        fixed = pinned(self.item, count, self.shape.dim)
        if axes is not None:
            fixed[0] = True  # the centre
        mass = self.item["mass"] / count
        result, names, vertices = [], [], np.zeros((len(self.used), 3))
        for k, i in enumerate(self.used.tolist()):
            pos = self.point[i]
            if fixed[i]:
                names.append(self.parent.name)
                vertices[k] = pos
                continue
            name = f"{self.name}_{i}"
            names.append(name)
            result.append(self.body(name, pos.copy(), mass, _THREE if axes is None else axes[i : i + 1]))
        if not result:
            names = names[:1]
        self.flex({"body": names, "vertex": vertices.ravel()})
        return result

    def trilinear(self) -> list[Body]:
        """A body for each corner of the box around the points that is not pinned."""
        low, high = self.point.min(0), self.point.max(0)
        fixed = pinned(self.item, 8, self.shape.dim) if not self.item["rigid"] else np.ones(8, bool)
        result, names, places = [], [], np.zeros((8, 3))
        for i in range(8):
            corner = i >> 2 & 1, i >> 1 & 1, i & 1
            pos = np.where(np.array(corner) == 1, high, low)
            if fixed[i]:
                names.append(self.parent.name)
                places[i] = pos
                continue
            name = f"{self.name}_{corner[0]}_{corner[1]}_{corner[2]}"
            names.append(name)
            result.append(self.body(name, pos, self.item["mass"] / 8, _THREE))
        bodies = [self.parent.name] * len(self.used)
        self.flex({"body": bodies, "vertex": self.point[self.used].ravel(), "node": names, NODES: places})
        return result

    # ---- flex ---------------------------------------------------------------------------------------

    def flex(self, values: dict[str, Any]) -> None:
        item, shape = self.item, self.shape
        values = {
            **values,
            "name": self.name,
            "dim": shape.dim,
            "element": self.element.ravel(),
            "flatskin": shape.flat or item["flatskin"],
            **{name: item[name] for name in _PASSED if item.get(name) is not None},
        }
        given = item.get("texcoord")
        if shape.elemtexcoord is not None:
            values["texcoord"] = shape.texcoord.ravel()
            values["elemtexcoord"] = shape.elemtexcoord.ravel()
        elif given is not None:
            values["texcoord"] = given
        elif shape.texcoord is not None and item.get("material"):
            values["texcoord"] = shape.texcoord[self.used].ravel()
        flex = make.element("deformable.flex", item.node, values, "flex")
        for part in item.items:
            if part.tag in ("contact", "elasticity"):
                flex.items.append(make.element(f"flex.{part.tag}", part.node, dict(part.values)))
            elif part.tag == "edge":
                own = {name: part[name] for name in ("stiffness", "damping")}
                flex.items.append(make.element("flex.edge", part.node, own))
                if part["equality"]:
                    self.equality(part)
        self.spec.lists["flex"].append(flex)

    def equality(self, edge: Element) -> None:
        values = {"flex": self.name, "active": True, "solref": edge["solref"], "solimp": edge["solimp"]}
        self.spec.lists["equality"].append(make.element("equality.flex", edge.node, values, "equality"))


__all__ = ["expand", "points"]
