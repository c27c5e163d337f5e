"""Geoms and sites: shapes, sizes, poses and masses, element by element; then columns of the model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kinetree.engine.compile.indexing import ObjectIndex, users
from kinetree.engine.compile.tree import fluid
from kinetree.engine.geometry import inertia, orientation
from kinetree.engine.geometry.orientation import IDENTITY, ORIGIN, BadOrientation, Pose, compose
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.mjcf.geom_types import FROMTO, GEOM_TYPES, SIZES, stretch
from kinetree.engine.mjcf.pose import pose, same, same_turn
from kinetree.engine.model import enums
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.engine.compile.assets.assets import Assets
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.geometry.inertia import Mass
    from kinetree.engine.jit.uncompiled import Lists

MINVAL = 1e-15
PLANE_EXTENT = 1e10
_PLAIN = [
    ("geom_" + name, name)
    for name in (
        "contype", "conaffinity", "condim", "group", "priority", "solmix", "solref", "solimp", "friction", "margin",
        "gap", "rgba",
    )
]  # fmt: skip
"""Columns that are copied from the attributes."""


class PlacedShape:
    """The computed pose, size and mass of one geom or site."""

    __slots__ = ("aabb", "dataid", "inertia", "kind", "mass", "pos", "quat", "rbound", "size")

    def __init__(self, pos, quat):
        self.pos, self.quat = pos, quat


class GeomShapes:
    """The geoms and sites of one spec, by id."""

    def __init__(self, index: ObjectIndex, assets: Assets, diagnostics: Diagnostics):
        self.index = index
        self.spec = index.spec
        self.meshes, self.hfields, self.colliding = assets.meshes, assets.hfields, assets.colliding
        self.diagnostics = diagnostics
        self.shifts: dict[int, tuple] = {}
        self.geoms = [self.geom(geom) for geom in index.objects["geom"]]
        self.sites = [self.site(site) for site in index.objects["site"]]

    def error(self, element: Element, code: str, message: str, *attributes: str) -> None:
        self.diagnostics.error(element.at(*attributes), code, message)

    def shape_pose(self, element: Element, kind: int, size: list[float]) -> Pose:
        """The pose of a geom or site, with fromto, which also sets its size."""
        ends = element.values.get("fromto")
        if ends is None:
            return pose(element, self.spec, self.diagnostics)
        if kind not in FROMTO:
            self.error(
                element,
                "bad-value",
                tr(
                    "fromto does not fit type {element}; use capsule, cylinder, box or ellipsoid",
                    element=element["type"],
                ),
                "fromto",
            )
            return pose(element, self.spec, self.diagnostics)
        pos = element.get("pos")
        if pos is not None and pos.any():
            self.error(
                element,
                "exclusive-attributes",
                tr("fromto says where the shape is, and so does pos; remove one of them"),
                "pos",
                "fromto",
            )
        found, half = (ORIGIN, IDENTITY), 0.0
        try:
            found, half = orientation.from_ends(ends.tolist())
        except BadOrientation:
            self.error(element, "bad-value", tr("the two points of fromto are the same; move one of them"), "fromto")
        stretch(kind, size, half)
        return found if element.frame is None else compose(element.frame, found)

    def geom(self, geom: Element) -> PlacedShape:
        kind = GEOM_TYPES[geom["type"]]
        size = geom["size"].tolist()
        placed = PlacedShape(*self.shape_pose(geom, kind, size))
        placed.kind, placed.size, placed.dataid = kind, size, -1
        placed.rbound, placed.aabb = 0.0, (0.0,) * 6
        placed.mass, placed.inertia = 0.0, (0.0, 0.0, 0.0)
        if geom["condim"] not in (1, 3, 4, 6):
            self.error(
                geom, "bad-value", tr("condim is {geom}; it must be 1, 3, 4 or 6", geom=geom["condim"]), "condim"
            )
        if (geom.get("hfield") or kind == enums.GEOM_HFIELD) and not self.with_hfield(geom, placed):
            return placed
        if geom.get("mesh") or kind in (enums.GEOM_MESH, enums.GEOM_SDF):
            if not self.with_mesh(geom, placed):
                return placed
        if not self.check_size(geom, kind, placed.size):
            return placed
        if kind not in (enums.GEOM_HFIELD, enums.GEOM_MESH, enums.GEOM_SDF):
            placed.rbound, placed.aabb = bounds(kind, placed.size)
        self.geom_mass(geom, placed)
        return placed

    def with_mesh(self, geom: Element, placed: PlacedShape) -> bool:
        """Set a geom's pose and size from its mesh, or from the primitive that is fitted to the mesh. False, with a
        diagnostic, if it has no mesh."""
        if not geom.get("mesh"):
            self.error(
                geom, "missing-attribute", tr("a geom of type {geom} needs a mesh; add mesh=...", geom=geom["type"])
            )
            return False
        at = self.index.reference(geom, "mesh", "mesh")
        mesh = self.meshes[at] if 0 <= at < len(self.meshes) else None
        if mesh is None:
            return False
        whole = placed.kind in (enums.GEOM_MESH, enums.GEOM_SDF)
        for name in ("fromto", "shellinertia") if whole else ("fromto",):
            if geom.node.attribute(name) is not None and geom.get(name) is not False:
                self.error(
                    geom, "exclusive-attributes", tr("{name} does not go with a mesh; remove it", name=name), name
                )
        placed.dataid = at
        if whole:
            if geom["contype"] or geom["conaffinity"]:
                self.colliding.add(at)
            placed.pos, placed.quat = compose((placed.pos, placed.quat), self.mesh_pose(at))
            placed.size = [abs(c) + h for c, h in zip(mesh.aabb[:3], mesh.aabb[3:], strict=True)]
            placed.aabb = mesh.aabb
            placed.rbound = math.sqrt(sum(v * v for v in placed.size))
            return True
        if placed.kind in (enums.GEOM_PLANE, enums.GEOM_HFIELD):
            self.error(geom, "bad-value", tr("a {geom} cannot be fitted to a mesh", geom=geom["type"]), "type")
            return False
        aabb = self.spec.compiler["fitaabb"]  # for attached models too, as in the reference
        fitted = mesh.fit(placed.kind, aabb, geom["fitscale"])
        placed.size = [
            *fitted[: SIZES[placed.kind]],
            *placed.size[SIZES[placed.kind] :],
        ]  # the rest as written
        if aabb:
            before = self.shifts.get(at, ORIGIN)
            self.shifts[at] = tuple(a + b for a, b in zip(before, mesh.aabb[:3], strict=True))
        placed.pos, placed.quat = compose((placed.pos, placed.quat), self.mesh_pose(at))
        return True

    def mesh_pose(self, at: int) -> Pose:
        """Where a mesh lies in its file's frame.

        In the reference, each primitive that is fitted to the bounding box of a mesh shifts the mesh by the centre of
        the box, also for later geoms. We do the same, since models were tuned with it.
        """
        mesh = self.meshes[at]
        assert mesh is not None  # `with_mesh` found it
        pos, quat = mesh.pose
        return tuple(a + b for a, b in zip(pos, self.shifts.get(at, ORIGIN), strict=True)), quat

    def with_hfield(self, geom: Element, placed: PlacedShape) -> bool:
        """Take over the extent of a height field."""
        if placed.kind != enums.GEOM_HFIELD:
            message = tr(
                "a geom of type {type} has no height field; set type to hfield or remove hfield", type=geom["type"]
            )
            self.error(geom, "exclusive-attributes", message, "hfield")
            return False
        if not geom.get("hfield"):
            message = tr("a geom of type hfield needs a height field; add hfield=...")
            self.error(geom, "missing-attribute", message, "type")
            return False
        placed.dataid = self.index.reference(geom, "hfield", "hfield")
        field = self.hfields[placed.dataid] if placed.dataid >= 0 else None
        if field is None:
            return False
        placed.size, placed.aabb, placed.rbound = field.geom_size, field.aabb, field.radius
        return True

    def check_size(self, geom: Element, kind: int, size: list[float]) -> bool:
        if kind == enums.GEOM_PLANE and not size[2] > 0:
            self.error(
                geom,
                "bad-size",
                tr(
                    "a plane needs three sizes, the third, the spacing of its grid, above 0; for an endless plane "
                    'write size="0 0 1"'
                ),
                "size",
            )
            return False
        for i in range(SIZES.get(kind, 0)):
            if not size[i] > 0:
                need = SIZES[kind]
                self.error(
                    geom,
                    "bad-size",
                    counted(
                        "a geom of type {type} needs {count} size above 0 (number {number} is {size:g}); set size",
                        "a geom of type {type} needs {count} sizes above 0 (number {number} is {size:g}); set size",
                        need,
                        type=geom["type"],
                        number=i + 1,
                        size=size[i],
                    ),
                    "size",
                )
                return False
        return True

    def geom_mass(self, geom: Element, placed: PlacedShape) -> None:
        kind, size, shell = placed.kind, placed.size, bool(geom.get("shellinertia"))
        mesh = self.meshes[placed.dataid] if kind in (enums.GEOM_MESH, enums.GEOM_SDF) else None
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
            else tuple(v / mesh.volume * mass if mesh.volume > 0 else 0.0 for v in mesh.inertia)
        )

    def site(self, site: Element) -> PlacedShape:
        kind = GEOM_TYPES[site["type"]]
        size = site["size"].tolist()
        placed = PlacedShape(*self.shape_pose(site, kind, size))
        placed.kind, placed.size = kind, size
        for i in range(SIZES.get(kind, 0)):
            if not size[i] > 0:
                self.error(
                    site, "bad-size", tr("number {number} of the site's size must be above 0", number=i + 1), "size"
                )
                break
        return placed

    # ---- into the model -----------------------------------------------------------------------------

    def fill(self, lists: Lists, masses: list[Mass]) -> None:
        self.fill_geoms(lists, masses)
        for at in self.shifts:
            lists.model.mesh_pos[at] = self.mesh_pose(at)[0]
        self.fill_sites(lists, masses)

    def fill_geoms(self, lists: Lists, masses: list[Mass]) -> None:
        geoms, placed, m = self.index.objects["geom"], self.geoms, lists.model
        if not geoms:
            return
        bodies = [body.id for body in self.index.bodies for _ in body.geoms]
        lists.put(
            geom_type=[p.kind for p in placed],
            geom_bodyid=bodies,
            geom_pos=[p.pos for p in placed],
            geom_quat=[p.quat for p in placed],
            geom_size=[p.size for p in placed],
            geom_rbound=[p.rbound for p in placed],
            geom_sameframe=sameframe(placed, bodies, masses),
        )
        values = [geom.values for geom in geoms]
        columns = {column: [own[name] for own in values] for column, name in _PLAIN}
        columns["geom_dataid"] = [p.dataid for p in placed]
        columns["geom_aabb"] = [p.aabb for p in placed]
        columns["geom_matid"] = [self.index.reference(geom, "material", "material") for geom in geoms]
        m.put(columns)
        for i, own in enumerate(values):
            if own["fluidshape"] != "none":
                m.geom_fluid[i] = fluid.coefficients(placed[i].kind, placed[i].size, own["fluidcoef"].tolist())
        users(m, "geom_user", geoms)
        for body in self.index.bodies:
            if lists.body_weldid[body.id] == 0:
                continue
            for geom in body.geoms:
                if placed[geom.id].kind == enums.GEOM_PLANE:
                    self.error(
                        geom,
                        "bad-place",
                        tr("a {geom} cannot move: put it into the world or a body without joints", geom=geom["type"]),
                        "type",
                    )

    def fill_sites(self, lists: Lists, masses: list[Mass]) -> None:
        sites, placed, m = self.index.objects["site"], self.sites, lists.model
        if not sites:
            return
        bodies = [body.id for body in self.index.bodies for _ in body.sites]
        lists.put(
            site_bodyid=bodies,
            site_pos=[p.pos for p in placed],
            site_quat=[p.quat for p in placed],
            site_sameframe=sameframe(placed, bodies, masses),
        )
        m.put(
            {
                "site_type": [p.kind for p in placed],
                "site_size": [p.size for p in placed],
                "site_group": [site.values["group"] for site in sites],
                "site_rgba": [site.values["rgba"] for site in sites],
                "site_matid": [self.index.reference(site, "material", "material") for site in sites],
            }
        )
        users(m, "site_user", sites)


def sameframe(placed: list[PlacedShape], bodies: list[int], masses: list[Mass]) -> list[int]:
    """sameframe of geoms or sites: whether they share the frame of the body or of its inertia, or only the
    orientation.
    """
    result = []
    for p, body in zip(placed, bodies, strict=True):
        _, centre, _, quat = masses[body]
        if same_turn(p.quat, IDENTITY):
            result.append(enums.SAMEFRAME_BODY if same(p.pos, ORIGIN) else enums.SAMEFRAME_BODYROT)
        elif same_turn(p.quat, quat):
            result.append(enums.SAMEFRAME_INERTIA if same(p.pos, centre) else enums.SAMEFRAME_INERTIAROT)
        else:
            result.append(enums.SAMEFRAME_NONE)
    return result


def bounds(kind: int, size) -> tuple[float, tuple]:
    """(radius of the bounding sphere, centre and half sides of the bounding box) of a primitive."""
    a, b, c = size
    if kind == enums.GEOM_SPHERE:
        return a, (0, 0, 0, a, a, a)
    if kind == enums.GEOM_CAPSULE:
        return a + b, (0, 0, 0, a, a, a + b)
    if kind == enums.GEOM_CYLINDER:
        return math.hypot(a, b), (0, 0, 0, a, a, b)
    if kind == enums.GEOM_ELLIPSOID:
        return max(size), (0, 0, 0, a, b, c)
    if kind == enums.GEOM_BOX:
        return math.sqrt(a * a + b * b + c * c), (0, 0, 0, a, b, c)
    return 0.0, (0, 0, -PLANE_EXTENT / 2, PLANE_EXTENT, PLANE_EXTENT, PLANE_EXTENT / 2)
