"""One element of a text, as a script reads and edits it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

import numpy as np

from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import rename
from kinetree.engine.document.element_edit import ElementEdit, Insert, RemoveAttribute, SetAttribute
from kinetree.engine.editing import removal, structure
from kinetree.engine.editing.attributes import problem
from kinetree.engine.editing.numbers import PLAIN, Style, number, style_at
from kinetree.engine.mjcf.schema import nearest
from kinetree.engine.model.arguments import kind_of

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Node
    from kinetree.engine.scripting.document import EditableDocument


class NoElement(LookupError):
    """An DocumentElement is not in its text any more: it was removed, or an undo took it away.

    Source: docs/editing.md.

    Example:
        text = kinetree.Document("arm.xml")
        joint = text.find("//joint")[0].parent.add("site")
        text.undo()
        try:
            joint.tag
        except kinetree.NoElement:
            pass
    """


class DocumentElement:
    """An element of a Document. Two are equal if they are the same element.

    tag, name         of the element; "" for an element without a name
    file, line        its place
    attributes        the written attributes: name -> text
    parent, children  elements of the model: with included ones in place of each <include>
    xml               its text

    `get("pos")` is the text of an attribute, `numbers("pos")` its numbers. `set(pos=(0, 0, 1), class_="leg")` writes
    attributes, None removes one; `rename`, `add`, `move` and `remove` change the structure. They raise ValueError,
    and change nothing, where the format does not allow it; the message says why.

    Source: docs/editing.md.

    Example:
        text = kinetree.Document("arm.xml")
        joint = text.find("//body/joint")[0]
        assert isinstance(joint, kinetree.DocumentElement)
        joint.set(armature=0.01, damping=None)
        joint.parent.add("site", name="marker", pos=(0, 0, 0.1))
        assert text.site("marker").parent == joint.parent
    """

    __slots__ = ("_id", "_text")

    def __init__(self, text: EditableDocument, id: int):
        self._text, self._id = text, id

    @property
    def node(self) -> Node:
        """Its node in the present tree, for functions of the engine. Raises NoElement."""
        found = self._text.document.node(self._id)
        if found is None:
            raise NoElement("the element is not in the text any more")
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DocumentElement) and (self._id, self._text) == (other._id, other._text)

    def __hash__(self) -> int:
        return hash(self._id)

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        return f"<{self.tag}{name} at {self.file}:{self.line}>"

    # ---- reading ---------------------------------------------------------------------------------------

    @property
    def tag(self) -> str:
        return self.node.tag

    @property
    def name(self) -> str:
        return self.node.get("name") or ""

    @property
    def file(self) -> str:
        return self.node.source.path

    @property
    def line(self) -> int:
        return self.node.line

    @property
    def attributes(self) -> dict[str, str]:
        return {each.name: each.value for each in self.node.attributes}

    def get(self, name: str) -> str | None:
        """The text of an attribute as it is written; None where it is not written."""
        return self.node.get(name)

    def numbers(self, name: str) -> np.ndarray:
        """The numbers of an attribute as they are written, in the text's units. Raises KeyError where there are none,
        ValueError for other texts."""
        written = self.get(name)
        if written is None:
            raise KeyError(f"{name} is not written in <{self.tag}>")
        return np.array([float(word) for word in written.split()])

    @property
    def xml(self) -> str:
        """The text of the element."""
        node = self.node
        return node.source.text[node.start : node.end]

    @property
    def parent(self) -> DocumentElement | None:
        around = language_of(self._text.document).parent(self.node)
        return None if around is None else DocumentElement(self._text, around.id)

    @property
    def children(self) -> list[DocumentElement]:
        merged = self._text.document.merged_node(self._id) or self.node
        return [DocumentElement(self._text, child.id) for child in merged.children]

    def __iter__(self) -> Iterator[DocumentElement]:
        return iter(self.children)

    # ---- editing ---------------------------------------------------------------------------------------

    def set(self, **values: Any) -> DocumentElement:
        """Write attributes: `geom.set(size=0.1, rgba=(1, 0, 0, 1), class_="visual", name=None)`. Returns the element.

        Numbers and sequences of them are written with all digits that they need; True and False as "true" and "false";
        texts as they are; None removes an attribute. A name that is a word of Python gets a "_" at its end. All are one
        step. Other elements that refer to a name keep the old one: see `rename`.
        """
        node, edits = self.node, []
        for given, value in values.items():
            name = given.rstrip("_")
            if value is None:
                if node.attribute(name) is not None:
                    edits.append(RemoveAttribute(node, name))
                continue
            text = self._checked(node.tag, self._row(node), name, value, node)
            if node.get(name) != text:
                edits.append(SetAttribute(node, name, text))
        if edits:
            self._text._apply(f"Set {', '.join(each.name for each in edits)}", edits)
        return self

    def rename(self, name: str) -> DocumentElement:
        """Give it another name, and follow it in all references of the document. Returns the element."""
        self._text._apply("Rename", rename(self._text.document, self.node, name))
        return self

    def add(self, tag: str, index: int | None = None, **values: Any) -> DocumentElement:
        """A new element inside this one: before the child that is number `index` in the text, or as the last one."""
        document, node = self._text.document, self.node
        structure.check_place(document, node, [tag])
        row = language_of(document).allowed(node)[tag]
        written = {
            given.rstrip("_"): self._checked(tag, row, given.rstrip("_"), value)
            for given, value in values.items()
            if value is not None
        }
        xml = "".join(f" {name}={quoteattr(text)}" for name, text in written.items())
        edits: list[ElementEdit] = [Insert(node, f"<{tag}{xml}/>", index), *structure.naming(document, node, [tag])]
        self._text._apply(f"Add {tag}", edits)
        return DocumentElement(self._text, self.node.children[-1 if index is None else index].id)

    def move(self, parent: DocumentElement, index: int | None = None) -> DocumentElement:
        """Move it into another element. Returns the element."""
        self._text._apply("Move", structure.move(self._text.document, [self.node], parent.node, index))
        return self

    def remove(self, with_references: bool = False) -> None:
        """Remove it with all in it. `with_references`: and the elements and attributes that refer to it."""
        self._text._apply(f"Remove {self.tag}", removal.remove(self._text.document, [self.node], with_references))

    def _row(self, node: Node) -> Any:
        return language_of(self._text.document).row(node)

    @staticmethod
    def _checked(tag: str, row: Any, name: str, value: Any, node: Node | None = None) -> str:
        """The text of a value. Raises ValueError for an attribute or a value that the format does not know."""
        known = None if row is None else row.attributes.get(name)
        if row is not None and known is None:
            close = nearest(name, row.attributes)
            raise ValueError(f"<{tag}> has no attribute {name!r}" + (f"; did you mean {close!r}?" if close else ""))
        text = _text_of(name, value, node)
        why = problem(row, known, text) if row is not None and known is not None else ""
        if why:
            raise ValueError(f"{name}={text!r} of <{tag}>: {why}")
        return text


def _text_of(name: str, value: Any, node: Node | None) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, Sequence) and value and all(isinstance(each, str) for each in value):
        return " ".join(value)
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in "iuf" or array.ndim > 1:
        raise TypeError(f"{name} is given as text, numbers, True, False or None, not as {kind_of(value)}")
    style = PLAIN if node is None else style_at(node, name)
    return " ".join(_exact(each, style) for each in np.atleast_1d(array))


def _exact(value: np.generic, style: Style) -> str:
    """A number as text, in the style of the text around it, that is read as the same number."""
    short = float(str(value))  # the digits that a number of its type has
    text = number(short, style)
    return text if float(text) == short or not np.isfinite(short) else repr(short)
