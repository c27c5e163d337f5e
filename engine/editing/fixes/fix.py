"""Fix: a title and edits. FindingPlace: the element or attribute of a finding, in the present text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.diagnostics import Diagnostic
from kinetree.engine.document.change import Changes
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.element_edit import ElementEdit, Insert, SetAttribute, carry_out
from kinetree.engine.document.source import Source
from kinetree.engine.document.tree import Attribute, Node
from kinetree.engine.editing.fresh_names import FreshNames
from kinetree.engine.translation import tr


class Stretch(NamedTuple):
    """Characters of a file that are replaced."""

    path: str
    start: int
    end: int
    text: str


class InSection(NamedTuple):
    """An element at the end of a section of the model, such as <contact>, which is made where there is none."""

    section: str
    xml: str


class OptionSetting(NamedTuple):
    """An attribute of an element that a model has once, such as <option>; elements that are missing are made."""

    path: tuple[str, ...]
    name: str
    value: str


Change = ElementEdit | Stretch | InSection | OptionSetting


@dataclass(frozen=True)
class Fix:
    """One way to fix a finding. `title` names it, for a menu and for the undo history. `changes` makes its changes, and
    may take a while in a long text."""

    title: str
    changes: Callable[[], Iterable[Change]]


def fix(title: str, *changes: Change) -> Fix:
    """A fix of some changes."""
    return Fix(title, lambda: changes)


def set_title(name: str, value: str) -> str:
    """The title of a fix that sets an attribute."""
    return tr('Set {name}="{value}"', name=name, value=value)


class Shared:
    """State shared by the fixes of several findings about one document."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def fresh(self) -> FreshNames:
        """Names that nothing has yet; each is handed out once."""
        return FreshNames(names_of(self.document), language_of(self.document))


@dataclass
class FindingPlace:
    """A finding in the present text of a document.

    start, end  its characters in `source`
    node        the innermost element there
    attribute   the attribute there; None where the finding is about the element
    """

    item: Diagnostic
    shared: Shared
    source: Source
    start: int
    end: int
    node: Node | None
    attribute: Attribute | None = field(init=False)

    def __post_init__(self) -> None:
        found = self.node.attributes if self.node is not None else ()
        self.attribute = next((each for each in found if each.span.start <= self.start <= each.span.end), None)

    @classmethod
    def of(cls, item: Diagnostic, shared: Shared) -> FindingPlace | None:
        """The place of a finding; None where the document does not have it any more."""
        try:
            source = shared.document.source_of(item.file)
        except KeyError:
            return None
        if item.line > len(source.line_starts):
            return None
        start = source.offset(item.line, item.column)
        end = max(source.offset(item.end_line, item.end_column), start) if item.end_line else start
        return cls(item, shared, source, start, end, shared.document.node_at(item.file, start))

    @property
    def document(self) -> Document:
        return self.shared.document

    @property
    def facts(self) -> tuple[str, ...]:
        return self.item.facts

    @property
    def text(self) -> str:
        """The text of the file."""
        return self.source.text

    @property
    def is_mjcf(self) -> bool:
        return self.document.root.tag == "mujoco"

    def replaced(self, start: int, end: int, text: str) -> Stretch:
        """Characters of this file replaced."""
        return Stretch(self.source.path, start, end, text)

    def body(self, name: str, where: str) -> Node | None:
        """The element of a body of the finding's facts: its place as line:column:file."""
        line, column, path = where.split(":", 2) if where.count(":") > 1 else ("", "", "")
        if not line.isdigit() or not column.isdigit():
            return None
        try:
            source = self.document.source_of(path)
        except KeyError:
            return None
        if int(line) > len(source.line_starts):
            return None
        node = self.document.node_at(path, source.offset(int(line), int(column)))
        return node if node is not None and node.tag == "body" and (node.get("name") or "") == name else None


def changes_of(fixes: Iterable[Fix], document: Document) -> Changes:
    """The edits of several fixes of one document, as one change. Raises EditRefused where they exclude each other."""
    elements: list[ElementEdit] = []
    stretches: list[Stretch] = []
    sections: dict[str, list[str]] = {}
    settings: dict[tuple[tuple[str, ...], str], str] = {}
    for change in dict.fromkeys(each for fix in fixes for each in fix.changes()):
        match change:
            case Stretch():
                stretches.append(change)
            case InSection():
                sections.setdefault(change.section, []).append(change.xml)
            case OptionSetting():
                settings.setdefault((change.path, change.name), change.value)
            case _:
                elements.append(change)
    elements += _in_sections(document, sections)
    elements += _settings(document, settings)
    changes: Changes = {}
    if elements:
        done = carry_out(elements, document.parsed)
        changes = {path: list(change.forward) for path, (_, change) in done.items()}
    for path, edits in _apart(stretches).items():
        changes.setdefault(path, []).extend(edits)
    return changes


def _apart(stretches: Sequence[Stretch]) -> Changes:
    """Edits by file, without those that overlap an earlier one: one place may have several findings."""
    found: Changes = {}
    for path, start, end, text in sorted(set(stretches)):
        edits = found.setdefault(path, [])
        if not edits or start >= edits[-1].end:
            edits.append(Edit(start, end, text))
    return found


def _in_sections(document: Document, sections: dict[str, list[str]]) -> Iterator[ElementEdit]:
    for tag, pieces in sections.items():
        section = _child(document.root, tag)
        if section is not None:
            yield Insert(section, "\n".join(pieces))
        else:
            inside = "".join(f"\n  {piece}" for piece in pieces)
            yield Insert(document.root, f"<{tag}>{inside}\n</{tag}>")


def _settings(document: Document, settings: dict[tuple[tuple[str, ...], str], str]) -> Iterator[ElementEdit]:
    missing: dict[tuple[Node, tuple[str, ...]], list[str]] = {}
    for (path, name), value in settings.items():
        node = document.root
        for number, tag in enumerate(path):
            found = _child(node, tag)
            if found is None:
                missing.setdefault((node, path[number:]), []).append(f"{name}={quoteattr(value)}")
                break
            node = found
        else:
            yield SetAttribute(node, name, value)
    for (node, path), attributes in missing.items():
        xml = f"<{path[-1]} {' '.join(attributes)}/>"
        for tag in reversed(path[:-1]):
            xml = f"<{tag}>\n  {xml}\n</{tag}>"
        yield Insert(node, xml, 0)


def _child(node: Node, tag: str) -> Node | None:
    """The last child with a tag, which is the one in force."""
    return next((child for child in reversed(node.children) if child.tag == tag), None)
