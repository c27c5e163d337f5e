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
from engine.assist.parts import errors_in
from engine.diagnostics import Diagnostics
from engine.document.change import combine, set_attribute
from engine.document.edit import Edit, apply
from engine.document.source import Source
from engine.document.tree import parse
from engine.document.wish import Insert, Move, Remove, RemoveAttribute, Wish
from engine.editing.inherited import adopted, kept
from engine.mjcf import schema
from engine.mjcf.references import file_name, stem
from engine.mjcf.schema_rows import AttributeRow, ElementRow
from engine.translation import any_of, tr

if TYPE_CHECKING:
    from engine.document.document import Document
    from engine.document.subtree import Subtree
    from engine.document.tree import Attribute, Node
    from engine.editing.inherited import Origin
    from engine.mjcf.references import Reference

_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_NUMBER = re.compile(r"(.*?)(\d*)", re.DOTALL)  # a name may have line breaks
_PREFIX = re.compile(r"(.*?)(\d*)([_\W]*)", re.DOTALL)
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
    there = [child.tag for child in siblings(document, parent) if child.id not in leaving]
    if row.multiplicity in ("?", "!") and tag in there:
        return tr("<{parent}> takes one <{tag}> only, and has one", parent=parent.tag, tag=tag)
    if place.row.id in language.grammar.exclusive and there:
        return tr("<{parent}> takes one element only, and has <{tag}>", parent=parent.tag, tag=there[0])
    return None


def siblings(document: Document, parent: Node) -> list[Node] | list[Subtree]:
    """What stands in an element of the model: of the root of an included file what stands around its <include> too,
    and what files hold in place of each <include>."""
    include = document.include_of(parent.source.path) if parent.parent is None else None
    while include is not None and include.parent is not None:
        parent = include.parent
        include = document.include_of(parent.source.path) if parent.parent is None else None
    if not parent.subtree.includes:
        return list(parent.subtree.children)
    found: list[Node] = []
    pending = list(reversed(parent.children))
    while pending:
        node = pending.pop()
        root = document.included(node) if node.tag == schema.INCLUDE.tag else None
        found += [node] if root is None else []
        pending += [] if root is None else reversed(root.children)
    return found


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
        _check_kind(document, parent, node)
    return parent


def _check_kind(document: Document, parent: Node, node: Node) -> None:
    """Refuse an element that means something else in `parent`, and is not complete as that: the <site> of a tendon is
    none of a body. Of an <include> this is about what its file holds."""
    root = document.included(node) if node.tag == schema.INCLUDE.tag else None
    if root is not None:
        for child in root.children:
            check_place(document, parent, [child.tag])
            _check_kind(document, parent, child)
        return
    language = language_of(document)
    if language.row(node) is language.allowed(parent).get(node.tag):
        return
    _check_complete(document, parent, node)


def _check_complete(document: Document, parent: Node, node: Node) -> None:
    """Refuse an element that has errors as a child of `parent`."""
    errors = errors_in(document, parent, node)
    if errors:
        raise CannotEdit(
            tr(
                "{label} cannot stand in <{parent}> as it is: {why}",
                label=label(node),
                parent=parent.tag,
                why=errors[0].message,
            )
        )


def move(
    document: Document, nodes: Iterable[Node], parent: Node, index: int | None = None, notes: list[str] | None = None
) -> list[Wish]:
    """The wishes that move elements into `parent`, before its child that is number `index` now, or to its end, with the
    settings of their default classes. `notes` gets sentences about those that cannot be kept. An <include> whose file
    holds nothing any more goes. Raises CannotEdit."""
    nodes = outermost(document, nodes)
    parent = check_move(document, nodes, parent)
    told = [] if notes is None else notes
    moves: list[Wish] = [Move(node, parent, index) for node in nodes]
    removed = [Remove(include) for include in emptied(document, nodes, parent)]
    return [*moves, *removed, *kept(document, nodes, parent, told)]


def emptied(document: Document, nodes: Sequence[Node], target: Node | None = None) -> list[Node]:
    """Each <include> whose file holds no element once some leave it. `target`: where they go."""
    leaving = {node.id for node in nodes}
    found: list[Node] = []
    pending = list(nodes)
    while pending:
        root = pending.pop().parent
        include = None if root is None or root.parent is not None else document.include_of(root.source.path)
        if root is None or include is None or include.id in leaving or (target is not None and target.id == root.id):
            continue
        if all(child.id in leaving for child in root.subtree.children):
            leaving.add(include.id)
            found.append(include)
            pending.append(include)
    return found


def _check_not_needed(document: Document, node: Node) -> None:
    """Refuse to take a required element away."""
    language, parent = language_of(document), node.parent
    row = language.row(node)
    if row is None or parent is None:
        return
    around = language.row(parent)
    if around is not None and around.id in language.grammar.exclusive and len(parent.subtree.children) == 1:
        what = any_of([f"<{child}>" for child in language.allowed(parent)])
        raise CannotEdit(
            tr(
                "<{parent}> needs one of {what}: change its attributes, or remove what is around it",
                parent=parent.tag,
                what=what,
            )
        )
    if row.multiplicity != "!":
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
    """

    node: Node
    attribute: Attribute | None
    removed: bool

    def __str__(self) -> str:
        where = f"{label(self.node)}, {os.path.basename(self.node.source.path)}:{self.node.line}"
        if self.attribute is None and self.node.parent is not None and self.node.parent.tag == _PATH:
            return tr("{where}: it has no neighbour left in the path", where=where)
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
#: tag -> how many elements it has to hold, with fewer left it goes; attributes that can stand for them.
_LEAST: dict[str, tuple[int, tuple[str, ...]]] = {
    "fixed": (1, ()),
    "spatial": (2, ()),
    "tuple": (1, ()),
    "skin": (1, ("file",)),
    "mesh": (1, ("file", "vertex", "builtin")),
}
_PATH = "spatial"


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
        look_at(node.parent)

    def look_at(parent: Node | None) -> None:
        """What becomes of an element that something has left."""
        if parent is None or parent.id in gone or parent.tag not in _LEAST:
            return
        least, instead = _LEAST[parent.tag]
        left = [child for child in parent.children if child.id not in gone]
        stranded = _stranded(left) if parent.tag == _PATH else []
        if len(left) - len(stranded) < least and not any(parent.get(name) for name in instead):
            take_away(Consequence(parent, None, True))
        elif stranded:
            take_away(Consequence(stranded[0], None, True))

    for node in nodes:
        look_at(node.parent)
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
                else:
                    found[place] = consequence
    result = [each for each in found.values() if each.node.id not in gone]
    for each in removed.values():
        if not any(around.id in removed for around in each.node.ancestors()):
            result.append(each)
    files = list(document.trees)
    return sorted(result, key=lambda each: (files.index(each.node.source.path), each.node.start))


def _stranded(path: Sequence[Node]) -> list[Node]:
    """The elements of the path of a tendon that cannot stay: a <geom> that is not between sites, a site alone in
    its branch or beside itself, a <pulley> without a branch. The last one that was found comes first."""
    left, found = list(path), []
    while True:
        tags = ["", *(node.tag.replace("pulley", "") for node in left), ""]
        for i, node in enumerate(left):
            before, after = tags[i], tags[i + 2]
            same = before == "site" and left[i - 1].get("site") == node.get("site")
            if (
                (node.tag == "geom" and not before == after == "site")
                or (node.tag == "pulley" and not after)
                or (node.tag == "site" and (same or not (before or after)))
            ):
                found.insert(0, left.pop(i))
                break
        else:
            return found


def _consequence(language: Language, node: Node, reference: Reference) -> Consequence:
    attribute = node.attribute(reference.attribute.name)
    assert attribute is not None
    known = reference.row
    shared, kind = language.grammar.shared or {}, language.row(node)
    if kind is not None and kind.id in shared and known.declares is None and known.refers is None:
        return Consequence(node, attribute, True)  # without its name it says nothing
    if known.max_count != 1:
        return Consequence(node, attribute, True)  # a list: what stands behind a name would get its place
    loose = reference.space in _LOOSE and not known.required
    if loose or (node.tag, attribute.name) in _TARGETS:
        return Consequence(node, attribute, False)
    # An element without which the one around it is not complete goes together with that.
    row, parent = language.row(node), node.parent
    while row is not None and row.multiplicity == "!" and parent is not None and parent.parent is not None:
        node, row, parent = parent, language.row(parent), parent.parent
    return Consequence(node, attribute, True)


def remove(document: Document, nodes: Iterable[Node], with_referring: bool = False) -> list[Wish]:
    """The wishes that remove elements, and what refers to them if that is asked for. Where nothing would be left in an
    included file, its <include> goes and the file stays as it is. Raises CannotEdit."""
    nodes = outermost(document, nodes)
    leaving = {node.id for node in nodes}
    for node in nodes:
        _check_not_needed(document, node)
    wishes: list[Wish] = [Remove(node) for node in nodes]
    if not with_referring:
        return _without_empty_files(document, wishes)
    for consequence in referring(document, nodes):
        node, attribute = consequence.node, consequence.attribute
        if consequence.removed:
            if any(inner.id in leaving for inner, _, _ in node.subtree.walk(0)):
                wishes = [wish for wish in wishes if wish.node.id != node.id]
            wishes.append(Remove(node))
        elif attribute is not None:
            names = _TARGETS.get((node.tag, attribute.name), (attribute.name,))
            wishes += [RemoveAttribute(node, name) for name in names]
    return _without_empty_files(document, wishes)


def _without_empty_files(document: Document, wishes: list[Wish]) -> list[Wish]:
    """The wishes, with the removal of the <include> in place of that of all that its file holds."""
    removed = [wish.node for wish in wishes if isinstance(wish, Remove)]
    includes = emptied(document, removed)
    if not includes:
        return wishes
    files = {root.source.path for root in map(document.included, includes) if root is not None}
    kept = [wish for wish in wishes if wish.node.source.path not in files]
    return [*kept, *(Remove(include) for include in includes if include.source.path not in files)]


# ---- copies --------------------------------------------------------------------------------------------------


def copied(document: Document, nodes: Iterable[Node]) -> str:
    """The XML of elements as they are written, without the indentation of their place, for the clipboard."""
    return "\n".join(plain(node) for node in outermost(document, nodes)) + "\n"


def plain(node: Node, text: str | None = None) -> str:
    """The text of an element with the indentation of its first line taken from all lines."""
    indent = _indent(node)
    lines = _LINE_BREAK.split(node.span.text if text is None else text)
    return "\n".join(each.removeprefix(indent) if i else each for i, each in enumerate(lines))


def _indent(node: Node) -> str:
    """The white space that the first line of an element starts with."""
    source, start = node.source.text, node.start
    line = max(source.rfind("\n", 0, start), source.rfind("\r", 0, start)) + 1
    before = source[line:start]
    return before[: len(before) - len(before.lstrip(" \t"))]


def inside(root: Node, text: str | None = None) -> str:
    """All that the root of a file holds, comments too, without the indentation of its first line. `text`: what it would
    hold after a change."""
    text = root.content_span.text if text is None else text
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    first = lines[0] if lines else ""
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    return "\n".join(line.removeprefix(indent) for line in lines)


def duplicate(document: Document, nodes: Iterable[Node]) -> list[Wish]:
    """The wishes that put a copy behind each element. Included files are written out in it, since a model includes a
    file once; the copy of a joint of URDF moves a copy of its link. Raises CannotEdit."""
    nodes = outermost(document, nodes)
    language = language_of(document)
    copies = _Copies(document)
    for node in nodes:
        parent = node.parent
        assert parent is not None
        place = language.inside(parent)
        if place is not None:
            copies.add(node, place)
        for tag in copies.tags(node):
            why = why_not(document, parent, tag)
            if why is not None:
                raise CannotEdit(why)
    links = copies.links(nodes)
    copies.check()
    wishes: list[Wish] = []
    for node in [*nodes, *links]:
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
    Names that the document has already are changed in it, and files that the document includes already are written
    out. `origin`: where it was copied, so that it keeps the settings of its default classes; `notes` gets sentences
    about what becomes of these. Raises CannotEdit, also where something in it would refer to what the document does not
    have."""
    root = parsed(document, xml)
    parent = holder(document, parent)
    place = language_of(document).inside(parent)
    copies = _Copies(document)
    classes: list[Wish] = []
    if origin is not None:
        told = [] if notes is None else notes
        sets, classes = adopted(document, parent, root, origin, copies.fresh.take, told)
        edits = combine(*(set_attribute(*each) for each in sets)).get(root.source.path, ())
        root = parsed(document, apply(root.source.text, edits)[len("<x>") : -len("</x>")])
    for child in root.children:
        if place is not None:
            copies.add(child, place)
    check_place(document, parent, [tag for child in root.children for tag in copies.tags(child)])
    links = copies.links(root.children)
    text = copies.text(root)[len("<x>") : -len("</x>")]
    for child in parsed(document, text).children:
        _check_model(document, parent, child)
        _check_complete(document, parent, child)
    copies.check()
    wishes: list[Wish] = [*classes, Insert(parent, text, index)]
    return [*wishes, *(Insert(parent, plain(link, copies.text(link)), index) for link in links)]


class _Copies:
    """Copies of elements for one document: their names are made unique, and references between them follow.

    names     (namespace, name in the original) -> name in the copy
    prefixes  text before the names of what an element makes -> that in the copy
    held      id of an <include> -> the root of the file that is written out in its place
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.language = language_of(document)
        self.declared = names_of(document)
        self.fresh = FreshNames(self.declared, self.language)
        self.names: dict[tuple[str, str], str] = {}
        self.prefixes: dict[str, str] = {}
        self.held: dict[int, Node] = {}
        self.references: list[tuple[Attribute, str, AttributeRow]] = []
        self.edits: list[tuple[Source, Edit]] = []

    def add(self, node: Node, place: Place) -> None:
        """Take an element that is copied to a place. Raises CannotEdit for an <include> that was not read."""
        todo = [(node, place)]
        while todo:
            node, place = todo.pop()
            row = self.language.child(place, node.tag)
            if row is schema.INCLUDE:
                root = self._included(node)
                if root is not None:
                    self.held[node.id] = root
                    todo += [(child, place) for child in reversed(root.children)]
                continue
            if row is None:
                continue
            declared = self.language.declares(node, row)
            if declared is not None and not node.get(declared[0].name):
                self._add_name(node, row, declared[1])
            for attribute in node.attributes:
                known = row.attributes.get(attribute.name)
                if known is None:
                    continue
                if declared is not None and known is declared[0]:
                    if attribute.value:
                        new = self.names[declared[1], attribute.value] = self.fresh.take(declared[1], attribute.value)
                        self._set(attribute, new)
                    continue
                if (row.id, known.name) in _PREFIXES and attribute.value:
                    new = self.prefixes[attribute.value] = self.fresh.take_prefix(self.document, attribute.value)
                    self._set(attribute, new)
                space = self.language.refers_by(node, row, known)
                if space is not None:
                    self.references.append((attribute, space, known))
            here = place.of(row)
            todo += [(child, here) for child in reversed(node.children)]

    def _included(self, include: Node) -> Node | None:
        """The root of the file of an <include> that the document has; None for one of another text whose file it does
        not include."""
        root = self.document.included(include)
        if root is not None or self.document.node(include.id) is not None:
            return holder(self.document, include)
        others = (each for tree in self.document.trees.values() for each in tree.iter(schema.INCLUDE.tag))
        found = (self.document.included(each) for each in others if each.get("file") == include.get("file"))
        return next((each for each in found if each is not None), None)

    def _add_name(self, node: Node, row: ElementRow, space: str) -> None:
        """Write a name into the copy of an element that has its name from its file, where that is taken."""
        name = file_name(node, row) or (stem(node.get("file")) if row.id in _NAMED_IN_FILE else "")
        if not name:
            return
        new = self.names[space, name] = self.fresh.take(space, name)
        if new != name or row.id in _NAMED_IN_FILE:
            for edits in set_attribute(node, "name", new).values():
                self.edits += [(node.source, edit) for edit in edits]

    def _set(self, attribute: Attribute, value: str) -> None:
        if value != attribute.value:
            quoted = "".join(_QUOTED.get(c, c) for c in value)
            span = attribute.value_span
            self.edits.append((span.source, Edit(span.start, span.end, quoted)))

    def tags(self, node: Node) -> list[str]:
        """The tags of what comes in the place of an element."""
        root = self.held.get(node.id)
        return [node.tag] if root is None else [tag for child in root.children for tag in self.tags(child)]

    def links(self, nodes: Iterable[Node]) -> list[Node]:
        """The links of URDF that copies of joints move: they have to be copied too, as a joint moves them already."""
        if self.language.name != "URDF":
            return []
        root = self.document.root
        ends = [end for joint in root.children for end in joint.children if joint.tag == "joint" and end.tag == "child"]
        moved = {end.get("link") for end in ends}
        wanted = [
            end.get("link") for node in nodes if node.tag == "joint" for end in node.children if end.tag == "child"
        ]
        names = {name for name in wanted if name in moved and ("link", name) not in self.names}
        links = [node for node in root.children if node.tag == "link" and node.get("name") in names]
        place = self.language.inside(root)
        for link in links:
            if place is not None:
                self.add(link, place)
        return links

    def check(self) -> None:
        """Refuse copies that refer to what neither they nor the document have. What is missing in the document already
        does not count."""
        if self.document.root.tag != self.language.grammar.root.tag:
            return  # a part of a model: the rest is not known
        prefixes = [node.get("prefix") or "" for tag in _MAKING for node in self.document.merged.iter(tag)]
        missing = {(each.space, each.name) for each in self.declared.references}
        implicit = self.language.grammar.implicit or {}
        for attribute, space, known in self.references:
            for name in attribute.value.split() if known.max_count != 1 else (attribute.value,):
                if (
                    (space, name) in self.names
                    or (space, name) in missing
                    or not name
                    or name in implicit.get(space, ())
                ):
                    continue
                if self.declared.meant(space, name) or any(name.startswith(prefix) for prefix in prefixes):
                    continue
                raise CannotEdit(
                    tr(
                        "{label} refers to the {space} '{name}', which this model does not have: copy that first",
                        label=label(attribute.node),
                        space=space,
                        name=name,
                    )
                )

    def text(self, node: Node) -> str:
        """The text of an element, with the names of the copy."""
        done = len(self.edits)
        for attribute, space, known in self.references:
            if known.max_count != 1:
                value = re.sub(r"\S+", lambda m, space=space: self._renamed(space, m[0]), attribute.value)
            else:
                value = self._renamed(space, attribute.value)
            self._set(attribute, value)
        text = self._written(node, node.start, node.end)
        del self.edits[done:]
        return text

    def _renamed(self, space: str, name: str) -> str:
        if (space, name) in self.names:
            return self.names[space, name]
        for prefix, new in self.prefixes.items():
            if name.startswith(prefix):
                return new + name[len(prefix) :]
        return name

    def _written(self, node: Node, start: int, end: int) -> str:
        """The text of a stretch of an element, with what files hold in place of each <include>."""
        edits = [
            edit for source, edit in self.edits if source is node.source and start <= edit.start and edit.end <= end
        ]
        for include in node.iter(schema.INCLUDE.tag):
            root = self.held.get(include.id)
            if root is not None:
                span = root.content_span
                held = inside(root, self._written(root, span.start, span.end))
                edits.append(Edit(include.start, include.end, held.replace("\n", f"\n{_indent(include)}")))
        return apply(node.source.text[start:end], [Edit(e.start - start, e.end - start, e.text) for e in edits])


#: (id, attribute) of what stands before the names of what an element makes.
_PREFIXES = frozenset({("body.attach", "prefix"), ("body.composite", "prefix")})
#: Tags of elements that make others with names.
_MAKING = ("attach", "composite")
#: Kinds whose name stands in their file, unless they say another one.
_NAMED_IN_FILE = frozenset({"asset.model"})


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

    def take_prefix(self, document: Document, prefix: str) -> str:
        """Text before names that no element of the document puts there yet: arm_ -> arm2_."""
        used = self._taken["prefix"]
        used.update(node.get("prefix") or "" for tag in _MAKING for node in document.merged.iter(tag))
        match = _PREFIX.fullmatch(prefix)
        assert match is not None
        stem, number, end, new = match[1], int(match[2] or 1), match[3], prefix
        while new in used:
            number += 1
            new = f"{stem}{number}{end}"
        used.add(new)
        return new
