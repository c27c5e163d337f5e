"""Default classes moved to another place in their tree, and merged; the elements keep their settings.

    edits = move(document, [class_node], parent, index)    what the class took from those around it is written in it
    edits = merge(document, [class_node], into)            its elements use the other class, and say what is different

Both try the change in a draft and compare what is in force before and after. They raise NoClass where that cannot be
the same: a default class cannot take back what the class around it sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from kinetree.engine.assist.in_force import (
    InForce,
    ValueOrigin,
    class_of,
    completed,
    defaults_of,
    in_force,
    settings_in_force,
)
from kinetree.engine.assist.language import language_of
from kinetree.engine.document.element_edit import ElementEdit, Insert, Move, Remove, SetAttribute, carry_out
from kinetree.engine.editing.attributes import NoClass
from kinetree.engine.editing.structure import check_move, label, outermost
from kinetree.engine.mjcf import values
from kinetree.engine.mjcf.defaults import MAIN, DefaultClass
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

__all__ = ["NoClass", "merge", "move"]


def move(document: Document, nodes: Iterable[Node], parent: Node, index: int | None = None) -> list[ElementEdit]:
    """Edits that move default classes into another one, before the child that is number `index` there. Raises NoClass,
    and CannotEdit where they cannot stand there.
    """
    nodes = outermost(document, nodes)
    for node in nodes:
        inner_class(document, node)
    parent = check_move(document, nodes, parent)
    edits: list[ElementEdit] = [Move(node, parent, index) for node in nodes]
    draft = _draft(document, edits)
    for node in nodes:
        edits += _kept(document, draft, node)
    _check(document, edits, {each.get("class") for node in nodes for each in node.iter("default")})
    return edits


def merge(document: Document, nodes: Iterable[Node], into: Node) -> list[ElementEdit]:
    """Edits that let the elements of default classes use another class. The classes inside them move there. Raises
    NoClass.
    """
    nodes = outermost(document, nodes)
    gone = {inner_class(document, node).name for node in nodes}
    other = defaults_of(document).find(into.get("class") or MAIN) if into.tag == "default" else None
    if other is None:
        raise NoClass(tr("{label} is no default class", label=label(into)))
    if any(each.id == into.id for node in nodes for each in node.iter()):
        raise NoClass(tr("{label} stands in a class that it would take in: merge it into that one", label=label(into)))
    language = language_of(document)
    edits: list[ElementEdit] = []
    users = []
    for each in document.merged.iter():
        row = language.row(each)
        if row is None or _is_setting(each):
            continue
        for name in ("class", "childclass"):
            if name in row.attributes and each.get(name) in gone:
                edits.append(SetAttribute(each, name, other.name))
        if row.default is not None and class_of(document, each).name in gone:
            users.append(each)
    inner = [child for node in nodes for child in node.children if child.tag == "default"]
    edits += [Move(child, into) for child in inner]
    removed = [Remove(node) for node in nodes]
    draft = _draft(document, [*edits, *removed])
    for child in inner:
        edits += _kept(document, draft, child)
    for user in users:
        edits += _said(document, draft, user)
    edits += removed
    _check(document, edits, {*gone, *(each.get("class") for child in inner for each in child.iter("default"))})
    return edits


def inner_class(document: Document, node: Node) -> DefaultClass:
    """The class that a <default> is. Raises NoClass if it is none, or the outermost one."""
    found = defaults_of(document).find(node.get("class") or MAIN) if node.tag == "default" else None
    if found is None:
        raise NoClass(tr("{label} is no default class", label=label(node)))
    if found.parent is None:
        raise NoClass(tr("the outermost default class stays where it is"))
    return found


def _is_setting(node: Node) -> bool:
    return any(each.tag == "default" for each in node.ancestors())


def _draft(document: Document, edits: Sequence[ElementEdit]) -> Document:
    """The document as it is after some edits."""
    done = carry_out(edits, document.parsed)
    return document.with_parsed({path: parsed for path, (parsed, _) in done.items()})


def _kept(document: Document, draft: Document, node: Node) -> Iterator[ElementEdit]:
    """Edits that write into a class the settings that it has in `document` and not in `draft`."""
    name = node.get("class") or ""
    before, after = (defaults_of(each).find(name) for each in (document, draft))
    if before is None or after is None:
        raise NoClass(tr("there is another default class '{name}'", name=name))
    for group in dict.fromkeys([*before.chains, *after.chains]):
        one, two = (settings_in_force(each.chains.get(group, ())) for each in (before, after))
        missing: dict[str, dict[str, str]] = {}
        for attribute, value in {**two, **one}.items():
            wanted = _text(value, two.get(attribute)) if attribute in one else value.row.default
            if attribute in two and attribute in one and _same(value, two[attribute]):
                continue
            if wanted is None or value.where is None:
                raise NoClass(
                    tr(
                        "{label} cannot be without {attribute}, which the class around it would set",
                        label=label(node),
                        attribute=attribute,
                    )
                )
            tag = value.where.node.tag
            holder = node.find(tag)
            if holder is not None:
                yield SetAttribute(holder, attribute, wanted)
            else:
                missing.setdefault(tag, {})[attribute] = wanted
        for tag, settings in missing.items():
            text = " ".join(f"{attribute}={quoteattr(value)}" for attribute, value in settings.items())
            yield Insert(node, f"<{tag} {text}/>", 0)


def _said(document: Document, draft: Document, node: Node) -> Iterator[ElementEdit]:
    """Edits that write into an element the settings in force in `document` and not in `draft`."""
    now = _in(draft, node)
    for name, value in in_force(document, node).items():
        if name != "class" and not _same(value, now[name]):
            text = _text(value, now[name])
            if text is None:
                raise NoClass(
                    tr(
                        "{label}, line {line}, cannot be without {name}, which the other class sets",
                        label=label(node),
                        line=node.line,
                        name=name,
                    )
                )
            yield SetAttribute(node, name, text)


def _in(draft: Document, node: Node) -> dict[str, InForce]:
    found = draft.node(node.id)
    return {} if found is None else in_force(draft, found)


def _same(one: InForce, two: InForce | None) -> bool:
    """Whether two values mean the same."""
    if two is None or one.value is None or two.value is None:
        return two is not None and one.value == two.value
    if one.value == two.value:
        return True
    numbers = [values.read(each.value or "", each.row)[0] for each in (one, two)]
    return all(each is not None for each in numbers) and str(numbers[0]) == str(numbers[1])


def _text(value: InForce, below: InForce | None) -> str | None:
    """How to write a value where that of `below` is in force: a short list of numbers as it is, if it is completed as
    before."""
    if value.where is None or value.value is None:
        return value.value
    under = value.row.default if below is None else below.value
    short = value.where.value
    return short if completed(short, value.row, under) == value.value else value.value


def _shortcuts(document: Document, node: Node) -> list[str]:
    """The kinds of actuators that the class of an element has settings for: what these imply (gains, dynamics) holds
    for all actuators of the class."""
    row = language_of(document).row(node)
    return [] if row is None else [each.tag for each in class_of(document, node).elements(row) if each.tag != "general"]


def _check(document: Document, edits: Sequence[ElementEdit], names: set[str | None]) -> None:
    """Raise NoClass if an element of one of these classes has not the same settings as before."""
    draft, language = _draft(document, edits), language_of(document)
    for node in document.merged.iter():
        row = language.row(node)
        if row is None or row.default is None or _is_setting(node) or class_of(document, node).name not in names:
            continue
        found = draft.node(node.id)
        if found is not None and node.parent is not None and node.parent.tag == "actuator":
            if _shortcuts(document, node) != _shortcuts(draft, found):
                raise NoClass(
                    tr(
                        "{label}, line {line}, would have other gains or dynamics, by its class",
                        label=label(node),
                        line=node.line,
                    )
                )
        now = _in(draft, node)
        for name, value in in_force(document, node).items():
            if name != "class" and value.origin is not ValueOrigin.COMPILER and not _same(value, now.get(name)):
                raise NoClass(
                    tr("{label}, line {line}, would have another {name}", label=label(node), line=node.line, name=name)
                )
