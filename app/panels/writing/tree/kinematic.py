"""The rows of a URDF as a kinematic tree, in place of its flat list of links and joints. No toolkit.

    robot
      material, mujoco ...          the rest of the robot
      link                          that no joint hangs on another one
        visual, collision ...       its elements
        link                        that a joint hangs on it
          joint                     this one, as in MJCF
      joint                         that names a link that does not exist, or one that has a joint already
      For other programs            gazebo, transmission ...: a folder

Rows are in the order of the text, apart from that. Broken files have rows too: of links in a circle the first one is
taken for the root.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kinetree.app.panels.writing.tree.describe import values_of
from kinetree.app.panels.writing.tree.elements import MOST_ROWS, GeneratedRow, RowChange, RowNesting
from kinetree.app.panels.writing.tree.outline import TreeOutline
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.translation import marked, tr

FOREIGN = marked("For other programs")
KNOWN = frozenset({"link", "joint", "material", "mujoco", "include"})
"""Elements of a robot that have a meaning here."""


class KinematicNesting(RowNesting):
    """Nesting of the rows of a URDF, by its joints.

    parent_link  link -> the link that it hangs on: ids
    joint_of     link -> its joint: ids
    """

    opened = frozenset({"link"})

    def __init__(
        self,
        root: Subtree | None,
        included: Mapping[int, Subtree] | None = None,
        made: Mapping[int, GeneratedRow] | None = None,
    ) -> None:
        super().__init__(root, included, made)
        self.parent_link: dict[int, int] = {}
        self.joint_of: dict[int, Subtree] = {}
        self._inside: dict[int, list[Any]] = {}
        self._above: dict[int, int] = {}  # link -> one above it, near the root
        if root is not None:
            self._arrange(root)

    def _arrange(self, root: Subtree) -> None:
        links: dict[str, Subtree] = {}
        for item in root.children:
            if item.tag == "link":
                links.setdefault(_value(item, "name"), item)
        hung: dict[int, list[Subtree]] = {}
        loose: list[Subtree] = []
        for joint in root.children:
            if joint.tag != "joint":
                continue
            child, parent = (links.get(_named(joint, tag)) for tag in ("child", "parent"))
            if child is None or parent is None or child.id in self.joint_of or self._root_of(parent.id) == child.id:
                loose.append(joint)
                continue
            self._above[child.id] = parent.id
            self.joint_of[child.id] = joint
            self.parent_link[child.id] = parent.id
            hung.setdefault(parent.id, []).append(child)
        for link in (item for item in root.children if item.tag == "link"):
            joints = [self.joint_of[link.id]] if link.id in self.joint_of else []
            self._inside[link.id] = [*joints, *super().children(link), *hung.get(link.id, ())]
        every = super().children(root)
        rest = [item for item in every if isinstance(item, GeneratedRow) or item.tag in KNOWN - {"link", "joint"}]
        roots = [item for item in root.children if item.tag == "link" and item.id not in self.parent_link]
        foreign = tuple(item for item in root.children if item.tag not in KNOWN)
        folder = [GeneratedRow(("foreign", root.id), "folder", -1, tr(FOREIGN), str(len(foreign)), foreign)]
        self._inside[root.id] = [*rest, *roots, *loose, *(folder if foreign else ())]

    def _root_of(self, link: int) -> int:
        """The link at the root that a link hangs on."""
        above, root = self._above, link
        while root in above:
            root = above[root]
        while link != root:  # the next search is short
            above[link], link = root, above[link]
        return root

    def children(self, item: Subtree | GeneratedRow) -> Sequence[Any]:
        found = self._inside.get(item.id) if isinstance(item, Subtree) else None
        return super().children(item) if found is None else found

    def changes(self, outline: TreeOutline, newer: RowNesting) -> tuple[dict[int, Any], list[RowChange]] | None:
        """The items that differ, where the same rows are in the same places; else None: a change of one joint moves
        whole branches."""
        block = newer.block()
        if len(block) != len(outline) or block.depths.tolist() != outline.depths.tolist():
            return None
        items = {}
        for row, (old, new) in enumerate(zip(outline.items, block.items, strict=True)):
            if old.id != new.id:
                return None
            if old is not new:
                items[row] = new
        return (items, []) if len(items) <= MOST_ROWS else None


def _value(item: Subtree, name: str) -> str:
    return next((value for own, value in values_of(item) if own == name), "")


def _named(joint: Subtree, tag: str) -> str:
    """The link that a joint names as its parent or child."""
    return next((_value(item, "link") for item in joint.children if item.tag == tag), "")
