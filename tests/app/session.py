"""A scripted session of edits: one window, edited at random through every surface, and checked after each step.

Surfaces: keys and commands of the source panel, fields of the inspector, keys, drops and names in the model tree, the
gizmo's handles, tools of the menu, the undo history, other programs that write the file, and saves. After every step

- the source panel shows the project's text, character for character;
- the step undone gives the bytes of before, done again those of after, and the elements that stay keep their identities;
- nothing outside the edits of the step is different.

`settle` waits for the model and its picture, and compares the model with one compiled again from the texts, and the
tree's rows with the elements of the document. `check_picture` compares the picture with that of a new window.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable
from copy import deepcopy as copy_of
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from kinetree.app.panels.writing.inspector.editors import NumbersEditor
from kinetree.app.panels.writing.source.positions import shown
from kinetree.app.settings.settings import Settings
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection, select_element
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import apply
from kinetree.engine.model.fields import TABLES
from tests.patience import wait_for

NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
TYPED = ('<geom size=".1"/>', "<!-- é 😀 -->", ' name="x1"', "\n    ", "0", ".5", "<", '"', "</body>", " ")
TOOLS = (
    *("tools.degrees", "tools.radians", "tools.quat", "tools.euler", "tools.axisangle", "tools.xyaxes", "tools.zaxis"),
    *("tools.with_fromto", "tools.without_fromto", "tools.write_inertia", "tools.from_geoms", "tools.inline"),
    *("tools.merge", "tools.extract", "tools.mirror_x", "tools.mirror_y"),
)
LINES = (
    *("source.comment", "source.duplicate", "source.delete_lines", "source.move_up", "source.move_down"),
    *("source.indent", "source.outdent", "source.format"),
)


class Session:
    """Edits a window. `counts` tells how often each surface changed something."""

    def __init__(self, window, seed: int):
        self.window, self.random = window, random.Random(seed)
        self.project, self.workspace = window.project, window.workspace
        self.counts: dict[str, int] = {}
        self.project.edited.connect(self._follow)
        self._texts = self._present()
        window.actions_["source.show"].trigger()
        self._wait(lambda: window.source.editor is not None)

    # ---- what is checked -----------------------------------------------------------------------------

    def _present(self) -> dict[str, str]:
        return {path: self.project.texts.text(path) for path in self.project.texts.files}

    def _follow(self, transaction, backward: bool) -> None:
        """Nothing outside of the edits is different."""
        for path, change in transaction.changes.items():
            edits = change.backward if backward else change.forward
            self._texts[path] = apply(self._texts[path], edits)
            assert self._texts[path] == self.project.texts.text(path), "the edits are not what changed"

    def check(self) -> None:
        """All views have the text."""
        assert self._texts == self._present()
        for path in self.window.source.paths:
            editor = self.window.source.editors.get(path)
            if editor is not None:
                text = self.project.texts.text(path)
                assert editor.text == text
                assert editor.shown.plain == shown(text).replace("\r\n", "\n").replace("\r", "\n")

    def check_undo(self) -> None:
        """The newest step undone gives what was before; done again, what is now."""
        if self.project.texts.undo_name is None:
            return
        after, ids = self._present(), self._identities()
        self.project.undo()
        before, kept = self._present(), self._identities()
        self.check()
        self.project.redo()
        assert self._present() == after and self._identities() == ids
        self.project.undo()
        assert self._present() == before and self._identities() == kept
        self.project.redo()
        self.check()

    def _identities(self) -> list[tuple[int, str]]:
        document = self.project.document
        return [] if document is None else [(node.id, node.tag) for node in document.root.iter()]

    def settle(self) -> None:
        """Text, tree, model and picture agree."""
        window = self.window
        self._wait(lambda: window.compiler.compiling_since is None and not window.workspace.merging.conflicts)
        document = self.project.document
        assert document is not None
        fresh = Document.load(document.main_file, overlay=self._present())
        try:
            model = compile_document(fresh).model
        except ModelError:
            model = None
        assert (model is None) == window.compiler.failed
        if model is not None:
            self._wait(lambda: window.simulation.snapshot.model is window.simulation.model)
            for field in TABLES["Model"]:
                ours, theirs = (np.asarray(getattr(each, field.name)) for each in (window.simulation.model, model))
                np.testing.assert_array_equal(ours, theirs, err_msg=field.name)
            window.viewport.update()
            self._wait(
                lambda: window.viewport._loaded is window.simulation.model, told="the picture is of another model"
            )
        rows = {item.id for item in window.tree.outline.items if getattr(item, "id", None) is not None}
        ids = {node.id for node in document.root.iter()}
        assert ids <= rows | {document.root.id}, "elements that the tree does not show"

    def check_picture(self) -> None:
        """The picture of the initial state equals that of a new window with the same texts. Nothing is compared while
        the text does not compile."""
        window = self.window
        if window.compiler.failed or window.workspace.merging.conflicts:
            return
        texts, main = self._present(), Path(self.project.path)
        was_running = window.simulation.running
        window.selection.select(Selection())
        with tempfile.TemporaryDirectory() as folder:
            for path, text in texts.items():
                copy = Path(folder, os.path.relpath(path, main.parent))
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(text.encode("utf-8", "surrogateescape"))
            fresh = type(window)(Settings(os.path.join(folder, "settings")))
            fresh.resize(window.size())
            fresh.restoreState(window.saveState())
            fresh.open(os.path.join(folder, main.name))
            fresh.show()
            self._wait(lambda: fresh.simulation.snapshot is not None and fresh.simulation.snapshot.ready)
            fresh.viewport.setFixedSize(window.viewport.size())
            camera = copy_of(window.view.camera)
            pictures = []
            for each in (window, fresh):
                each.simulation.post(requests.Pause())
                each.simulation.post(requests.Reset())
                each.simulation.post(requests.Publish())
                answered: list[bool] = []
                each.simulation.post(requests.Ask(lambda model, data, answered=answered: answered.append(True)))
                self._wait(lambda answered=answered: answered)
                serial = each.simulation.snapshot.serial
                each.simulation.post(requests.Publish())
                self._wait(lambda each=each, serial=serial: each.simulation.snapshot.serial > serial)
                assert each.simulation.snapshot.time == 0
                each.view.camera = copy_of(camera)
                pictures.append(pixels(each.viewport.picture()))
            fresh.close_anyway()
            fresh.deleteLater()
        assert pictures[0].shape == pictures[1].shape
        np.testing.assert_array_equal(*pictures, err_msg="the picture is not that of a new window")
        assert pictures[0].std() > 1, "the picture is empty"
        window.simulation.post(requests.Play() if was_running else requests.Pause())

    # ---- steps ---------------------------------------------------------------------------------------

    def step(self) -> str:
        """Do something; what it was."""
        name, act = self.random.choice(self.surfaces())
        before = self._present()
        act()
        self._dismiss()
        self.check()
        if self._present() != before:
            self.counts[name] = self.counts.get(name, 0) + 1
            if name not in ("undo", "redo", "outside"):
                self.check_undo()
        if self.window.compiler.failed and self.random.random() < 0.7:
            self.project.undo()  # mostly on a text that compiles
            self.check()
        return name

    def surfaces(self) -> list[tuple[str, Callable[[], None]]]:
        """The surfaces, each as often as it is to be used."""
        often = (("source", self.type), ("inspector", self.inspect), ("tree", self.edit_tree), ("gizmo", self.drag))
        seldom = (
            ("undo", self.undo), ("redo", self.redo), ("outside", self.write_outside), ("save", self.save),
            ("rename", self.rename), ("move", self.move), ("tool", self.use_tool), ("lines", self.edit_lines),
        )  # fmt: skip
        return [*often, *often, *seldom]

    def _node(self, *tags: str):
        nodes = [node for node in self.project.document.root.iter() if not tags or node.tag in tags]
        return self.random.choice(nodes) if nodes else None

    def _select(self, node) -> None:
        model = self.window.simulation.model
        known = None if model is None or model.provenance is None else model.provenance.node(node.id)
        self.window.selection.select(Selection(element=node.id) if known is None else select_element(model, known))

    def type(self) -> None:
        """Keys in the source panel."""
        editor = self.window.source.editor
        if editor is None or editor.isReadOnly():
            return
        self.project.texts.seal()
        place = self.random.randint(0, len(editor.text))
        editor.select(place, place)
        kind = self.random.random()
        if kind < 0.6:
            text = self.random.choice(TYPED)
            if text.isascii() and "\n" not in text:
                QTest.keyClicks(editor, text)
            else:  # QTest has keys for ASCII only
                QApplication.clipboard().setText(text)
                QTest.keyClick(editor, Qt.Key.Key_V, CTRL)
        elif kind < 0.8:
            QTest.keyClick(editor, Qt.Key.Key_Backspace)
        else:
            QTest.keyClick(editor, Qt.Key.Key_Return)
        QTest.keyClick(editor, Qt.Key.Key_Escape)
        self.project.texts.seal()

    def inspect(self) -> None:
        """A number typed into the inspector."""
        node = self._node("geom", "body", "joint", "site", "light", "option")
        if node is None:
            return
        self._select(node)
        panel = self.window.inspector
        panel.refresh()
        if panel.form is None:
            return
        known = panel.form.found.items
        names = [each for each in ("pos", "size", "rgba", "damping", "mass", "timestep", "axis") if each in known]
        if not names:
            return
        name = self.random.choice(names)
        editor = panel.form.row(name).editor
        if isinstance(editor, NumbersEditor):
            editor.numbers.typed.emit(0, f"{self.random.uniform(0.01, 1):.3g}")
            panel.refresh()

    def edit_tree(self) -> None:
        """A key in the model tree."""
        node = self._node("geom", "body", "site", "camera", "light", "joint")
        if node is None:
            return
        view = self.window.tree.view
        view.select_ids([node.id])
        self._select(node)
        view.setFocus()
        kind = self.random.random()
        if kind < 0.5:
            QTest.keyClick(view, Qt.Key.Key_D, CTRL)
        elif kind < 0.6:
            QTest.keyClick(view, Qt.Key.Key_Delete)
        else:
            QTest.keyClick(view, Qt.Key.Key_C, CTRL)
            QTest.keyClick(view, Qt.Key.Key_V, CTRL)
        self._wait(lambda: not self.window.tree.commands._tasks.is_busy)  # it is compiled before it is made

    def drag(self) -> None:
        """A handle of the gizmo."""
        gizmo, viewport = self.window.frame.gizmo, self.window.viewport
        self._wait(lambda: self.window.compiler.compiling_since is None)
        figures = []
        for _ in range(5):
            node = self._node("body", "geom", "site")
            if node is None or self.window.compiler.failed:
                return
            self._select(node)
            QApplication.processEvents()
            figures = gizmo.figures() if gizmo.targets else []
            if figures:
                break
        if not figures:
            return
        points = np.concatenate([np.asarray(figure.points).reshape(-1, 2) for figure in figures])
        for x, y in self.random.sample(points.round().astype(int).tolist(), min(20, len(points))):
            at = QPoint(x, y)
            if viewport.rect().contains(at):
                gizmo.hover_at(x, y)
                if gizmo.hover is not None:
                    break
        else:
            return
        QTest.mousePress(viewport, LEFT, NONE, at)
        for way in (5, 15, 30):
            place = QPointF(at + QPoint(way, -way))
            glob = QPointF(viewport.mapToGlobal(place.toPoint()))
            QApplication.sendEvent(viewport, QMouseEvent(QEvent.Type.MouseMove, place, glob, LEFT, LEFT, NONE))
        QTest.mouseRelease(viewport, LEFT, NONE, at + QPoint(30, -30))
        self._wait(lambda: gizmo.drag is None)
        self._wait(lambda: self.window.compiler.compiling_since is None)
        for _ in range(3):
            QApplication.processEvents()

    def rename(self) -> None:
        """Another name for an element and all that refers to it, or one that is taken."""
        node = self._node("geom", "body", "site", "camera", "joint", "material", "motor")
        if node is not None:
            name = self.random.choice(("arm", "a/b", "x < y", f"name{self.random.randrange(100)}"))
            self._later(lambda: self.window.tree.commands.rename(node.id, name))

    def move(self) -> None:
        """An element dropped into another one, at its place or keeping its pose in the world."""
        node, target = self._node("geom", "body", "site", "camera", "light", "joint"), self._node("body", "worldbody")
        if node is not None and target is not None:
            index = self.random.choice((None, 0, 1))
            in_place = self.random.random() < 0.5
            self._later(lambda: self.window.tree.commands.move([node.id], target.id, index, in_place))

    def use_tool(self) -> None:
        """A tool of the menu Tools, or one of the menu Edit."""
        node = self._node("geom", "body", "site", "camera", "light", "joint")
        if node is not None:
            self._select(node)
            self._later(self.window.actions_[self.random.choice(TOOLS)].trigger)

    def edit_lines(self) -> None:
        """A command of the source panel at a random line."""
        editor = self.window.source.editor
        if editor is not None and not editor.isReadOnly():
            place = self.random.randint(0, len(editor.text))
            editor.select(place, min(len(editor.text), place + self.random.choice((0, 0, 30))))
            self._later(self.window.actions_[self.random.choice(LINES)].trigger)

    def _later(self, act: Callable[[], object]) -> None:
        """Do something that a worker works out, and wait a moment for it."""
        before = self.project.texts.version
        act()
        end = time.monotonic() + 0.5
        self._wait(lambda: self.project.texts.version != before or time.monotonic() > end)

    def undo(self) -> None:
        self.project.undo()

    def redo(self) -> None:
        self.project.redo()

    def write_outside(self) -> None:
        """Another program changes a line of the file."""
        path = Path(self.project.path)
        mark = f"<!-- outside {self.random.getrandbits(40):x} -->"  # one that no earlier session has left in the text
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        lines.insert(self.random.randrange(1, len(lines)), f"{mark}\n")
        new = path.with_suffix(".new")
        new.write_text("".join(lines), encoding="utf-8")
        new.replace(path)
        # An included place, such as one inside of a tag, may break the text: the user takes it back.
        self._wait(lambda: mark in self.project.texts.text(str(path)) or bool(self.workspace.merging.conflicts))
        self._wait(lambda: not self.workspace.merging.is_comparing)
        if self.workspace.merging.conflicts:
            self.workspace.disk.keep() if self.random.random() < 0.5 else self.workspace.disk.take_theirs()

    def save(self) -> None:
        wanted = {path: self.project.texts.source(path).data for path in self.project.modified}
        self.workspace.saving.save_all()
        self._wait(lambda: not self.workspace.saving.is_saving)
        for path, data in wanted.items():  # what was typed meanwhile is still unsaved
            assert Path(path).read_bytes() == data

    # ---- Qt ------------------------------------------------------------------------------------------

    def _dismiss(self) -> None:
        """Answer a question with its default."""
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QDialog) and widget.isVisible():
                widget.reject()
        for dialog in self.window.findChildren(QDialog):
            if dialog.isVisible():
                dialog.reject()

    def _wait(self, condition: Callable[[], object], told: str = "") -> None:
        wait_for(condition, QApplication.processEvents, told)


def pixels(picture: QImage) -> np.ndarray:
    """(height, width, 3) of a picture."""
    picture = picture.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.bytesPerLine() // 4, 4)
    return rows[:, : picture.width(), :3].copy()
