"""Names in the text of a model: their declarations and references, and renaming of both.

    names = Names(document.merged)
    names.declarations                   every element that has a name, in the order of the text
    names.references_to(node)            every attribute that refers to the name that an element declares
    rename(document, node, "new")        edits that rename an element everywhere, over all its files

Everything follows from the schema table's columns `declares` and `refers`: kinds of elements, default classes, lists of
names and pairs such as objtype and objname alike. The exceptions are listed in `engine/mjcf/exceptions.py`: names that
exist without being declared (IMPLICIT_NAMES), names that are made from others (MADE_NAMES, COPYING) and names that
stand in another model (ATTACHING).
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import SetAttribute
from kinetree.engine.mjcf import exceptions, schema
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow
from kinetree.engine.platforms.files import slashed
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Attribute, Node

__all__ = [
    "AttributeReference",
    "CannotRename",
    "Declaration",
    "Names",
    "file_name",
    "model_elements",
    "model_name",
    "rename",
    "renaming",
    "stem",
]


class CannotRename(ValueError):
    """An element cannot have that name; str() says why, with the place of the conflict."""


class Declaration(NamedTuple):
    """An element that declares a name.

    node   the element
    space  the namespace, such as "geom", "joint" or "class"
    name   the name; where the element has no attribute for it, the one made from its file's name
    row    the attribute that has it, or would have it
    made   a regular expression of the suffixes that the name gets in copies and parts, None where there are none
    parts  whether only parts of the element have names of this namespace, and it has none itself
    """

    node: Node
    space: str
    name: str
    row: AttributeRow
    made: str | None
    parts: bool = False

    def suffix(self, name: str) -> str | None:
        """The rest of `name` after this name, "" if they are equal; None if `name` is not made from it."""
        if not name.startswith(self.name):
            return None
        rest = name[len(self.name) :]
        if not rest:
            return None if self.parts else ""
        return rest if self.made is not None and re.fullmatch(self.made, rest) else None


class AttributeReference(NamedTuple):
    """An attribute that refers to a name, or to several in a list.

    attribute  where it stands
    space      the namespace
    name       the name, one of the list
    row        the attribute's row
    """

    attribute: Attribute
    space: str
    name: str
    row: AttributeRow


class Names:
    """The names of one model, from its merged tree.

    declarations  list of Declaration
    references    list of Reference, the ones in default classes included
    """

    implicit: Mapping[str, tuple[str, ...]] = exceptions.IMPLICIT_NAMES
    """namespace -> names that exist without being declared"""

    def __init__(self, root: Node, inside: tuple[ElementRow, ElementRow] | None = None) -> None:
        """Collect the names below `root`. `inside`: for a root that is no <mujoco>, the kind of element whose content
        its children are, and the nearest kind around them that is not transparent.
        """
        self.declarations: list[Declaration] = []
        self.references: list[AttributeReference] = []
        self.attachments: list[tuple[Node, ElementRow, str]] = []
        """Elements that take from another model, and what their copies add to its names."""
        self._read(root, inside)
        self._of_node: dict[int, list[Declaration]] = defaultdict(list)
        self._declared: dict[tuple[str, str], list[Declaration]] = defaultdict(list)
        self._copied: dict[str, list[Declaration]] = defaultdict(list)
        for declaration in self.declarations:
            self._of_node[declaration.node.id].append(declaration)
            if not declaration.parts:
                self._declared[declaration.space, declaration.name].append(declaration)
            if declaration.made is not None:
                self._copied[declaration.space].append(declaration)
        self._referring: dict[str, list[AttributeReference]] = defaultdict(list)
        self._references_in: dict[int, list[AttributeReference]] = defaultdict(list)
        for reference in self.references:
            self._referring[reference.space].append(reference)
            self._references_in[reference.attribute.node.id].append(reference)

    def _read(self, root: Node, inside: tuple[ElementRow, ElementRow] | None) -> None:
        if inside is None:
            if root.tag != schema.ROOT.tag:
                return
            inside = schema.ROOT, schema.ROOT
        stack: list[tuple[Node, ElementRow, ElementRow, str]] = []
        for child in reversed(root.children):
            row = schema.child(inside[0], child.tag, inside[1])
            if row is not None:
                stack.append((child, row, inside[1], ""))
        while stack:
            node, row, around, copied = stack.pop()
            separator = exceptions.COPYING.get(row.id)
            if separator is not None:
                # The innermost copies are made first: their numbers stand nearest to the name.
                copied = rf"(?:{re.escape(node.get(separator) or '')}\d+{copied and f'(?:{copied})?'})"
            self._read_attributes(node, row, copied)
            around = schema.enclosing(row, around)
            for child in reversed(node.children):
                found = schema.child(row, child.tag, around)
                if found is not None:
                    stack.append((child, found, around, copied))

    def _read_attributes(self, node: Node, row: ElementRow, copied: str) -> None:
        if row.id in exceptions.ATTACHING:
            self.attachments.append((node, row, copied))
        for known in row.attributes.values():
            if known.declares is not None:
                name = node.get(known.name) or file_name(node, row) or exceptions.NAMELESS.get(row.id)
                if name:
                    self.declarations.append(Declaration(node, known.declares, name, known, copied or None))
                    for space, made in exceptions.MADE_NAMES.get(row.id, {}).items():
                        suffix = rf"{made}{copied and f'(?:{copied})?'}"
                        self.declarations.append(Declaration(node, space, name, known, suffix, True))
            elif known.refers is not None:
                attribute = node.attribute(known.name)
                space = schema.referred(known, node)
                if attribute is not None and space is not None:
                    for name in attribute.value.split() if known.max_count != 1 else (attribute.value,):
                        self.references.append(AttributeReference(attribute, space, name, known))

    def declared(self, node: Node) -> list[Declaration]:
        """The names that an element declares: mostly one, in one namespace."""
        return self._of_node.get(node.id, [])

    def declaring(self, space: str, name: str) -> list[Declaration]:
        """The elements that declare a name: one in a model that compiles."""
        return self._declared.get((space, name), [])

    def references_in(self, node: Node) -> list[AttributeReference]:
        """The references that the attributes of an element make."""
        return self._references_in.get(node.id, [])

    def meant(self, space: str, name: str) -> list[Declaration]:
        """The elements that a reference means: those that declare the name, else those of whose copies or parts it is
        a name."""
        return self.declaring(space, name) or [
            each for each in self._copied.get(space, ()) if each.suffix(name) is not None
        ]

    def references_to(self, node: Node) -> list[AttributeReference]:
        """Every reference to the name that an element declares, and to its copies and parts."""
        return [reference for declaration in self.declared(node) for reference, _ in self.of(declaration)]

    def of(self, declaration: Declaration) -> Iterator[tuple[AttributeReference, str]]:
        """Every reference to one declared name, and what it adds to that name."""
        for reference in self._referring[declaration.space]:
            suffix = declaration.suffix(reference.name)
            if suffix == "" or (suffix and not self.declaring(declaration.space, reference.name)):
                yield reference, suffix

    def clash(self, declaration: Declaration, new: str) -> str | None:
        """Why a declaration cannot have another name; None if it can."""
        space = declaration.space
        if new in self.implicit.get(space, ()):
            return tr("the {space} itself has that name", space=space)
        renamed = declaration._replace(name=new)
        for other in self.declarations:
            if other.space != space or other.node.id == declaration.node.id or other.name == declaration.name:
                continue
            if other.name == new and not other.parts and not declaration.parts:
                return tr("there is a {space} of that name in {place}", space=space, place=_place(other.node))
            if other.suffix(new) is not None or renamed.suffix(other.name) is not None:
                return tr(
                    "a copy or a part of the {space} '{name}' in {place} gets that name",
                    space=space,
                    name=other.name,
                    place=_place(other.node),
                )
        return None


def rename(
    document: Document, node: Node, new: str, users: Iterable[Document] = (), names: Names | None = None
) -> list[SetAttribute]:
    """Edits that rename an element and change all references to it, in every file of the document.

    users  other documents, which may attach this one: their references to the element change with it
    names  the names of the document, where they are known already

    Raises CannotRename if the element declares no name in MJCF, or the name is taken (with the place), empty, or has a
    space and stands in a list.
    """
    names = names or Names(document.merged)
    declared = names.declared(node)
    if not declared:
        row = schema.of(_merged(document, node))
        rows = row.attributes.values() if row is not None else ()
        declared = [Declaration(node, each.declares, "", each, None) for each in rows if each.declares]
        if not declared:
            raise CannotRename(tr("<{tag}> has no name in MJCF", tag=node.tag))
    edits = renaming(names, node, declared, new)
    for declaration in declared:
        if declaration.name and declaration.name != new:
            for user in users:
                for attribute, reference, before, after in attached_uses(user, document, declaration):
                    if reference is None:
                        _set(edits, attribute.node, attribute.name, new)
                    else:
                        _replace(edits, reference, before + new + after)
    return list(edits.values())


def renaming(
    names: Names, node: Node, declared: Iterable[Declaration], new: str
) -> dict[tuple[int, str], SetAttribute]:
    """Edits that rename the declaration of an element and change the references to it: by node id and attribute. Raises
    CannotRename.
    """
    if not new.strip():
        raise CannotRename(tr("a name cannot be empty"))
    edits: dict[tuple[int, str], SetAttribute] = {}
    for declaration in declared:
        if declaration.name == new:
            continue
        if declaration.name in names.implicit.get(declaration.space, ()):
            raise CannotRename(
                tr("the {space} '{name}' always has that name", space=declaration.space, name=declaration.name)
            )
        why = names.clash(declaration, new)
        if why is not None:
            raise CannotRename(tr("'{new}' cannot be the name of <{tag}>: {why}", new=new, tag=node.tag, why=why))
        if not declaration.parts:
            _set(edits, node, declaration.row.name, new)
        if declaration.name:
            for reference, suffix in names.of(declaration):
                _replace(edits, reference, new + suffix)
    return edits


class AttachedUse(NamedTuple):
    """A reference in a model to an element of a model that it attaches.

    attribute  where
    reference  the reference by the name that the element has here; None for the <attach> that chooses the element
    before, after  prefix and suffix of the element's own name in that name
    """

    attribute: Attribute
    reference: AttributeReference | None
    before: str
    after: str


def attached_uses(user: Document, document: Document, declaration: Declaration) -> Iterator[AttachedUse]:
    """Every place of a model that means a declaration of another one, which it attaches."""
    names = Names(user.merged)
    for node, row, copied in names.attachments:
        model, part, space, prefix = exceptions.ATTACHING[row.id]
        files = (
            source.get("file") or ""
            for source in model_elements(user)
            if (source.get("name") or model_name(document)) == node.get(model)
        )
        if not any(os.path.normpath(os.path.join(user.base, slashed(file))) == document.main_file for file in files):
            continue
        chosen = node.attribute(part)
        if chosen is not None and declaration.space == space and chosen.value == declaration.name:
            yield AttachedUse(chosen, None, "", "")
        before = node.get(prefix) or ""
        made = "".join(f"(?:{each})?" for each in (declaration.made, copied) if each) or None
        there = Declaration(
            node, declaration.space, before + declaration.name, declaration.row, made, declaration.parts
        )
        for reference, suffix in names.of(there):
            yield AttachedUse(reference.attribute, reference, before, suffix)


def _set(edits: dict[tuple[int, str], SetAttribute], node: Node, name: str, value: str) -> None:
    edits[node.id, name] = SetAttribute(node, name, value)


def _replace(edits: dict[tuple[int, str], SetAttribute], reference: AttributeReference, new: str) -> None:
    """Add the edit that changes a reference to another name."""
    attribute = reference.attribute
    node, value = attribute.node, new
    if reference.row.max_count != 1:
        if re.search(r"\s", new):
            line = _place(node)
            raise CannotRename(
                tr(
                    "'{new}' has a space, and the list {name} in {line} could not name it",
                    new=new,
                    name=attribute.name,
                    line=line,
                )
            )
        before = edits.get((node.id, attribute.name))
        old = re.compile(rf"(?<!\S){re.escape(reference.name)}(?!\S)")
        value = old.sub(lambda match: new, attribute.value if before is None else before.value)
    _set(edits, node, attribute.name, value)


def model_elements(document: Document) -> list[Node]:
    """The elements that name the files of other models."""
    if not any("<model" in source.text for source in document.sources.values()):
        return []
    sections = (section for section in document.merged.children if section.tag == "asset")
    return [node for section in sections for node in section.children if node.tag == "model"]


def model_name(document: Document) -> str:
    """The name of a model, by which another one knows it that gives it none."""
    return document.root.get("model") or "MuJoCo Model"


def file_name(node: Node, row: ElementRow) -> str:
    """The name that an element has from its file, where it gives none; "" if it has none."""
    return stem(node.get(row.name_from)) if row.name_from is not None else ""


def stem(file: str | None) -> str:
    """The name of a file without folder and extension; "" for none."""
    name = PurePosixPath((file or "").replace("\\", "/")).name
    return name.rpartition(".")[0] or name


def _merged(document: Document, node: Node) -> Node:
    """The same element in the merged tree, whose parents determine its kind."""
    return next((each for each in document.merged.iter(node.tag) if each.id == node.id), node)


def _place(node: Node) -> str:
    return f"line {node.line} of {os.path.basename(node.source.path)}"
