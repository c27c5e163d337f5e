"""Language: one interface over the tables of MJCF, URDF and x_xy, for the texts of one document.

    language = language_of(document)
    language.row(node)                  the kind of an element: ElementRow of its format's table, or None
    language.children(node)             the kinds of elements that can be inserted into it now
    language.attribute(node, "size")    the AttributeRow of one of its attributes, or None
    language.refers(attribute)          the namespace that its value refers to, or None
    language.name_of(node)              the name by which others refer to it, or None

A node may be of the tree of its own file or of the merged tree (`Document.merged`). For top-level elements of an
included file, the parent is that of the <include>. If a partial file (one for others to include) is opened by itself,
its context is guessed from its elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol

from kinetree.engine import formats
from kinetree.engine.assist.kept import kept
from kinetree.engine.document.document import Document
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.document.tree import Attribute, Node
from kinetree.engine.mjcf import exceptions, schema
from kinetree.engine.mjcf.references import file_name
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow

__all__ = ["MJCF", "ElementContent", "Grammar", "Language", "grammar_of", "language_of"]


@dataclass(frozen=True)
class Grammar:
    """A format's table.

    name       for the user: "MJCF", "URDF", "x_xy"
    root       the kind of the root element
    rows       every kind of element, by id
    inside     inside(row, around) -> {tag: kind}, the children that a kind of element allows; `around`: see Place
    anywhere   kinds that every element allows as children, by tag
    exclusive  ids of kinds that allow only one child, of whatever kind
    shared     kind -> the namespace of its name: a declaration if the element has children, else a reference
    implicit   namespace -> names that exist without being declared
    words      (id, attribute) -> usual values of an attribute of type string
    """

    name: str
    root: ElementRow
    rows: Mapping[str, ElementRow]
    inside: Callable[[ElementRow, ElementRow | None], Mapping[str, ElementRow]]
    anywhere: Mapping[str, ElementRow]
    exclusive: frozenset[str] = frozenset()
    shared: Mapping[str, str] | None = None
    implicit: Mapping[str, tuple[str, ...]] | None = None
    words: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ElementContent:
    """The content of an element, as a context for child elements.

    row     its kind
    around  the nearest enclosing kind that is not transparent (frame and replicate are): it decides which children are
            allowed
    """

    row: ElementRow
    around: ElementRow

    def of(self, row: ElementRow) -> ElementContent:
        """The content of an element of this kind in this context."""
        return ElementContent(row, schema.enclosing(row, self.around))


MJCF = Grammar(
    "MJCF",
    schema.ROOT,
    schema.ELEMENTS,
    schema.children,
    {schema.INCLUDE.tag: schema.INCLUDE},
    implicit=exceptions.IMPLICIT_NAMES,
    words={("compiler", "eulerseq"): ("xyz", "XYZ", "zyx", "ZYX", "zyz", "ZYZ")},
)


def _of_table(module_name: str) -> Grammar:
    module = import_module(f"{module_name}_table")
    table = module.TABLE
    name = import_module(module_name).NAME
    return Grammar(
        name,
        table.root,
        table.rows,
        lambda row, around: table.children[row.id],
        {},
        getattr(module, "EXCLUSIVE", frozenset()),
        getattr(module, "SHARED", None),
        getattr(module, "IMPLICIT_NAMES", None),
        getattr(module, "WORDS", {}),
    )


_GRAMMARS: dict[str, Grammar] = {schema.ROOT.tag: MJCF}


def grammar_of(tag: str, path: str = "") -> Grammar:
    """The table for a root element with this tag. If no format has such a root, the extension decides: .urdf, else
    MJCF.
    """
    if tag not in formats.ROOTS:
        tag = "robot" if tag not in _GRAMMARS and path.lower().endswith(".urdf") else schema.ROOT.tag
    if tag not in _GRAMMARS:
        _GRAMMARS[tag] = _of_table(formats.ROOTS[tag])
    return _GRAMMARS[tag]


@kept
def language_of(document: Document) -> Language:
    """The language of a document's texts."""
    return Language(document, grammar_of(document.root.tag, document.path))


class TextElement(schema.Valued, Protocol):
    """An element of a text."""

    @property
    def subtree(self) -> Subtree: ...


class Language:
    """One interface over the tables of MJCF, URDF and x_xy, for the texts of one document. `grammar` is the table of
    its format."""

    def __init__(self, document: Document, grammar: Grammar) -> None:
        # holds no reference to the document: `kept` stores results by document, which would then never be freed
        self.grammar = grammar
        self._main = document.root.source.path
        self._includes = {path: document.include_of(path) for path in document.trees}
        self._starts: dict[str, ElementContent | None] = {}

    @property
    def name(self) -> str:
        """The name of the format: "MJCF", "URDF", "x_xy"."""
        return self.grammar.name

    # ---- kinds --------------------------------------------------------------------------------------

    def row(self, node: Node) -> ElementRow | None:
        """The kind of an element; None if it is unknown or not allowed there. The root of an included file has no kind,
        unless it is the root element of the format.
        """
        parent = node.parent
        if parent is None:
            return self.grammar.root if node.tag == self.grammar.root.tag else None
        place = self.inside(parent)
        return None if place is None else self.child(place, node.tag)

    def inside(self, node: Node) -> ElementContent | None:
        """The context that an element gives its children; None where its kind is unknown."""
        path = []
        while node.parent is not None:
            path.append(node.tag)
            node = node.parent
        place = self._start(node)
        for tag in reversed(path):
            row = None if place is None else self.child(place, tag)
            if place is None or row is None:
                return None
            place = place.of(row)
        return place

    def allowed(self, node: Node) -> dict[str, ElementRow]:
        """Every kind of child that an element allows, by tag, whatever children it has already."""
        place = self.inside(node)
        if place is None:
            return {}
        return {**self.grammar.inside(place.row, place.around), **self.grammar.anywhere}

    def children(self, node: Node, but: Node | None = None) -> dict[str, ElementRow]:
        """The kinds of children that can be inserted into an element now, by tag, in the order of the table. Kinds that
        are allowed once and present already are left out. `but`: a child to ignore, because it is being typed.
        """
        place = self.inside(node)
        if place is None:
            return {}
        there = {child.tag for child in self._inside(node) if but is None or child.id != but.id}
        if place.row.id in self.grammar.exclusive and there:
            return {}
        return {
            tag: row
            for tag, row in self.allowed(node).items()
            if row.multiplicity not in ("?", "!") or tag not in there
        }

    @staticmethod
    def _inside(node: Node) -> Sequence[Node | Subtree]:
        """An element's children, without creating their nodes where possible."""
        return node.children if node.subtree.includes else node.subtree.children

    def parent(self, node: Node) -> Node | None:
        """The parent of a node in the model. For a top-level element of an included file, and for the root of that
        file, it is the parent of the <include>. None for the root of the model, and of a file that nothing includes.
        """
        around = node.parent
        at = node if around is None else around
        while at is not None and at.parent is None:
            include = self._includes.get(at.source.path)
            if include is None:
                break
            around = at = include.parent
        return around

    def ancestors(self, node: Node) -> Iterator[Node]:
        """The ancestors of a node in the model, the nearest first; see `parent`."""
        around = self.parent(node)
        while around is not None:
            yield around
            around = self.parent(around)

    def child(self, place: ElementContent, tag: str) -> ElementRow | None:
        """The kind of an element with a tag in a context; None if it is not allowed there."""
        return self.grammar.inside(place.row, place.around).get(tag) or self.grammar.anywhere.get(tag)

    def _start(self, root: Node) -> ElementContent | None:
        """The context of the top level of a file."""
        path = root.source.path
        if path not in self._starts:
            include = self._includes.get(path)
            if include is not None and include.parent is not None:
                self._starts[path] = self.inside(include.parent)
            else:
                self._starts[path] = self._guessed(root)
        return self._starts[path]

    def _guessed(self, root: Node) -> ElementContent | None:
        """Guesses the context of a main file: a complete model, or the part of a model in which its elements are
        allowed.
        """
        grammar = self.grammar
        whole = ElementContent(grammar.root, grammar.root)
        tags = {child.tag for child in root.subtree.children}
        if grammar is not MJCF or not tags - set(grammar.inside(whole.row, whole.around)) - set(grammar.anywhere):
            return whole
        places = [ElementContent(row, row) for row in grammar.rows.values() if row.children and not row.transparent]
        # Default classes come last: they share tags with the actuator section and others, which are more likely.
        places.sort(key=lambda place: place.row.id == "default")
        best = max(places, key=lambda place: len(tags & set(grammar.inside(place.row, place.around))))
        most = tags & set(grammar.inside(best.row, best.around))
        return best if len(most) > len(tags & set(grammar.inside(whole.row, whole.around))) else whole

    # ---- attributes ---------------------------------------------------------------------------------

    def attributes(self, node: Node) -> Mapping[str, AttributeRow]:
        """Every attribute that an element may have, by name, in the order of the table."""
        row = self.row(node)
        return {} if row is None else row.attributes

    def attribute(self, node: Node, name: str) -> AttributeRow | None:
        """The row of one attribute of an element; None if the element or the attribute is unknown."""
        row = self.row(node)
        return None if row is None else row.attributes.get(name)

    # ---- names --------------------------------------------------------------------------------------

    def declares(self, node: TextElement, row: ElementRow | None = None) -> tuple[AttributeRow, str] | None:
        """(the attribute, the namespace) with which an element declares its name; None if it declares none. `row`: its
        kind, if the caller knows it.
        """
        row = self.row(node) if row is None and isinstance(node, Node) else row
        if row is None:
            return None
        if self.grammar.shared and row.id in self.grammar.shared:
            return (row.attributes["name"], self.grammar.shared[row.id]) if node.subtree.children else None
        return next(((each, each.declares) for each in row.attributes.values() if each.declares), None)

    def refers(self, attribute: Attribute) -> str | None:
        """The namespace that an attribute refers to; None if it is no reference."""
        row = self.row(attribute.node)
        known = None if row is None else row.attributes.get(attribute.name)
        if row is None or known is None:
            return None
        return self.refers_by(attribute.node, row, known)

    def refers_by(self, node: TextElement, row: ElementRow, known: AttributeRow) -> str | None:
        """The namespace that an attribute of an element refers to, present or not, from the rows of both; None if it is
        no reference.
        """
        shared = self.grammar.shared
        if shared and known.name == "name" and row.id in shared:
            return None if node.subtree.children else shared[row.id]
        return schema.referred(known, node)

    def name_of(self, node: Node) -> str | None:
        """The name of an element, or of the default class that it defines; if none is written, the name derived from
        its file. None without any name.
        """
        row = self.row(node)
        declared = self.declares(node, row)
        if row is None or declared is None:
            return node.get("name") or None
        return node.get(declared[0].name) or file_name(node, row) or exceptions.NAMELESS.get(row.id)
