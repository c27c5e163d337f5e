"""Removes elements, and the references to them.

    edits = remove(document, [node])
    edits = remove(document, [node], True)      with the references to it
    found = referring(document, [node])          these references, for a confirmation

Elements that would be incomplete are removed too, and so is the <include> of a file that would be empty.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from kinetree.engine.assist.language import Language, language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.document.element_edit import ElementEdit, Remove, RemoveAttribute
from kinetree.engine.editing.needs import PATH, stranded
from kinetree.engine.editing.structure import LEAST, check_mass, check_not_needed, emptied, label, outermost
from kinetree.engine.mjcf import schema
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Attribute, Node
    from kinetree.engine.mjcf.references import AttributeReference


class Consequence(NamedTuple):
    """A change to an element that refers to elements to be removed.

    attribute  the attribute that refers to one of them; None for an element that would be empty
    node       the element that is changed, or removed
    removed    whether it is removed as a whole
    """

    node: Node
    attribute: Attribute | None
    removed: bool

    def __str__(self) -> str:
        where = f"{label(self.node)}, {os.path.basename(self.node.source.path)}:{self.node.line}"
        if self.attribute is None and self.node.parent is not None and self.node.parent.tag == PATH:
            return tr("{where}: it has no neighbour left in the path", where=where)
        if self.attribute is None:
            return tr("{where}: nothing is left in it", where=where)
        return f"{where}: {self.attribute.name}={self.attribute.value!r}"


# Namespaces of optional references: the attribute is removed, the element stays.
_LOOSE = ("class", "material", "texture")
#: (tag, attribute) -> the attributes that go with it; the element stays.
_TARGETS = {
    ("camera", "target"): ("target", "mode"),
    ("light", "target"): ("target", "mode"),
    ("light", "texture"): ("texture",),
    ("flexcomp", "origin"): ("origin",),
}


_DECLARED = schema.ELEMENTS["extension.plugin"]


def referring(document: Document, nodes: Iterable[Node]) -> list[Consequence]:
    """All changes that a removal implies, in the order of the text: elements that refer to a removed one, elements that
    refer to those, and so on. An element whose reference is required is removed; others lose the attribute.
    """
    names = names_of(document)
    language = language_of(document)
    gone = {inner.id for node in nodes for inner, _, _ in node.subtree.walk(0)}
    found: dict[tuple[int, str], Consequence] = {}
    removed: dict[int, Consequence] = {}
    declared: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for declaration in names.declarations:
        declared[declaration.node.id].append((declaration.space, declaration.name))
    users: dict[tuple[str, str], list[AttributeReference]] = defaultdict(list)
    for reference in names.references:
        users[reference.space, reference.name].append(reference)
    pending = list(gone)

    def take_away(consequence: Consequence) -> None:
        node = consequence.node
        removed[node.id] = consequence
        inside = [inner.id for inner, _, _ in node.subtree.walk(0)]
        gone.update(inside)
        pending.extend(inside)
        look_at(node.parent)

    def look_at(parent: Node | None) -> None:
        """Decide what to do with an element that has lost a child."""
        if parent is None or parent.id in gone or parent.tag not in LEAST:
            return
        least, instead = LEAST[parent.tag]
        left = [child for child in parent.children if child.id not in gone]
        lost = stranded(left) if parent.tag == PATH else []
        if len(left) - len(lost) < least and not any(parent.get(name) for name in instead):
            take_away(Consequence(parent, None, True))
        elif lost:
            take_away(Consequence(lost[0], None, True))

    for node in nodes:
        look_at(node.parent)
    for plugin in [each for node in nodes for each in node.iter("plugin") if language.row(each) is _DECLARED]:
        for user in document.merged.iter("plugin"):
            own = document.node(user.id)
            if own is not None and own.id not in gone and own.get("plugin") == plugin.get("plugin"):
                take_away(Consequence(own, own.attribute("plugin"), True))
    while pending:
        for key in declared[pending.pop()]:
            if any(other.node.id not in gone for other in names.declaring(*key)):
                continue  # another element has that name
            for reference in users[key]:
                node = document.node(reference.attribute.node.id)
                if node is None or node.id in gone:
                    continue
                consequence = _consequence(language, node, reference)
                place = node.id, reference.attribute.name
                if consequence.removed:
                    take_away(consequence)
                else:
                    found[place] = consequence
    result = [each for each in found.values() if each.node.id not in gone]
    for each in removed.values():
        if not any(around.id in removed for around in each.node.ancestors()):
            result.append(each)
    files = list(document.trees)
    return sorted(result, key=lambda each: (files.index(each.node.source.path), each.node.start))


def _consequence(language: Language, node: Node, reference: AttributeReference) -> Consequence:
    attribute = node.attribute(reference.attribute.name)
    assert attribute is not None
    known = reference.row
    shared, kind = language.grammar.shared or {}, language.row(node)
    if kind is not None and kind.id in shared and known.declares is None and known.refers is None:
        return Consequence(node, attribute, True)  # without its name it says nothing
    if known.max_count != 1:
        return Consequence(node, attribute, True)  # a list: what stands behind a name would get its place
    loose = reference.space in _LOOSE and not known.required
    if loose or (node.tag, attribute.name) in _TARGETS:
        return Consequence(node, attribute, False)
    # An element without which the one around it is not complete goes together with that.
    row, parent = language.row(node), node.parent
    while row is not None and row.multiplicity == "!" and parent is not None and parent.parent is not None:
        node, row, parent = parent, language.row(parent), parent.parent
    return Consequence(node, attribute, True)


def remove(document: Document, nodes: Iterable[Node], with_referring: bool = False) -> list[ElementEdit]:
    """Edits that remove elements, and optionally the references to them. If an included file would be empty, its
    <include> is removed and the file stays unchanged. Raises CannotEdit.
    """
    nodes = outermost(document, nodes)
    leaving = {node.id for node in nodes}
    for node in nodes:
        check_not_needed(document, node)
    check_mass(document, nodes)
    edits: list[ElementEdit] = [Remove(node) for node in nodes]
    if not with_referring:
        return _without_empty_files(document, edits)
    for consequence in referring(document, nodes):
        node, attribute = consequence.node, consequence.attribute
        if consequence.removed:
            if any(inner.id in leaving for inner, _, _ in node.subtree.walk(0)):
                edits = [edit for edit in edits if edit.node.id != node.id]
            edits.append(Remove(node))
        elif attribute is not None:
            names = _TARGETS.get((node.tag, attribute.name), (attribute.name,))
            edits += [RemoveAttribute(node, name) for name in names]
    return _without_empty_files(document, edits)


def _without_empty_files(document: Document, edits: list[ElementEdit]) -> list[ElementEdit]:
    """The edits, with the removal of the <include> in place of that of all that its file holds."""
    removed = [edit.node for edit in edits if isinstance(edit, Remove)]
    includes = emptied(document, removed)
    if not includes:
        return edits
    files = {root.source.path for root in map(document.included, includes) if root is not None}
    kept = [edit for edit in edits if edit.node.source.path not in files]
    return [*kept, *(Remove(include) for include in includes if include.source.path not in files)]
