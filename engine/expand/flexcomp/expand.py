"""The elements that one flexcomp stands for: bodies, a flex, an equality."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.document.limits import MAX_BODIES
from kinetree.engine.expand.flexcomp import files
from kinetree.engine.expand.flexcomp.pins import pinned
from kinetree.engine.expand.flexcomp.points import NODES, BadFlexcomp, FlexPoints
from kinetree.engine.geometry.orientation import BadOrientation, orientation
from kinetree.engine.mjcf import make
from kinetree.engine.mjcf.elements import Body, Element, Spec
from kinetree.engine.mjcf.pose import TURNS
from kinetree.engine.resources.files import AssetFiles, Unreadable
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics

_THREE = np.eye(3)
SPHERES = 4
"""Group of the geoms at the points of a flex whose vertices collide."""
_PASSED = ("radius", "material", "rgba", "group")


def expand(item: Element, parent: Body, spec: Spec, read: AssetFiles | None, diagnostics: Diagnostics) -> list[Body]:
    """The bodies that a flexcomp puts into its parent. Flex and equality go to `spec.lists`."""
    try:
        return _Expansion(item, parent, spec, read).bodies()
    except BadFlexcomp as error:
        place = error.place or item
        diagnostics.error(place.at(*error.attributes), error.code, f"{item.label()}: {error}")
    except BadOrientation as error:
        diagnostics.error(item.at("quat", *TURNS), "bad-orientation", str(error))
    except Unreadable:  # reported where it was read
        pass
    return []


def _childclass(body: Body | None) -> str | None:
    """The class in force in a body. As in the reference, the childclass of a frame is not in force for a flexcomp."""
    while body is not None:
        if body.get("childclass") is not None:
            return body["childclass"]
        body = body.parent
    return None


class _Expansion:
    def __init__(self, item: Element, parent: Body, spec: Spec, read: AssetFiles | None):
        self.item, self.parent, self.spec = item, parent, spec
        around = _childclass(parent)
        self.joint, self.geom = make.defaults(spec, "body.joint", around), make.defaults(spec, "body.geom", around)
        self.rigid = self.pinned = False
        self.spheres = any(part["vertcollide"] for part in item.items if part.tag == "contact")
        self.name = item.name
        if parent is not spec.world and not parent.name:
            raise BadFlexcomp(tr("the body around a flexcomp needs a name; add name=... to it"), code="missing-name")
        shape = self.shape = files.shape(item, read)
        self.check(shape)
        self.place(shape)
        used = np.zeros(len(shape.point), bool)
        used[shape.element] = True
        if item["dof"] == "trilinear" or item["rigid"]:
            used[:] = True
        self.used = np.flatnonzero(used)
        rank = np.cumsum(used) - 1
        self.element = rank[shape.element]

    def check(self, shape: FlexPoints) -> None:
        item = self.item
        keeps = any(part["equality"] for part in item.items if part.tag == "edge")
        for part in item.items:
            if keeps and part.tag == "elasticity" and part["elastic2d"] in ("stretch", "both"):
                raise BadFlexcomp(
                    tr(
                        "a constraint on the edges leaves nothing to stretch; remove edge/equality, or set "
                        "elastic2d to bend"
                    ),
                    "elastic2d",
                    code="exclusive-attributes",
                ).at(part)
        if not len(shape.element):
            raise BadFlexcomp(tr("the shape has no elements"), "type")
        wrong = shape.element[(shape.element < 0) | (shape.element >= len(shape.point))]
        if len(wrong):
            raise BadFlexcomp(
                tr(
                    "an element names point {wrong}, but points are numbered 0 to {number}",
                    wrong=wrong[0],
                    number=len(shape.point) - 1,
                ),
                "element",
                code="out-of-range",
            )
        if item["type"] in ("grid", "box", "cylinder", "ellipsoid", "disc", "circle"):
            margin = max([part["margin"] for part in item.items if part.tag == "contact"], default=0.0)
            least = 2 * item["radius"] + margin
            if (np.asarray(item["spacing"]) < least).any():
                raise BadFlexcomp(
                    tr(
                        "neighbouring points touch: spacing must be at least twice the radius and the margin, "
                        "{least:g} m",
                        least=least,
                    ),
                    "spacing",
                    "radius",
                )

    def place(self, shape: FlexPoints) -> None:
        item = self.item
        w, *axis = orientation(item.values, self.spec.degree, self.spec.eulerseq)
        if not any(name in item.values for name in TURNS):
            # as in the reference, a quat that is not of unit length stretches the points
            w, *axis = item["quat"]
        sideways = np.cross(axis, shape.point)
        shift = np.asarray(item["pos"], float) if item.get("pos") is not None else np.zeros(3)
        self.point = shape.point + 2 * np.cross(axis, w * shape.point + sideways) + shift

    # ---- bodies -------------------------------------------------------------------------------------

    def bodies(self) -> list[Body]:
        made: list[Body] = getattr(self, self.item["dof"])()
        part = next((part for part in self.item.items if part.tag == "plugin"), None)
        if part is not None and made:
            # as in the reference, bodies of points have the plugin, bodies of nodes do not
            name, taken = "flexcomp_" + self.name, {each.name for each in self.spec.lists["plugin"]}
            while name in taken:
                name += "_"
            plugin = make.plugin(self.spec, part, name)
            for body in [self.parent] if self.item["dof"] == "trilinear" else made:
                body.plugin = plugin
            if self.pinned:
                self.parent.plugin = plugin
        return made

    def body(self, name: str, pos: np.ndarray, mass: float, axes: np.ndarray) -> Body:
        node = self.item.node
        found = make.body(node, name, {"pos": pos})
        side = self.item["inertiabox"]
        inertia = np.full(3, mass * side * side * 2 / 3)
        found.inertial = make.element("body.inertial", node, {"pos": np.zeros(3), "mass": mass, "diaginertia": inertia})
        for axis in axes:
            values = {"type": "slide", "pos": np.zeros(3), "axis": axis}
            found.joints.append(make.element("body.joint", node, values, "joint", self.joint))
        if self.spheres:
            values = {"type": "sphere", "size": np.array([self.item["radius"], 0.0, 0.0])}
            if self.item["dof"] != "trilinear":
                values["group"] = SPHERES
            found.geoms.append(make.element("body.geom", node, values, "geom", self.geom))
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
        if count - int(fixed.sum()) > MAX_BODIES:
            raise BadFlexcomp(
                tr(
                    "{number} points would each be a body, more than {most}; use fewer, or dof trilinear",
                    number=count - int(fixed.sum()),
                    most=MAX_BODIES,
                ),
                "count",
            )
        mass = self.item["mass"] / count
        result, names, vertices = [], [], np.zeros((len(self.used), 3))
        for k, i in enumerate(self.used.tolist()):
            pos = self.point[i]
            if fixed[i]:
                self.pinned = True
                names.append(self.parent.name)
                vertices[k] = pos
                continue
            name = f"{self.name}_{i}"
            names.append(name)
            result.append(self.body(name, pos.copy(), mass, _THREE if axes is None else axes[i : i + 1]))
        if not result:
            names, self.rigid = names[:1], True
        self.flex({"body": names, "vertex": vertices.ravel()})
        return result

    def trilinear(self) -> list[Body]:
        """A body for each corner of the box around the points that is not pinned."""
        low, high = self.point.min(0), self.point.max(0)
        if self.item["rigid"]:
            return self.full()
        fixed = np.zeros(8, bool)
        found = pinned(self.item, len(self.point), self.shape.dim)[:8]
        fixed[: len(found)] = found
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
        if shape.elemtexcoord is not None and shape.texcoord is not None:
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
                if part["equality"] and not self.rigid:
                    self.equality(part)
        self.spec.lists["flex"].append(flex)

    def equality(self, edge: Element) -> None:
        values = {"flex": self.name, "active": True, "solref": edge["solref"], "solimp": edge["solimp"]}
        self.spec.lists["equality"].append(make.element("equality.flex", edge.node, values, "equality"))
