"""Context: what the rest of a document says about the numbers of one element.

context = context_of(document)
context.values(node)        typed values in force by attribute: the element's own over those of its class
context.convention          how the document writes rotations
context.language            the tables of its format (engine/assist/language.py)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from kinetree.engine.assist.kept import kept
from kinetree.engine.assist.language import language_of
from kinetree.engine.editing.orientation import FORMS, URDF, X_XY, Convention
from kinetree.engine.mjcf import values
from kinetree.engine.mjcf.defaults import Defaults, inner_childclass

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node
    from kinetree.engine.mjcf.schema_rows import ElementRow


@kept
def context_of(document: Document) -> Context:
    """The context of a document's elements."""
    return Context(document)


class Context:
    """Settings of the document that apply to the numbers of one element. Nodes may be of the trees of single files and
    of the merged one."""

    def __init__(self, document: Document) -> None:
        self.language = language_of(document)
        self._root = document.merged
        self._defaults: Defaults | None = None
        self.convention = {"URDF": URDF, "x_xy": X_XY}.get(self.language.name) or _convention(self._root)

    @property
    def defaults(self) -> Defaults:
        """The default classes of an MJCF document."""
        if self._defaults is None:
            self._defaults = Defaults(self._root)
        return self._defaults

    def parent(self, node: Node) -> Node | None:
        """The element around a node in the model (see `Language.parent`)."""
        return self.language.parent(node)

    def ancestors(self, node: Node) -> Iterator[Node]:
        """The elements around a node in the model, the nearest first."""
        return self.language.ancestors(node)

    def values(self, node: Node) -> dict[str, Any]:
        """Typed values in force by attribute; of several orientations only the one that counts. Values that are
        not valid are left out."""
        row = self.language.row(node)
        if row is None:
            return {}
        if self.language.name == "MJCF":
            found = self.defaults.values(node, row, self._childclass(node))
            for name, known in row.attributes.items():
                if known.same_as is not None and name in found:
                    found.setdefault(known.same_as, found[name])
        else:
            section = self._root.find("defaults") if self.language.name == "x_xy" else None
            default = None if section is None else section.find(node.tag)
            found = {}
            for each in (default, node):
                for attribute in () if each is None else each.attributes:
                    known = row.attributes.get(attribute.name)
                    value = None if known is None else values.parse(attribute, known)
                    if value is not None:
                        found[attribute.name] = value
        forms = [form for form in FORMS if form in found]
        own = [form for form in forms if node.get(form) is not None]
        if self.language.name == "MJCF" and forms[:1] != ["quat"]:
            own = [form for form in own if form != "quat"]  # an alternative form of a class overrides it
        for form in forms:
            if form != (own or forms)[0]:
                del found[form]
        return found

    def inherited(self, parent: Node, row: ElementRow) -> dict[str, Any]:
        """Typed values that a new element of a kind gets from its default class, in an element of MJCF."""
        name = self._childclass_in((parent, *self.ancestors(parent)))
        chosen = (self.defaults.find(name) if name else None) or self.defaults.main
        found = {}
        for element in chosen.elements(row):
            for attribute in element.attributes:
                known = row.attributes.get(attribute.name)
                value = None if known is None else values.parse(attribute, known)
                if value is not None:
                    found[attribute.name] = value
        return found

    def _childclass(self, node: Node) -> str | None:
        return self._childclass_in(self.ancestors(node))

    def _childclass_in(self, nodes: Iterable[Node]) -> str | None:
        for around in nodes:
            row = self.language.row(around)
            name = None if row is None else inner_childclass(around, row, None)
            if name is not None:
                return name
        return None


def _convention(root: Node) -> Convention:
    """The convention of an MJCF model; a later <compiler> overrides an earlier one."""
    found = Convention()
    for section in root.children:
        if section.tag == "compiler":
            angle, sequence = section.get("angle"), section.get("eulerseq")
            if angle in ("degree", "radian"):
                found = found._replace(degree=angle == "degree")
            if sequence is not None and len(sequence) == 3 and set(sequence.lower()) <= set("xyz"):
                found = found._replace(sequence=sequence)
    return found
