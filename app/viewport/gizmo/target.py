"""GizmoTarget: an element of the text that the gizmo edits, with the current world pose of the frame in which its pose
is written.

The pose of the text is that of the model at rest. A body that its joints have moved is drawn elsewhere than its
pose says; the gizmo then stands where the pose is, seen from the parent as that stands now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np

from kinetree.app.workspace.selection import Selection
from kinetree.engine import editing
from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Node
from kinetree.engine.geometry.orientation import START, Pose, Vec, compose, invert
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import body_of
from kinetree.engine.model.model import Model
from kinetree.engine.scene.gizmo import MOVE, SIZE, TURN
from kinetree.engine.scene.rotation import quat_mat
from kinetree.engine.translation import tr

MOST = 1000
"""Geoms that are looked at to find out how many elements show a mesh."""
_BOXES: WeakKeyDictionary[Model, dict[int, tuple[Vec, Vec]]] = WeakKeyDictionary()
"""Result of `_box_of`."""
_FORMS = {"mesh": enums.GEOM_MESH, "hfield": enums.GEOM_HFIELD}
"""Kinds of assets -> the type of the geoms that show them."""


@dataclass(frozen=True)
class GizmoTarget:
    """One selected element.

    document    the document that the element is part of: the open one, or one that it attaches
    node        the element in its present version
    placement   its pose as the text writes it
    shape       its size, None where it has none that can be dragged
    unsized     why it has none
    selection   the object that stands for it in the model
    body        the element of the compiled body around it, None for the world
    chain       pose in that body of the frame that the element is written in
    replicas    index of the shown copy in each replicate around it, by the id of the replicate
    """

    document: Document
    node: Node
    placement: editing.pose.Placement | editing.keyframe.KeyPlacement
    shape: editing.size.ShapeSize | None
    selection: Selection
    chain: Pose = START
    body: Node | None = None
    replicas: Mapping[int, int] = field(default_factory=dict)
    unsized: str = ""

    def why_not(self, tool: str) -> str:
        """Why a tool cannot be used; "" if it can."""
        if tool == SIZE:
            return self.unsized
        if self.node.tag == "key" and tool == MOVE and self.placement.turns and not self.placement.moves:
            return tr("a keyframe only turns a ball joint: choose the tool Turn (R)")
        what = f"a <{self.node.tag}>"
        if tool == TURN and not self.placement.turns:
            return tr("{what} has no direction that can be turned", what=what)
        if tool == MOVE and not self.placement.moves:
            if self.shape is not None:
                return tr("{what} has no place that can be moved here: only its size can be dragged", what=what)
            return tr("{what} has no place that can be moved", what=what)
        return ""

    @property
    def element(self) -> int:
        return self.node.id

    @property
    def reaches(self) -> dict[tuple[int, int], float]:
        """How far its shape reaches to each side, by (axis, sign)."""
        return {} if self.shape is None else self.shape.reaches

    def around(self, model: Model, snapshot) -> Pose:
        """The current world pose of the body or link frame that the element is written in."""
        return compose(self._body_frame(model, snapshot), self.chain)

    def frame(self, model: Model, snapshot) -> Pose:
        """The current world pose of the frame in which `placement.pose` is written."""
        return compose(self.around(model, snapshot), self.placement.frame)

    def pose(self, model: Model, snapshot) -> Pose:
        """The current world pose that the text gives to the element."""
        return compose(self.frame(model, snapshot), self.placement.pose)

    def _body_frame(self, model: Model, snapshot) -> Pose:
        return body_frame(self.document, model, snapshot, self.body_id(model))

    def body_id(self, model: Model) -> int:
        """The compiled body that the element is written in, of a body its parent; 0 for the world."""
        if self.body is None or model.provenance is None:
            return 0
        known = model.provenance.node(self.body.id)
        found = [] if known is None else [each.id for each in model.provenance.objects_of(known) if each.kind == "body"]
        own = max(body_of(model, self.selection.kind, self.selection.id), 0) if self.selection.kind else 0
        while own and found:  # of several replicas the one around the selected object
            if own in found:
                return own
            own = int(model.body_parentid[own])
        return found[-1] if found else 0


def body_frame(document: Document, model: Model, snapshot, body: int) -> Pose:
    """The current world pose of the frame in which the text of a body is written. It differs from the compiled body
    frame where the compiler aligned a free body with its principal axes of inertia."""
    if body <= 0:
        return START
    now = tuple(map(float, snapshot.xpos[body])), tuple(map(float, snapshot.xquat[body]))
    return compose(now, invert(_aligned(document, model, body)))


def _aligned(document: Document, model: Model, body: int) -> Pose:
    """The compiled frame of a body, in the frame that its text describes. They differ for a free body that the compiler
    aligned with its principal axes of inertia."""
    first = int(model.body_jntadr[body])
    if model.body_jntnum[body] != 1 or int(model.jnt_type[first]) != enums.JNT_FREE or model.provenance is None:
        return START
    origin = model.provenance.origin("body", body)
    node = None if origin is None else document.node(origin.node.id)
    if origin is None or node is None:
        return START
    replicas = {step.node.id: step.index for step in origin.made_by if step.tag == "replicate"}
    pos, quat = model.body_ipos[body], model.body_iquat[body]
    if pos.any() or abs(float(quat[0])) < 1 - 1e-9:
        return START  # it keeps the frame of the text
    compiled = tuple(map(float, model.body_pos[body])), tuple(map(float, model.body_quat[body]))
    try:
        return compose(invert(editing.pose.place(document, node, replicas).in_body), compiled)
    except editing.pose.NotPlaced:
        return START


def find(document: Document | None, element: int) -> tuple[Document, Node] | None:
    """An element of a document, or of one that it attaches, and that document."""
    return None if document is None else _within(document, element, 0)


def _within(document: Document, element: int, depth: int) -> tuple[Document, Node] | None:
    node = document.node(element)
    if node is not None:
        return document, node
    for section in document.merged.children if depth < 8 else ():
        for child in section.children if section.tag == "asset" else ():
            file = child.attribute("file") if child.tag == "model" else None
            inner = None if file is None else document.beside(file, Diagnostics())
            found = None if inner is None else _within(inner, element, depth + 1)
            if found is not None:
                return found
    return None


def target_of(whole: Document | None, model: Model, selection: Selection) -> GizmoTarget:
    """The target for a selected element of an open document. Raises NotPlaced, which says why there is none."""
    if selection.element is None or whole is None:
        raise editing.pose.NotPlaced(tr("a model from a binary file has no text to edit"))
    if selection.kind in _FORMS:
        return _shown_by(whole, model, selection)
    found = find(whole, selection.element)
    if found is None:
        raise editing.pose.NotPlaced(tr("the element is not in the text any more"))
    document, node = found
    replicas, attached = _made_by(model, selection, node)
    placement = editing.pose.place(document, node, replicas)
    chosen = None if attached is None else attached.get("body")
    if chosen and node.tag == "body" and node.get("name") == chosen:  # frames and bodies around it stay behind
        placement = replace(placement, frame=START, body=None)
    chain, body = _to_compiled(document, model, placement, replicas, chosen)
    if body is None and attached is not None:
        outer = find(whole, attached.id)
        if outer is not None:
            pose, body = editing.pose.frames(editing.context.context_of(outer[0]), outer[1], replicas)
            chain = compose(pose, chain)
    try:
        shape = editing.size.shape_of(document, node, use_of(model, selection))
    except editing.pose.NotPlaced as error:
        shape, unsized = None, str(error)
    else:
        unsized = ""
    return GizmoTarget(document, node, placement, shape, selection, chain, body, replicas, unsized)


def grown(document: Document | None, target: GizmoTarget) -> GizmoTarget:
    """The same target after an edit: elements that had to be inserted are there now."""
    placed, shape = target.placement, target.shape
    now = find(document, target.element) if placed.grows or (shape and shape.grows) else None
    if now is not None and placed.grows:
        placed = replace(editing.pose.place(now[0], now[1], target.replicas), pose=placed.pose)
    if now is not None and shape is not None and shape.grows:
        shape = shape.regrown(*now)
    return replace(target, placement=placed, shape=shape)


def _shown_by(whole: Document, model: Model, asset: Selection) -> GizmoTarget:
    """The target for a mesh or a height field itself: its size, where the first geom shows it. Raises NotPlaced."""
    for geom in _geoms_of(model, _FORMS[asset.kind], asset.id):
        origin = None if model.provenance is None else model.provenance.origin("geom", geom)
        found = None if asset.element is None else find(whole, asset.element)
        if origin is None or found is None:
            continue
        selection = Selection("geom", geom, origin.node.id)
        around = target_of(whole, model, selection)
        shape = editing.size.shape_of(*found, use_of(model, selection))
        still = replace(around.placement, moves=False, turns=False)
        return replace(around, document=found[0], node=found[1], placement=still, shape=shape)
    raise editing.pose.NotPlaced(tr("no geom shows this {kind}: its size can be written in the text", kind=asset.kind))


def use_of(model: Model, selection: Selection) -> editing.size.Use | None:
    """How the selected geom uses its mesh or height field; None if it has none."""
    if selection.kind != "geom" or not 0 <= selection.id < model.ngeom:
        return None
    form, asset = int(model.geom_type[selection.id]), int(model.geom_dataid[selection.id])
    if form not in _FORMS.values() or asset < 0:
        return None
    users = set()
    for geom in _geoms_of(model, form, asset)[:MOST]:
        origin = None if model.provenance is None else model.provenance.origin("geom", geom)
        users.add(geom if origin is None else origin.node.id)
    if form == enums.GEOM_HFIELD:
        x, y, top, base = map(float, model.hfield_size[asset])
        return editing.size.Use((-x, -y, -base), (x, y, top), len(users))
    return editing.size.Use(*_box_of(model, asset), len(users))


def _box_of(model: Model, mesh: int) -> tuple[Vec, Vec]:
    """The corners of the box around a mesh, in the frame that the text of a geom means."""
    known = _BOXES.setdefault(model, {})
    if mesh not in known:
        first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        turn = quat_mat(model.mesh_quat[mesh])
        points = np.asarray(model.mesh_vert[first : first + count], float) @ turn.T + model.mesh_pos[mesh]
        low, high = points.min(0).tolist(), points.max(0).tolist()
        known[mesh] = (low[0], low[1], low[2]), (high[0], high[1], high[2])
    return known[mesh]


def _geoms_of(model: Model, form: int, asset: int) -> list[int]:
    """The geoms that show a mesh or a height field."""
    return np.flatnonzero((model.geom_type == form) & (model.geom_dataid == asset)).tolist()


def _made_by(model: Model, selection: Selection, node: Node) -> tuple[dict[int, int], Node | None]:
    """Which replicas the selected object is of, and the attach that copied it."""
    if not selection.kind or model.provenance is None:
        return {}, None
    origin = model.provenance.origin(selection.kind, selection.id)
    if origin is None:
        return {}, None
    attach = next((step.node for step in origin.made_by if step.tag == "attach"), None)
    return {step.node.id: step.index for step in origin.made_by if step.tag == "replicate"}, attach


def _to_compiled(
    document: Document, model: Model, placement: editing.pose.Placement, replicas: Mapping[int, int], chosen: str | None
) -> tuple[Pose, Node | None]:
    """From the body around an element to one that the compiled model has: (pose in that, that body). The world
    where there is none: bodies that were fused into it, or are new. `chosen`: name of the body that an <attach>
    takes out of its model."""
    chain, body = START, placement.body
    while body is not None:
        known = None if model.provenance is None else model.provenance.node(body.id)
        if known is not None and model.provenance is not None and model.provenance.objects_of(known):
            break
        try:
            around = editing.pose.place(document, body, replicas)
        except editing.pose.NotPlaced:
            return chain, None
        if chosen and body.get("name") == chosen:
            return compose(around.pose, chain), None
        chain, body = compose(around.in_body, chain), around.body
    return chain, body
