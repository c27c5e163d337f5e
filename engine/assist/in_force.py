"""The effective value of each attribute of an element, and its origin.

    in_force(document, node)["rgba"]    InForce("1 0 0 1", ValueOrigin.CLASS, class_name="red", where=Attribute)

An attribute is written in the element itself, or set by its default class (or one around that), or by another element
of the same section (MJCF merges all <option>, <compiler>, ...), or it has the default of the format. The compiler
computes values that depend on other attributes, such as the mass of a geom or the quaternion of an element with euler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from kinetree.engine.assist.kept import kept
from kinetree.engine.assist.language import MJCF, language_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Attribute, Node
from kinetree.engine.mjcf import schema, values
from kinetree.engine.mjcf.defaults import MAIN, DefaultClass, Defaults, default_group, inner_childclass
from kinetree.engine.mjcf.elements import LISTS
from kinetree.engine.mjcf.exceptions import ALTERNATIVES, ORIENTATION
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow

__all__ = [
    "InForce",
    "ValueOrigin",
    "class_of",
    "completed",
    "defaults_of",
    "in_force",
    "is_mpex",
    "settings_in_force",
    "settings_of",
]


class ValueOrigin(Enum):
    """Origin of a value."""

    WRITTEN = "written"
    """The element itself."""
    CLASS = "class"
    """A default class of the element, or one around that class."""
    SECTION = "section"
    """Another element of the same kind: its settings count for all of them."""
    FORMAT = "format"
    """The default of the format."""
    COMPILER = "compiler"
    """Computed from other attributes."""


@dataclass(frozen=True, slots=True)
class InForce:
    """The effective value of one attribute of an element.

    row         its row in the schema table
    value       the value as text; a short list of numbers is completed as the format does it. None where there is none,
                or where the compiler computes it
    origin      where the value comes from
    where       the attribute in the text that sets it; None for ValueOrigin.FORMAT and ValueOrigin.COMPILER
    class_name  the name of the default class that sets it, for ValueOrigin.CLASS
    """

    row: AttributeRow
    value: str | None
    origin: ValueOrigin
    where: Attribute | None = None
    class_name: str | None = None


_SECTIONS = ("compiler", "option", "size", "visual", "statistic")
SETTINGS = frozenset(
    id
    for section in _SECTIONS
    for id in (section, *schema.ELEMENTS[section].children)
    if schema.ELEMENTS[id].tag not in LISTS
)
"""Kinds of MJCF elements with settings of the whole model: if a model has several of one kind, each attribute has
the last value."""

COMPUTED: frozenset[tuple[str, str]] = frozenset(
    [
        *(("statistic", name) for name in schema.ELEMENTS["statistic"].attributes),
        *((id, "mass") for id in ("body.geom", "default.geom", "composite.geom", "geom")),
        *(("keyframe.key", name) for name in ("qpos", "qvel", "act", "ctrl", "mpos", "mquat")),
        *((id, name) for id in ("asset.mesh", "asset.skin") for name in ("normal",)),
    ]
)
"""(kind, attribute) that the compiler computes where nothing sets it."""

FOLLOWING: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("fromto",), ("pos", *ORIENTATION)),
    (ALTERNATIVES, ORIENTATION),
    (("fullinertia",), ("diaginertia", *ORIENTATION)),
)
"""(attributes, others that are computed from each of them). The first one that is set counts."""

_FOLLOWING_X_XY = ((("euler",), ("quat",)), (("quat",), ("euler",)))


@kept
def defaults_of(document: Document) -> Defaults:
    """The default classes of a document in MJCF; only main, without settings, for other formats."""
    return Defaults(document.merged)


def class_of(document: Document, node: Node) -> DefaultClass:
    """The default class that an element takes its settings from: its own, else the nearest childclass around it, else
    main. An unknown class counts as main."""
    language = language_of(document)
    own = node.get("class")
    if own is None:
        for around in language.ancestors(node):
            row = language.row(around)
            own = None if row is None else inner_childclass(around, row, None)
            if own is not None:
                break
    defaults = defaults_of(document)
    return defaults.main if own is None else defaults.find(own) or defaults.main


def in_force(document: Document, node: Node, names: Iterable[str] | None = None) -> dict[str, InForce]:
    """Every attribute that an element may have, by name, in the order of the table; {} for an element of unknown kind.
    `names`: return only these; its kind must have them.
    """
    language = language_of(document)
    row = language.row(node)
    if row is None:
        return {}
    set_by = _set(document, node, row)
    is_mjcf = language.grammar is MJCF
    mpex = is_mjcf and is_mpex(document)
    following = _following(node, set_by, FOLLOWING if is_mjcf else _FOLLOWING_X_XY)
    result = {}
    for name in row.attributes if names is None else names:
        known, found = row.attributes[name], set_by.get(name)
        if name in following and (found is None or found.origin is not ValueOrigin.WRITTEN):
            result[name] = InForce(known, None, ValueOrigin.COMPILER)
        elif found is not None:
            result[name] = found
        elif (row.id, name) in COMPUTED:
            result[name] = InForce(known, None, ValueOrigin.COMPILER)
        else:
            default = known.mpex_default if mpex and known.mpex_default is not None else known.default
            result[name] = InForce(known, default, ValueOrigin.FORMAT)
    return result


# ---- what is set ------------------------------------------------------------------------------------


def _set(document: Document, node: Node, row: ElementRow) -> dict[str, InForce]:
    """The attributes that the element and its classes set, by name."""
    found: dict[str, InForce] = {}
    if language_of(document).grammar is not MJCF:
        default = _x_xy_default(document, node, row)
        if default is not None:
            _add(found, default, row, ValueOrigin.CLASS, default.parent.tag if default.parent is not None else None)
        _add(found, node, row, ValueOrigin.WRITTEN)
    elif row.id in SETTINGS:
        for other in settings_of(document, row.id):
            _add(found, other, row, ValueOrigin.WRITTEN if other.id == node.id else ValueOrigin.SECTION)
        if not any(other.id == node.id for other in settings_of(document, row.id)):
            _add(found, node, row, ValueOrigin.WRITTEN)
    else:
        for element in _chain(document, node, row):
            _add(found, element, row, ValueOrigin.CLASS, _class_name(element))
        _add(found, node, row, ValueOrigin.WRITTEN)
    return found


def _add(
    found: dict[str, InForce], element: Node, row: ElementRow, origin: ValueOrigin, class_name: str | None = None
) -> None:
    for attribute in element.attributes:
        known = row.attributes.get(attribute.name)
        if known is None:
            continue
        below = found.get(attribute.name)
        if below is not None and values.is_blank(attribute.value, known):
            continue
        value = completed(attribute.value, known, below.value if below is not None else known.default)
        found[attribute.name] = InForce(known, value, origin, attribute, class_name)


def completed(text: str, row: AttributeRow, below: str | None) -> str:
    """A short list of numbers, completed with the values of the next lower origin."""
    if row.max_count in (1, None) or row.type not in ("real", "int"):
        return text
    words = text.split()
    if row.repeats and len(words) == 1:
        return " ".join(words * row.max_count)
    rest = below.split()[len(words) :] if below and row.min_count < row.max_count else []
    return " ".join([*words, *rest]) if rest else text


def _chain(document: Document, node: Node, row: ElementRow) -> Iterable[Node]:
    """The default elements that apply to an element, in order of application."""
    if row.default is not None:
        return class_of(document, node).elements(row)
    group = default_group(row.id)
    if group is None:
        return ()
    return _before(defaults_of(document), node, group)


def _before(defaults: Defaults, node: Node, group: str) -> Iterator[Node]:
    """The default elements that apply before a given one: those of the enclosing classes, and earlier ones of its own
    class.
    """
    name = _class_name(node)
    found = None if name is None else defaults.find(name)
    for element in found.chains.get(group, ()) if found is not None else ():
        if element.id == node.id:
            return
        yield element


def settings_in_force(settings: Iterable[Node]) -> dict[str, InForce]:
    """The combined settings of default elements, such as those of one class and its enclosing classes; later ones
    override earlier ones.
    """
    found: dict[str, InForce] = {}
    for element in settings:
        row = schema.child(schema.ELEMENTS["default"], element.tag)
        if row is not None:
            _add(found, element, row, ValueOrigin.CLASS, _class_name(element))
    return found


def _class_name(element: Node) -> str | None:
    """The name of the class of a default element."""
    parent = element.parent
    while parent is not None and parent.tag != "default":
        parent = parent.parent
    if parent is None:
        return None
    return parent.get("class") or MAIN


def _following(
    node: Node, found: dict[str, InForce], rules: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]
) -> set[str]:
    """The attributes that are computed from others which are set."""
    result: set[str] = set()
    for deciding, others in rules:
        given = [name for name in deciding if name in found]
        own = [name for name in given if node.attribute(name) is not None]
        first = next(iter(own or given), None)
        if first is not None and first not in result:
            result.update(name for name in others if name != first)
    return result


@kept
def _settings(document: Document) -> dict[str, list[Node]]:
    """The elements of each kind of SETTINGS, in the order of the text."""
    language = language_of(document)
    result: dict[str, list[Node]] = {}
    root = document.merged if language.grammar is MJCF else document.root.find("mujoco")
    for section in root.children if root is not None else ():
        if section.tag not in _SECTIONS:
            continue
        for node in (section, *section.children):
            row = language.row(node)
            if row is not None and row.id in SETTINGS:
                result.setdefault(row.id, []).append(node)
    return result


def settings_of(document: Document, id: str) -> list[Node]:
    """The elements of a kind of SETTINGS, in the order of the text; the last value of an attribute counts."""
    return _settings(document).get(id, [])


@kept
def is_mpex(document: Document) -> bool:
    """Whether the model is written in the Motphys dialect, which has some defaults of its own."""
    given = [node.get("dialect") for node in settings_of(document, "compiler")]
    return [each for each in given if each is not None][-1:] == ["mpex"]


def _x_xy_default(document: Document, node: Node, row: ElementRow) -> Node | None:
    """The element of <defaults> that applies to an element of x_xy."""
    grammar = language_of(document).grammar
    section = document.root.find("defaults")
    if f"default.{row.tag}" not in grammar.rows or row.id.startswith("default.") or section is None:
        return None
    return section.find(row.tag)
