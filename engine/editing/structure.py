"""Structural edits of a model's text: the allowed places of elements, and moves, as element edits for `Project.apply`.
copying.py duplicates, copies and pastes them, removal.py removes them.

    edits = move(document, [node], parent, 2)             before the child that is number 2 now

Nodes are of the trees of their own files (`Document.node`). An <include> stands for the root of the file that it
includes: an element put into it goes to that file. Edits that violate the schema or the model raise CannotEdit with the
reason. So do edits whose result would not compile, unless the missing part is clear and can be added.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from kinetree.engine.assist.language import MJCF, Language, language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.document.element_edit import ElementEdit, Move, Remove, SetAttribute
from kinetree.engine.document.source import Source
from kinetree.engine.document.tree import parse
from kinetree.engine.editing.context import context_of
from kinetree.engine.editing.fresh_names import MAKING, FreshNames
from kinetree.engine.editing.inherited import kept
from kinetree.engine.editing.needs import PATH, stranded, why_incomplete, why_no_path
from kinetree.engine.mjcf import exceptions, schema
from kinetree.engine.mjcf.joint_types import DOFS
from kinetree.engine.mjcf.schema_rows import ElementRow
from kinetree.engine.translation import any_of, marked, tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.subtree import Subtree
    from kinetree.engine.document.tree import Node

_LINE_BREAK = re.compile(r"\r\n|\n|\r")

# Kinds that the compiler accepts once, although the schema accepts several.
ONCE = frozenset({"composite.joint", "composite.plugin"})
#: Kinds for which it matters in which of the elements that take them they stand.
OF_PLACE = frozenset({"default", "plugin.instance", "plugin.config", "mimic"})
_OF_PLUGIN = frozenset({"plugin.instance", "plugin.config"})
#: Kinds, and the attribute that tells those of one parent apart.
APART = {"plugin.config": "key", "material.layer": "role"}
#: Kinds that the element around needs, although the schema lets it be without.
NEEDED = frozenset({"composite.geom"})


class CannotEdit(ValueError):
    """An edit that the schema or the model does not allow; str() says why, for the user."""


def refuse(why: str | None) -> None:
    """Raise CannotEdit if there is a reason."""
    if why is not None:
        raise CannotEdit(why)


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


def bodies_around(document: Document, node: Node) -> list[Node]:
    """The bodies that an element is in, or is itself, the nearest first; the world counts as one."""
    around = (node, *language_of(document).ancestors(node))
    return [each for each in around if each.tag in ("body", "worldbody")]


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
    if (row.multiplicity in ("?", "!") or row.id in ONCE) and tag in there:
        return tr("<{parent}> takes one <{tag}> only, and has one", parent=parent.tag, tag=tag)
    if place.row.id in language.grammar.exclusive and there:
        return tr("<{parent}> takes one element only, and has <{tag}>", parent=parent.tag, tag=there[0])
    return None


def siblings(document: Document, parent: Node) -> Sequence[Node | Subtree]:
    """The children of an element of the model, with the content of included files in place of each <include>; for the
    root of an included file, those around its <include> too.
    """
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


def check_model(document: Document, parent: Node, node: Node) -> None:
    """Refuse a free joint or a mocap body below another body: both belong to the children of the world."""
    language = language_of(document)
    if language.grammar is not MJCF:
        return
    bodies = bodies_around(document, parent)
    depth = len(bodies)  # 1: directly in the world
    if is_free(node) and depth > 2:
        raise CannotEdit(tr("{label} is free: it can only move a direct child of the world", label=label(node)))
    row = language.allowed(parent).get(node.tag)
    if row is not None and row.id in ("body.joint", "body.freejoint"):
        inherited = context_of(document).inherited(parent, row)
        type = "free" if is_free(node) else node.get("type") or inherited.get("type", "hinge")
        refuse(why_no_joint(document, parent, [type], node))
    if row is not None and row.id == "body.geom" and node.get("type") == "plane":
        if any(each.tag in ("joint", "freejoint") for body in bodies for each in contents(document, body)):
            raise CannotEdit(tr("a plane cannot move: put it into the world or a body without joints"))
    if row is not None and row.id == "material.layer" and parent.get("texture"):
        raise CannotEdit(tr("<material> has a texture: insert a new <layer>, which takes it over, first"))
    if node.tag == "body" and depth > 1:
        if any(is_free(child) for child in contents(document, node)):
            raise CannotEdit(
                tr("{label} has a free joint and can only be a direct child of the world", label=label(node))
            )
        if node.get("mocap") == "true":
            raise CannotEdit(
                tr("{label} is a mocap body and can only be a direct child of the world", label=label(node))
            )


def why_no_joint(document: Document, parent: Node, types: Iterable[str], *others: Node) -> str | None:
    """Why a body cannot have more joints of these types; None if it can. `others`: joints that do not count."""
    language, context = language_of(document), context_of(document)
    bodies = bodies_around(document, parent)
    body = bodies[0] if bodies else [parent, *language.ancestors(parent)][-1]  # the file may be the inside of a body
    if body.get("mocap") == "true":
        return tr("a mocap body cannot have joints: remove its attribute mocap first")
    ids = {node.id for node in others}
    joints = [node for node in contents(document, body) if node.tag in ("joint", "freejoint") and node.id not in ids]
    there = ["free" if is_free(node) else context.values(node).get("type", "hinge") for node in joints]
    for type in types:
        if "free" in there:
            return tr("the body is free already")
        if type == "free" and len(bodies) > 2:
            return tr("only a direct child of the world can be free")
        if type == "free" and there:
            return tr("the body has a joint: remove it first")
        if "ball" in there and type in ("ball", "hinge"):
            return tr("the body has a ball joint, which allows every rotation already")
        there.append(type)
        if sum(DOFS.get(each, 0) for each in there) > max(DOFS.values()):
            return tr("the joints of the body have as many degrees of freedom as a body can have already")
    return None


def is_free(node: Node) -> bool:
    """Whether an element lets a body move freely."""
    return node.tag == "freejoint" or (node.tag == "joint" and node.get("type") == "free")


def contents(document: Document, node: Node) -> Iterator[Node]:
    """The direct children of an element of MJCF as the model sees them: frames, replicas and included files are
    replaced by their content.
    """
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
        check_model(document, parent, node)
        check_not_needed(document, node)
        _check_kind(document, parent, node)
        _check_copies(document, parent, node)
    _check_left(coming)
    check_mass(document, coming)
    return parent


def check_mass(document: Document, nodes: Sequence[Node]) -> None:
    """Refuse to take away all that gives a moving body its mass."""
    language = language_of(document)
    leaving = {node.id for node in nodes}
    moved = [] if language.grammar is MJCF else _moved_links(document)
    for node in nodes:
        link = node.parent
        if language.grammar is not MJCF:
            if link is None or link.get("name") not in moved or link.id in leaving or node.tag not in _URDF_MASSES:
                continue
            if not any(each.tag in _URDF_MASSES and each.id not in leaving for each in link.subtree.children):
                raise CannotEdit(tr(_NO_MASS, label=label(link)))
            continue
        around = next(iter(bodies_around(document, node)), None)
        if node.tag not in _MASSES or around is None or around.tag == "worldbody" or around.id in leaving:
            continue
        held = list(contents(document, around))
        if any(each.tag in ("joint", "freejoint") for each in held) and not any(
            each.tag in (*_MASSES, "body", *MAKING, FLEXCOMP) and each.id not in leaving for each in held
        ):
            raise CannotEdit(tr(_NO_MASS, label=label(around)))


def _moved_links(document: Document) -> list[str | None]:
    """The names of the links of URDF that a joint moves."""
    joints = [each for each in document.root.children if each.tag == "joint" and each.get("type") != "fixed"]
    return [end.get("link") for joint in joints for end in joint.children if end.tag == "child"]


_NO_MASS = marked("{label} moves and would have no mass: give it another shape or an <inertial> first")
_MASSES = ("geom", "inertial")
_URDF_MASSES = ("collision", "inertial")


def _check_copies(document: Document, parent: Node, node: Node) -> None:
    """Refuse to move an element into a <replicate> whose copies would have other names than those that others refer
    to."""
    language, names = language_of(document), names_of(document)
    made = exceptions.COPYING
    around = [each for each in (parent, *language.ancestors(parent)) if each.tag in made]
    before = {each.id for each in language.ancestors(node) if each.tag in made}
    if language.grammar is not MJCF or all(each.id in before for each in around):
        return
    inner = {each.id for each, _, _ in node.subtree.walk(0)}
    for declaration in names.declarations:
        if declaration.node.id in inner:
            for reference, _ in names.of(declaration):
                if reference.attribute.node.id not in inner:
                    raise CannotEdit(
                        tr(
                            "{user} refers to {label}, whose copies in <{tag}> would have other names: remove it first",
                            user=label(reference.attribute.node),
                            label=label(node),
                            tag=around[0].tag,
                        )
                    )


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
    row = language.row(node)
    if row is language.allowed(parent).get(node.tag) and row is not None and row.id not in OF_PLACE:
        return
    if row is not None and row.id in _OF_PLUGIN and _plugin_of(parent) != _plugin_of(node):
        raise CannotEdit(tr("{label} is one of another plugin", label=label(node)))
    if row is not None and row.id in APART:
        refuse(why_not_apart(parent, node, APART[row.id]))
    check_complete(document, parent, node)


def why_not_apart(parent: Node, node: Node, name: str) -> str | None:
    """Why an element cannot come into `parent` for an attribute that no two elements there can share."""
    if all(each.tag != node.tag or each.get(name) != node.get(name) for each in parent.children):
        return None
    return tr(
        "<{parent}> has a <{tag}> with {name}='{value}' already: change that one",
        parent=parent.tag,
        tag=node.tag,
        name=name,
        value=node.get(name),
    )


def _plugin_of(node: Node) -> str | None:
    """The plugin that an element inside of one is about."""
    return next((each.get("plugin") for each in (node, *node.ancestors()) if each.get("plugin")), None)


def check_path(parent: Node, index: int | None, nodes: Sequence[Node], leaving: frozenset[int] = frozenset()) -> None:
    """Refuse elements that would break the path of a tendon before its child that is number `index`. `leaving`: ids of
    elements that leave it at the same time."""
    if parent.tag != PATH:
        return
    children = list(parent.children)
    at = len(children) if index is None else index
    before, after = ([each for each in part if each.id not in leaving] for part in (children[:at], children[at:]))
    refuse(why_no_path(parent, [*before, *nodes, *after]))


def _check_left(nodes: Sequence[Node]) -> None:
    """Refuse to move elements out of others that would not be complete without them."""
    leaving = {node.id for node in nodes}
    for parent in {node.parent.id: node.parent for node in nodes if node.parent is not None}.values():
        least, instead = LEAST.get(parent.tag, (0, ()))
        left = [child for child in parent.children if child.id not in leaving]
        broken = parent.tag == PATH and stranded(left) and not stranded(parent.children)
        if broken or (len(left) < least and not any(parent.get(name) for name in instead)):
            raise CannotEdit(
                tr(
                    "{label} would not be complete: move it as a whole, or insert another element into it first",
                    label=label(parent),
                )
            )


def check_complete(document: Document, parent: Node, node: Node) -> None:
    """Refuse an element that has errors as a child of `parent`."""
    why = why_incomplete(document, parent, node)
    if why is not None:
        raise CannotEdit(
            tr("{label} cannot stand in <{parent}> as it is: {why}", label=label(node), parent=parent.tag, why=why)
        )


def move(
    document: Document, nodes: Iterable[Node], parent: Node, index: int | None = None, notes: list[str] | None = None
) -> list[ElementEdit]:
    """Edits that move elements into `parent`, before its child that is number `index` now, or to its end, with the
    settings of their default classes. `notes` receives sentences about settings that cannot be kept. The <include> of
    an emptied file is removed. Raises CannotEdit.
    """
    nodes = outermost(document, nodes)
    parent = check_move(document, nodes, parent)
    check_path(parent, index, nodes, frozenset(node.id for node in nodes))
    told = [] if notes is None else notes
    moves: list[ElementEdit] = [Move(node, parent, index) for node in nodes]
    moves += naming(document, parent, nodes)
    removed = [Remove(include) for include in emptied(document, nodes, parent)]
    return [*moves, *removed, *kept(document, nodes, parent, told)]


def naming(document: Document, parent: Node, nodes: Iterable[Node | str]) -> list[ElementEdit]:
    """Edit that names the target body if one of the moved elements, a <flexcomp>, requires a name. `nodes`: nodes, or
    the tags of new ones.
    """
    held = [
        each for node in nodes for each in ((node,) if isinstance(node, str) else [node, *contents(document, node)])
    ]
    if not any(each == FLEXCOMP or (not isinstance(each, str) and each.tag == FLEXCOMP) for each in held):
        return []
    language = language_of(document)
    body = next(iter(bodies_around(document, parent)), None)
    if any(each.tag == "replicate" for each in (parent, *language.ancestors(parent))):
        raise CannotEdit(tr("a <{tag}> cannot be repeated by <replicate>", tag=FLEXCOMP))
    if body is None or body.tag == "worldbody" or body.get("name"):
        return []
    return [SetAttribute(body, "name", FreshNames(names_of(document), language).take("body", "body"))]


FLEXCOMP = "flexcomp"


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


def check_not_needed(document: Document, node: Node) -> None:
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
    if row.multiplicity != "!" and row.id not in NEEDED:
        return
    if [child.tag for child in parent.subtree.children].count(node.tag) == 1:
        raise CannotEdit(
            tr("<{tag}> needs its <{tag2}>: remove the whole <{tag}> instead", tag=parent.tag, tag2=node.tag)
        )


#: tag -> how many elements it has to hold, with fewer left it goes; attributes that can stand for them.
LEAST: dict[str, tuple[int, tuple[str, ...]]] = {
    "fixed": (1, ()),
    "spatial": (2, ()),
    "tuple": (1, ()),
    "skin": (1, ("file",)),
    "mesh": (1, ("file", "vertex", "builtin")),
}


# ---- copies --------------------------------------------------------------------------------------------------


def plain(node: Node, text: str | None = None) -> str:
    """The text of an element with the indentation of its first line taken from all lines."""
    indent = indent_of(node)
    lines = _LINE_BREAK.split(node.span.text if text is None else text)
    return "\n".join(each.removeprefix(indent) if i else each for i, each in enumerate(lines))


def indent_of(node: Node) -> str:
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
    """Place for elements that are pasted while `node` is selected: in it if it takes them, else behind it in its
    parent, or further out; else into the one section of the model that takes them. Raises CannotEdit with the reason
    why not into `node`.
    """
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
