"""Commands of the tree on the text: insert, rename, move, copy, paste, duplicate, delete, as steps of the undo history.

The element edits come from `engine/editing/`. For a large text they are made in a thread; should the text change
meanwhile, they are made again for the new one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from kinetree.app.workspace.project import ProjectController
from kinetree.app.workspace.questions import Questions
from kinetree.app.workspace.selection import Selection, SelectionModel
from kinetree.app.workspace.tasks import Tasks
from kinetree.engine.assist.renaming import rename_everywhere
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import ElementEdit, SetAttribute
from kinetree.engine.document.files import FileRead
from kinetree.engine.document.tree import Node
from kinetree.engine.editing import copying, removal, structure, templates
from kinetree.engine.editing.inherited import ClipboardOrigin, origin_of
from kinetree.engine.editing.removal import Consequence
from kinetree.engine.editing.reparent import move_in_place
from kinetree.engine.editing.states import with_states
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.tools import class_moves
from kinetree.engine.translation import counted, tr

MIME = "application/x-kinetree-elements"
ORIGIN = "application/x-kinetree-origin"
"""Where elements were copied, see `engine/editing/inherited.py`."""
SMALL = 200_000
"""Characters of a text whose edits are made in the GUI thread: a few milliseconds."""

Make = Callable[[Document], list[ElementEdit]]


class TreeCommands(QObject):
    """The edits of the tree. Signals: `refused(message)`, "" after an edit that worked; `noted(message)`: a remark
    after an edit that worked; `named(id)`: a new element whose name the user may want to edit; `asks(nodes,
    consequences)`: elements are to be deleted that others refer to."""

    refused = Signal(str)
    noted = Signal(str)
    named = Signal(object)
    asks = Signal(object, object)

    def __init__(
        self,
        project: ProjectController,
        selection: SelectionModel,
        questions: Questions,
        tasks: Tasks,
        parent: QObject,
    ):
        super().__init__(parent)
        self.project, self.selection, self._questions, self._tasks = project, selection, questions, tasks
        self._asked = 0
        self._transaction = None
        project.edited.connect(self._take_edit)

    def _take_edit(self, transaction, backward: bool) -> None:
        self._transaction = None if backward else transaction

    # ---- steps -------------------------------------------------------------------------------------------

    def run(self, make: Callable[[Document], object], then: Callable[[object], None]) -> None:
        """Compute something of the present document, for a large one in a thread, and hand it to `then` in
        the GUI thread, unless it is refused."""
        document = self.project.document
        if document is None:
            self.refused.emit(tr("This model has no text that could be edited"))
            return

        def take(result: object) -> None:
            if self.project.document is not document:
                self.run(make, then)
            elif isinstance(result, ValueError):
                self.refused.emit(_sentence(str(result)))
            else:
                then(result)

        if _is_small(document):
            try:
                result = make(document)
            except ValueError as error:
                result = error
            take(result)
        else:
            self._asked += 1  # none takes the place of another
            kind = tr("edit {asked}", asked=self._asked)
            self._questions.ask(kind, lambda: make(document), take, lambda reason: take(ValueError(reason)))

    def restructure(
        self, name: str, make: Make, then: Callable[[], None] | None = None, must_compile: bool = True
    ) -> None:
        """Make a step of the undo history that adds, removes or moves elements: keyframes are adapted to it.
        `must_compile`: the step is refused if it breaks a model that compiles."""
        self.step(name, lambda document: with_states(document, make(document)), then, must_compile)

    def step(self, name: str, make: Make, then: Callable[[], None] | None = None, must_compile: bool = False) -> None:
        """Make a step of the undo history. For a large text, and where the result is compiled first, a background task
        makes it, see `app/workspace/tasks.py`."""

        def done(_edits: object = None) -> None:
            self.refused.emit("")
            if then is not None:
                then()

        def refuse(reason: str) -> None:
            self.refused.emit(_sentence(reason))

        def plan(document: Document) -> Callable[[], list[ElementEdit]]:
            self._transaction = None
            return partial(make, document)

        def carry_out(edits: object) -> None:
            assert isinstance(edits, list)
            self._transaction = None
            try:
                self.project.apply(name, edits)
            except (ValueError, KeyError) as error:
                refuse(str(error))
                return
            self.project.texts.seal()
            done()

        document = self.project.document
        if document is None or (_is_small(document) and not must_compile):
            self.run(make, carry_out)
        else:
            self._tasks.edit(name, plan, done, refuse, must_compile=must_compile)

    def new_elements(self) -> list[Node]:
        """The outermost elements that the last step made, in the order of the text."""
        document, transaction = self.project.document, self._transaction
        if document is None or transaction is None:
            return []
        found = []
        for change in transaction.changes.values():
            before = set(change.vanished.values())
            ids = {identity for identity in change.appeared.values() if identity not in before}
            for identity in ids:
                node = document.node(identity)
                if node is not None and (node.parent is None or node.parent.id not in ids):
                    found.append(node)
        return sorted(found, key=lambda node: (node.source.path, node.start))

    def _rearrange(
        self,
        name: str,
        make: Callable[[Document, list[str]], list[ElementEdit]],
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """Like `restructure`. `make` also gets a list, to which it adds remarks for the user."""
        notes: list[str] = []

        def noting(document: Document) -> list[ElementEdit]:
            notes.clear()
            return make(document, notes)

        def done() -> None:
            then()
            if notes:
                self.noted.emit("\n".join(f"{_sentence(note)}." for note in dict.fromkeys(notes)))

        self.restructure(name, noting, done)

    def _select_new(self, edit_name: bool = False, tags: Iterable[str] = ()) -> None:
        """Select what the last step made; only elements with some tags if these are given."""
        wanted = set(tags)
        nodes = [node for node in self.new_elements() if not wanted or node.tag in wanted]
        if nodes:
            self.selection.select_several([Selection(element=node.id) for node in nodes])
            if edit_name:
                self.selection.select(Selection(element=nodes[0].id))
                self.named.emit(nodes[0].id)

    # ---- what the user does ------------------------------------------------------------------------------

    def insert(self, parent: int, index: int | None, tag: str, file: str | None = None) -> None:
        """Insert a new element, select it and let the user edit its name."""

        def make(document: Document) -> list[ElementEdit]:
            return templates.insert(document, _node(document, parent), index, tag, file)

        self.restructure(tr("Insert {tag}", tag=tag), make, lambda: self._select_new(True))

    def rename(self, identity: int, name: str) -> None:
        """Rename an element and change all that refers to it, in every model that is known."""
        document, survey = self.project.document, self.project.survey()
        if document is None:
            return

        def work() -> tuple[list[SetAttribute], list[FileRead]]:
            edits = rename_everywhere(document, _node(document, identity), name, survey)
            return edits, survey.outside(edit.node.source.path for edit in edits)

        def take(found: tuple[list[SetAttribute], list[FileRead]]) -> None:
            if self.project.document is not document:  # the text has changed meanwhile
                self.rename(identity, name)
            else:
                edits, others = found
                self.project.provide(*others)
                self.step(tr("Rename {name}", name=name), lambda _document: list(edits))

        self._questions.ask("rename", work, take, lambda reason: self.refused.emit(_sentence(reason)))

    def duplicate(self, ids: Iterable[int]) -> None:
        ids = list(ids)
        name = tr("Duplicate {words}", words=self._words(ids))
        self.restructure(name, lambda document: copying.duplicate(document, _nodes(document, ids)), self._select_new)

    def copy(self, ids: Iterable[int]) -> bool:
        """Put elements on the clipboard as XML. False if that is refused."""
        document = self.project.document
        if document is None:
            return False
        data = self._copied(document, ids)
        if data is None:
            return False
        QGuiApplication.clipboard().setMimeData(data)
        self.refused.emit("")
        return True

    def _copied(self, document: Document, ids: Iterable[int]) -> QMimeData | None:
        """Elements as XML, and where that was copied. None if that is refused."""
        try:
            nodes = structure.outermost(document, _nodes(document, ids))
            text = copying.copied(document, nodes)
        except CannotEdit as error:
            self.refused.emit(_sentence(str(error)))
            return None
        data, origin = QMimeData(), origin_of(document, nodes)
        data.setText(text)
        if origin is not None:
            data.setData(ORIGIN, origin.json().encode())
        return data

    def cut(self, ids: Iterable[int]) -> None:
        ids = list(ids)
        if self.copy(ids):
            self.remove(ids, cut=True)

    def paste(self, target: int | None) -> None:
        """Paste the clipboard into an element, or near it if it does not take what is pasted."""
        data = QGuiApplication.clipboard().mimeData()
        xml, origin = data.text(), _origin(data)
        tags: list[str] = []

        def make(document: Document, notes: list[str]) -> list[ElementEdit]:
            node = document.root if target is None else _node(document, target)
            tags[:] = [child.tag for child in structure.parsed(document, xml).children]
            parent, index = structure.place_for(document, node, tags)
            return copying.paste(document, parent, index, xml, origin, notes)

        self._rearrange(tr("Paste"), make, lambda: self._select_new(tags=tags))

    def paste_at(self, parent: int, index: int | None, data: QMimeData) -> None:
        """Insert XML at a place."""
        xml, origin = data.text(), _origin(data)
        tags: list[str] = []

        def make(document: Document, notes: list[str]) -> list[ElementEdit]:
            tags[:] = [child.tag for child in structure.parsed(document, xml).children]
            return copying.paste(document, _node(document, parent), index, xml, origin, notes)

        self._rearrange(tr("Paste"), make, lambda: self._select_new(tags=tags))

    def move(self, ids: Sequence[int], parent: int, index: int | None, in_place: bool) -> None:
        """Move elements to a place; in place: without moving them in the world, or in a default class without another
        setting for its elements."""
        are_classes = self.are_classes(ids)

        def edits(document: Document, notes: list[str]) -> list[ElementEdit]:
            nodes, into = _nodes(document, ids), _node(document, parent)
            if in_place and are_classes:
                return class_moves.move(document, nodes, into, index)
            return (move_in_place if in_place else structure.move)(document, nodes, into, index, notes)

        self._rearrange(tr("Move {words}", words=self._words(ids)), edits)

    def are_classes(self, ids: Iterable[int]) -> bool:
        """Whether elements are default classes."""
        document = self.project.document
        nodes = [document.node(each) for each in ids] if document is not None else []
        return bool(nodes) and all(node is not None and node.tag == "default" for node in nodes)

    def merge_classes(self, ids: Sequence[int], into: int) -> None:
        """Let the elements of default classes use another one, with the same settings."""

        def edits(document: Document) -> list[ElementEdit]:
            return class_moves.merge(document, _nodes(document, ids), _node(document, into))

        self.step(tr("Merge default classes"), edits)

    def delete(self, ids: Iterable[int]) -> None:
        """Delete elements, after a question if something refers to them."""
        ids = list(ids)

        def look(document: Document) -> tuple[list[Node], list[Consequence]]:
            nodes = structure.outermost(document, _nodes(document, ids))
            removal.remove(document, nodes)
            return nodes, removal.referring(document, nodes)

        def decide(found: object) -> None:
            assert isinstance(found, tuple)
            nodes, consequences = found
            if consequences:
                self.asks.emit(nodes, consequences)
            else:
                self.remove(ids, True)

        self.run(look, decide)

    def remove(self, ids: Sequence[int], with_referring: bool = False, cut: bool = False) -> None:
        """Remove elements, and what refers to them if that is wanted; select what stands next to them. The user who
        leaves what refers to them, or cuts them, knows that the model may not compile until they are replaced."""
        document = self.project.document
        neighbour = None if document is None else _neighbour(document, ids)

        def make(document: Document) -> list[ElementEdit]:
            return removal.remove(document, _nodes(document, ids), with_referring)

        def select() -> None:
            there = self.project.document
            if neighbour is not None and there is not None and there.node(neighbour) is not None:
                self.selection.select(Selection(element=neighbour))

        words = self._words(ids)
        name = tr("Cut {what}", what=words) if cut else tr("Delete {what}", what=words)
        self.restructure(name, make, select, must_compile=with_referring)

    def _words(self, ids: Sequence[int]) -> str:
        """Label of the elements, for the name of a step: "geom", "3 geoms", "3 elements"."""
        document = self.project.document
        nodes = [] if document is None else [document.node(identity) for identity in ids]
        tags = {node.tag for node in nodes if node is not None}
        if len(ids) == 1:
            return next(iter(tags), "element")
        return counted("{count} element", "{count} elements", len(ids))

    # ---- clipboard and drags -----------------------------------------------------------------------------

    def mime(self, ids: Sequence[int]) -> QMimeData | None:
        """Elements for a drag: as XML for everyone, with their ids for this project."""
        document = self.project.document
        data = self._copied(document, ids) if document is not None and ids else None
        if data is not None:
            data.setData(MIME, json.dumps({"project": id(self.project), "ids": list(ids)}).encode())
        return data

    def own_ids(self, data: QMimeData, action: Qt.DropAction) -> list[int] | None:
        """The elements of this project that a drag moves, or merges with Qt.DropAction.LinkAction, which default
        classes can be; None if it brings copies."""
        if action == Qt.DropAction.CopyAction or not data.hasFormat(MIME):
            return None
        told = json.loads(bytes(data.data(MIME).data()))
        if told["project"] != id(self.project):
            return None
        ids = told["ids"]
        return ids if action == Qt.DropAction.MoveAction or self.are_classes(ids) else None

    def why_not(self, data: QMimeData, action: Qt.DropAction, parent: int) -> str | None:
        """Why something cannot be dropped into an element, None if it can."""
        document = self.project.document
        if document is None:
            return tr("This model has no text that could be edited")
        try:
            target = _node(document, parent)
            ids = self.own_ids(data, action)
            if ids is not None:
                nodes = structure.outermost(document, _nodes(document, ids))
                if action == Qt.DropAction.LinkAction and target.tag != "default":
                    raise CannotEdit(tr("a default class can be merged with another one only"))
                structure.check_move(document, nodes, target)
            else:
                tags = [child.tag for child in structure.parsed(document, data.text()).children]
                structure.check_place(document, structure.holder(document, target), tags)
        except CannotEdit as error:
            return _sentence(str(error))
        return None


def _origin(data: QMimeData) -> ClipboardOrigin | None:
    """Where XML was copied, if it comes from Kinetree."""
    try:
        return ClipboardOrigin.of_json(bytes(data.data(ORIGIN).data())) if data.hasFormat(ORIGIN) else None
    except ValueError:
        return None  # of another version of Kinetree


def _is_small(document: Document) -> bool:
    return sum(len(source.text) for source in document.sources.values()) <= SMALL


def _node(document: Document, identity: int) -> Node:
    node = document.node(identity)
    if node is None:
        raise CannotEdit(tr("the element is not in the text any more"))
    return node


def _nodes(document: Document, ids: Iterable[int]) -> list[Node]:
    return [_node(document, identity) for identity in ids]


def _neighbour(document: Document, ids: Sequence[int]) -> int | None:
    """New selection after these elements are removed: the next sibling of the last one, the one before it, or the
    parent.
    """
    node = document.node(ids[-1]) if ids else None
    if node is None or node.parent is None:
        return None
    siblings = [child.id for child in node.parent.subtree.children]
    at = siblings.index(node.id)
    leaving = set(ids)
    left = [each for each in (*siblings[at + 1 :], *reversed(siblings[:at])) if each not in leaving]
    if left:
        return left[0]
    include = document.include_of(node.source.path) if node.parent.parent is None else None
    return node.parent.id if include is None else include.id


def _sentence(message: str) -> str:
    """A message with a capital letter at its start, unless it starts with an element."""
    return message[:1].upper() + message[1:]
