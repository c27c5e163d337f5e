"""The inertia that the compiler computes from geoms, written out as <inertial>, and back.

    edits = write_inertia(document, [body], model)     mass, centre and moments as they were compiled
    edits = write_links(document, [link], compile)     the same for URDF: each link is compiled by itself
    edits = from_geoms(document, [body])               without <inertial>: the geoms give the mass again

Each function raises CannotEdit where the model would not be the same, or would have no mass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from kinetree.engine.assist.in_force import in_force, settings_of
from kinetree.engine.assist.language import MJCF, language_of
from kinetree.engine.document.element_edit import ElementEdit, Insert, Remove
from kinetree.engine.editing.context import context_of
from kinetree.engine.editing.pose import place
from kinetree.engine.editing.structure import CannotEdit, label
from kinetree.engine.editing.tools import urdf
from kinetree.engine.geometry.orientation import IDENTITY, Pose, compose, invert
from kinetree.engine.mjcf.schema import ELEMENTS
from kinetree.engine.model import enums
from kinetree.engine.progress import tracked
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node
    from kinetree.engine.model.model import Model

__all__ = ["from_geoms", "write_inertia"]

_LEAST = 1e-15
"""Masses below count as none."""
_NOISE = 1e-15
_ALWAYS = marked("x_xy has no element for inertia: convert the model to MJCF first")


def write_inertia(document: Document, nodes: Sequence[Node], model: Model) -> list[ElementEdit]:
    """Write mass, centre of mass and moments of inertia of bodies as the compiler found them. `model`: the document,
    compiled. Raises CannotEdit."""
    mode = _setting(document, "inertiafromgeom")
    if mode == "true":
        raise CannotEdit(tr('with inertiafromgeom="true" no <inertial> is used: set it to auto first'))
    bodies = _bodies(document, nodes)
    numbers_of = {node.id: _body(model, node) for node in bodies}
    if float(_setting(document, "settotalmass") or -1) > 0:
        chosen = set(numbers_of.values())
        heavy = [i for i in range(1, model.nbody) if model.body_mass[i] >= _LEAST and i not in chosen]
        if heavy:
            raise CannotEdit(
                tr("compiler/settotalmass scales all masses: select every body that has mass, or remove that setting")
            )
    return [Insert(node, _inertial(document, node, model, numbers_of[node.id]), 0) for node in tracked(bodies)]


def write_links(document: Document, nodes: Sequence[Node], compiled: Callable[[Document], Model]) -> list[ElementEdit]:
    """Write mass, centre of mass and inertia matrix of links of URDF as they follow from their shapes. `compiled`:
    compiles a document. Raises CannotEdit."""
    if language_of(document).name != "URDF":
        raise CannotEdit(tr(_ALWAYS))
    if not nodes:
        raise CannotEdit(tr("select the links first"))
    alone = [(link, urdf.link_alone(document, link)) for link in nodes]
    return [Insert(link, urdf.inertial(document, link, compiled(each)), 0) for link, each in alone]


def _bodies(document: Document, nodes: Sequence[Node]) -> list[Node]:
    """The bodies, as they stand in the model with its included files, that have no <inertial> yet."""
    found = []
    for node in _merged(document, nodes):
        if node.tag != "body":
            raise CannotEdit(tr("{label} is no body: only bodies have inertia", label=label(node)))
        if node.find("inertial") is not None:
            raise CannotEdit(tr("{label} has an <inertial> already", label=label(node)))
        found.append(node)
    return found


def _merged(document: Document, nodes: Sequence[Node]) -> list[Node]:
    """Elements in the tree of the model. Raises CannotEdit where there are none, or not of MJCF."""
    if language_of(document).grammar is not MJCF:
        raise CannotEdit(tr(_ALWAYS))
    if not nodes:
        raise CannotEdit(tr("select the bodies first"))
    wanted = {node.id for node in nodes}
    return [node for node in document.merged.iter() if node.id in wanted]


def _setting(document: Document, name: str) -> str | None:
    """The value of a compiler setting; None for no value."""
    settings = settings_of(document, "compiler")
    if settings:
        return in_force(document, settings[-1])[name].value
    return ELEMENTS["compiler"].attributes[name].default


def _body(model: Model, node: Node) -> int:
    """The number of the body that an element makes; of the first, where it is repeated."""
    provenance = model.provenance
    found = [each.id for each in provenance.objects_of(node) if each.kind == "body"]
    if not found:
        raise CannotEdit(tr("{label} is no body of the compiled model", label=label(node)))
    own = set(found)
    for inner in node.iter("body"):
        if any(each.kind == "body" and each.id in own for each in provenance.fused_into(inner)):
            raise CannotEdit(
                tr("compiler/fusestatic has added other bodies to {label}: set it to false first", label=label(node))
            )
    number = found[0]
    if model.body_mass[number] < _LEAST:
        raise CannotEdit(tr("{label} has no mass", label=label(node)))
    return number


def _inertial(document: Document, node: Node, model: Model, i: int) -> str:
    placed = _pose(model.body_pos[i], model.body_quat[i])
    pos, quat = _pose(model.body_ipos[i], model.body_iquat[i])
    joint = int(model.body_jntadr[i])
    if joint >= 0 and model.jnt_type[joint] == enums.JNT_FREE:  # its frame may have gone to the principal axes
        around = place(document, node)
        written = compose(around.frame, around.pose)
        away = [abs(a - b) for one, two in zip(written, placed, strict=True) for a, b in zip(one, two, strict=True)]
        if max(away) > 1e-9:
            pos, quat = compose(invert(written), compose(placed, (pos, quat)))
    parts = [("pos", _text(pos, max(map(abs, pos))))]
    if max(abs(a - b) for a, b in zip(quat, IDENTITY, strict=True)) > _NOISE:
        parts.append(("quat", _text(quat, 1.0)))
    parts.append(("mass", _text([float(model.body_mass[i])], 0.0)))
    parts.append(("diaginertia", _text(model.body_inertia[i].tolist(), 0.0)))
    return f"<inertial {' '.join(f'{name}={chr(34)}{text}{chr(34)}' for name, text in parts)}/>"


def _pose(pos, quat) -> Pose:
    return tuple(pos.tolist()), tuple(quat.tolist())


def _text(values: Sequence[float], scale: float) -> str:
    """Numbers with all their digits; what is only rounding error beside `scale` is zero."""
    return " ".join(f"{value:.16g}" if abs(value) > _NOISE * scale else "0" for value in values)


# ---- back ----------------------------------------------------------------------------------------------------


def from_geoms(document: Document, nodes: Sequence[Node]) -> list[ElementEdit]:
    """Remove the <inertial> of bodies, so that their geoms give mass and inertia. Raises CannotEdit for a body whose
    geoms have no mass."""
    if language_of(document).name == "URDF":
        return [urdf.without_inertial(link) for link in nodes]
    if _setting(document, "inertiafromgeom") == "false":
        raise CannotEdit(tr('with inertiafromgeom="false" geoms have no mass: set it to auto first'))
    low, high = (int(word) for word in (_setting(document, "inertiagrouprange") or "0 5").split())
    edits: list[ElementEdit] = []
    for node in tracked(_merged(document, nodes)):
        if node.tag != "body" or node.find("inertial") is None:
            raise CannotEdit(tr("{label} has no <inertial>", label=label(node)))
        if not any(_has_mass(document, geom, low, high) for geom in _geoms(node)):
            raise CannotEdit(tr("{label} has no geom with mass", label=label(node)))
        edits += [Remove(child) for child in node.children if child.tag == "inertial"]
    return edits


def _geoms(body: Node) -> Iterator[Node]:
    for child in body.children:
        if child.tag == "geom":
            yield child
        elif child.tag in ("frame", "replicate"):
            yield from _geoms(child)


def _has_mass(document: Document, geom: Node, low: int, high: int) -> bool:
    found = context_of(document).values(geom)
    heavy = found.get("mass", found.get("density", 1.0))
    return heavy > 0 and low <= found.get("group", 0) <= high and found.get("type") not in ("plane", "hfield")
