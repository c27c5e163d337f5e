"""Duplicates, copies and pastes elements; returns element edits for `Project.apply`.

    edits = duplicate(document, [node])
    xml = copied(document, [node])
    edits = paste(document, parent, None, xml, origin_of(document, [node]))      see inherited.py

Copies get unique names, and references between copied elements follow. If the model would not compile afterwards, the
missing parts are added, or the edit is refused with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from kinetree.engine.assist.language import ElementContent, language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.document.change import combine, set_attribute
from kinetree.engine.document.edit import Edit, apply
from kinetree.engine.document.element_edit import ElementEdit, Insert
from kinetree.engine.document.source import Source
from kinetree.engine.editing.fresh_names import MAKING, FreshNames
from kinetree.engine.editing.inherited import adopted
from kinetree.engine.editing.needs import why_no_chain, why_no_plugin
from kinetree.engine.editing.structure import (
    APART,
    CannotEdit,
    check_complete,
    check_model,
    check_path,
    check_place,
    holder,
    indent_of,
    index_in,
    inside,
    label,
    naming,
    outermost,
    parsed,
    plain,
    refuse,
    why_not,
    why_not_apart,
)
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.references import file_name, stem
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Attribute, Node
    from kinetree.engine.editing.inherited import ClipboardOrigin
    from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow

QUOTED = {"&": "&amp;", "<": "&lt;", '"': "&quot;", "'": "&apos;"}


def copied(document: Document, nodes: Iterable[Node]) -> str:
    """The XML of elements as they are written, without the indentation of their place, for the clipboard."""
    return "\n".join(plain(node) for node in outermost(document, nodes)) + "\n"


def duplicate(document: Document, nodes: Iterable[Node]) -> list[ElementEdit]:
    """Edits that insert a copy behind each element. Included files are written out in the copy, since a model includes
    a file once; the copy of a URDF joint moves a copy of its link. Raises CannotEdit.
    """
    nodes = outermost(document, nodes)
    language = language_of(document)
    copies = Copies(document)
    for node in nodes:
        parent = node.parent
        assert parent is not None
        place = language.inside(parent)
        if place is not None:
            copies.add(node, place)
        for tag in copies.tags(node):
            refuse(why_not(document, parent, tag))
        if node.tag in ("joint", "freejoint"):
            check_model(document, parent, parsed(document, plain(node)).children[0])
        copies.set_apart(parent, node)
        refuse(why_no_chain(document, parent, node))
    links = copies.links(nodes)
    copies.check()
    element_edits: list[ElementEdit] = []
    for node in [*nodes, *links]:
        parent = node.parent
        assert parent is not None
        check_path(parent, index_in(parent, node) + 1, [node])
        element_edits.append(Insert(parent, plain(node, copies.text(node)), index_in(parent, node) + 1))
    return element_edits


def copy_of(document: Document, node: Node, space: str, name: str) -> tuple[str, str]:
    """(the name of a copy, its XML). `name`: that of the element in its namespace, written or from its file."""
    fresh = FreshNames(names_of(document), language_of(document)).take(space, name)
    root = parsed(document, plain(node))
    edits = set_attribute(root.children[0], "name", fresh)
    return fresh, apply(root.source.text, next(iter(edits.values()), ()))[len("<x>") : -len("</x>")]


def paste(
    document: Document,
    parent: Node,
    index: int | None,
    xml: str,
    origin: ClipboardOrigin | None = None,
    notes: list[str] | None = None,
) -> list[ElementEdit]:
    """Edits that insert a piece of XML into `parent`, before its child that is number `index`, or at its end. Names and
    included files that already exist in the document are renamed or written out. `origin`: where it was copied, so that
    it keeps the settings of its default classes; `notes` receives sentences about changed settings. Raises CannotEdit,
    also for references to missing elements.
    """
    root = parsed(document, xml)
    parent = holder(document, parent)
    place = language_of(document).inside(parent)
    copies = Copies(document)
    classes: list[ElementEdit] = []
    if origin is not None:
        told = [] if notes is None else notes
        sets, classes = adopted(document, parent, root, origin, copies.bring, told)
        edits = combine(*(set_attribute(*each) for each in sets)).get(root.source.path, ())
        root = parsed(document, apply(root.source.text, edits)[len("<x>") : -len("</x>")])
    for child in root.children:
        if place is not None:
            copies.add(child, place)
    check_place(document, parent, [tag for child in root.children for tag in copies.tags(child)])
    for child in root.children:
        copies.set_apart(parent, child)
    links = copies.links(root.children)
    text = copies.text(root)[len("<x>") : -len("</x>")]
    for child in parsed(document, text).children:
        check_model(document, parent, child)
        check_complete(document, parent, child)
        refuse(why_no_chain(document, parent, child))
        refuse(why_no_plugin(document, parent, child))
    copies.check()
    check_path(parent, index, root.children)
    element_edits: list[ElementEdit] = [*classes, Insert(parent, text, index), *naming(document, parent, root.children)]
    return [*element_edits, *(Insert(parent, plain(link, copies.text(link)), index) for link in links)]


class Copies:
    """Copies of elements for one document: their names are made unique, and references between them follow.

    names     (namespace, name in the original) -> name in the copy
    prefixes  prefix of the names that an element generates -> prefix in the copy
    held      id of an <include> -> the root of the file that is written out in its place
    brought   (namespace, name) of the elements added for the copies
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.language = language_of(document)
        self.declared = names_of(document)
        self.fresh = FreshNames(self.declared, self.language)
        self.names: dict[tuple[str, str], str] = {}
        self.prefixes: dict[str, str] = {}
        self.held: dict[int, Node] = {}
        self.brought: set[tuple[str, str]] = set()
        self.references: list[tuple[Attribute, str, AttributeRow]] = []
        self.edits: list[tuple[Source, Edit]] = []

    def bring(self, space: str, name: str) -> str:
        """A free name for an element that is added for the copies."""
        new = self.fresh.take(space, name)
        self.brought.add((space, new))
        return new

    def add(self, node: Node, place: ElementContent) -> None:
        """Copy an element, and all in it, to a place: new names are chosen for it. Raises CannotEdit for an <include>
        that was not read."""
        todo = [(node, place)]
        while todo:
            node, place = todo.pop()
            row = self.language.child(place, node.tag)
            if row is schema.INCLUDE:
                root = self._included(node)
                if root is not None:
                    self.held[node.id] = root
                    todo += [(child, place) for child in reversed(root.children)]
                continue
            if row is None:
                continue
            declared = self.language.declares(node, row)
            if declared is not None and not node.get(declared[0].name):
                self._add_name(node, row, declared[1])
            for attribute in node.attributes:
                known = row.attributes.get(attribute.name)
                if known is None:
                    continue
                if declared is not None and known is declared[0]:
                    if attribute.value:
                        new = self.names[declared[1], attribute.value] = self.fresh.take(declared[1], attribute.value)
                        self._set(attribute, new)
                    continue
                if (row.id, known.name) in PREFIXES and attribute.value:
                    new = self.prefixes[attribute.value] = self.fresh.take_prefix(self.document, attribute.value)
                    self._set(attribute, new)
                space = self.language.refers_by(node, row, known)
                if space is not None:
                    self.references.append((attribute, space, known))
            here = place.of(row)
            todo += [(child, here) for child in reversed(node.children)]

    def _included(self, include: Node) -> Node | None:
        """The root of the file of an <include> that the document has; None for one of another text whose file it does
        not include."""
        root = self.document.included(include)
        if root is not None:
            return root
        if self.document.node(include.id) is not None:
            held = holder(self.document, include)
            return None if held is include else held  # in a part of a model files are not included
        others = (each for tree in self.document.trees.values() for each in tree.iter(schema.INCLUDE.tag))
        found = (self.document.included(each) for each in others if each.get("file") == include.get("file"))
        return next((each for each in found if each is not None), None)

    def _add_name(self, node: Node, row: ElementRow, space: str) -> None:
        """Write a new name into the copy of an element whose name comes from its file, if that name is taken."""
        name = file_name(node, row) or (stem(node.get("file")) if row.id in _NAMED_IN_FILE else "")
        if not name:
            return
        new = self.names[space, name] = self.fresh.take(space, name)
        if new != name or row.id in _NAMED_IN_FILE:
            for edits in set_attribute(node, "name", new).values():
                self.edits += [(node.source, edit) for edit in edits]

    def _set(self, attribute: Attribute, value: str) -> None:
        if value != attribute.value:
            quoted = "".join(QUOTED.get(c, c) for c in value)
            span = attribute.value_span
            self.edits.append((span.source, Edit(span.start, span.end, quoted)))

    def set_apart(self, parent: Node, node: Node) -> None:
        """Give the copy another value of an attribute that no two elements in `parent` can share. Raises
        CannotEdit."""
        row = self.language.allowed(parent).get(node.tag)
        attribute = None if row is None else node.attribute(APART.get(row.id, ""))
        if row is None or attribute is None:
            return
        there = {each.get(attribute.name) for each in parent.children if each.tag == node.tag}
        if attribute.value not in there:
            return
        free = [value for value in row.attributes[attribute.name].choices if value not in there]
        if not free:
            refuse(why_not_apart(parent, node, attribute.name))
            return
        self._set(attribute, free[0])

    def tags(self, node: Node) -> list[str]:
        """Tags of the elements that replace an element."""
        root = self.held.get(node.id)
        return [node.tag] if root is None else [tag for child in root.children for tag in self.tags(child)]

    def links(self, nodes: Iterable[Node]) -> list[Node]:
        """The links of URDF that copies of joints move: they have to be copied too, as a joint moves them already."""
        if self.language.name != "URDF":
            return []
        root = self.document.root
        ends = [end for joint in root.children for end in joint.children if joint.tag == "joint" and end.tag == "child"]
        moved = {end.get("link") for end in ends}
        wanted = [
            end.get("link") for node in nodes if node.tag == "joint" for end in node.children if end.tag == "child"
        ]
        names = {name for name in wanted if name in moved and ("link", name) not in self.names}
        links = [node for node in root.children if node.tag == "link" and node.get("name") in names]
        place = self.language.inside(root)
        for link in links:
            if place is not None:
                self.add(link, place)
        return links

    def check(self) -> None:
        """Refuse references that neither the copies nor the document can resolve, except those that are unresolved
        already.
        """
        if self.document.root.tag != self.language.grammar.root.tag:
            return  # a part of a model: the rest is not known
        prefixes = [node.get("prefix") or "" for tag in MAKING for node in self.document.merged.iter(tag)]
        missing = {(each.space, each.name) for each in self.declared.references}
        implicit = self.language.grammar.implicit or {}
        for attribute, space, known in self.references:
            for name in attribute.value.split() if known.max_count != 1 else (attribute.value,):
                if (
                    (space, name) in self.names
                    or (space, name) in self.brought
                    or (space, name) in missing
                    or not name
                    or name in implicit.get(space, ())
                ):
                    continue
                if self.declared.meant(space, name) or any(name.startswith(prefix) for prefix in prefixes):
                    continue
                raise CannotEdit(
                    tr(
                        "{label} refers to the {space} '{name}', which this model does not have: copy that first",
                        label=label(attribute.node),
                        space=space,
                        name=name,
                    )
                )

    def text(self, node: Node) -> str:
        """The text of an element, with the names of the copy."""
        done = len(self.edits)
        for attribute, space, known in self.references:
            if known.max_count != 1:
                value = re.sub(r"\S+", lambda m, space=space: self._renamed(space, m[0]), attribute.value)
            else:
                value = self._renamed(space, attribute.value)
            self._set(attribute, value)
        text = self._written(node, node.start, node.end)
        del self.edits[done:]
        return text

    def _renamed(self, space: str, name: str) -> str:
        if (space, name) in self.names:
            return self.names[space, name]
        for prefix, new in self.prefixes.items():
            if name.startswith(prefix):
                return new + name[len(prefix) :]
        return name

    def _written(self, node: Node, start: int, end: int) -> str:
        """The text of a span of an element, with each <include> replaced by the content of its file."""
        edits = [
            edit for source, edit in self.edits if source is node.source and start <= edit.start and edit.end <= end
        ]
        for include in node.iter(schema.INCLUDE.tag):
            root = self.held.get(include.id)
            if root is not None:
                span = root.content_span
                held = inside(root, self._written(root, span.start, span.end))
                edits.append(Edit(include.start, include.end, held.replace("\n", f"\n{indent_of(include)}")))
        return apply(node.source.text[start:end], [Edit(e.start - start, e.end - start, e.text) for e in edits])


# (id, attribute) of the prefixes of generated names.
PREFIXES = frozenset({("body.attach", "prefix"), ("body.composite", "prefix")})
#: Kinds whose name stands in their file, unless they say another one.
_NAMED_IN_FILE = frozenset({"asset.model"})
