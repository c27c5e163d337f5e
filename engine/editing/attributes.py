"""Attributes set, reset, made explicit and moved to default classes, for one element or many.

why = problem(row, known, "0.1 x")                    "not a number: 'x'"; "" for a valid text
edits = set_values(elements, "size", ["0.1", "0.2"])
edits = set_orientation(elements, "euler", texts)    other forms of the orientation go
edits = set_in_class(document, elements, "friction", "0.5")
text = with_number("1 0.005 0.0001", 1, "0.01")       "1 0.01 0.0001"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import quoteattr

from kinetree.engine.assist.in_force import class_of
from kinetree.engine.assist.language import language_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import ElementEdit, Insert, RemoveAttribute, SetAttribute
from kinetree.engine.document.tree import Node
from kinetree.engine.editing.orientation import FORMS
from kinetree.engine.mjcf import exceptions, schema, values
from kinetree.engine.mjcf.defaults import DefaultClass
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow
from kinetree.engine.translation import tr

__all__ = [
    "NoClass",
    "classes_for",
    "default_place",
    "nested",
    "problem",
    "remove",
    "set_in_class",
    "set_orientation",
    "set_values",
    "with_number",
]

_BEFORE_DEFAULTS = frozenset({"compiler", "option", "size", "visual", "statistic"})


class NoClass(ValueError):
    """A value cannot be set in a default class; str() says why."""


def problem(row: ElementRow, known: AttributeRow, text: str) -> str:
    """Why a text is no valid value of an attribute; "" if it is one."""
    value, found = values.read(text, known)
    if found is not None and found.code != "nan":
        return found.message
    if value is None:
        return tr("a value is missing; reset the attribute to remove it") if text else ""
    if known.type == "real" and not values.finite(value):
        return tr("the value must be finite")
    bound = exceptions.BOUNDS.get((row.id, known.name))
    if bound is not None and not bound[0](value):
        return tr(bound[1])
    return ""


def set_values(elements: Sequence[Node], name: str, texts: Sequence[str]) -> list[ElementEdit]:
    """Give an attribute of each element a value; those that have it already are left alone."""
    pairs = zip(elements, texts, strict=True)
    return [SetAttribute(node, name, text) for node, text in pairs if node.get(name) != text]


def set_orientation(elements: Sequence[Node], form: str, texts: Sequence[str]) -> list[ElementEdit]:
    """Write the orientation of each element in one form; what it has in other forms goes."""
    edits = set_values(elements, form, texts)
    for node in elements:
        edits += [RemoveAttribute(node, other) for other in FORMS if other != form and node.attribute(other)]
    return edits


def remove(elements: Iterable[Node], *names: str) -> list[ElementEdit]:
    """Remove attributes where they are written, so that what is below them is in force."""
    return [RemoveAttribute(node, name) for node in elements for name in names if node.attribute(name) is not None]


def classes_for(document: Document, elements: Sequence[Node], name: str) -> list[str]:
    """The default classes in which an attribute can be set for all of some elements: their class and those around it,
    the innermost first; only those around all of them where they have several."""
    first, *others = [[each.name for each in _around(class_of(document, node))] for node in elements]
    common = [each for each in first if all(each in other for other in others)]
    return [each for each in common if _overriding(document, elements, name, each) is None]


def set_in_class(
    document: Document, elements: Sequence[Node], name: str, text: str, of: str | None = None
) -> list[ElementEdit]:
    """Set a value in the default classes of elements in place of the elements themselves: it holds for all that
    take their settings from these classes. A class that takes it from another one of them is left alone. `of`: the
    name of one class, around theirs, to set it there. Raises NoClass where that cannot be."""
    language = language_of(document)
    wanted: dict[tuple[str, str], tuple[DefaultClass, ElementRow]] = {}
    for node in elements:
        row = language.row(node)
        if row is None or row.default is None:
            raise NoClass(tr("<{tag}> takes nothing from default classes", tag=node.tag))
        if name not in schema.ELEMENTS[row.default].attributes:
            raise NoClass(tr("a default class cannot set {name} of <{tag}>", name=name, tag=node.tag))
        found = next((each for each in _around(class_of(document, node)) if of in (None, each.name)), None)
        if found is None:
            raise NoClass(tr("<{tag}> does not use the default class '{of}'", tag=node.tag, of=of))
        wanted[found.name, row.default] = found, row
    inner = None if of is None else _overriding(document, elements, name, of)
    if inner is not None:
        raise NoClass(tr("the default class '{inner}' inside '{of}' sets {name} itself", inner=inner, of=of, name=name))
    edits: list[ElementEdit] = []
    for (_, default), (found, row) in wanted.items():
        if any((each.name, default) in wanted for each in _giving(found, row, name)):
            continue
        settings = schema.ELEMENTS[default]
        own = _own(found, row)
        holder = next((each for each in reversed(own) if each.get(name) is not None), None)
        holder = holder or next((each for each in own if each.tag == settings.tag), None)
        xml = f"<{settings.tag} {name}={quoteattr(text)}/>"
        if holder is not None:
            edits += set_values([holder], name, [text])
        elif found.node is not None:
            edits.append(Insert(found.node, xml, 0))
        else:
            edits.append(Insert(document.root, nested("<default>", xml), default_place(document)))
    return [*edits, *remove(elements, name)]


def _around(found: DefaultClass) -> Iterator[DefaultClass]:
    """A default class and those around it."""
    at: DefaultClass | None = found
    while at is not None:
        yield at
        at = at.parent


def _own(found: DefaultClass, row: ElementRow) -> list[Node]:
    """The settings of a kind of element that stand in a class itself."""
    around = [] if found.parent is None else found.parent.elements(row)
    return found.elements(row)[len(around) :]


def _giving(found: DefaultClass, row: ElementRow, name: str) -> Iterator[DefaultClass]:
    """The classes around a class from which it would take an attribute, if they set it."""
    for each in _around(found):
        if any(setting.get(name) is not None for setting in _own(each, row)):
            return
        if each.parent is not None:
            yield each.parent


def _overriding(document: Document, elements: Sequence[Node], name: str, of: str) -> str | None:
    """A class nested in the class `of` that sets the attribute for one of the elements, and so hides the setting of
    `of`.
    """
    for node in elements:
        row = language_of(document).row(node)
        for each in _around(class_of(document, node)):
            if each.name == of or row is None:
                break
            if any(setting.get(name) is not None for setting in _own(each, row)):
                return each.name
    return None


def nested(*parts: str) -> str:
    """XML of elements in each other, each on a line of its own: their start tags, and what the innermost holds."""
    *tags, inside = parts
    for tag in reversed(tags):
        inner = inside.replace("\n", "\n  ")
        inside = f"{tag}\n  {inner}\n</{tag[1:-1].split()[0]}>"
    return inside


def default_place(document: Document) -> int:
    """Where the first <default> of a document belongs among the sections."""
    sections = document.root.children
    return 1 + max((i for i, each in enumerate(sections) if each.tag in _BEFORE_DEFAULTS), default=-1)


_WORD = re.compile(r"\S+")


def with_number(text: str, index: int, number: str, below: str = "") -> str:
    """A list of numbers with one of them replaced; what stands between them stays. Numbers that it lacks are
    taken from `below`, zeros from where that ends."""
    words = list(_WORD.finditer(text))
    if index < len(words):
        return text[: words[index].start()] + number + text[words[index].end() :]
    rest = below.split()[len(words) : index]
    rest += ["0"] * (index - len(words) - len(rest))
    return " ".join([*([text.strip()] if words else []), *rest, number])
