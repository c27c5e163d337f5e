"""The model panel: a tree of bodies and attached elements, folders of all other elements, and a filter."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.panels.outline import Outline, Rows
from app.panels.outline_view import OutlineView
from app.workspace.selection import NOTHING, Selection
from engine.mjcf.geom_types import GEOM_TYPES
from engine.model.kinds import ON_BODIES, name_of, on_bodies

FOLDERS = (
    ("tendon", "Tendons"),
    ("actuator", "Actuators"),
    ("sensor", "Sensors"),
    ("equality", "Equalities"),
    ("flex", "Flexes"),
    ("skin", "Skins"),
    ("key", "Keyframes"),
)
JOINTS = {0: "free", 1: "ball", 2: "slide", 3: "hinge"}
GEOMS = {number: name for name, number in GEOM_TYPES.items()}

MANY_BODIES = 60  # a model with more opens with only the world's children shown
FIRST_DEPTH = 2  # rows of smaller models are expanded down to this depth


def rows_of(model) -> Rows:
    """The rows of a compiled model: the bodies as they are nested, then one folder for each other kind."""
    rows = Rows()
    seen: dict[str, int] = {}

    def add(depth: int, kind: str, index: int, text: str, detail: str, name: str) -> None:
        if not name:
            seen[kind] = seen.get(kind, -1) + 1
        rows.add(depth, kind, text, detail, (kind, name or seen[kind]), Selection(kind, index))

    attached: dict[int, list[tuple[str, int]]] = {}
    for kind in ON_BODIES:
        for body, indices in on_bodies(model, kind).items() if kind != "body" else ():
            attached.setdefault(body, []).extend((kind, index) for index in indices)
    children = on_bodies(model, "body")
    types = {"joint": (JOINTS, model.jnt_type.tolist()), "geom": (GEOMS, model.geom_type.tolist())}
    todo = [(0, 0)]
    while todo:
        body, depth = todo.pop()
        add(depth, "body", body, name_of(model, "body", body), "", model.names["body"][body])
        for kind, index in attached.get(body, ()):
            name, detail = model.names[kind][index], ""
            if kind in types:
                words, numbers = types[kind]
                detail = words.get(numbers[index], "")
            add(
                depth + 1,
                kind,
                index,
                name or f"{detail or kind} {index}",
                detail if name else "",
                name,
            )
        todo += [(child, depth + 1) for child in reversed(children.get(body, ()))]
    for kind, title in FOLDERS:
        names = model.names.get(kind, [])
        if names:
            rows.add(0, "folder", title, "", ("folder", title), None)
            for index, name in enumerate(names):
                add(1, kind, index, name_of(model, kind, index), "", name)
    return rows


def expanded_at_first(rows: Rows, nbody: int) -> np.ndarray:
    """Which rows are expanded when a model is opened (bool, one for each row): bodies, down to some depth."""
    depth = 0 if nbody > MANY_BODIES else FIRST_DEPTH
    return np.array([kind == "body" for kind in rows.kinds], bool) & (np.array(rows.depths, int) <= depth)


class FilterEdit(QLineEdit):
    """A line to type a filter in. Esc clears it; Down and Enter go on to the list (`entered()`)."""

    entered = Signal()

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setPlaceholderText("Filter")
        self.setAccessibleName("Filter of the model's elements")
        self.setToolTip("Shows the elements whose name or type holds every word that you type, or whose kind it is")
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event) -> None:
        keys = Qt.Key
        if event.key() == keys.Key_Escape and self.text():
            self.clear()
        elif event.key() in (keys.Key_Down, keys.Key_Return, keys.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class TreePanel(QWidget):
    """`selected(Selection)` when the user picks a row; `set_selection` shows what was selected elsewhere."""

    selected = Signal(object)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.outline = Outline()
        self._unfiltered_scroll = 0
        self.filter = FilterEdit(self)
        self.filter.textChanged.connect(self._filter)
        self.filter.entered.connect(self._enter)
        self.view = OutlineView(self.outline, self)
        self.view.picked.connect(self._picked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        top = QWidget(self)
        inner = QVBoxLayout(top)
        inner.setContentsMargins(6, 6, 6, 6)
        inner.addWidget(self.filter)
        layout.addWidget(top)
        layout.addWidget(self.view, 1)

    def set_model(self, model, keep: bool = False) -> None:
        """Show a model, or None. With `keep` it is the next version of the one that is shown: rows stay
        expanded, and the list stays scrolled, as they were.
        """
        rows = rows_of(model) if model is not None else Rows()
        top = self.view.top_row()
        anchor = self.outline.rows.keys[top] if keep and top >= 0 else None
        expanded = expanded_at_first(rows, model.nbody) if model is not None else np.zeros(0, bool)
        self.view.change(lambda: self.outline.set_rows(rows, expanded, keep=keep))
        if not keep:
            self.view.scrollToTop()
        elif anchor in rows.keys:
            self.view.scroll_to_top(rows.keys.index(anchor))
        self._say_empty()

    def set_selection(self, selection: Selection) -> None:
        """Make the row of what is selected the current one."""
        self.view.show_row(self.outline.row_of(selection))

    def _picked(self, row: int) -> None:
        value = self.outline.rows.values[row] if row >= 0 else None
        self.selected.emit(NOTHING if value is None else value)

    def _filter(self, text: str) -> None:
        row, bar = self.view.current_row(), self.view.verticalScrollBar()
        if not self.outline.filter:
            self._unfiltered_scroll = bar.value()
        self.view.change(lambda: self.outline.set_filter(text))
        bar.setValue(0 if text else self._unfiltered_scroll)
        if row >= 0 and not text:
            self.view.show_row(row)
        self._say_empty()

    def _enter(self) -> None:
        """Go to the first match."""
        outline = self.outline
        words = outline.filter.split()
        matches = np.flatnonzero(outline.matching) if words else outline.shown[:1]
        shown = [row for row in matches[:1].tolist() if outline.position(row) >= 0]
        if shown:
            self.view.setFocus()
            self.view.setCurrentIndex(self.view.outline_model.index_of(shown[0]))

    def _say_empty(self) -> None:
        text = self.filter.text().strip()
        self.view.empty = f"No element matches “{text}”.\nEsc shows all." if text and len(self.outline.rows) else ""
        self.view.viewport().update()
