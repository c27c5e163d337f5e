"""The tools of `fit`, `decompose` and `inertia` for URDF, where a shape is a <visual> or <collision> of a link.

shape = shape_of(document, node)                    the <visual> or <collision> with a mesh
fitted(document, shape, "box", size, offset)        a primitive in place of its mesh
decomposed(document, shape, parts, files, keep)     a <collision> for each convex part
document = link_alone(document, link)               to be compiled: a robot of this one link
inertial(document, link, model)                     XML of <inertial>; `model`: `link_alone`, compiled
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

import numpy as np

from kinetree.engine.assist.files import file_of, folder_of, named
from kinetree.engine.assist.in_force import settings_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import ElementEdit, Insert, Remove, RemoveAttribute, RenameElement
from kinetree.engine.editing import numbers
from kinetree.engine.editing.context import context_of
from kinetree.engine.editing.pose import Precision, place
from kinetree.engine.editing.structure import CannotEdit, index_in, label, plain
from kinetree.engine.geometry.orientation import Pose, compose, matrix
from kinetree.engine.platforms.files import slashed
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Node
    from kinetree.engine.model.model import Model

SHAPES = ("collision", "visual")
FITTED: dict[str, str] = {
    "box": '<box size="{0}"/>',
    "sphere": '<sphere radius="{0}"/>',
    "capsule": '<capsule radius="{0}" length="{1}"/>',
    "cylinder": '<cylinder radius="{0}" length="{1}"/>',
}
"""Primitive -> its element, with its sizes as URDF counts them: full lengths."""
_KEPT = ("fitaabb", "exactmeshinertia", "inertiagrouprange", "boundmass", "boundinertia", "balanceinertia")
"""Settings of <mujoco><compiler> that decide what is fitted to a mesh."""


def shape_of(document: Document, node: Node) -> Node:
    """The <visual> or <collision> that an element is or stands in. Raises CannotEdit if it has no mesh that is
    there."""
    shape = next((each for each in (node, *node.ancestors()) if each.tag in SHAPES), None)
    if shape is None or mesh_in(shape) is None:
        raise CannotEdit(
            tr("{label} is no shape with a mesh: select a <collision> or <visual> that has one", label=label(node))
        )
    path_of(document, shape)
    return shape


def mesh_in(shape: Node) -> Node | None:
    """The <mesh> of a shape."""
    geometry = shape.find("geometry")
    return None if geometry is None else geometry.find("mesh")


def path_of(document: Document, shape: Node) -> Path:
    """The file of the mesh of a shape. Raises CannotEdit if it is not there."""
    mesh = mesh_in(shape)
    assert mesh is not None
    row = context_of(document).language.row(mesh)
    name = mesh.get("filename") or ""
    path = None if row is None else file_of(document, row, name)
    if path is None:
        raise CannotEdit(
            tr("the file '{name}' of {label}, line {line}, is not there", name=name, label=label(shape), line=mesh.line)
        )
    return Path(path)


def alone(document: Document, shape: Node, kind: str) -> Document:
    """A model of one geom with the mesh of a shape, as the type `kind`, in the frame of the world: MJCF, in which every
    primitive can be fitted."""
    mesh = mesh_in(shape)
    assert mesh is not None
    given = [(each.name, each.value) for node in settings_of(document, "compiler") for each in node.attributes]
    settings = "".join(f" {name}={quoteattr(value)}" for name, value in given if name in _KEPT)
    scale = mesh.get("scale")
    scaled = "" if scale is None else f" scale={quoteattr(scale)}"
    asset = f'<mesh name="mesh" file={quoteattr(str(path_of(document, shape)))}{scaled}/>'
    geom = f'<geom type="{kind}" mesh="mesh"/>'
    text = f"<mujoco><compiler{settings}/><asset>{asset}</asset><worldbody>{geom}</worldbody></mujoco>"
    return Document.from_string(text, document.base, name="<fit>")


# ---- primitives and parts ------------------------------------------------------------------------------------


def fitted(
    document: Document, shape: Node, kind: str, size: Sequence[float], offset: Pose, fine: Precision
) -> list[ElementEdit]:
    """Edits that replace the mesh of a shape by a primitive. `size` and `offset`: of the geom of `alone`. Raises
    CannotEdit.
    """
    if kind not in FITTED:
        raise CannotEdit(tr("URDF has no {kind}: fit a {names}", kind=kind, names=", ".join(FITTED)))
    mesh = mesh_in(shape)
    assert mesh is not None and mesh.parent is not None
    style = numbers.style_at(mesh, "scale")

    def text(*values: float) -> str:
        return numbers.numbers(values, "", style, fine.length)

    full = [2 * each for each in size]
    sizes = (text(*full),) if kind == "box" else (text(size[0]), text(full[1]))
    placement = place(document, shape)
    edits = placement.move(compose(placement.pose, offset), fine)
    return [*edits, Insert(mesh.parent, FITTED[kind].format(*sizes), index_in(mesh.parent, mesh)), Remove(mesh)]


def decomposed(document: Document, shape: Node, files: Sequence[Path], keep: bool) -> list[ElementEdit]:
    """Edits that put a <collision> for each file beside a shape. A <visual> stays as it is or goes; a <collision>
    becomes a <visual>, or goes.
    """
    link = shape.parent
    origin = shape.find("origin")
    assert link is not None
    at = index_in(link, shape) + 1
    placed = "" if origin is None else plain(origin)
    lines = _has_lines(shape)
    own = shape.get("name")
    taken = {each.get("name") for root in document.root.children for each in root.children}
    edits: list[ElementEdit] = []
    for i, file in enumerate(files):
        name = f"{own}_hull{i}" if own else ""
        called = f" name={quoteattr(name)}" if name and name not in taken else ""
        mesh = f"<mesh filename={quoteattr(_reference(document, shape, file))}/>"
        geometry = _element("<geometry>", [mesh], lines)
        xml = _element(f"<collision{called}>", [*filter(None, (placed, geometry))], lines)
        edits.append(Insert(link, xml, at))
    if not keep:
        edits.append(Remove(shape))
    elif shape.tag == "collision":
        edits += [RenameElement(shape, "visual"), RemoveAttribute(shape, "group")]
    return edits


def has_looks(shape: Node) -> bool:
    """Whether the link of a <collision> has a <visual>, so that the shape need not be kept to be seen."""
    return shape.tag == "collision" and shape.parent is not None and shape.parent.find("visual") is not None


def _reference(document: Document, shape: Node, file: Path) -> str:
    """How the text names a file: as the mesh of the shape where it lies beside that."""
    mesh = mesh_in(shape)
    assert mesh is not None
    if file.parent == path_of(document, shape).parent:
        before, slash, _ = slashed(mesh.get("filename") or "").rpartition("/")
        return f"{before}{slash}{file.name}"
    row = context_of(document).language.row(mesh)
    assert row is not None
    return named(folder_of(document, row), file)[0]


def _has_lines(beside: Node) -> bool:
    """Whether an element stands at the start of a line, so that what comes beside it does, too."""
    return beside.source.text[: beside.start].rstrip(" \t").endswith(("\n", "\r"))


def _element(start: str, inside: Sequence[str], lines: bool) -> str:
    """XML of an element, with its content line by line, or on one line."""
    end = f"</{start[1:-1].split()[0]}>"
    if not lines:
        return f"{start}{''.join(inside)}{end}"
    inner = "\n".join(inside).replace("\n", "\n  ")
    return f"{start}\n  {inner}\n{end}"


# ---- inertia -------------------------------------------------------------------------------------------------


def link_alone(document: Document, link: Node) -> Document:
    """A robot of one link, whose inertia follows from its shapes. Raises CannotEdit."""
    if link.tag != "link":
        raise CannotEdit(tr("{label} is no link: only links have inertia", label=label(link)))
    if link.get("name") == "world":
        raise CannotEdit(tr("the link 'world' is the fixed ground, which has no inertia"))
    if link.find("inertial") is not None:
        raise CannotEdit(tr("{label} has an <inertial> already", label=label(link)))
    given = {each.name: each.value for node in settings_of(document, "compiler") for each in node.attributes}
    if float(given.get("settotalmass", -1)) > 0:
        raise CannotEdit(tr("compiler/settotalmass scales all masses: remove that setting first"))
    given |= {"fusestatic": "false", "angle": "radian"}
    settings = " ".join(f"{name}={quoteattr(value)}" for name, value in given.items())
    text = f'<robot name="link"><mujoco><compiler {settings}/></mujoco>{plain(link)}</robot>'
    return Document.from_string(text, document.base, name="<link>")


def inertial(document: Document, link: Node, model: Model) -> str:
    """The <inertial> of the only link of a model: the inertia matrix about the centre of mass, along the axes of the
    link. Raises CannotEdit for a link without mass."""
    mass = float(model.body_mass[1])
    if mass <= 0:
        raise CannotEdit(tr("{label} has no mass: it has no <collision> with a volume", label=label(link)))
    turn = np.array(matrix(tuple(model.body_iquat[1].tolist())))
    full = turn @ np.diag(model.body_inertia[1]) @ turn.T
    scale = float(np.abs(full).max())
    entries = {f"i{'xyz'[i]}{'xyz'[j]}": float(full[i, j]) for i in range(3) for j in range(i, 3)}
    inertia = " ".join(f'{name}="{_number(value, scale)}"' for name, value in entries.items())
    centre = model.body_ipos[1].tolist()
    xyz = " ".join(_number(value, max(map(abs, centre))) for value in centre)
    origin = [f'<origin xyz="{xyz}"/>'] if any(centre) else []
    inside = [*origin, f'<mass value="{_number(mass, 0.0)}"/>', f"<inertia {inertia}/>"]
    return _element("<inertial>", inside, _has_lines(link.children[0]))


def without_inertial(link: Node) -> ElementEdit:
    """Edit that removes the <inertial> of a link, so that its shapes give mass and inertia. Raises CannotEdit."""
    inertial = link.find("inertial") if link.tag == "link" else None
    if inertial is None:
        raise CannotEdit(tr("{label} is no link with an <inertial>", label=label(link)))
    if link.find("collision") is None:
        raise CannotEdit(tr("{label} has no <collision>, which would give it mass", label=label(link)))
    return Remove(inertial)


def _number(value: float, scale: float) -> str:
    """A number with the digits that it needs; what is only rounding error beside `scale` is zero."""
    return f"{value:.16g}" if abs(value) > 1e-15 * scale else "0"
