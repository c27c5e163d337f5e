"""New things at a place: what is dragged from the shelf, a mesh file, another model.

    things = SHELF[language_of(document).name]           what there is on the shelf
    edits = put(document, parent, "box", pose, 0.05, Precision(0.001, 0.01))
    edits = put_mesh(document, parent, "cup.stl", pose, precision)
    edits = put_model(document, parent, "robot.xml", pose, precision)

`parent` is the element of a body or link, or None for the world; a pose counts in its frame, with Z away from the
surface that the thing is put on. Everything is one list of edits, so that it is one undo step. What a thing looks like
in the text is said by the table of new elements (templates.py).

A shape of URDF is seen and collides: it becomes a visual and a collision of the link. In the world it gets a link of
its own, which is fixed to the root of the robot.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.document.change import escape
from kinetree.engine.document.element_edit import ElementEdit, Insert
from kinetree.engine.editing import numbers, orientation
from kinetree.engine.editing.context import context_of
from kinetree.engine.editing.fresh_names import FreshNames
from kinetree.engine.editing.orientation import URDF
from kinetree.engine.editing.pose import NotPlaced, Precision, Z
from kinetree.engine.editing.states import can_follow, keys_of, with_states
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.templates import Wanted, made
from kinetree.engine.geometry.orientation import IDENTITY, Pose, compose, rotate
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

DENSITY = 1000.0
"""Of new links of URDF, kg/m^3: what MJCF takes for geoms."""


class ShelfItem(NamedTuple):
    """One thing on the shelf.

    name     how it is called there
    icon     of its button
    tag      of its element
    help     for the tooltip
    variant  of its first values (templates.FIRST)
    height   how far its middle is above the surface, in sizes
    says     the attributes that say where it is: "pose", "ray" or "axis"
    in_world the variant in the world; None where it cannot stand there
    """

    name: str
    icon: str
    tag: str
    help: str
    variant: str = ""
    height: float = 1.0
    says: str = "pose"
    in_world: str | None = ""


def _shapes(tag: str, help: str, **heights: float) -> dict[str, ShelfItem]:
    """Things that are a shape each, by its name; with the heights of their middles."""
    found = {}
    for shape, height in heights.items():
        article = "An" if shape[0] in "aeiou" else "A"
        found[shape] = ShelfItem(shape.capitalize(), shape, tag, f"{article} {shape} {help}", shape, height)
    return found


_HINGE = "A hinge about the normal of the surface, in the body that is hit"

SHELF: dict[str, dict[str, ShelfItem]] = {
    "MJCF": {
        **_shapes("geom", "as a geom", box=1.0, sphere=1.0, capsule=1.5, cylinder=1.0, ellipsoid=0.5, plane=0.0),
        "site": ShelfItem("Site", "site", "site", "A site: a place for sensors, tendons, actuators", height=0.0),
        "camera": ShelfItem(
            "Camera", "camera", "camera", "A camera above the surface, which looks down at it", height=10
        ),
        "light": ShelfItem(
            "Light", "light", "light", "A light above the surface, which shines down at it", "", 20, "ray"
        ),
        "body": ShelfItem(
            "Body", "body", "body", "A body with a geom; in the world it is free to move", in_world="free"
        ),
        "joint": ShelfItem("Joint", "joint", "joint", _HINGE, "", 0.0, "axis", None),
    },
    "URDF": {
        **_shapes("visual", "of the link that is hit, seen and colliding", box=1, sphere=1, cylinder=1, capsule=1.5),
        "revolute": ShelfItem(
            "Link on a hinge", "joint", "joint", "A link that turns about the normal", "revolute", 0.0
        ),
        "prismatic": ShelfItem(
            "Link on a slide", "limit", "joint", "A link that slides along the normal", "prismatic", 0.0
        ),
        "fixed": ShelfItem("Fixed link", "body", "joint", "A link that is fixed to the one that is hit", "", 0.0),
    },
    "x_xy": {
        **_shapes("geom", "of the body that is hit", box=1, sphere=1, capsule=0.5, cylinder=1),
        "body": ShelfItem("Body", "body", "body", "A body on a hinge; in the world it is free", "rz", in_world="free"),
    },
}
"""Format -> what is on the shelf."""


def put(
    document: Document,
    parent: Node | None,
    kind: str,
    pose: Pose,
    size: float,
    precision: Precision,
) -> list[ElementEdit]:
    """Edits that insert a thing of the shelf. Keyframes follow a new joint. Raises NotPlaced."""
    format = language_of(document).name
    thing = SHELF[format].get(kind)
    if thing is None:
        raise NotPlaced(tr("the shelf has no {kind} for {format}", kind=kind, format=format))
    if parent is None and thing.in_world is None:
        raise NotPlaced(tr("a joint lets a body move: drop it onto a body that is not the world"))
    above = compose(pose, ((0.0, 0.0, thing.height * size), IDENTITY))
    if format == "URDF":
        return _in_urdf(document, parent, thing, above, size, precision)
    at = _holder(document, parent)
    style = numbers.style_at(at, "")
    match thing.says:
        case "ray":
            down = tuple(-value for value in rotate(pose[1], Z))
            place = _attribute("pos", above[0], style, precision.length) + _direction("dir", down, (0, 0, -1), style)
        case "axis":
            along = _direction("axis", rotate(pose[1], Z), (0, 0, 1), style)
            place = _attribute("pos", above[0], style, precision.length) + along
        case _:
            place = _pose(document, at, above, precision)
    variant = (thing.in_world or thing.variant) if parent is None else thing.variant
    edits = _insert(document, parent, _xml(document, at, thing.tag, Wanted(variant, size, place)))
    if kind != "joint" and variant != "free":
        return edits
    if format == "MJCF" and keys_of(document) and not can_follow(document):
        raise NotPlaced(
            tr("the keyframes list a number for each joint and copies of it: write a new joint in the text")
        )
    return with_states(document, edits)


def put_mesh(document: Document, parent: Node | None, file: str, pose: Pose, precision: Precision) -> list[ElementEdit]:
    """Edits that insert a mesh file: its asset, unless one with that file exists, and a geom with that mesh; in URDF a
    visual and a collision. `file` is written as it is given (see `kinetree.engine.assist.files.named`). Raises
    NotPlaced.
    """
    format = language_of(document).name
    if format == "URDF":
        name = _text(file, document)
        return _in_urdf(
            document, parent, _MESH, pose, 0.0, precision, f'<geometry>\n  <mesh filename="{name}"/>\n</geometry>'
        )
    if format != "MJCF":
        raise NotPlaced(tr("{format} has no meshes: convert the model to MJCF first", format=format))
    root = document.merged
    edits: list[ElementEdit] = []
    name = next((_name(mesh) for mesh in root.iter("mesh") if mesh.get("file") == file and _name(mesh)), "")
    if not name:
        stem = Path(file).stem
        name = _free(document, "mesh", stem)
        given = "" if name == stem else f' name="{_text(name, document)}"'
        edits += _asset(document, f'<mesh{given} file="{_text(file, document)}"/>')
    at = _holder(document, parent)
    geom = f'<geom type="mesh" mesh="{_text(name, document)}"{_pose(document, at, pose, precision)}/>'
    return [*edits, *_insert(document, parent, geom)]


def put_model(
    document: Document, parent: Node | None, file: str, pose: Pose, precision: Precision
) -> list[ElementEdit]:
    """Edits that attach another model: its asset, and an <attach> in a <frame>. Raises NotPlaced."""
    _require_mjcf(document)
    name = _free(document, "model", Path(file).stem)
    label = _text(name, document)
    edits = _asset(document, f'<model name="{label}" file="{_text(file, document)}"/>')
    at = _holder(document, parent)
    frame = f'<frame{_pose(document, at, pose, precision)}>\n  <attach model="{label}" prefix="{label}/"/>\n</frame>'
    return [*edits, *_insert(document, parent, frame)]


_MESH = ShelfItem("Mesh", "mesh", "visual", "", "", 0.0)


def _in_urdf(
    document: Document,
    parent: Node | None,
    thing: ShelfItem,
    pose: Pose,
    size: float,
    precision: Precision,
    geometry: str = "",
) -> list[ElementEdit]:
    """Edits that add a shape to a link, or a new link with its joint. The link of the world is the root of the robot.
    `geometry`: of a mesh.
    """
    root = document.root
    both = ("visual", "collision")
    if thing.tag == "visual" and parent is not None:
        place = _origin(parent, pose, precision)
        shapes = [_shape(document, parent, tag, thing.variant, size, place, geometry) for tag in both]
        return [Insert(parent, xml) for xml in shapes]
    link = root_link(document) if parent is None else parent
    if link is None:
        raise NotPlaced(tr("the robot has no link that others could be joined to: insert one first"))
    rows = language_of(document).allowed(root)
    fresh = FreshNames(names_of(document), language_of(document))
    shape, joint, above = thing.variant, "", ""
    if thing.tag == "joint":
        shape, joint, above = "box", thing.variant, _origin(link, ((0.0, 0.0, size), IDENTITY), precision)
    name = fresh.take("link", "link" if thing.tag == "joint" else thing.variant or "link")
    parts = {tag: _shape(document, link, tag, shape, size, above, geometry) for tag in both}
    parts["inertial"] = _inertia(size, above)
    ends = {"link": _text(link.get("name") or "", document), "other": _text(name, document)}
    place, called = _origin(link, pose, precision), fresh.take("joint", f"{name}_joint")
    return [
        Insert(root, xml)
        for xml in (
            made(document, root, rows["link"], Wanted("solid", name=name, names=parts)),
            made(document, root, rows["joint"], Wanted(joint, place=place, name=called, names=ends)),
        )
    ]


def root_link(document: Document) -> Node | None:
    """The link of URDF that no joint moves."""
    moved = {child.get("link") for joint in document.root.children for child in joint.children if child.tag == "child"}
    links = [node for node in document.root.children if node.tag == "link"]
    return next((link for link in links if link.get("name") not in moved), None)


def _shape(document: Document, link: Node, tag: str, variant: str, size: float, place: str, geometry: str) -> str:
    if geometry:
        inner = "\n".join([*([place] if place else []), geometry]).replace("\n", "\n  ")
        return f"<{tag}>\n  {inner}\n</{tag}>"
    return made(document, link, language_of(document).allowed(link)[tag], Wanted(variant, size, place))


def _inertia(size: float, origin: str) -> str:
    """The inertia of a box with that half length; without a size nothing."""
    if not size:
        return ""
    mass = DENSITY * (2 * size) ** 3
    moment = numbers.number(float(f"{mass * (2 * size) ** 2 / 6:.3g}"))
    inertia = f'ixx="{moment}" ixy="0" ixz="0" iyy="{moment}" iyz="0" izz="{moment}"'
    lines = [
        *([origin] if origin else []),
        f'<mass value="{numbers.number(float(f"{mass:.3g}"))}"/>',
        f"<inertia {inertia}/>",
    ]
    return "<inertial>\n  " + "\n  ".join(lines) + "\n</inertial>"


def _origin(node: Node, pose: Pose, precision: Precision) -> str:
    """<origin> of URDF; nothing for the frame around itself."""
    style = numbers.style_at(node, "")
    xyz = numbers.numbers(pose[0], "", style, precision.length)
    rpy = numbers.numbers(orientation.write(pose[1], "euler", URDF) or (0.0, 0.0, 0.0), "", style, precision.turn)
    parts = [f'{name}="{value}"' for name, value in (("xyz", xyz), ("rpy", rpy)) if value != "0 0 0"]
    return f"<origin {' '.join(parts)}/>" if parts else ""


def _xml(document: Document, at: Node, tag: str, wanted: Wanted) -> str:
    """The XML of a new element of a body or of the world, which may not be there yet."""
    language = language_of(document)
    row = (
        language.allowed(at).get(tag)
        or language.grammar.rows[f"body.{tag}" if f"body.{tag}" in language.grammar.rows else tag]
    )
    try:
        return made(document, at, row, wanted)
    except CannotEdit as error:
        raise NotPlaced(str(error)) from None


def _require_mjcf(document: Document) -> None:
    language = language_of(document).name
    if language != "MJCF":
        raise NotPlaced(
            tr("only MJCF attaches models, and this one is {language}: convert it first", language=language)
        )


def _holder(document: Document, parent: Node | None) -> Node:
    if parent is not None:
        return parent
    return document.root.find("worldbody") or document.root


def _insert(document: Document, parent: Node | None, xml: str) -> list[ElementEdit]:
    """Edit that inserts XML into a body or the world; creates the worldbody if it is missing."""
    at = _holder(document, parent)
    if parent is None and at is document.root:
        other = next((node for node in document.merged.iter("worldbody")), None)
        if other is not None:
            return [Insert(other, xml)]
        inner = "\n".join(f"  {line}" for line in xml.splitlines())
        return [Insert(at, f"<worldbody>\n{inner}\n</worldbody>")]
    return [Insert(at, xml)]


def _asset(document: Document, xml: str) -> list[ElementEdit]:
    """Edit that inserts an asset."""
    root = document.root
    section = root.find("asset")
    if section is not None:
        return [Insert(section, xml)]
    world = next((i for i in range(root.child_count) if root.child(i).tag == "worldbody"), None)
    return [Insert(root, f"<asset>\n  {xml}\n</asset>", world)]


def _pose(document: Document, node: Node, pose: Pose, precision: Precision) -> str:
    """The attributes of a pose, as little as is needed."""
    style = numbers.style_at(node, "")
    text = _attribute("pos", pose[0], style, precision.length)
    if orientation.same(pose[1], IDENTITY, 1e-9):
        return text
    convention = context_of(document).convention
    counts = {form: node.source.text.count(f" {form}=") for form in ("quat", "euler", "axisangle")}
    form = max(counts, key=lambda each: counts[each])
    values = orientation.write(pose[1], form, convention)
    if values is None:
        form, values = "quat", pose[1]
    fine = orientation.fine(form, precision.turn, convention)
    return f'{text} {form}="{numbers.numbers(values, "", style, fine)}"'


def _attribute(name: str, values, style: numbers.Style, precision: float) -> str:
    text = numbers.numbers(values, "", style, precision)
    return "" if text == "0 0 0" else f' {name}="{text}"'


def _direction(name: str, values, default, style: numbers.Style) -> str:
    same = all(abs(a - b) < 1e-6 for a, b in zip(values, default, strict=True))
    return "" if same else f' {name}="{numbers.numbers(values, "", style, 1e-4)}"'


def _free(document: Document, space: str, wanted: str) -> str:
    """A name that nothing of its kind has."""
    taken = {each.name for each in names_of(document).declarations if each.space == space}
    if wanted not in taken:
        return wanted
    return next(f"{wanted}_{i}" for i in range(2, len(taken) + 3) if f"{wanted}_{i}" not in taken)


def _name(mesh: Node) -> str:
    return mesh.get("name") or Path(mesh.get("file") or "").stem


def _text(value: str, document: Document) -> str:
    return escape(value, '"', document.source)
