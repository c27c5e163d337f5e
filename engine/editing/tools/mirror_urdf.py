"""Mirror a limb of URDF: a link with all links that joints hang on it, copied to the other side of a plane of the link
that it is fixed to.

The rules are those of mirror.py: the copy is the mirror image S of the limb, and what follows for the numbers of the
text is mostly another sign. A joint turns about -S axis, so that the same position gives the mirrored pose.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.document.element_edit import ElementEdit, Insert, SetAttribute, carry_out
from kinetree.engine.editing.fresh_names import FreshNames
from kinetree.engine.editing.pose import joint_of
from kinetree.engine.editing.structure import CannotEdit, label, plain
from kinetree.engine.editing.tools.naming import Naming
from kinetree.engine.editing.tools.sides import NameSides
from kinetree.engine.editing.tools.signs import flipped
from kinetree.engine.editing.tools.urdf import SHAPES
from kinetree.engine.platforms.files import slashed
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

_TURNING = frozenset({"revolute", "continuous", "spherical", "floating", "fixed"})
_ALONG = frozenset({"revolute", "continuous", "prismatic"})
"""Types of joints that have an axis: X where none is given."""
_SPACES = {"link": "link", "joint": "joint"}
_REFERRING = {("parent", "link"): "link", ("child", "link"): "link", ("mimic", "joint"): "joint"}
"""(tag, attribute) -> the namespace of the name that it has."""
_LEFT_ALONE = frozenset({"transmission", "gazebo", "ros2_control"})


def mirror(
    document: Document, node: Node, vector: Sequence[int], symmetric: Collection[str], suffix: str
) -> tuple[list[ElementEdit], list[str]]:
    """(edits that put the mirror image of a limb beside it, notes for the user to check). `node`: a link, or an element
    in it. `vector`: the signs of a mirrored vector; `symmetric`: names of mesh files, without folder and extension,
    that are their own mirror image; `suffix`: for names without a side. Raises CannotEdit.
    """
    link = next((each for each in (node, *node.ancestors()) if each.tag == "link"), None)
    if link is None:
        raise CannotEdit(tr("{label} is no link: select the link at the root of a limb", label=label(node)))
    if joint_of(link) is None:
        raise CannotEdit(
            tr("{label} is the base of the robot: select the link at the root of a limb", label=label(link))
        )
    limb = _limb(document.root, link)
    names = names_of(document)
    fresh = FreshNames(names, language_of(document))
    declared = [(_SPACES[each.tag], each.get("name") or "") for each in limb]
    sides = NameSides.of([name for _, name in declared], [each.name for each in names.declarations])
    naming = Naming.of_copy(names, sides, fresh, {each.id for each in limb})
    naming.add(declared, suffix)
    changes: list[ElementEdit] = []
    for each in limb:
        for inner in each.iter():
            changes += _mirrored(inner, vector, symmetric)
            changes += _renamed(inner, naming.new)
            if inner.tag in SHAPES and inner.get("name"):
                changes.append(SetAttribute(inner, "name", naming.other(inner.get("name") or "", suffix)))
    done = carry_out(changes, document.parsed)
    draft = done[document.root.source.path][0] if document.root.source.path in done else None
    copies = [each if draft is None else draft.node(each.id) for each in limb]
    at = max(_index(document.root, each) for each in limb) + 1
    texts = [sides.in_comments(plain(copy), naming.names) for copy in copies if copy is not None]
    edits: list[ElementEdit] = [Insert(document.root, text, at) for text in texts]
    of_limb = {name for _, name in declared}
    notes = []
    for other in document.root.children:
        if other.tag in _LEFT_ALONE and of_limb & set(re.findall(r"[\w.-]+", other.span.text)):
            notes.append(tr("{label} is not mirrored", label=label(other)))
    return edits, [*notes, *naming.note()]


def _limb(root: Node, link: Node) -> list[Node]:
    """A link, the joint that moves it, and all that hangs on it, in the order of the text."""
    below: dict[str | None, list[tuple[Node, str | None]]] = {}
    links = {each.get("name"): each for each in root.children if each.tag == "link"}
    for joint in root.children:
        parent, child = joint.find("parent"), joint.find("child")
        if joint.tag == "joint" and parent is not None and child is not None:
            below.setdefault(parent.get("link"), []).append((joint, child.get("link")))
    first = joint_of(link)
    assert first is not None
    found = {first.id: first}
    pending = [link]
    while pending:
        at = pending.pop()
        if at.id in found:
            raise CannotEdit(
                tr("{label} hangs on itself, joint by joint: remove one of these joints first", label=label(at))
            )
        found[at.id] = at
        for joint, child in below.get(at.get("name"), ()):
            found[joint.id] = joint
            pending += [links[child]] if child in links else []
    return sorted(found.values(), key=lambda each: each.start)


def _mirrored(node: Node, vector: Sequence[int], symmetric: Collection[str]) -> list[ElementEdit]:
    """Edits that mirror the numbers of one element."""
    turn = [-sign for sign in vector]
    if node.tag == "origin":
        return [*_flipped(node, "xyz", vector), *_flipped(node, "rpy", turn)]
    if node.tag == "joint":
        kind = node.get("type") or ""
        if kind not in _TURNING and kind != "prismatic":
            raise CannotEdit(
                tr(
                    "{label}, line {line}, cannot be mirrored: its type is {value}",
                    label=label(node),
                    line=node.line,
                    value=kind or "missing",
                )
            )
        axis = node.find("axis")
        signs = vector if kind == "prismatic" else turn
        if axis is not None:
            return _flipped(axis, "xyz", signs)
        if signs[0] < 0 and kind in _ALONG:
            return [Insert(node, '<axis xyz="-1 0 0"/>')]
        return []
    if node.tag == "inertia":
        x, y, z = vector
        pairs = {"ixy": x * y, "ixz": x * z, "iyz": y * z}
        return [edit for name, sign in pairs.items() for edit in _flipped(node, name, [sign])]
    if node.tag == "mesh" and PurePosixPath(slashed(node.get("filename") or "")).stem not in symmetric:
        scale = node.get("scale") or "1 1 1"
        return [SetAttribute(node, "scale", flipped(scale, vector))]
    return []


def _flipped(node: Node, name: str, signs: Sequence[int]) -> list[ElementEdit]:
    text = node.get(name)
    new = None if text is None else flipped(text, signs)
    return [] if new is None or new == text else [SetAttribute(node, name, new)]


def _renamed(node: Node, renamed: dict[tuple[str, str], str]) -> list[ElementEdit]:
    """Edits that give an element of the copy its names."""
    edits: list[ElementEdit] = []
    for attribute in node.attributes:
        space = _REFERRING.get((node.tag, attribute.name))
        if attribute.name == "name":
            space = _SPACES.get(node.tag)
        new = renamed.get((space, attribute.value)) if space else None
        if new is not None:
            edits.append(SetAttribute(node, attribute.name, new))
    return edits


def _index(root: Node, node: Node) -> int:
    return [child.id for child in root.subtree.children].index(node.id)
