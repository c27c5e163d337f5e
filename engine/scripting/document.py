"""Read first: edits of a model's text by scripts, byte for byte.

    text = kinetree.Document("robot.xml")
    text.body("arm").set(pos=(0, 0, 1))
    for geom in text.find("//geom[@class='visual']"):
        geom.set(rgba="1 0 0 1")
    model = text.compile()
    text.save()

It is the project of the window (`engine/document/project.py`) with one document and without a window: the same edits,
the same undo history, the same rules about what may stand where. Comments, order, indentation and all other
characters stay as they are.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kinetree.engine.assist.index import index_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.check.run import examine
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import Diagnostic, ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit, difference
from kinetree.engine.document.element_edit import ElementEdit
from kinetree.engine.document.files import read_file
from kinetree.engine.document.project import Project
from kinetree.engine.document.tree import Node
from kinetree.engine.document.write import write_file
from kinetree.engine.document.xpath import select
from kinetree.engine.mjcf.schema import nearest
from kinetree.engine.model.arguments import kind_of
from kinetree.engine.model.model import Model
from kinetree.engine.scripting.element import DocumentElement


class EditableDocument:
    """The text of a model and of the files that it includes: read, edited by elements, undone, compiled, saved.

    path   the main file; a Path or a text
    text   a text for the main file, in place of that on the disk or of a file that is not there; None: read the file

    Elements are found by their kind and name (`text.body("arm")`, `text.element("mesh", "hull")`), by XPath
    (`text.find`), or from `text.root`. They stay valid over edits, undo and redo, until they are removed.

    Each edit is one step of the undo history; `with text.step("Longer legs"):` makes one step of several, and takes
    them all back if an exception leaves the block. `undo`, `redo` and `undo_names` are the history. `compile` gives the
    model of the present texts, `check` what is wrong with them. Nothing is written before `save` or `save_copy`.

    Raises ModelError for a file that cannot be read, TypeError for a text that is no str.

    Source: docs/editing.md.

    Example:
        text = kinetree.Document("arm.xml")
        with text.step("Softer joints"):
            for joint in text.find("//worldbody//joint"):
                joint.set(damping=2.5)
        assert text.compile().dof_damping[0] == 2.5
        text.undo()
        assert not text.modified
    """

    def __init__(self, path: str | os.PathLike[str], text: str | None = None):
        if text is not None and not isinstance(text, str):
            raise TypeError(f"the text of a model is a str, not {kind_of(text)}")
        self._project = Project()
        self._step: str | None = None
        shown = os.fspath(path)
        if text is None:
            self._main = self._project.open(read_file(shown))
        elif Path(shown).exists():
            self._main = self._project.open(read_file(shown))
            self._read_includes()
            self.set_text(text)
        else:
            self._main = self._project.create(shown, text)
        self._read_includes()

    def _read_includes(self) -> None:
        while wanted := self._project.wanted:
            self._project.provide(*map(read_file, wanted))

    # ---- texts -----------------------------------------------------------------------------------------

    @property
    def path(self) -> str:
        """The absolute path of the main file."""
        return self._main

    @property
    def text(self) -> str:
        """The present text of the main file."""
        return self._project.text(self._main)

    @property
    def texts(self) -> dict[str, str]:
        """The present texts of the main file and of those that it includes, by absolute path."""
        return {path: self._project.text(path) for path in self.document.files}

    @property
    def modified(self) -> list[str]:
        """The files whose texts differ from those on the disk."""
        return self._project.modified

    def set_text(self, text: str, path: str | os.PathLike[str] | None = None, name: str = "Set Text") -> None:
        """Replace the text of the main file or of another one, as one step. Elements that are in both stay the same."""
        key = self._main if path is None else self._project.key(os.fspath(path))
        source = self._project.source(key)
        self._apply(name, {key: difference(source.text, text)})

    # ---- elements --------------------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        """The present texts and trees, for functions of the engine; they never change."""
        return self._project.snapshot(self._main).document

    @property
    def root(self) -> DocumentElement:
        """The root element, with included elements in place of each <include>."""
        return DocumentElement(self, self.document.merged.id)

    def find(self, expression: str) -> list[DocumentElement]:
        """The elements that an XPath 1.0 expression selects, in the order of the text. Raises ValueError for one that
        is wrong or selects attributes."""
        found = select(self.document.merged, expression)
        if any(not isinstance(each, Node) for each in found):
            raise ValueError("the expression selects attributes; select the elements that have them")
        return [DocumentElement(self, each.id) for each in found if isinstance(each, Node)]

    def element(self, kind: str, name: str) -> DocumentElement:
        """The element that declares a name. `kind`: "body", "geom", "class" ... as in references of MJCF; "link" and
        "joint" in URDF. Raises KeyError for a name that is not declared, also by the default of an unnamed element."""
        for word in (kind, name):
            if not isinstance(word, str):
                raise TypeError(f"the kind and the name of an element are texts, not {kind_of(word)}")
        declared = index_of(self.document).names(kind)
        if name not in declared:
            close = nearest(name, declared)
            raise KeyError(f"no {kind} is named {name!r}" + (f"; did you mean {close!r}?" if close else ""))
        for each in names_of(self.document).meant(kind, name):
            return DocumentElement(self, each.node.id)
        raise KeyError(f"no {kind} is named {name!r}")

    def body(self, name: str) -> DocumentElement:
        return self.element("body", name)

    def joint(self, name: str) -> DocumentElement:
        return self.element("joint", name)

    def geom(self, name: str) -> DocumentElement:
        return self.element("geom", name)

    def site(self, name: str) -> DocumentElement:
        return self.element("site", name)

    def camera(self, name: str) -> DocumentElement:
        return self.element("camera", name)

    def light(self, name: str) -> DocumentElement:
        return self.element("light", name)

    def mesh(self, name: str) -> DocumentElement:
        return self.element("mesh", name)

    def material(self, name: str) -> DocumentElement:
        return self.element("material", name)

    def texture(self, name: str) -> DocumentElement:
        return self.element("texture", name)

    def tendon(self, name: str) -> DocumentElement:
        return self.element("tendon", name)

    def actuator(self, name: str) -> DocumentElement:
        return self.element("actuator", name)

    def sensor(self, name: str) -> DocumentElement:
        return self.element("sensor", name)

    def key(self, name: str) -> DocumentElement:
        return self.element("key", name)

    # ---- steps -----------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Make one step of the undo history of all edits in the block. If an exception leaves it, the texts are as they
        were before."""
        if self._step is not None:
            raise RuntimeError(f"the step {self._step!r} has not ended")
        self._project.seal()
        before, self._step = self.undo_names, name
        try:
            yield
        except BaseException:
            if len(self.undo_names) > len(before):
                self._project.undo()
            raise
        finally:
            self._step = None
            self._project.seal()

    def _apply(self, name: str, changes: Iterable[ElementEdit] | Mapping[str, Iterable[Edit]]) -> None:
        """One step, or part of one that is open."""
        merge = None if self._step is None else ("script", self._step)
        self._project.apply(self._step or name, changes, merge)
        self._read_includes()

    @property
    def undo_names(self) -> list[str]:
        """The names of the steps that can be undone, the newest first."""
        return self._project.undo_names

    @property
    def redo_names(self) -> list[str]:
        """The names of the steps that can be done again, the next one first."""
        return self._project.redo_names

    def undo(self) -> str | None:
        """Undo the newest step; its name, None if there is none."""
        step = self._project.undo()
        return None if step is None else step.name

    def redo(self) -> str | None:
        """Do the step again that was undone last; its name, None if there is none."""
        step = self._project.redo()
        return None if step is None else step.name

    # ---- models and files ------------------------------------------------------------------------------

    def compile(self) -> Model:
        """The model of the present texts, saved or not. Raises ModelError."""
        return compile_document(self.document).model

    def check(self) -> list[Diagnostic]:
        """All that is known to be wrong or unusual, as `kinetree check` tells it: errors, or else warnings."""
        try:
            compiled = compile_document(self.document)
        except ModelError as error:
            return list(error.diagnostics)
        return [*compiled.diagnostics.items, *examine(compiled, self.document)]

    def save(self) -> list[str]:
        """Write the files that were edited; their paths. Raises OSError, also where another program has written one of
        them since it was read; files that were written before that stay written."""
        written = []
        for path in self.modified:
            save = self._project.prepare_save(path)
            write_file(save)
            self._project.finish_save(save)
            written.append(path)
        return written

    def save_copy(self, path: str | os.PathLike[str]) -> None:
        """Write the text of the main file to another path. Raises OSError."""
        write_file(self._project.prepare_save(self._main, os.fspath(path)))

    def __repr__(self) -> str:
        return f"<Document {self._main!r}>"
