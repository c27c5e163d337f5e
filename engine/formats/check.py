"""Checks a text against the table of its format: unknown and repeated elements, attributes, types, names.

    FormatTable(root, rows, ignored, strict, ...)     a format: its kinds of elements by id
    check(node, table, diagnostics, lenient)    -> Checked: every known element with its row and typed values
    check_part(node, row, table, diagnostics)   an element that is to become part of a text

Errors: wrong types and counts, missing attributes and elements, repeated elements and names, unknown references.
Unknown elements and attributes are errors in a strict format; else warnings where a known name is similar, or infos,
once per name. Elements for other programs are one info for each name, which counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from kinetree.engine.diagnostics import REMOVE, Severity, meant
from kinetree.engine.mjcf import exceptions, values
from kinetree.engine.mjcf.ignored_text import report_text
from kinetree.engine.mjcf.schema import suggestion
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.document.tree import Attribute, Node

T = TypeVar("T")


def present(found: T | None) -> T:
    """An element or attribute that the table requires, in a text that was checked."""
    assert found is not None
    return found


class FormatTable:
    """The kinds of elements of a format.

    ignored   tags of elements for other programs -> what these hold
    strict    whether unknown elements and attributes are errors
    borrowed  ids of elements of MJCF, for which the exceptions of MJCF apply too
    """

    def __init__(
        self,
        root: str,
        rows: Iterable[ElementRow],
        ignored: dict[str, str],
        strict: bool,
        borrowed: Iterable[str] = (),
    ) -> None:
        self.rows = {row.id: row for row in rows}
        self.root = self.rows[root]
        self.ignored = ignored
        self.strict = strict
        self.borrowed = frozenset(borrowed)
        self.children = {
            id: {self.rows[child].tag: self.rows[child] for child in row.children} for id, row in self.rows.items()
        }


@dataclass
class Checked:
    """Typed values of all known elements, by node, and declared names, by namespace."""

    values: dict[Node, dict[str, Any]] = field(default_factory=dict)
    names: dict[str, dict[str, Node]] = field(default_factory=dict)

    def of(self, node: Node | None) -> dict[str, Any]:
        """The values of an element, empty for None and for unknown elements."""
        return self.values.get(node, {}) if node is not None else {}


def check(
    root: Node,
    table: FormatTable,
    diagnostics: Diagnostics,
    lenient: Callable[[Node], bool | None] = lambda node: None,
) -> Checked:
    """Check a whole tree. `lenient(node)`: whether errors in this element and its children are only warnings, because
    it has no effect; None: as in its parent."""
    return _FormatWalk(table, diagnostics, lenient).run(root)


def check_part(node: Node, row: ElementRow, table: FormatTable, diagnostics: Diagnostics) -> None:
    """Check an element of a kind and all in it by itself, without its references."""
    walk, stack = _FormatWalk(table, diagnostics, lambda node: None), [(node, row)]
    while stack:
        node, row = stack.pop()
        walk.element(node, row, False)
        known = table.children[row.id]
        stack.extend((child, known[child.tag]) for child in reversed(node.children) if child.tag in known)
    walk.report_foreign()


class _FormatWalk:
    def __init__(self, table: FormatTable, diagnostics: Diagnostics, lenient: Callable[[Node], bool | None]) -> None:
        self.table = table
        self.diagnostics = diagnostics
        self.is_lenient = lenient
        self.found = Checked()
        self.with_text: list[Node] = []
        self.references: list[tuple[Attribute, str, str, bool]] = []
        self.reported: set[tuple[str, ...]] = set()
        self.foreign: dict[str, list[Node]] = {}  # elements for other programs, by tag
        self.severity = Severity.ERROR if table.strict else Severity.WARNING  # of reports about unknown elements

    def run(self, root: Node) -> Checked:
        stack = [(root, self.table.root, False)]
        while stack:
            node, row, lenient = stack.pop()
            lenient = self.leniency(node, lenient)
            self.element(node, row, lenient)
            known = self.table.children[row.id]
            stack.extend((c, known[c.tag], lenient) for c in reversed(node.children) if c.tag in known)
        report_text(self.with_text, self.diagnostics)
        self.report_foreign()
        for reference in self.references:
            self.reference(*reference)
        return self.found

    def leniency(self, node: Node, around: bool) -> bool:
        own = self.is_lenient(node)
        return around if own is None else own

    def report(self, lenient: bool, where: Any, code: str, message: str, facts: Iterable[str] = ()) -> None:
        if lenient:
            self.diagnostics.warning(where, code, tr("{message} (it has no effect here)", message=message), facts)
        else:
            self.diagnostics.error(where, code, message, facts)

    # ---- elements -----------------------------------------------------------------------------------

    def element(self, node: Node, row: ElementRow, lenient: bool) -> None:
        if node.subtree.text:
            self.with_text.append(node)
        self.found.values[node] = typed = self.attributes(node, row, lenient)
        if row.id in self.table.borrowed and exceptions.has_checks(row.id):
            for finding in exceptions.findings(row.id, node, typed):
                where = node.attribute(finding.attribute) if finding.attribute else None
                self.report(lenient, where or node.tag_span, finding.code, finding.message)
        known = self.table.children[row.id]
        first: dict[str, Node] = {}
        for child in node.children:
            kind = known.get(child.tag)
            if kind is None:
                self.unknown_element(child, row, known)
            elif child.tag not in first:
                first[child.tag] = child
            elif kind.multiplicity in "?!":
                self.report(
                    self.leniency(child, lenient),
                    child.tag_span,
                    "repeated-element",
                    tr(
                        "'{tag}' takes one '{tag2}' only, the first is in line {line}; merge them or remove one",
                        tag=row.tag,
                        tag2=child.tag,
                        line=first[child.tag].line,
                    ),
                )
        for tag, kind in known.items():
            if kind.multiplicity == "!" and tag not in first:
                self.report(
                    lenient,
                    node.tag_span,
                    "missing-element",
                    tr("'{tag}' needs a '{tag2}' element: {help}", tag=row.tag, tag2=tag, help=tr(kind.help)),
                )

    def unknown_element(self, node: Node, parent: ElementRow, known: dict[str, ElementRow]) -> None:
        tag = node.tag
        if tag in self.table.ignored:
            self.foreign.setdefault(tag, []).append(node)
            return
        if not self.once("element", parent.id, tag):
            return
        message = tr("unknown element '{tag}' in '{parent}'", tag=tag, parent=parent.tag)
        guess = suggestion(self.diagnostics, "unknown-element", tag, known, self.severity)
        places = [row.tag for row in self.table.rows.values() if tag in self.table.children[row.id]]
        if guess is not None and guess != tag:
            message = tr("{message}; did you mean '{guess}'?", message=message, guess=guess)
        elif places:
            message = tr("{message}; it belongs in '{tag}'", message=message, tag=places[0])
        elif self.table.strict and known:
            message = tr("{message}; it takes {names}", message=message, names=", ".join(known))
        facts = meant(tag, guess if guess != tag else None)
        if self.table.strict:
            self.diagnostics.error(node.tag_span, "unknown-element", message, facts)
        elif guess is not None or places:
            self.diagnostics.warning(
                node.tag_span, "unknown-element", tr("{message} (it has no effect)", message=message), facts
            )
        else:
            self.diagnostics.info(node.tag_span, "unknown-element", tr("{message}; it is not read", message=message))

    def report_foreign(self) -> None:
        """Tell which elements are for other programs: their first place and their number, for each tag."""
        for tag, nodes in self.foreign.items():
            message = counted(
                "<{tag}> is left out: {what}",
                "{count} elements <{tag}> are left out: {what}",
                len(nodes),
                tag=tag,
                what=tr(self.table.ignored[tag]),
            )
            self.diagnostics.info(nodes[0].tag_span, "ignored-element", message)

    def once(self, *what: str) -> bool:
        """Whether this was not reported before; strict formats report everything."""
        if self.table.strict:
            return True
        new = what not in self.reported
        self.reported.add(what)
        return new

    # ---- attributes ---------------------------------------------------------------------------------

    def attributes(self, node: Node, row: ElementRow, lenient: bool) -> dict[str, Any]:
        typed: dict[str, Any] = {}
        for attribute in node.attributes:
            known = row.attributes.get(attribute.name)
            if known is None:
                self.unknown_attribute(attribute, row)
                continue
            value, problem = values.read(attribute.value, known)
            if problem is not None:
                if problem.code == "nan":
                    message = tr("{name} holds what is not a number; write a finite one", name=attribute.name)
                    self.report(lenient, attribute, "not-finite", message)
                    continue
                self.report(lenient, attribute, problem.code, f"{attribute.name}: {problem.message}", problem.facts)
            elif value is not None and not values.finite(value) and "inf" not in known.unit:
                message = tr("{name} holds a number that is infinite; write a finite one", name=attribute.name)
                self.report(lenient, attribute, "not-finite", message)
                continue
            if value is None:
                if problem is None and known.required:
                    self.missing(attribute, row, known, lenient)
                continue
            typed[attribute.name] = value
            if known.declares is not None:
                self.declare(attribute, known.declares, value, row, lenient)
            elif known.refers is not None:
                self.references.append((attribute, known.refers, value, lenient))
        for name, known in row.attributes.items():
            if known.required and name not in typed and node.attribute(name) is None:
                self.missing(node.tag_span, row, known, lenient)
        return typed

    def missing(self, where: Any, row: ElementRow, known: AttributeRow, lenient: bool) -> None:
        message = tr(
            "'{tag}' needs the attribute '{name}' ({type_text}): {help}",
            tag=row.tag,
            name=known.name,
            type_text=known.type_text,
            help=tr(known.help),
        )
        self.report(lenient, where, "missing-attribute", message)

    def unknown_attribute(self, attribute: Attribute, row: ElementRow) -> None:
        name = attribute.name
        if ":" in name or name == "xmlns" or not self.once("attribute", row.id, name):
            return
        message = tr("unknown attribute '{name}' of '{tag}'", name=name, tag=row.tag)
        guess = suggestion(self.diagnostics, "unknown-attribute", name, row.attributes, self.severity)
        if guess is not None:
            message = tr("{message}; did you mean '{guess}'?", message=message, guess=guess)
        if self.table.strict:
            message = message if guess else tr("{message}; remove it", message=message)
            self.diagnostics.error(attribute.name_span, "unknown-attribute", message, meant(name, guess or REMOVE))
        elif guess is not None:
            self.diagnostics.warning(
                attribute.name_span,
                "unknown-attribute",
                tr("{message} (it has no effect)", message=message),
                meant(name, guess),
            )
        else:
            self.diagnostics.info(
                attribute.name_span, "unknown-attribute", tr("{message}; it is not read", message=message)
            )

    # ---- names --------------------------------------------------------------------------------------

    def declare(self, attribute: Attribute, namespace: str, name: str, row: ElementRow, lenient: bool) -> None:
        if not name:
            return
        first = self.found.names.setdefault(namespace, {}).setdefault(name, attribute.node)
        if first is not attribute.node:
            self.report(
                lenient,
                attribute,
                "repeated-name",
                tr(
                    "the {tag} name '{name}' is taken, first in line {line}; choose another name",
                    tag=row.tag,
                    name=name,
                    line=first.line,
                ),
            )

    def reference(self, attribute: Attribute, namespace: str, name: str, lenient: bool) -> None:
        names = self.found.names.get(namespace, {})
        if name in names:
            return
        guess = suggestion(self.diagnostics, "undefined-reference", name, names)
        hint = tr("did you mean '{guess}'?", guess=guess) if guess else tr("declare it, or correct the name")
        self.report(
            lenient,
            attribute,
            "undefined-reference",
            tr("there is no {namespace} named '{name}'; {hint}", namespace=namespace, name=name, hint=hint),
            meant(name, guess),
        )
