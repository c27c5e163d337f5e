"""Removes what has no effect on the physics (XML reference, compiler/discardvisual).

These are materials, textures, geoms that collide with nothing and that nothing refers to, and meshes without geoms. A
body that loses a geom keeps its mass and inertia as an inertial.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.compile.tree.masses import Weighing
from kinetree.engine.compile.tree.shapes import GeomShapes
from kinetree.engine.geometry.inertia import Mass
from kinetree.engine.geometry.orientation import IDENTITY, ORIGIN
from kinetree.engine.mjcf import make
from kinetree.engine.mjcf.elements import Body, Element, Scope, SettingsValues, Spec
from kinetree.engine.mjcf.names import mentions
from kinetree.engine.mjcf.pose import pose

if TYPE_CHECKING:
    from kinetree.engine.compile.assets.assets import Assets
    from kinetree.engine.compile.indexing import ObjectIndex
    from kinetree.engine.diagnostics import Diagnostics


def discard(index: ObjectIndex, assets: Assets, diagnostics: Diagnostics) -> None:
    """Remove visual elements from the spec. It must be indexed again afterwards."""
    spec = index.spec
    named = {name for elements in spec.lists.values() for e in elements for s, name in mentions(e) if s == "geom"}
    lost = [body for body in index.bodies if any(_only_seen(geom, named) for geom in body.geoms)]
    if lost:
        masses = _masses(index, assets, diagnostics)
        for body in lost:
            body.geoms = [geom for geom in body.geoms if not _only_seen(geom, named)]
            if body.id:
                _keep(spec, body, masses[body.id])
    _without_materials(index)
    used = {geom.get("mesh") for body in index.bodies for geom in body.geoms}
    spec.lists["material"], spec.lists["texture"] = [], []
    spec.lists["mesh"] = [mesh for mesh in spec.lists["mesh"] if mesh.name in used]


def _only_seen(geom: Element, named: set[str]) -> bool:
    return not geom["contype"] and not geom["conaffinity"] and geom.name not in named


def _masses(index: ObjectIndex, assets: Assets, diagnostics: Diagnostics) -> list[Mass]:
    poses = [pose(body, index.spec, diagnostics, framed=False) for body in index.bodies]
    poses[0] = (ORIGIN, IDENTITY)
    return Weighing(index, GeomShapes(index, assets, diagnostics).geoms, poses, diagnostics).masses


def _keep(spec: Spec, body: Body, mass: Mass) -> None:
    """Give a body an inertial with its present mass and inertia."""
    values = {
        "mass": mass[0],
        "pos": np.array(mass[1], float),
        "diaginertia": np.array(mass[2], float),
        "quat": np.array(mass[3], float),
    }
    body.inertial = make.element("body.inertial", body.node, values)
    body.fused, body.weighed = [], None
    settings = spec.compiler_of(body)
    kept = SettingsValues({**settings, "inertiafromgeom": "auto"})
    kept.given = settings.given
    body.scope = Scope(kept, spec.folder_of(body))


def _without_materials(index: ObjectIndex) -> None:
    for elements in index.objects.values():
        for element in elements:
            gone = [name for name, row in element.row.attributes.items() if row.refers in ("material", "texture")]
            if any(element.get(name) for name in gone):
                element.values = {name: value for name, value in element.values.items() if name not in gone}
