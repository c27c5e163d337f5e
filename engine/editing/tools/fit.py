"""Fit a primitive to the mesh of a geom (in URDF: of a <visual> or <collision>), and write it as numbers.

    model = compile(alone(document, geom, "box"))       the caller compiles: this package does not import the compiler
    edits = fitted(document, geom, "box", model.geom_size[0], (model.geom_pos[0], model.geom_quat[0]))

The compiler fits a primitive to the mesh of a geom with another type than mesh, by equal inertia or, with
compiler/fitaabb, to the bounding box. `alone` is a model with this geom only, so that its compiled pose is the one in
the frame that the text of the geom means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import ElementEdit, RemoveAttribute, SetAttribute
from kinetree.engine.editing import numbers
from kinetree.engine.editing.context import context_of
from kinetree.engine.editing.pose import NotPlaced, Precision, place
from kinetree.engine.editing.structure import CannotEdit, label, plain
from kinetree.engine.editing.tools import urdf
from kinetree.engine.geometry.orientation import Pose, compose
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Node

SIZES = {"box": 3, "sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3}
"""The primitives that can be fitted: how many sizes each has."""
FINE = Precision(1e-9, 1e-9)
"""How precise the numbers are: in metres and radians."""


def is_urdf(document: Document) -> bool:
    """Whether a document is URDF, whose shapes are not geoms."""
    return language_of(document).name == "URDF"


def geoms_of(document: Document, nodes: Sequence[Node]) -> list[Node]:
    """The elements, with the geoms that use it in place of a mesh of the assets. Raises CannotEdit where none does."""
    language, names = language_of(document), names_of(document)
    found: dict[int, Node] = {}
    for node in nodes:
        row = language.row(node)
        if row is None or row.id != "asset.mesh":
            found[node.id] = node
            continue
        using = [document.node(each.attribute.node.id) for each in names.references_to(node)]
        geoms = {each.id: each for each in using if each is not None and each.tag == "geom"}
        if not geoms:
            raise CannotEdit(tr("no geom uses {label}", label=label(node)))
        found |= geoms
    return list(found.values())


def name_of(document: Document, node: Node) -> str:
    """The name of the mesh of a geom or a shape of URDF. Raises CannotEdit."""
    if is_urdf(document):
        return urdf.path_of(document, urdf.shape_of(document, node)).stem
    return mesh_of(document, node)[0]


def mesh_of(document: Document, node: Node) -> tuple[str, Node]:
    """The name and the element of the mesh of a geom. Raises CannotEdit."""
    context = context_of(document)
    if context.language.name != "MJCF":
        raise CannotEdit(tr("this works in MJCF and URDF only, and this model is {name}", name=context.language.name))
    name = context.values(node).get("mesh") if node.tag == "geom" else None
    row = context.language.row(node)
    if not name or row is None or row.id != "body.geom":
        raise CannotEdit(tr("{label} is no geom with a mesh: select one", label=label(node)))
    if node.find("plugin") is not None or context.values(node).get("type") == "sdf":
        raise CannotEdit(
            tr("{label} takes its shape from a signed distance function, not from its mesh alone", label=label(node))
        )
    declared = names_of(document).declaring("mesh", name)
    if not declared:
        raise CannotEdit(tr("the mesh '{name}' of {label} is not in this text", name=name, label=label(node)))
    mesh = declared[0].node
    if mesh.find("plugin") is not None:
        raise CannotEdit(
            tr("a plugin makes the mesh '{name}': only meshes of files and of the text can be used", name=name)
        )
    return name, mesh


def alone(document: Document, node: Node, kind: str = "mesh") -> Document:
    """A model of one geom with the mesh of this one, as the type `kind`, in the frame of the world. Raises
    CannotEdit."""
    if is_urdf(document):
        return urdf.alone(document, urdf.shape_of(document, node), kind)
    name, mesh = mesh_of(document, node)
    context = context_of(document)
    row = context.language.row(mesh)
    assert row is not None
    written = {each.name: each.value for each in context.defaults.resolve(mesh, row).values()}
    written = {"name": name, **{key: value for key, value in written.items() if key not in ("name", "class")}}
    settings = "".join(plain(each) for each in document.merged.children if each.tag == "compiler")
    scale = context.values(node).get("fitscale", 1)
    asset = "".join(f" {key}={quoteattr(value)}" for key, value in written.items())
    geom = f'<geom type="{kind}" mesh={quoteattr(name)} fitscale="{scale!r}"/>'
    text = f"<mujoco>{settings}<asset><mesh{asset}/></asset><worldbody>{geom}</worldbody></mujoco>"
    return Document.from_string(text, document.base, name="<fit>")


def fitted(document: Document, node: Node, kind: str, size: Sequence[float], offset: Pose) -> list[ElementEdit]:
    """Edits that turn a geom with a mesh into a primitive. `size` and `offset`: of the geom of `alone`. Raises
    CannotEdit.
    """
    shift = tuple(map(float, offset[0])), tuple(map(float, offset[1]))
    if is_urdf(document):
        return urdf.fitted(document, urdf.shape_of(document, node), kind, list(map(float, size)), shift, FINE)
    mesh_of(document, node)
    if node.get("mesh") is None:
        raise CannotEdit(
            tr("the mesh of {label} comes from a default class: write it at the geom first", label=label(node))
        )
    try:
        placement = place(document, node)
        edits = placement.move(compose(placement.pose, shift), FINE)
    except NotPlaced as error:
        raise CannotEdit(str(error)) from None
    style = numbers.style_at(node, "size")
    text = numbers.numbers([float(each) for each in size[: SIZES[kind]]], node.get("size") or "", style, FINE.length)
    edits += [SetAttribute(node, "type", kind), SetAttribute(node, "size", text)]
    return [*edits, *(RemoveAttribute(node, name) for name in ("mesh", "fitscale"))]
