"""Moving elements to another place in the tree without moving them in the world.

    edits = move_in_place(document, [node], parent, 2)

The pose that the text of an element says becomes the one that it has in its new frame, written in the author's form
(`kinetree.engine.editing.pose`). The poses are those of the model at rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kinetree.engine.assist.language import language_of
from kinetree.engine.document.element_edit import ElementEdit
from kinetree.engine.editing.pose import NotPlaced, place, world_frame, world_pose
from kinetree.engine.editing.structure import CannotEdit, holder, label, move, outermost
from kinetree.engine.geometry.orientation import START, Pose, compose, invert
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node


def content_frame(document: Document, node: Node) -> Pose:
    """The frame of the poses of direct children of an element, in the world of the model at rest. Raises NotPlaced for
    an element without a place in space.
    """
    if node.parent is None:
        include = document.include_of(node.source.path)
        if include is not None and include.parent is not None:
            return content_frame(document, include.parent)
    language = language_of(document)
    row = language.row(node)
    tag = "" if row is None else row.tag
    if tag == "worldbody":
        return START
    if tag == "replicate":
        return world_frame(document, node)
    if tag not in ("body", "frame", "link"):
        raise NotPlaced(tr("a <{tag}> has no place in space", tag=node.tag))
    try:
        return world_pose(document, node)
    except NotPlaced:
        if tag == "link":  # the base of a robot
            return START
        raise


def move_in_place(
    document: Document, nodes: Iterable[Node], parent: Node, index: int | None = None, notes: list[str] | None = None
) -> list[ElementEdit]:
    """As `structure.move`, and the elements keep their poses in the world. Raises CannotEdit."""
    nodes = outermost(document, nodes)
    edits = move(document, nodes, parent, index, notes)
    parent = holder(document, parent)
    coming = [node for node in nodes if node.parent is None or node.parent.id != parent.id]
    try:
        frame = content_frame(document, parent) if coming else START
    except NotPlaced as error:
        raise CannotEdit(tr("no pose in the world can be kept here: {error}", error=error)) from None
    for node in coming:
        if node.tag == "freejoint":
            continue
        if node.tag in ("replicate", "attach", "include"):
            raise CannotEdit(
                tr("{label} has no pose of its own: put it into a <frame>, and move that", label=label(node))
            )
        try:
            edits += place(document, node).move(compose(invert(frame), world_pose(document, node)))
        except NotPlaced as error:
            raise CannotEdit(
                tr("{label} cannot keep its pose in the world: {error}", label=label(node), error=error)
            ) from None
    return edits
