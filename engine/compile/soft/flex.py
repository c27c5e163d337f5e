"""Flexes: vertices on bodies, elements between them, and derived data at the reference configuration.

Source: XML reference, "deformable/flex". Topology and elastic constants have files of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.compile.soft import elasticity, topology
from kinetree.engine.compile.soft.tree import nodes, tree
from kinetree.engine.expand.flexcomp.points import NODES
from kinetree.engine.geometry.orientation import Pose, compose, matrix
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.mjcf.reader import row_defaults
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.compile.indexing import ObjectIndex
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.model.model import Model

SELFCOLLIDE = {"none": 0, "narrow": 1, "bvh": 2, "sap": 3, "auto": 4}
BENDS, STRETCHES = ("bend", "both"), ("stretch", "both")
_TINY = 1e-14


class BadFlex(Exception):
    """An error in a flex, with the attribute that it concerns."""

    def __init__(self, code: str, message: str, *attributes: str, part: str = ""):
        super().__init__(message)
        self.code, self.attributes, self.part = code, attributes, part


def part(flex: Element, name: str) -> dict[str, Any]:
    """The values of a flex's contact, edge or elasticity, given or not."""
    for item in flex.items:
        if item.tag == name:
            return item.values
    return row_defaults(f"flex.{name}")


class Flex:
    """One flex: its text in arrays, checked; positions in the world at the reference configuration.

    body, node      (nvert,), (nnode,) bodies of vertices and of interpolation nodes
    vert            (nvert, 3) in the frames of their bodies
    element         (nelem, dim + 1)
    edge, sides     see topology
    xpos, nodepos   vertices and nodes in the world
    corners         texture coordinates of the elements' corners; as in the reference, three for each element only
    """

    def __init__(self, element: Element, index: ObjectIndex, frames: tuple[np.ndarray, np.ndarray]):
        self.text = element
        self.dim = element["dim"]
        self.contact, self.edges, self.elastic = (part(element, name) for name in ("contact", "edge", "elasticity"))
        self.check()
        names = element.get("body") or []
        self.body = np.array([index.find("body", name, element, "body") for name in names], int)
        self.node = np.array([index.find("body", name, element, "node") for name in element.get("node") or []], int)
        self.nodes: np.ndarray | None = element.get(NODES)
        self.matid = index.reference(element, "material", "material")
        self.known = not ((self.body < 0).any() or (self.node < 0).any())
        self.vertices()
        self.elements()
        self.texture()
        written = self.element.ravel()
        if self.known:
            self.place(*frames)
        self.edge, self.element_edge = topology.edges(self.element)
        self.sides = topology.ElementSides(self.element)
        self.corners = self.element.ravel() if not len(self.texcoord) else written[: 3 * len(self.element)]
        if self.elemtexcoord is not None:
            self.corners = self.elemtexcoord[: self.element.size]

    # ---- the text -----------------------------------------------------------------------------------

    def check(self) -> None:
        element, elastic = self.text, self.elastic
        if self.dim not in (1, 2, 3):
            raise BadFlex("bad-value", tr("dim is {dim}; it must be 1, 2 or 3", dim=self.dim), "dim")
        if self.contact["condim"] not in (1, 3, 4, 6):
            raise BadFlex(
                "bad-value",
                tr("condim is {contact}; it must be 1, 3, 4 or 6", contact=self.contact["condim"]),
                "condim",
                part="contact",
            )
        if self.contact["activelayers"] < 0:
            raise BadFlex("bad-value", tr("activelayers cannot be negative"), "activelayers", part="contact")
        if self.edges["stiffness"] > 0 and self.dim > 1:
            raise BadFlex(
                "bad-value",
                tr(
                    "edges have a stiffness in flexes of lines (dim 1) only; for surfaces and solids set "
                    "elasticity/young"
                ),
                "stiffness",
                part="edge",
            )
        if elastic["young"] > 0 and not 0 <= elastic["poisson"] < 0.5:
            raise BadFlex(
                "bad-value",
                tr("poisson is {elastic:g}; it must be at least 0 and below 0.5", elastic=elastic["poisson"]),
                "poisson",
                part="elasticity",
            )
        if element.get("node"):
            if self.contact["internal"]:
                raise BadFlex(
                    "bad-value",
                    tr("a flex that is interpolated from nodes has no internal contacts; set internal to false"),
                    "internal",
                    part="contact",
                )
            if self.contact["selfcollide"] != "none":
                raise BadFlex(
                    "bad-value",
                    tr("a flex that is interpolated from nodes cannot collide with itself; set selfcollide to none"),
                    "selfcollide",
                    part="contact",
                )

    def vertices(self) -> None:
        given = self.text.get("vertex")
        if given is None:
            if not len(self.body):
                raise BadFlex("missing-attribute", tr("the flex has no vertices; give body or vertex"))
            given = np.zeros(3 * len(self.body))
        if len(given) % 3:
            raise BadFlex(
                "wrong-count", tr("vertex has {count} numbers; it needs three each", count=len(given)), "vertex"
            )
        count = len(given) // 3
        self.vert = np.asarray(given, float).reshape(count, 3)
        self.one = len(self.body) == 1
        if self.one:
            self.body = np.repeat(self.body, count)
        self.interpolated = len(self.node) > 0
        if self.interpolated and not len(self.body):
            self.body = np.zeros(count, int)
        if len(self.body) != count:
            raise BadFlex(
                "wrong-count",
                tr(
                    "there are {count} bodies and {count2} vertices; name one body for each vertex, or one for all",
                    count=len(self.body),
                    count2=count,
                ),
                "body",
                "vertex",
            )
        if self.interpolated and len(self.node) != 8:
            raise BadFlex(
                "wrong-count",
                tr("node names {count} bodies; interpolation takes 8 corners", count=len(self.node)),
                "node",
            )

    def elements(self) -> None:
        given = np.asarray(self.text.get("element", ()), int)
        width = self.dim + 1
        if not len(given) or len(given) % width:
            raise BadFlex(
                "wrong-count",
                tr(
                    "element has {count} numbers; elements of dimension {dim} take {width} each",
                    count=len(given),
                    dim=self.dim,
                    width=width,
                ),
                "element",
            )
        wrong = given[(given < 0) | (given >= len(self.vert))]
        if len(wrong):
            raise BadFlex(
                "out-of-range",
                tr(
                    "element names vertex {wrong}, but vertices are numbered 0 to {number}",
                    wrong=wrong[0],
                    number=len(self.vert) - 1,
                ),
                "element",
            )
        self.element = given.reshape(-1, width)
        ordered = np.sort(self.element, axis=1)
        twice = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(1))
        if len(twice):
            raise BadFlex("bad-value", tr("element {twice} names a vertex twice", twice=twice[0]), "element")

    def texture(self) -> None:
        coords = self.text.get("texcoord")
        self.texcoord = np.zeros((0, 2)) if coords is None else np.asarray(coords, float).reshape(-1, 2)
        corners = self.text.get("elemtexcoord")
        self.elemtexcoord = None if corners is None else np.asarray(corners, int)
        if corners is None:
            if len(self.texcoord) and len(self.texcoord) != len(self.vert):
                raise BadFlex(
                    "wrong-count",
                    tr(
                        "there are {count} texture coordinates and {count2} vertices; give one for each vertex, or "
                        "elemtexcoord",
                        count=len(self.texcoord),
                        count2=len(self.vert),
                    ),
                    "texcoord",
                )
            return
        if len(corners) != self.element.size:
            raise BadFlex(
                "wrong-count",
                tr(
                    "elemtexcoord has {count} numbers; the elements have {size} corners",
                    count=len(corners),
                    size=self.element.size,
                ),
                "elemtexcoord",
            )
        if len(self.texcoord) and len(corners) and (min(corners) < 0 or max(corners) >= len(self.texcoord)):
            raise BadFlex(
                "out-of-range",
                tr(
                    "elemtexcoord goes up to {corners}, but there are {count} texture coordinates",
                    corners=max(corners),
                    count=len(self.texcoord),
                ),
                "elemtexcoord",
            )

    # ---- in space -----------------------------------------------------------------------------------

    def place(self, pos: np.ndarray, mat: np.ndarray) -> None:
        """Set the positions in the world, and turn tetrahedra so that their sides face outwards."""
        self.xpos = pos[self.body] + np.einsum("nij,nj->ni", mat[self.body], self.vert)
        self.nodepos = pos[self.node]
        if self.nodes is not None:
            self.nodepos = self.nodepos + np.einsum("nij,nj->ni", mat[self.node], self.nodes)
        if self.dim == 3:
            corner = self.xpos[self.element]
            turned = np.linalg.det(corner[:, 1:] - corner[:, :1]) > 0
            self.element = self.element.copy()
            self.element[turned, 1:3] = self.element[turned, 2:0:-1]

    def active(self) -> np.ndarray:
        """The elements that collide: those of solids only in the active layers."""
        return np.flatnonzero((self.dim != 3) | (self.sides.layers < self.contact["activelayers"]))

    def unit(self) -> np.ndarray:
        """Vertices in the box around the elements, from 0 to 1 along each axis; not a number where it is flat."""
        used = self.xpos[np.unique(self.element)]
        radius = self.text["radius"]
        low, high = (used - radius).min(0), (used + radius).max(0)
        half = np.maximum((high - low) / 2, _TINY) - radius
        return 0.5 + (self.xpos - (high + low) / 2) / (2 * half)

    def forms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(stiffness of elements, bending forms of edges, flaps of edges)."""
        elastic, kind = self.elastic, self.elastic["elastic2d"]
        young, poisson, thickness = (elastic[name] for name in ("young", "poisson", "thickness"))
        stiffness = np.zeros((len(self.element), 21))
        form = np.zeros((len(self.edge), 16))
        flaps = np.full((len(self.edge), 2), -1)
        if self.dim == 2 and kind in BENDS:
            flaps, turned = topology.flaps(self.element, self.element_edge, len(self.edge))
        if young <= 0:
            return stiffness, form, flaps
        if self.interpolated:
            if stiffness.size < 576:
                raise BadFlex(
                    "too-few-elements",
                    tr(
                        "an elastic flex that is interpolated from nodes needs at least 28 elements, this one has "
                        "{count}; use more points",
                        count=len(self.element),
                    ),
                    "element",
                )
            stiffness.ravel()[:576] = elasticity.cell(self.nodepos, young, poisson).ravel()
        elif self.dim == 3:
            stiffness = elasticity.solid(self.xpos[self.element], young, poisson)
        elif self.dim == 2 and kind in STRETCHES and thickness > 0:
            stiffness = elasticity.sheet(self.xpos[self.element], young, poisson, thickness)
        if self.dim == 2 and kind in BENDS:
            if thickness <= 0:
                raise BadFlex(
                    "missing-attribute",
                    tr("bending needs the thickness of the surface; set thickness above 0"),
                    "thickness",
                    "elastic2d",
                    part="elasticity",
                )
            # the reference's forms are over the edge as its first triangle runs along it
            edge = np.where(turned[:, None], self.edge[:, ::-1], self.edge)
            form = elasticity.bending(self.xpos, edge, flaps, young, poisson, thickness)
        return stiffness, form, flaps


class Flexes:
    """Every flex of a spec. Errors are reported."""

    def __init__(self, index: ObjectIndex, poses: list[Pose], diagnostics: Diagnostics):
        self.diagnostics = diagnostics
        self.flexes: list[Flex] = []
        elements = index.objects["flex"]
        if not elements:
            return
        frames = _frames(index, poses)
        for element in elements:
            try:
                self.flexes.append(Flex(element, index, frames))
            except BadFlex as error:
                self.error(element, error)

    def error(self, element: Element, error: BadFlex) -> None:
        place = element
        for item in element.items:
            if item.tag == error.part:
                place = item
        what = tr("flex '{name}'", name=element.name) if element.name else tr("this flex")
        self.diagnostics.error(place.at(*error.attributes), error.code, f"{what}: {error}")

    def sizes(self) -> dict[str, int]:
        flexes = self.flexes
        return {
            "nflex": len(flexes),
            "nflexnode": sum(len(f.node) for f in flexes),
            "nflexvert": sum(len(f.vert) for f in flexes),
            "nflexedge": sum(len(f.edge) for f in flexes),
            "nflexelem": sum(len(f.element) for f in flexes),
            "nflexelemdata": sum(f.element.size for f in flexes),
            "nflexelemedge": sum(f.element_edge.size for f in flexes),
            "nflexshelldata": sum(f.sides.shell.size for f in flexes),
            "nflexevpair": sum(len(f.sides.pairs) for f in flexes),
            "nflextexcoord": sum(len(f.texcoord) for f in flexes),
            "nflextree": sum(nodes(len(f.active())) for f in flexes),
        }

    def fill(self, m: Model) -> None:
        at: dict[str, int] = dict.fromkeys(
            ("node", "vert", "edge", "elem", "elemdata", "elemedge", "shell", "evpair", "tex", "tree"), 0
        )

        def put(name: str, count: str, values: np.ndarray) -> int:
            start = at[count]
            at[count] = start + len(values)
            getattr(m, name)[start : start + len(values)] = values
            return start

        for i, flex in enumerate(self.flexes):
            try:
                stiffness, form, flaps = flex.forms()
                if (flaps >= 0).any() and (m.body_dofnum[flex.body] != 3).any():
                    raise BadFlex(
                        "not-supported",
                        tr(
                            "bending is for surfaces whose vertices are all free to slide in three directions; "
                            "remove pins, "
                            "or set elastic2d to stretch"
                        ),
                        "elastic2d",
                        part="elasticity",
                    )
            except BadFlex as error:
                self.error(flex.text, error)
                continue
            flat = np.flatnonzero(np.isnan(stiffness[:, 0]))
            if len(flat):
                self.diagnostics.warning(
                    flex.text.at("element"),
                    "flat-element",
                    tr(
                        "element {flat} of flex '{name}' is flat, so that its elastic forces cannot be computed "
                        "({count} such elements); move its vertices apart or remove it",
                        flat=flat[0],
                        name=flex.text.name,
                        count=len(flat),
                    ),
                )
            nodes = np.zeros((len(flex.node), 3)) if flex.nodes is None else flex.nodes
            self.settings(m, i, flex, nodes)
            m.flex_nodenum[i], m.flex_vertnum[i] = len(flex.node), len(flex.vert)
            m.flex_edgenum[i], m.flex_elemnum[i] = len(flex.edge), len(flex.element)
            m.flex_shellnum[i], m.flex_evpairnum[i] = len(flex.sides.shell), len(flex.sides.pairs)
            rows = slice(at["node"], at["node"] + len(flex.node))
            m.flex_node[rows], m.flex_node0[rows] = nodes, flex.nodepos
            m.flex_nodeadr[i] = put("flex_nodebodyid", "node", flex.node)
            rows = slice(at["vert"], at["vert"] + len(flex.vert))
            m.flex_vert[rows], m.flex_vert0[rows] = flex.vert, flex.unit()
            m.flex_vertadr[i] = put(
                "flex_vertbodyid", "vert", np.full(len(flex.vert), -1) if flex.interpolated else flex.body
            )
            rows = slice(at["edge"], at["edge"] + len(flex.edge))
            m.flex_bending[rows], m.flex_edgeflap[rows] = form, flaps
            m.flexedge_rigid[rows] = self.rigid_edges(m, flex)
            if not flex.interpolated:
                ends = flex.xpos[flex.edge]
                x, y, z = (ends[:, 1] - ends[:, 0]).T
                m.flexedge_length0[rows] = np.sqrt(x * x + y * y + z * z)  # as in engine/dynamics/position/flex.py
            m.flex_edgeadr[i] = put("flex_edge", "edge", flex.edge)
            rows = slice(at["elem"], at["elem"] + len(flex.element))
            m.flex_stiffness[rows] = stiffness
            m.flex_elemadr[i] = put("flex_elemlayer", "elem", flex.sides.layers)
            start = at["elemdata"]
            m.flex_elemtexcoord[start : start + len(flex.corners)] = flex.corners
            m.flex_elemdataadr[i] = put("flex_elem", "elemdata", flex.element.ravel())
            m.flex_elemedgeadr[i] = put("flex_elemedge", "elemedge", flex.element_edge.ravel())
            adr = put("flex_shell", "shell", flex.sides.shell.ravel())
            m.flex_shelldataadr[i] = adr if len(flex.sides.shell) else -1
            adr = put("flex_evpair", "evpair", flex.sides.pairs)
            m.flex_evpairadr[i] = adr if len(flex.sides.pairs) else -1
            corner = flex.xpos[flex.element]
            child, element = tree(corner.min(1), corner.max(1), flex.active())
            rows = slice(at["tree"], at["tree"] + len(child))
            m.flextree_child[rows], m.flex_treenum[i] = child, len(child)
            adr = put("flextree_elem", "tree", element)
            m.flex_treeadr[i] = adr if len(child) else -1
            adr = put("flex_texcoord", "tex", flex.texcoord)
            m.flex_texcoordadr[i] = adr if len(flex.texcoord) else -1

    def settings(self, m: Model, i: int, flex: Flex, nodes: np.ndarray) -> None:
        text, contact, elastic = flex.text, flex.contact, flex.elastic
        for name in ("dim", "radius", "rgba", "group", "flatskin"):
            getattr(m, "flex_" + name)[i] = text[name]
        m.flex_matid[i] = flex.matid
        for name in (
            "internal", "activelayers", "contype", "conaffinity", "condim", "priority", "friction", "solmix",
            "solref", "solimp", "margin", "gap",
        ):  # fmt: skip
            getattr(m, "flex_" + name)[i] = contact[name]
        m.flex_selfcollide[i] = SELFCOLLIDE[contact["selfcollide"]]
        m.flex_edgestiffness[i], m.flex_edgedamping[i] = flex.edges["stiffness"], flex.edges["damping"]
        m.flex_damping[i] = elastic["damping"]
        m.flex_interp[i] = flex.interpolated
        m.flex_centered[i] = not (nodes if flex.interpolated else flex.vert).any()
        bodies = flex.node if flex.interpolated else flex.body
        m.flex_rigid[i] = (m.body_weldid[bodies] == m.body_weldid[bodies[0]]).all()

    def rigid_edges(self, m: Model, flex: Flex) -> np.ndarray:
        if flex.interpolated:
            return np.zeros(len(flex.edge), bool)
        weld = m.body_weldid[flex.body][flex.edge]
        return weld[:, 0] == weld[:, 1]


def _frames(index: ObjectIndex, poses: list[Pose]) -> tuple[np.ndarray, np.ndarray]:
    """(positions, rotations) of all bodies in the world at the reference configuration."""
    world: list[Pose] = []
    for body in index.bodies:
        own = poses[body.id]
        world.append(own if body.parent is None else compose(world[body.parent.id], own))
    return np.array([p for p, _ in world]), np.array([matrix(q) for _, q in world]).reshape(-1, 3, 3)
