"""Content of the inspector for the selected elements, as data. No toolkit.

    found = inspect(document, identities)
    found.items["pos"].text            the value in force if all elements agree, else None
    found.items["pos"].origin          Origin of the primary element's value

The primary element is the last one. For several elements, the common attributes are shown: those that all of them may
have, with the same type.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kinetree.engine.assist.in_force import InForce, ValueOrigin, in_force
from kinetree.engine.assist.language import Language, language_of
from kinetree.engine.diagnostics import Diagnostic
from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Attribute, Node
from kinetree.engine.editing.orientation import FORMS, URDF, X_XY, Convention, form_of
from kinetree.engine.mjcf import groups, schema
from kinetree.engine.mjcf.defaults import MAIN
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow
from kinetree.engine.translation import counted, tr

ORIENTATION = "orientation"
"""Name of the row that shows all forms of an orientation."""


@dataclass(frozen=True)
class Elements:
    """Elements of one version of the text, the primary one last, and what is in force for each."""

    document: Document
    nodes: tuple[Node, ...]

    @cached_property
    def in_force(self) -> list[dict[str, InForce]]:
        """Every attribute of every element."""
        return [in_force(self.document, node) for node in self.nodes]

    @cached_property
    def primary(self) -> dict[str, InForce]:
        """Every attribute of the primary element."""
        return self.in_force[-1] if "in_force" in self.__dict__ else in_force(self.document, self.nodes[-1])

    def of(self, name: str) -> tuple[InForce, ...]:
        """One attribute of every element. Alone it takes a third of the time of all of them."""
        if "in_force" in self.__dict__:
            return tuple(each[name] for each in self.in_force)
        return tuple(in_force(self.document, node, (name,))[name] for node in self.nodes)


@dataclass(frozen=True)
class InspectedAttribute:
    """One attribute of the selected elements. What is said of all values is computed once, when it is asked for: there
    may be thousands, and many changes need none of them."""

    row: AttributeRow
    elements: Elements

    @cached_property
    def values(self) -> tuple[InForce, ...]:
        """The value of each element, the primary one last."""
        return self.elements.of(self.row.name)

    @cached_property
    def primary(self) -> InForce:
        """The value of the primary element."""
        return self.elements.primary[self.row.name]

    @property
    def origin(self) -> ValueOrigin:
        return self.primary.origin

    @cached_property
    def text(self) -> str | None:
        """The value that all elements have, "" if they have none; None where they differ."""
        texts = {value.value or "" for value in self.values}
        return texts.pop() if len(texts) == 1 else None

    @cached_property
    def written(self) -> str | None:
        """The value of all elements, as the text writes it, not completed by defaults; None where they differ."""
        texts = {as_set(value) or "" for value in self.values}
        return texts.pop() if len(texts) == 1 else None

    @cached_property
    def numbers(self) -> tuple[str | None, ...]:
        """The words of the value; None for those in which the elements differ."""
        words = [(value.value or "").split() for value in self.values]
        count = max(map(len, words))
        columns = ([each[i] if i < len(each) else "" for each in words] for i in range(count))
        return tuple(column[0] if len(set(column)) == 1 else None for column in columns)

    @cached_property
    def is_written(self) -> bool:
        """Whether any of the elements has the attribute itself."""
        return any(value.origin is ValueOrigin.WRITTEN for value in self.values)

    @cached_property
    def is_set(self) -> bool:
        """Whether the text sets it anywhere."""
        return any(value.where is not None for value in self.values)

    @cached_property
    def has_value(self) -> bool:
        """Whether any of the elements has a value."""
        return any(value.value for value in self.values)

    @cached_property
    def state(self) -> Hashable:
        """Equal where an editor shows the same: the values and their origins, and those of the primary element."""
        every = frozenset((value.value, value.origin) for value in self.values)
        return every, self.primary.value, self.origin, self.primary.where is None, self.is_set

    def prepare(self) -> None:
        """Compute what is said of many values now, in this thread."""
        for name in ("text", "written", "is_written", "is_set", "has_value", "state"):
            getattr(self, name)
        if self.row.max_count is not None:
            _ = self.numbers


@dataclass(frozen=True)
class Inspection:
    """The selected elements of one version of the text.

    document  the version
    language  its format
    nodes     the elements, the primary one last
    row       the kind of the primary one, None if it is unknown
    groups    group -> attributes in common, in the order of the tables
    items     the same by name
    unknown   attributes of the primary element that its kind does not have
    left_out  how many more elements are selected that were not looked at yet
    """

    document: Document
    language: Language
    nodes: tuple[Node, ...]
    row: ElementRow | None
    groups: dict[str, tuple[AttributeRow, ...]] = field(default_factory=dict)
    items: dict[str, InspectedAttribute] = field(default_factory=dict)
    unknown: tuple[Attribute, ...] = ()
    left_out: int = 0

    @property
    def node(self) -> Node:
        """The primary element."""
        return self.nodes[-1]

    @property
    def kind(self) -> tuple:
        """Key that is equal for selections whose attributes are the same rows."""
        return (self.language.name, *dict.fromkeys(row.id for row in map(self.language.row, self.nodes) if row))

    @property
    def form(self) -> str:
        """The form in which the primary element's orientation is written or inherited."""
        given = {name: True for name in FORMS if name in self.items and self.items[name].primary.where is not None}
        return form_of(given) or next((name for name in ("quat", *FORMS) if name in self.items), "quat")

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms in which the orientation can be written."""
        return tuple(name for name in ("quat", "euler", "axisangle", "xyaxes", "zaxis") if name in self.items)

    def convention(self) -> Convention:
        """The angle unit and Euler sequence that hold for the elements."""
        if self.language.name != "MJCF":
            return URDF if self.language.name == "URDF" else X_XY
        compiler = in_force_of_compiler(self.document)
        return Convention(compiler.get("angle") != "radian", compiler.get("eulerseq") or "xyz")


def in_force_of_compiler(document: Document) -> dict[str, str]:
    """The settings of <compiler> that are written, the last one of each."""
    found: dict[str, str] = {}
    for section in document.merged.children:
        if section.tag == "compiler":
            found |= {attribute.name: attribute.value for attribute in section.attributes}
    return found


def as_set(value: InForce) -> str | None:
    """The text of a value where it is set; a default where nothing sets it."""
    return value.where.value if value.where is not None else value.value


def inspect(
    document: Document, identities: Sequence[int], most: int | None = None, prepare: bool = True
) -> Inspection | None:
    """Inspect elements of a text; None if none of them is in this version. `most`: look only at so many, the last ones.
    `prepare`: compute the rows of several elements at once, not on demand.
    """
    language = language_of(document)
    count = len(identities)
    nodes = [node for node in map(document.node, identities[-most:] if most else identities) if node is not None]
    if not nodes:
        return None
    rows = [language.row(node) for node in nodes]
    primary = rows[-1]
    if primary is None:
        return Inspection(document, language, (nodes[-1],), None, unknown=tuple(nodes[-1].attributes))
    known = [(node, row) for node, row in zip(nodes, rows, strict=True) if row is not None]
    nodes = [node for node, _ in known]
    elements = Elements(document, tuple(nodes))
    shared = common({row.id: row for _, row in known}.values(), primary)
    sorted_rows = {
        group: kept
        for group, found in groups.grouped(primary).items()
        if (kept := tuple(each for each in found if each.name in shared))
    }
    items = {name: InspectedAttribute(row, elements) for name, row in shared.items()}
    if prepare:
        _ = elements.in_force
        for item in items.values() if len(nodes) > 1 else ():
            item.prepare()
    unknown = tuple(each for each in nodes[-1].attributes if each.name not in primary.attributes)
    left_out = max(0, count - most) if most else 0
    return Inspection(document, language, tuple(nodes), primary, sorted_rows, items, unknown, left_out)


def common(rows: Iterable[ElementRow], primary: ElementRow) -> dict[str, AttributeRow]:
    """The attributes of one kind of element that other kinds have too, with values of the same type."""
    rows = list(rows)
    shared = {}
    for name, mine in primary.attributes.items():
        others = [row.attributes.get(name) for row in rows]
        if all(other is not None and _same(mine, other) for other in others):
            shared[name] = mine
    return shared


def _same(a: AttributeRow, b: AttributeRow) -> bool:
    return a is b or (a.type, a.min_count, a.max_count, a.choices, a.refers) == (
        b.type, b.min_count, b.max_count, b.choices, b.refers,
    )  # fmt: skip


def unit_of(found: Inspection, known: AttributeRow) -> str:
    """The unit of an attribute where it stands: degrees or radians by the compiler setting, and by the joint's
    type."""
    unit = known.unit
    if "angle" not in unit and " or " not in unit:
        return unit
    angle = "deg" if found.convention().degree else "rad"
    if " or " not in unit:
        return unit.replace("angle", angle)
    rotary, linear = unit.split(" or ", 1)
    kind = found.items["type"].text if "type" in found.items else ""
    if kind == "slide":
        return linear.split(",")[0]
    return rotary.replace("angle", angle) if kind in ("hinge", "ball", "revolute", "continuous") else ""


def problems_of(found: Inspection, diagnostics: Sequence[Diagnostic]) -> dict[str, list[Diagnostic]]:
    """The findings about the primary element: attribute -> findings; "" for those about the element."""
    node = found.node
    span = node.head_span
    first, last = (span.line, span.column), (span.end_line, span.end_column)
    near = [item for item in diagnostics if first <= (item.line, item.column) < last and item.file == node.source.path]
    result: dict[str, list[Diagnostic]] = {}
    for item in near:
        at = (item.line, item.column)
        name = ""
        for attribute in node.attributes:
            place = attribute.span
            if (place.line, place.column) <= at < (place.end_line, place.end_column):
                name = attribute.name
        result.setdefault(name, []).append(item)
    return result


def title_of(found: Inspection) -> tuple[str, str]:
    """The selection as text: its name, and what it is. Without a name it is called by its kind alone."""
    count = len(found.nodes) + found.left_out
    tags = dict.fromkeys(node.tag for node in found.nodes)
    if count > 1:
        one = f"{count} × {next(iter(tags))}"
        return (one if len(tags) == 1 else counted("{count} element", "{count} elements", count)), ""
    parent = found.node.parent
    if found.row is not None and found.row.id.startswith("default.") and parent is not None:
        return parent.get("class") or MAIN, tr("default {tag}", tag=found.node.tag)
    name = found.language.name_of(found.node)
    return (name, found.node.tag) if name else (found.node.tag, "")


def place_of(node: Node) -> str:
    """Where an element stands: "model.xml:12"."""
    return f"{node.source.path.replace(chr(92), '/').rpartition('/')[2]}:{node.line}"


def nearest_attribute(row: ElementRow | None, name: str) -> str:
    """The attribute that was probably meant, "" if none was."""
    return (schema.nearest(name, row.attributes) if row is not None else None) or ""


def unknown_attribute(row: ElementRow | None, name: str) -> str:
    """What to say about an attribute that the table does not have."""
    if row is None:
        return tr("this element is not known here")
    near = nearest_attribute(row, name)
    if near:
        return tr("<{tag}> has no attribute '{name}'; did you mean '{near}'?", tag=row.tag, name=name, near=near)
    return tr("<{tag}> has no attribute '{name}'", tag=row.tag, name=name)
