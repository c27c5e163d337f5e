"""Convex decomposition: a geom with a mesh becomes geoms with convex parts of it, a <visual> or <collision> of URDF
becomes several <collision>s.

    mesh = surface(model)                          of a compiled `fit.alone(document, geom)`
    parts = [ConvexPart(vertices, faces), ...]           made by the library coacd in a separate process
    files = written(parts, folder, stem)           OBJ files with unused names
    edits = decomposed(document, [geom], parts, files, keep=True)

The parts are in the frame that the text of the geom means. A kept geom is visual only: it does not collide, and keeps
its mass. The mass of a removed one is shared among its parts by volume.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from kinetree.engine.assist.files import folder_of, named
from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.document.element_edit import ElementEdit, Insert, Remove, SetAttribute
from kinetree.engine.editing import numbers
from kinetree.engine.editing.context import Context, context_of
from kinetree.engine.editing.fresh_names import FreshNames
from kinetree.engine.editing.removal import referring
from kinetree.engine.editing.structure import CannotEdit, index_in, label
from kinetree.engine.editing.tools import urdf
from kinetree.engine.editing.tools.fit import is_urdf, mesh_of
from kinetree.engine.geometry.orientation import matrix, unit
from kinetree.engine.mjcf.schema import ELEMENTS
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node
    from kinetree.engine.model.model import Model

GROUP = "3"
"""Group of the parts beside a geom that stays: by convention that of shapes for collisions."""
_OWN = frozenset({"name", "mesh", "type", "mass", "density", "fitscale", "shellinertia"})
"""Attributes of the geom that its parts do not take over."""
_PLAIN = {"scale": "1 1 1", "refpos": "0 0 0", "refquat": "1 0 0 0"}


class ConvexPart(NamedTuple):
    """A triangle mesh: float (n, 3) vertices in metres, int (m, 3) faces, counter-clockwise from outside."""

    vertices: np.ndarray
    faces: np.ndarray

    @property
    def volume(self) -> float:
        """Volume inside the surface, in cubic metres: that of the tetrahedra between its triangles and one point."""
        a, b, c = np.moveaxis(self.vertices[self.faces] - self.vertices.mean(axis=0), 1, 0)
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def surface(model: Model) -> ConvexPart:
    """The only mesh of a model, in the frame of its geom in the text."""
    if not model.nmeshface:
        raise CannotEdit(tr("the mesh has no faces: it is a set of points, which is convex already"))
    turn = np.array(matrix(unit(model.mesh_quat[0].tolist())))
    return ConvexPart(model.mesh_vert.astype(float) @ turn.T + model.mesh_pos[0], model.mesh_face.copy())


def check(document: Document, nodes: Sequence[Node], keep: bool) -> None:
    """Raise CannotEdit where geoms cannot be decomposed together."""
    found = {_mesh(document, node) for node in nodes}
    if len(found) > 1:
        raise CannotEdit(tr("the shapes have several meshes: take those of one, such as '{found}'", found=min(found)))
    if keep or is_urdf(document):
        return
    for node in nodes:
        users = referring(document, [node])
        if users:
            raise CannotEdit(
                tr(
                    "{label} is referred to ({users}): keep it for looks, or remove the reference first",
                    label=label(node),
                    users=users[0],
                )
            )


def _mesh(document: Document, node: Node) -> str:
    """Identity of a mesh: its name; in URDF its file and scale."""
    if not is_urdf(document):
        return mesh_of(document, node)[0]
    shape = urdf.shape_of(document, node)
    mesh = urdf.mesh_in(shape)
    scale = None if mesh is None else mesh.get("scale")
    return f"{urdf.path_of(document, shape)}{f', scale {scale}' if scale else ''}"


def has_looks(document: Document, node: Node) -> bool:
    """Whether something else shows what a geom shows: the <visual> of its link in URDF."""
    return is_urdf(document) and urdf.has_looks(urdf.shape_of(document, node))


def folder_for(document: Document, node: Node) -> Path:
    """The folder of the mesh of a geom; that of mesh files if it is written in the text."""
    if is_urdf(document):
        return urdf.path_of(document, urdf.shape_of(document, node)).parent
    folder = folder_of(document, ELEMENTS["asset.mesh"])
    file = mesh_of(document, node)[1].get("file")
    return Path(os.path.normpath(folder / file.replace("\\", "/"))).parent if file else folder


def written(parts: Sequence[ConvexPart], folder: Path, stem: str) -> list[Path]:
    """Write the parts as OBJ files with names that are free. Raises OSError; none of the files is there then."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = "".join(c if c.isalnum() or c in "-_." else "_" for c in stem)
    number, start = 1, stem
    while any(os.path.lexists(folder / f"{stem}_hull{i}.obj") for i in range(len(parts))):
        number += 1
        stem = f"{start}_{number}"
    files = []
    try:
        for i, part in enumerate(parts):
            lines = ["# A convex part, made by Kinetree with coacd"]
            lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in part.vertices.tolist()]
            lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in part.faces.tolist()]
            files.append(folder / f"{stem}_hull{i}.obj")
            files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    except BaseException:
        for file in files:
            with contextlib.suppress(OSError):
                file.unlink()
        raise
    return files


def decomposed(
    document: Document, nodes: Sequence[Node], parts: Sequence[ConvexPart], files: Sequence[Path], keep: bool
) -> list[ElementEdit]:
    """Edits that replace geoms with one mesh by geoms with the parts. `keep`: the originals stay, as visuals only.
    Raises CannotEdit.
    """
    check(document, nodes, keep)
    if is_urdf(document):
        shapes = [urdf.shape_of(document, node) for node in nodes]
        return [edit for shape in shapes for edit in urdf.decomposed(document, shape, files, keep)]
    mesh = mesh_of(document, nodes[0])[1]
    own = document.node(mesh.id)
    assert own is not None and own.parent is not None
    context = context_of(document)
    fresh = FreshNames(names_of(document), language_of(document))
    folder = folder_of(document, ELEMENTS["asset.mesh"])
    row = context.language.row(mesh)
    assert row is not None
    set_ = {each.name for default in context.defaults.main.elements(row) for each in default.attributes}
    plain = "".join(f' {name}="{value}"' for name, value in _PLAIN.items() if name in set_)
    edits: list[ElementEdit] = []
    assets = [fresh.take("mesh", file.stem) for file in files]
    for asset, file in zip(assets, files, strict=True):
        path = quoteattr(named(folder, file)[0])
        xml = f"<mesh name={quoteattr(asset)} file={path}{plain}/>"
        edits.append(Insert(own.parent, xml, index_in(own.parent, own) + 1))
    shares = [part.volume for part in parts]
    shares = [share / sum(shares) for share in shares]
    for node in nodes:
        edits += _replaced(context, node, fresh, assets, shares, keep)
    return edits


def _replaced(
    context: Context, node: Node, fresh: FreshNames, assets: Sequence[str], shares: Sequence[float], keep: bool
) -> list[ElementEdit]:
    """Edits that replace a geom by geoms with some meshes. `shares`: of its mass."""
    parent = node.parent
    assert parent is not None
    values = context.values(node)
    edits: list[ElementEdit] = []
    left = set(_OWN) | ({"group"} if keep else set())
    collides = values.get("contype", 1) or values.get("conaffinity", 1)
    if not collides:  # the mesh is for looks already
        left |= {"contype", "conaffinity"}
    copied = "".join(f" {each.name}={quoteattr(each.value)}" for each in node.attributes if each.name not in left)
    if not collides:
        copied += ' contype="1" conaffinity="1"'
    name = node.get("name")
    for i, (asset, share) in enumerate(zip(assets, shares, strict=True)):
        called = f" name={quoteattr(fresh.take('geom', f'{name}_hull{i}'))}" if name else ""
        if keep:
            weight = f' mass="0" group="{GROUP}"'
        elif "mass" in values:
            weight = f' mass="{numbers.number(float(values["mass"]) * share)}"'
        else:
            density = node.get("density")
            weight = f' density="{density}"' if density is not None else ""
        xml = f'<geom{called} type="mesh" mesh={quoteattr(asset)}{copied}{weight}/>'
        edits.append(Insert(parent, xml, index_in(parent, node) + 1))
    if keep and collides:
        edits += [SetAttribute(node, "contype", "0"), SetAttribute(node, "conaffinity", "0")]
    elif not keep:
        edits.append(Remove(node))
    return edits
