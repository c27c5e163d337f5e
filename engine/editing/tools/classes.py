"""Extracts default classes from common attributes of elements, and inlines them into the elements that use them.

common(document, geoms)                             {"rgba": "1 0 0 1", "friction": ".5"}: what all of them write
extract(document, geoms, "rubber", ["friction"])    edits: a class that sets it, and the elements in that class
inline(document, class_node)                        edits: its settings written where they are in force
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from xml.sax.saxutils import quoteattr

from kinetree.engine.assist.in_force import ValueOrigin, class_of, in_force
from kinetree.engine.assist.language import Language, language_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import ElementEdit, Insert, Move, Remove, RemoveAttribute, SetAttribute
from kinetree.engine.document.tree import Node
from kinetree.engine.editing.attributes import NoClass, default_place, nested
from kinetree.engine.editing.context import context_of
from kinetree.engine.editing.structure import plain
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.defaults import MAIN, DefaultClass, inner_childclass
from kinetree.engine.mjcf.schema_rows import ElementRow
from kinetree.engine.progress import tracked
from kinetree.engine.translation import tr

__all__ = ["NoClass", "common", "extract", "inline"]


def common(document: Document, nodes: Sequence[Node]) -> dict[str, str]:
    """The attributes that all elements write with the same text, and that a default class may set. Raises NoClass if
    the elements are of several kinds, or take nothing from default classes."""
    settings, _ = _settings(document, nodes)
    first = nodes[0]
    written = {each.name: each.value for each in first.attributes if each.name in settings.attributes}
    return {name: text for name, text in written.items() if all(node.get(name) == text for node in nodes)}


def extract(document: Document, nodes: Sequence[Node], name: str, attributes: Collection[str]) -> list[ElementEdit]:
    """Put attributes that elements have in common into a new default class, inside the one that they use now.

    Raises NoClass if that cannot be: the elements use several classes, the name is taken, or the attributes are not
    common to them.
    """
    settings, present = _settings(document, nodes)
    shared = common(document, nodes)
    if not name.strip():
        raise NoClass(tr("the new class needs a name"))
    if context_of(document).defaults.find(name) is not None:
        raise NoClass(tr("there is a default class '{name}' already", name=name))
    missing = [each for each in attributes if each not in shared]
    if missing or not attributes:
        raise NoClass(tr("the elements do not have {value} in common", value=", ".join(missing) or "anything"))
    values = " ".join(f"{each}={quoteattr(shared[each])}" for each in shared if each in attributes)
    parts = f"<default class={quoteattr(name)}>", f"<{settings.tag} {values}/>"
    edits: list[ElementEdit] = []
    if present.node is not None:
        edits.append(Insert(present.node, nested(*parts)))
    else:
        edits.append(Insert(document.root, nested("<default>", *parts), default_place(document)))
    for node in nodes:
        edits.append(SetAttribute(node, "class", name))
        edits += [RemoveAttribute(node, each) for each in attributes]
    return edits


def inline(document: Document, node: Node) -> list[ElementEdit]:
    """Write what a default class sets into the elements and the classes inside that use it, and remove the class. They
    use the class around it then. Raises NoClass for the outermost class."""
    found = _class(document, node)
    if found is None or found.parent is None:
        raise NoClass(tr("the outermost default class stays: dissolve the classes inside it"))
    language, around = language_of(document), found.parent
    edits: list[ElementEdit] = []
    for each in tracked(list(document.merged.iter())):
        row = language.row(each)
        if row is None or _is_setting(each):
            continue
        if row.default is not None and class_of(document, each).name == found.name:
            edits += _written_out(document, each, node)
        if each.get("class") == found.name and "class" in row.attributes:
            edits += _other_class(each, "class", _childclass(language, each), around)
        if each.get("childclass") == found.name:
            edits += _other_class(each, "childclass", _childclass(language, each), around)
    inner = [child for child in node.children if child.tag == "default"]
    for child in inner:
        edits += _merged(child, [each for each in node.children if each.tag != "default"])
        if node.parent is not None:
            edits.append(Move(child, node.parent, [each.id for each in node.parent.children].index(node.id)))
    return [*edits, Remove(node)]


def _settings(document: Document, nodes: Sequence[Node]) -> tuple[ElementRow, DefaultClass]:
    """The kind of the default element of some elements, and the class that they use."""
    language = language_of(document)
    rows = {row.id: row for row in (language.row(node) for node in nodes) if row is not None}
    row = next(iter(rows.values()), None)
    if row is None or len(rows) > 1 or language.name != "MJCF":
        raise NoClass(tr("select elements of one kind"))
    if row.default is None or "class" not in row.attributes:
        raise NoClass(tr("<{tag}> takes nothing from default classes", tag=row.tag))
    classes = {class_of(document, node).name: class_of(document, node) for node in nodes}
    if len(classes) > 1:
        raise NoClass(tr("the elements use several default classes: {names}", names=", ".join(sorted(classes))))
    return schema.ELEMENTS[row.default], next(iter(classes.values()))


def _class(document: Document, node: Node) -> DefaultClass | None:
    """The class that a <default> declares."""
    if node.tag != "default":
        return None
    return context_of(document).defaults.find(node.get("class") or MAIN)


def _is_setting(node: Node) -> bool:
    """Whether an element is part of a default class."""
    return any(each.tag == "default" for each in node.ancestors())


def _written_out(document: Document, node: Node, class_node: Node) -> Iterable[ElementEdit]:
    """The settings that an element takes from one class, written into the element."""
    for name, value in in_force(document, node).items():
        if value.where is None or value.value is None or name == "class":
            continue
        setting = value.where.node.parent
        if value.origin is ValueOrigin.CLASS and setting is not None and setting.id == class_node.id:
            yield SetAttribute(node, name, value.value)
        elif value.origin is ValueOrigin.WRITTEN and value.value != node.get(name):
            yield SetAttribute(node, name, value.value)  # completed by the class


def _childclass(language: Language, node: Node) -> str:
    """The class that an element would use if it named none."""
    for around in language.ancestors(node):
        row = language.row(around)
        name = None if row is None else inner_childclass(around, row, None)
        if name is not None:
            return name
    return MAIN


def _other_class(node: Node, attribute: str, inherited: str, around: DefaultClass) -> list[ElementEdit]:
    """Use the class around instead; nothing needs to be said where that is in force anyway."""
    if inherited == around.name and attribute == "class":
        return [RemoveAttribute(node, attribute)]
    return [SetAttribute(node, attribute, around.name)]


def _merged(inner: Node, settings: Sequence[Node]) -> Iterable[ElementEdit]:
    """The settings of the class around a class, where that does not set them itself."""
    for setting in settings:
        own = [child for child in inner.children if child.tag == setting.tag]
        if own:
            for attribute in setting.attributes:
                if all(each.attribute(attribute.name) is None for each in own):
                    yield SetAttribute(own[0], attribute.name, attribute.value)
        else:
            yield Insert(inner, plain(setting), 0)
