"""Requirements on an element that depend on its place, beyond the schema: reasons to refuse an edit whose result would
not compile.

    why = why_incomplete(document, parent, node)      why <node> would be no complete element of `parent`; None if it is
    why = why_no_path(parent, path)                   why elements in this order are no path of a tendon

`node` may belong to another text, such as the clipboard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kinetree.engine.assist.language import MJCF, language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.assist.parts import errors_in
from kinetree.engine.editing.context import context_of
from kinetree.engine.mjcf import exceptions, values
from kinetree.engine.mjcf.defaults import MAIN
from kinetree.engine.mjcf.geom_types import GEOM_TYPES, SIZES
from kinetree.engine.mjcf.plugin_kinds import USERS
from kinetree.engine.translation import any_of, tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node
    from kinetree.engine.mjcf.schema_rows import ElementRow

PATH = "spatial"
"""Tag of the tendons that have a path."""


class _Case(NamedTuple):
    """An element that comes into a document: its kind there, and what is around."""

    document: Document
    parent: Node
    node: Node
    row: ElementRow

    def given(self, *names: str) -> bool:
        """Whether the element, or its default class, has one of some attributes."""
        inherited = context_of(self.document).inherited(self.parent, self.row)
        return any(self.node.get(name) or name in inherited for name in names)


def why_incomplete(document: Document, parent: Node, node: Node) -> str | None:
    """Why an element is not complete as a child of `parent`."""
    language = language_of(document)
    row = language.allowed(parent).get(node.tag)
    errors = errors_in(document, parent, node)
    if errors:
        return errors[0].message
    if row is None:
        return None
    case = _Case(document, parent, node, row)
    if language.grammar is not MJCF:
        return _other(case)
    section = row.id.partition(".")[0]
    check = _CHECKS.get(row.id) or _CHECKS.get(f"{section}.*")
    why = check(case) if check is not None else None
    return why or (_plugin(case) if row.tag == "plugin" else None)


def _geom(case: _Case) -> str | None:
    inherited = context_of(case.document).inherited(case.parent, case.row)
    kind = GEOM_TYPES.get(case.node.get("type") or inherited.get("type", "sphere"))
    if case.given("mesh", "fromto", "class"):
        return None
    needed = SIZES.get(kind, 0) if kind is not None else 0
    own = values.read(case.node.get("size") or "", case.row.attributes["size"])[0]
    sizes = np.ravel(inherited.get("size", ())).tolist()
    written = np.ravel(own).tolist() if own is not None else []
    sizes = [*written, *sizes[len(written) :]]
    if sum(size > 0 for size in sizes[:needed]) < needed:
        return tr("it has no size: give it one first, or insert a new <{tag}>", tag=case.node.tag)
    return None


def _mesh(case: _Case) -> str | None:
    if case.given("file") or (case.given("name") and (case.given("vertex", "builtin") or case.node.children)):
        return None
    return tr("it has no shape: insert a new <{tag}>", tag=case.node.tag)


def _actuator(case: _Case) -> str | None:
    groups = [names for names, _ in exceptions.EXCLUSIVE.get(case.row.id, ()) if "joint" in names]
    if not groups or any(case.node.get(name) for name in groups[0]):
        return None
    return tr("it acts on nothing: give it {names} first", names=any_of(groups[0]))


def _default(case: _Case) -> str | None:
    if case.parent.tag == case.row.tag or case.node.get("class") in (None, "", MAIN):
        return None
    return tr("the outermost default class is always '{name}': put it into that one", name=MAIN)


def _plugin(case: _Case) -> str | None:
    name, instance = case.node.get("plugin"), case.node.get("instance")
    if instance:
        declared = names_of(case.document).declaring("plugin", instance)
        around = declared[0].node.parent if declared else None
        name = around.get("plugin") if around is not None else name
    if name not in USERS or case.row.id in USERS[name] or case.row.id == "extension.plugin":
        return None
    return tr("the plugin '{plugin}' is not for this element", plugin=name)


def _other(case: _Case) -> str | None:
    """As `_CHECKS`, of URDF and x_xy."""
    if case.row.id == "mimic" and case.node.get("joint") == case.parent.get("name"):
        return tr("a joint cannot follow itself")
    section = case.document.merged.find("defaults")
    default = None if section is None else section.find(case.node.tag)
    for name in _X_XY.get(case.row.id, ()):
        if case.node.get(name) is None and (default is None or default.get(name) is None):
            return tr("it has no {name}: insert a new <{tag}>", name=name, tag=case.node.tag)
    return None


_X_XY = {"geom": ("type", "mass", "dim"), "world.geom": ("type", "dim"), "body": ("name", "joint")}
"""Kinds of x_xy -> what each needs, unless the defaults say it."""

_CHECKS: dict[str, Callable[[_Case], str | None]] = {
    "body.geom": _geom,
    "asset.mesh": _mesh,
    "actuator.*": _actuator,
    "default": _default,
}


def why_no_chain(document: Document, parent: Node, node: Node) -> str | None:
    """Why a copy of an element cannot stand in `parent` for the plugins of bodies in it: the bodies of an instance are
    a chain."""
    users = [each for each in node.iter("plugin") if each.parent is not None and each.parent.tag == "body"]
    row = language_of(document).allowed(parent).get(node.tag)
    if row is not None and row.id == "body.plugin":
        users.append(node)
    wanted = {each.get("instance") for each in users}
    used = {
        each.name
        for each in names_of(document).references
        if each.space == "plugin"
        and each.attribute.node.parent is not None
        and each.attribute.node.parent.tag == "body"
    }
    around = parent.find("plugin") if node.tag == "body" else None
    for name in sorted(each for each in wanted & used if each is not None):
        if around is None or around.get("instance") != name:
            return tr(
                "the bodies of the plugin instance '{name}' are a chain: give the copy an instance of its own",
                name=name,
            )
    return None


def why_no_plugin(document: Document, parent: Node, node: Node) -> str | None:
    """Why an element cannot come into a document for the plugins that it names: a model declares those that it uses."""
    row = language_of(document).allowed(parent).get(node.tag)
    if row is None or row.id in ("extension", "extension.plugin"):
        return None
    declared = {
        each.get("plugin")
        for each in document.merged.iter("plugin")
        if each.parent is not None and each.parent.tag == "extension"
    }
    for each in node.iter("plugin"):
        name = each.get("plugin")
        if name is not None and name not in declared:
            return tr(
                "this model does not declare the plugin '{plugin}': copy that into <extension> first", plugin=name
            )
    return None


def stranded(path: Sequence[Node]) -> list[Node]:
    """The elements of the path of a tendon that cannot stay: a <geom> that is not between sites, a site alone in
    its branch or beside itself, a <pulley> without a branch. The last one that was found comes first."""
    left, found = list(path), []
    while True:
        tags = ["", *(node.tag.replace("pulley", "") for node in left), ""]
        for i, node in enumerate(left):
            before, after = tags[i], tags[i + 2]
            same = before == "site" and left[i - 1].get("site") == node.get("site")
            if (
                (node.tag == "geom" and not before == after == "site")
                or (node.tag == "pulley" and not after)
                or (node.tag == "site" and (same or not (before or after)))
            ):
                found.insert(0, left.pop(i))
                break
        else:
            return found


def why_no_path(parent: Node, path: Sequence[Node]) -> str | None:
    """Why elements cannot come into the path of a tendon in this order, which was a path before."""
    if parent.tag != PATH or stranded(parent.children) or not stranded(path):
        return None
    return tr(
        "this is no path for a tendon: a <geom> stands between two sites, no site comes twice in a row, and a <pulley> "
        "is followed by two sites"
    )
