"""Parts of a model moved to a file of their own, which the model includes, and back.

    path = path_of(document, "arm.xml")                     where the file goes; CannotEdit if it cannot be made
    check_split(document, [body])
    root = project.tree(project.add(path, blank(body)))
    edits = split(document, [body], root, "arm.xml")       the elements go there, an <include> comes in their place
    edits = merge(document, include)                       and back: the file itself stays as it is

The compiled model stays the same. An <include> in the moved elements whose file was found beside the file that it stood
in gets the name that this file has from the folder of the main file. All other file names start from there anyway.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from kinetree.engine.assist.language import MJCF, language_of
from kinetree.engine.document.element_edit import ElementEdit, Insert, Move, Remove, SetAttribute, carry_out
from kinetree.engine.document.layout import line_break
from kinetree.engine.editing.structure import CannotEdit, index_in, inside, label, outermost
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.file_names import relative
from kinetree.engine.platforms.files import slashed
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

__all__ = ["blank", "check_split", "inside", "merge", "path_of", "split"]


def blank(node: Node) -> str:
    """The text of a new file for an element that has not been moved there yet."""
    return "<mujocoinclude>\n</mujocoinclude>\n".replace("\n", line_break(node.source.text))


def path_of(document: Document, name: str) -> str:
    """The path of a new file with this name, which may have folders, relative to the main file. Raises CannotEdit if
    there is such a file already, or an <include> that would read it in place of its own one."""
    if not name.strip():
        raise CannotEdit(tr("the new file needs a name"))
    path = os.path.normpath(os.path.join(os.path.dirname(document.main_file), name))
    if os.path.lexists(path) or path in document.files:
        raise CannotEdit(tr("there is a file {name} already: choose another name", name=name))
    if not os.path.isdir(os.path.dirname(path)):
        raise CannotEdit(tr("there is no folder {dirname}", dirname=os.path.dirname(path)))
    for root in document.trees.values():
        for include in root.iter(schema.INCLUDE.tag):
            if _from_main(document, include.get("file") or "") == path:
                raise CannotEdit(
                    tr(
                        "{label}, line {line}, would read {name}: choose another name",
                        label=label(include),
                        line=include.line,
                        name=name,
                    )
                )
    return path


def check_split(document: Document, nodes: Sequence[Node]) -> list[Node]:
    """The elements in the order of the text, if they can go to a file of their own. Raises CannotEdit."""
    if language_of(document).grammar is not MJCF:
        raise CannotEdit(tr("only MJCF can include files"))
    if not nodes:
        raise CannotEdit(tr("select the elements that go to a file of their own"))
    found = outermost(document, nodes)
    parent = found[0].parent
    assert parent is not None
    if any(node.parent is None or node.parent.id != parent.id for node in found):
        raise CannotEdit(tr("the elements have to stand side by side in the same element"))
    numbers = [index_in(parent, node) for node in found]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        raise CannotEdit(tr("other elements stand between these: select them too, or take one after the other"))
    if all(node.tag == schema.INCLUDE.tag for node in found):
        raise CannotEdit(tr("these elements are included files already"))
    return found


def split(document: Document, nodes: Sequence[Node], root: Node, name: str) -> list[ElementEdit]:
    """Move elements into `root`, the root of a new file, and include that under a name relative to the main file.
    Raises CannotEdit."""
    found = check_split(document, nodes)
    parent = found[0].parent
    assert parent is not None
    include = Insert(parent, f"<include file={quoteattr(slashed(name))}/>", index_in(parent, found[0]))
    named = [edit for node in found for edit in _renamed(document, node, root.source.path)]
    return [include, *named, *(Move(node, root) for node in found)]


def merge(document: Document, include: Node) -> list[ElementEdit]:
    """Write what an included file holds in place of the <include>. Raises CannotEdit."""
    parent = include.parent
    if include.tag != schema.INCLUDE.tag or parent is None or language_of(document).grammar is not MJCF:
        raise CannotEdit(tr("select an <include>"))
    root = document.included(include)
    if root is None:
        raise CannotEdit(tr("{label} was not read", label=label(include)))
    names = carry_out(_renamed(document, root, include.source.path), document.parsed)
    changed = names.get(root.source.path)
    xml = inside(root if changed is None else changed[0].root)
    return [Insert(parent, xml, index_in(parent, include)), Remove(include)]


def _renamed(document: Document, node: Node, path: str) -> Iterator[SetAttribute]:
    """Edits that let the <include>s in an element find their files when they stand in the file `path`. Raises
    CannotEdit for one with an unread file.
    """
    if os.path.dirname(os.path.abspath(path)) == os.path.dirname(os.path.abspath(node.source.path)):
        return
    for include in node.iter(schema.INCLUDE.tag):
        root = document.included(include)
        if root is None:
            raise CannotEdit(
                tr(
                    "{label}, line {line}, was not read: correct its name first",
                    label=label(include),
                    line=include.line,
                )
            )
        file = document.path_of(root.source)
        if _from_main(document, include.get("file") or "") != file:
            yield SetAttribute(include, "file", relative(file, os.path.dirname(document.main_file)))


def _from_main(document: Document, name: str) -> str:
    """The path that a name means from the folder of the main file, where the file of an <include> is looked for
    first."""
    return os.path.normpath(os.path.join(os.path.dirname(document.main_file), slashed(name)))
