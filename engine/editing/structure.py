"""Structural edits of a model's text: move, remove, duplicate, copy and paste elements, as wishes for
`Project.apply`.

    wishes = move(document, [node], parent, 2)             before the child that is number 2 now
    wishes = remove(document, [node])
    wishes = remove(document, [node], referring=True)      and what refers to it, see `referring`
    wishes = duplicate(document, [node])
    xml = copied(document, [node])
    wishes = paste(document, parent, None, xml, origin_of(document, [node]))      see inherited.py

Nodes are of the trees of their own files (`Document.node`). An <include> stands for the root of the file that it
includes: what is put into it goes to that file. Names of copies are made unique, and references between copied
elements follow the copies. What the schema or the model does not allow is refused: CannotEdit says why.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.assist.language import MJCF, Language, Place, language_of
from engine.assist.names import Names, names_of
from engine.diagnostics import Diagnostics
from engine.document.change import combine, set_attribute
from engine.document.edit import Edit, apply
from engine.document.source import Source
from engine.document.tree import parse
from engine.document.wish import Insert, Move, Remove, RemoveAttribute, SetAttribute, Wish
from engine.editing.inherited import adopted, kept
from engine.mjcf import schema
from engine.mjcf.schema_rows import AttributeRow, ElementRow
from engine.translation import tr

if TYPE_CHECKING:
    from engine.document.document import Document
    from engine.document.tree import Attribute, Node
    from engine.editing.inherited import Origin
    from engine.mjcf.references import Reference

_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_NUMBER = re.compile(r"(.*?)(\d*)", re.DOTALL)  # a name may have line breaks
_QUOTED = {"&": "&amp;", "<": "&lt;", '"': "&quot;", "'": "&apos;"}


class CannotEdit(ValueError):
    """An edit that the schema or the model does not allow; str() says why, for the user."""


def name_taken(space: str, name: str, node: Node) -> CannotEdit:
    """The refusal of a name that an element has already."""
    return CannotEdit(
        tr(
            "there is a {space} '{new}' already, in line {line}: remove or rename it first",
            space=space,
            new=name,
            line=node.line,
        )
    )


# ---- places --------------------------------------------------------------------------------------------------


def label(node: Node) -> str:
    """An element for a message: <geom> "floor"."""
    name = node.get("name") or node.get("class") or node.get("file")
    return f'<{node.tag}> "{name}"' if name else f"<{node.tag}>"


def holder(document: Document, node: Node) -> Node:
    """The element that takes what is put into `node`: the root of the included file for an <include>. Raises
    CannotEdit if that file could not be read."""
    if document.root.tag != schema.ROOT.tag or node.tag != schema.INCLUDE.tag or node.parent is None:
        return node
    root = document.included(node)
    if root is None:
        raise CannotEdit(tr("{label} was not read, so that nothing can be put into it", label=label(node)))
    return root


def outermost(document: Document, nodes: Iterable[Node]) -> list[Node]:
    """The elements that are not inside another one of them, in the order of the text. Raises CannotEdit for the root
    of a file."""
    by_id = {node.id: node for node in nodes}
    language = language_of(document)
    files = list(document.trees)
    found = []
    for node in by_id.values():
        if node.parent is None:
            raise CannotEdit(tr("<{tag}> is the root of its file: it cannot be moved, copied or removed", tag=node.tag))
        if not any(around.id in by_id for around in _around(document, language, node)):
            found.append(node)
    return sorted(found, key=lambda node: (files.index(node.source.path), node.start))


def _around(document: Document, language: Language, node: Node) -> Iterator[Node]:
    """The elements around one as the tree shows them: those of its file, then the <include>, and so on."""
    at: Node | None = node
    while at is not None:
        if at.parent is None:
            include = document.include_of(at.source.path)
            if include is None:
                return
            at = include
        else:
            at = at.parent
        yield at


def index_in(parent: Node, node: Node) -> int:
    """The number of a child among the children of its parent."""
    return [child.id for child in parent.subtree.children].index(node.id)


def why_not(document: Document, parent: Node, tag: str, leaving: frozenset[int] = frozenset()) -> str | None:
    """Why an element with this tag cannot be put into `parent`; None if it can. `leaving`: ids of elements that leave
    it at the same time."""
    language = language_of(document)
    place = language.inside(parent)
    if place is None:
        return tr(
            "<{tag}> is not an element of {language} where it stands, so that nothing can be put into it",
            tag=parent.tag,
            language=language.name,
        )
    allowed = language.allowed(parent)
    row = allowed.get(tag)
    if row is None:
        homes = sorted({each.tag for each in language.grammar.rows.values() if _takes(language, each, tag)})
        if tag == language.grammar.root.tag:
            return tr("<{tag}> is a whole model: take the elements inside it", tag=tag)
        if not homes:
            return tr("<{tag}> is not an element of {language}", tag=tag, language=language.name)
        shown = ", ".join(f"<{home}>" for home in homes[:4])
        if len(homes) > 4:
            shown = tr("{names} and others", names=shown)
        return tr("<{tag}> cannot stand in <{parent}>, only in {names}", tag=tag, parent=parent.tag, names=shown)
    there = [child.tag for child in parent.subtree.children if child.id not in leaving]
    if row.multiplicity in ("?", "!") and tag in there:
        return tr("<{parent}> takes one <{tag}> only, and has one", parent=parent.tag, tag=tag)
    if place.row.id in language.grammar.exclusive and there:
        return tr("<{parent}> takes one element only, and has <{tag}>", parent=parent.tag, tag=there[0])
    return None


def _takes(language: Language, row: ElementRow, tag: str) -> bool:
    return not row.transparent and tag in language.grammar.inside(row, row)


def check_place(document: Document, parent: Node, tags: Iterable[str], leaving: frozenset[int] = frozenset()) -> None:
    """Raise CannotEdit unless all of these can be put into `parent`."""
    single: set[str] = set()
    language = language_of(document)
    for tag in tags:
        why = why_not(document, parent, tag, leaving)
        if why is None and tag in single:
            why = tr("<{parent}> takes one <{tag}> only", parent=parent.tag, tag=tag)
        if why is not None:
            raise CannotEdit(why)
        row = language.allowed(parent).get(tag)
        if row is not None and row.multiplicity in ("?", "!"):
            single.add(tag)


def _check_model(document: Document, parent: Node, node: Node) -> None:
    """Refuse a free joint or a mocap body below another body: both belong to the children of the world."""
    language = language_of(document)
    if language.grammar is not MJCF:
        return
    bodies = [each for each in (parent, *language.ancestors(parent)) if each.tag in ("body", "worldbody")]
    depth = len(bodies)  # 1: directly in the world
    if is_free(node) and depth > 2:
        raise CannotEdit(
            tr("{label} is free: it can move only a body that stands directly in the world", label=label(node))
        )
    if node.tag == "body" and depth > 1:
        if any(is_free(child) for child in contents(document, node)):
            raise CannotEdit(tr("{label} has a free joint and can stand only directly in the world", label=label(node)))
        if node.get("mocap") == "true":
            raise CannotEdit(tr("{label} is a mocap body and can stand only directly in the world", label=label(node)))


def is_free(node: Node) -> bool:
    """Whether an element lets a body move freely."""
    return node.tag == "freejoint" or (node.tag == "joint" and node.get("type") == "free")


def contents(document: Document, node: Node) -> Iterator[Node]:
    """What stands directly in an element of MJCF once the model is read: frames, replicas and included files count as
    what they hold."""
    for child in node.children:
        held = document.included(child) if child.tag == schema.INCLUDE.tag else child
        if held is not child or child.tag in ("frame", "replicate"):
            yield from contents(document, held) if held is not None else ()
        else:
            yield child


# ---- move and remove -----------------------------------------------------------------------------------------


def check_move(document: Document, nodes: Sequence[Node], parent: Node) -> Node:
    """The element that takes the nodes, which are the outermost ones (see `outermost`), if they can be moved into
    `parent`. Raises CannotEdit."""
    language = language_of(document)
    parent = holder(document, parent)
    around = {parent.id, *(each.id for each in _around(document, language, parent))}
    for node in nodes:
        if node.id in around:
            raise CannotEdit(tr("{label} cannot be moved into itself", label=label(node)))
    coming = [node for node in nodes if node.parent is None or node.parent.id != parent.id]
    check_place(document, parent, [node.tag for node in coming], frozenset(node.id for node in nodes))
    for node in coming:
        _check_model(document, parent, node)
        _check_not_needed(document, node)
    return parent


def move(
    document: Document, nodes: Iterable[Node], parent: Node, index: int | None = None, notes: list[str] | None = None
) -> list[Wish]:
    """The wishes that move elements into `parent`, before its child that is number `index` now, or to its end, with the
    settings of their default classes. `notes` gets sentences about those that cannot be kept. Raises CannotEdit."""
    nodes = outermost(document, nodes)
    parent = check_move(document, nodes, parent)
    told = [] if notes is None else notes
    return [*(Move(node, parent, index) for node in nodes), *kept(document, nodes, parent, told)]


def _check_not_needed(document: Document, node: Node) -> None:
    """Refuse to take a required element away."""
    row, parent = language_of(document).row(node), node.parent
    if row is None or parent is None or row.multiplicity != "!":
        return
    if [child.tag for child in parent.subtree.children].count(node.tag) == 1:
        raise CannotEdit(
            tr("<{tag}> needs its <{tag2}>: remove the whole <{tag}> instead", tag=parent.tag, tag2=node.tag)
        )


class Consequence(NamedTuple):
    """What becomes of something that refers to elements that are to be removed.

    attribute  the attribute that refers to one of them; None for an element that has nothing left to hold
    node       the element that is changed, or removed
    removed    whether it is removed as a whole
    names      the names that are taken out of a list; () if the whole attribute goes
    """

    node: Node
    attribute: Attribute | None
    removed: bool
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"{label(self.node)}, {os.path.basename(self.node.source.path)}:{self.node.line}"
        if self.attribute is None:
            return tr("{where}: nothing is left in it", where=where)
        return f"{where}: {self.attribute.name}={self.attribute.value!r}"


#: Namespaces of what an element can do without: the attribute goes and the element stays.
_LOOSE = ("class", "material", "texture")
#: (tag, attribute) -> the attributes that go with it; the element stays.
_TARGETS = {
    ("camera", "target"): ("target", "mode"),
    ("light", "target"): ("target", "mode"),
    ("light", "texture"): ("texture",),
    ("flexcomp", "origin"): ("origin",),
}
#: tag -> how many elements it has to hold: with fewer left it goes.
_LEAST = {"fixed": 1, "spatial": 2}


def referring(document: Document, nodes: Iterable[Node]) -> list[Consequence]:
    """What has to change when elements are removed: what refers to them, what refers to that, and so on, in the order
    of the text. An element that makes no sense without what it refers to is removed; others lose the attribute."""
    names = names_of(document)
    language = language_of(document)
    gone = {inner.id for node in nodes for inner, _, _ in node.subtree.walk(0)}
    found: dict[tuple[int, str], Consequence] = {}
    removed: dict[int, Consequence] = {}
    declared: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for declaration in names.declarations:
        declared[declaration.node.id].append((declaration.space, declaration.name))
    users: dict[tuple[str, str], list[Reference]] = defaultdict(list)
    for reference in names.references:
        users[reference.space, reference.name].append(reference)
    pending = list(gone)

    def take_away(consequence: Consequence) -> None:
        node = consequence.node
        removed[node.id] = consequence
        inside = [inner.id for inner, _, _ in node.subtree.walk(0)]
        gone.update(inside)
        pending.extend(inside)
        parent = node.parent
        if parent is not None and parent.tag in _LEAST and parent.id not in gone:
            left = [child for child in parent.subtree.children if child.id not in gone]
            if len(left) < _LEAST[parent.tag]:
                take_away(Consequence(parent, None, True))

    while pending:
        for key in declared[pending.pop()]:
            if any(other.node.id not in gone for other in names.declaring(*key)):
                continue  # another element has that name
            for reference in users[key]:
                node = document.node(reference.attribute.node.id)
                if node is None or node.id in gone:
                    continue
                consequence = _consequence(language, node, reference)
                place = node.id, reference.attribute.name
                if consequence.removed:
                    take_away(consequence)
                elif place in found and consequence.names:
                    found[place] = consequence._replace(names=(*found[place].names, *consequence.names))
                else:
                    found[place] = consequence
    result = [each for each in found.values() if each.node.id not in gone]
    for each in removed.values():
        if not any(around.id in removed for around in each.node.ancestors()):
            result.append(each)
    files = list(document.trees)
    return sorted(result, key=lambda each: (files.index(each.node.source.path), each.node.start))


def _consequence(language: Language, node: Node, reference: Reference) -> Consequence:
    attribute = node.attribute(reference.attribute.name)
    assert attribute is not None
    known = reference.row
    if known.max_count != 1 and reference.name in attribute.value.split():
        others = [name for name in attribute.value.split() if name != reference.name]
        if others:
            return Consequence(node, attribute, False, (reference.name,))
    loose = reference.space in _LOOSE and not known.required
    if loose or (node.tag, attribute.name) in _TARGETS:
        return Consequence(node, attribute, False)
    # An element without which the one around it is not complete goes together with that.
    row, parent = language.row(node), node.parent
    while row is not None and row.multiplicity == "!" and parent is not None and parent.parent is not None:
        node, row, parent = parent, language.row(parent), parent.parent
    return Consequence(node, attribute, True)


def remove(document: Document, nodes: Iterable[Node], with_referring: bool = False) -> list[Wish]:
    """The wishes that remove elements, and what refers to them if that is asked for. Raises CannotEdit."""
    nodes = outermost(document, nodes)
    leaving = {node.id for node in nodes}
    for node in nodes:
        _check_not_needed(document, node)
    wishes: list[Wish] = [Remove(node) for node in nodes]
    if not with_referring:
        return wishes
    for consequence in referring(document, nodes):
        node, attribute = consequence.node, consequence.attribute
        if consequence.removed:
            if any(inner.id in leaving for inner, _, _ in node.subtree.walk(0)):
                wishes = [wish for wish in wishes if wish.node.id != node.id]
            wishes.append(Remove(node))
        elif attribute is not None and consequence.names:
            left = [name for name in attribute.value.split() if name not in consequence.names]
            wishes.append(
                SetAttribute(node, attribute.name, " ".join(left)) if left else RemoveAttribute(node, attribute.name)
            )
        elif attribute is not None:
            names = _TARGETS.get((node.tag, attribute.name), (attribute.name,))
            wishes += [RemoveAttribute(node, name) for name in names]
    return wishes


# ---- copies --------------------------------------------------------------------------------------------------


def copied(document: Document, nodes: Iterable[Node]) -> str:
    """The XML of elements as they are written, without the indentation of their place, for the clipboard."""
    return "\n".join(plain(node) for node in outermost(document, nodes)) + "\n"


def plain(node: Node, text: str | None = None) -> str:
    """The text of an element with the indentation of its first line taken from all lines."""
    source, start = node.source.text, node.start
    line = max(source.rfind("\n", 0, start), source.rfind("\r", 0, start)) + 1
    before = source[line:start]
    indent = before[: len(before) - len(before.lstrip(" \t"))]
    lines = _LINE_BREAK.split(node.span.text if text is None else text)
    return "\n".join(each.removeprefix(indent) if i else each for i, each in enumerate(lines))


def duplicate(document: Document, nodes: Iterable[Node]) -> list[Wish]:
    """The wishes that put a copy behind each element. Raises CannotEdit."""
    nodes = outermost(document, nodes)
    language = language_of(document)
    copies = _Copies(document)
    for node in nodes:
        parent = node.parent
        assert parent is not None
        why = why_not(document, parent, node.tag)
        if why is not None:
            raise CannotEdit(why)
        place = language.inside(parent)
        if place is not None:
            copies.add(node, place)
    wishes: list[Wish] = []
    for node in nodes:
        parent = node.parent
        assert parent is not None
        wishes.append(Insert(parent, plain(node, copies.text(node)), index_in(parent, node) + 1))
    return wishes


def copy_of(document: Document, node: Node, space: str, name: str) -> tuple[str, str]:
    """(the name of a copy, its XML). `name`: that of the element in its namespace, written or from its file."""
    fresh = FreshNames(names_of(document), language_of(document)).take(space, name)
    root = parsed(document, plain(node))
    edits = set_attribute(root.children[0], "name", fresh)
    return fresh, apply(root.source.text, next(iter(edits.values()), ()))[len("<x>") : -len("</x>")]


def parsed(document: Document, xml: str) -> Node:
    """An element around a piece of XML, such as what the clipboard holds. Raises CannotEdit if it is not well-formed or
    has no element."""
    found = Diagnostics()
    root = parse(Source("<clipboard>", None, f"<x>{_dedented(xml)}</x>", document.base), found)
    if found.has_errors or not root.children:
        why = f": {found.errors[0].message}" if found.has_errors and "<" in xml else ""
        raise CannotEdit(tr("this text is no XML of elements{why}", why=why))
    return root


def _dedented(xml: str) -> str:
    """A piece of XML from anywhere, without an XML declaration, without the indentation that its lines after the first
    one have from the place where it was copied."""
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", xml).strip("\r\n").rstrip()
    first, *rest = _LINE_BREAK.split(text)
    base = first[: len(first) - len(first.lstrip())]
    if not base and rest and rest[-1].lstrip().startswith("</"):
        base = rest[-1][: len(rest[-1]) - len(rest[-1].lstrip())]
    return "\n".join([first.strip(), *(line.removeprefix(base) for line in rest)])


def place_for(document: Document, node: Node, tags: Sequence[str]) -> tuple[Node, int | None]:
    """Where elements go that are pasted while `node` is selected: into it if it takes them, else behind it in what is
    around it, or further out; else into the one section of the model that takes them. Raises CannotEdit with
    the reason why not into `node`."""
    language = language_of(document)
    first = holder(document, node)
    reason = _reason(document, first, tags)
    if reason is None:
        return first, None
    below, around = first, [first, *_around(document, language, first)]
    for parent in around[1:]:
        if below.parent is not None and parent.id == below.parent.id and _reason(document, parent, tags) is None:
            return parent, index_in(parent, below) + 1
        below = parent
    for section in document.root.children:
        if section.tag != "default" and _reason(document, section, tags) is None:
            return section, None
    raise CannotEdit(reason)


def _reason(document: Document, parent: Node, tags: Sequence[str]) -> str | None:
    try:
        check_place(document, parent, tags)
    except CannotEdit as error:
        return str(error)
    return None


def paste(
    document: Document,
    parent: Node,
    index: int | None,
    xml: str,
    origin: Origin | None = None,
    notes: list[str] | None = None,
) -> list[Wish]:
    """The wishes that insert a piece of XML into `parent`, before its child that is number `index`, or at its end.
    Names that the document has already are changed in it. `origin`: where it was copied, so that it keeps the settings
    of its default classes; `notes` gets sentences about what becomes of these. Raises CannotEdit."""
    root = parsed(document, xml)
    parent = holder(document, parent)
    check_place(document, parent, [child.tag for child in root.children])
    place = language_of(document).inside(parent)
    copies = _Copies(document)
    classes: list[Wish] = []
    if origin is not None:
        told = [] if notes is None else notes
        sets, classes = adopted(document, parent, root, origin, copies.fresh.take, told)
        edits = combine(*(set_attribute(*each) for each in sets)).get(root.source.path, ())
        root = parsed(document, apply(root.source.text, edits)[len("<x>") : -len("</x>")])
    for child in root.children:
        _check_model(document, parent, child)
        if place is not None:
            copies.add(child, place)
    return [*classes, Insert(parent, copies.text(root)[len("<x>") : -len("</x>")], index)]


class _Copies:
    """Copies of elements for one document: their names are made unique, and references between them follow.

    names     (namespace, name in the original) -> name in the copy
    """

    def __init__(self, document: Document) -> None:
        self.language = language_of(document)
        self.fresh = FreshNames(names_of(document), self.language)
        self.names: dict[tuple[str, str], str] = {}
        self.references: list[tuple[Attribute, str, AttributeRow]] = []
        self.edits: list[tuple[Attribute, str]] = []

    def add(self, node: Node, place: Place) -> None:
        """Take an element that is copied to a place."""
        inside = self.language.grammar.inside
        todo = [(node, place)]
        while todo:
            node, place = todo.pop()
            row = inside(place.row, place.around).get(node.tag) or self.language.grammar.anywhere.get(node.tag)
            if row is None:
                continue
            declared = self.language.declares(node, row)
            for attribute in node.attributes:
                known = row.attributes.get(attribute.name)
                if known is None:
                    continue
                if declared is not None and known is declared[0]:
                    if attribute.value:
                        new = self.names[declared[1], attribute.value] = self.fresh.take(declared[1], attribute.value)
                        self.edits.append((attribute, new))
                    continue
                space = self.language.refers_by(node, row, known)
                if space is not None:
                    self.references.append((attribute, space, known))
            here = Place(row, schema.enclosing(row, place.around))
            todo += [(child, here) for child in reversed(node.children)]

    def text(self, node: Node) -> str:
        """The text of an element, with the names of the copy."""
        wanted = list(self.edits)
        for attribute, space, known in self.references:
            if known.max_count != 1:
                value = re.sub(r"\S+", lambda m, space=space: self.names.get((space, m[0]), m[0]), attribute.value)
            else:
                value = self.names.get((space, attribute.value), attribute.value)
            wanted.append((attribute, value))
        source = node.source
        edits = []
        for attribute, value in wanted:
            span = attribute.value_span
            if span.source is source and node.start <= span.start < node.end and value != attribute.value:
                quoted = "".join(_QUOTED.get(c, c) for c in value)
                edits.append(Edit(span.start - node.start, span.end - node.start, quoted))
        return apply(node.span.text, edits)


class FreshNames:
    """Names that a document does not have yet; each is handed out once."""

    def __init__(self, names: Names, language: Language) -> None:
        self._taken: dict[str, set[str]] = defaultdict(set)
        self._made = [each for each in names.declarations if each.made is not None or each.parts]
        for declaration in names.declarations:
            self._taken[declaration.space].add(declaration.name)
        for space, implicit in (language.grammar.implicit or {}).items():
            self._taken[space].update(implicit)

    def take(self, space: str, name: str) -> str:
        """The name itself if it is free, else the next one: leg1 -> leg2, arm -> arm_2."""
        taken = self._taken[space]
        match = _NUMBER.fullmatch(name)
        assert match is not None
        stem, digits = match[1], match[2]
        number, new = int(digits or 1), name
        if not digits:
            stem += "_"
        while new in taken or self._is_made(space, new):
            if self._is_made(space, new):  # the next number may be that of a replica, too
                return self.take(space, f"{name}_copy")
            number += 1
            new = f"{stem}{number:0{len(digits)}d}"
        taken.add(new)
        return new

    def _is_made(self, space: str, name: str) -> bool:
        """Whether a replica or a part of an element gets a name."""
        return any(each.space == space and each.suffix(name) is not None for each in self._made)
