"""Hanging links of a URDF on other links: what a drag in the kinematic tree does to the text.

A link is moved by the parent that its joint names. Its place in the text stays as it is, and so does the pose that the
joint has in its parent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kinetree.app.panels.writing.tree.kinematic import KinematicNesting
from kinetree.app.panels.writing.tree.outline import TreeOutline
from kinetree.engine.document.element_edit import ElementEdit, SetAttribute
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document


def link_at(outline: TreeOutline, row: int, where: str) -> Subtree | None:
    """The link that something hangs on when it is dropped into, before or after a row; None where that is no link."""
    holder = row if where == "into" else outline.parent(row)
    item = outline.items[holder] if holder >= 0 else None
    return item if isinstance(item, Subtree) and item.tag == "link" else None


def is_moved(document: Document, ids: Iterable[int]) -> bool:
    """Whether elements are links, or the joints that hold them."""
    nodes = [document.node(each) for each in ids]
    return bool(nodes) and all(
        node is not None and node.tag in ("link", "joint") and node.parent is document.root for node in nodes
    )


def hang(document: Document, shape: KinematicNesting, ids: Iterable[int], on: Subtree) -> list[ElementEdit]:
    """The edits that hang links on another link. Raises CannotEdit."""
    name = next((child.get("name") for child in document.root.children if child.id == on.id), None)
    if not name:
        raise CannotEdit(tr("a link without a name cannot hold others"))
    above = {on.id}
    at: int | None = on.id
    while (at := shape.parent_link.get(at)) is not None:
        above.add(at)
    links = {joint.id: link for link, joint in shape.joint_of.items()}
    edits: dict[int, ElementEdit] = {}
    for identity in ids:
        link = links.get(identity, identity)
        joint = shape.joint_of.get(link)
        if joint is None:
            raise CannotEdit(tr("a link that no joint holds cannot hang on another one: add a joint first"))
        if link in above:
            raise CannotEdit(tr("a link cannot hang on itself, or on a link that hangs on it"))
        node = document.node(joint.id)
        parent = next((child for child in node.children if child.tag == "parent"), None) if node is not None else None
        if parent is not None and parent.get("link") != name:
            edits[parent.id] = SetAttribute(parent, "link", name)
    return list(edits.values())
