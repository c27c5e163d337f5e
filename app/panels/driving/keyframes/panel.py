"""The keyframes panel: states that are saved into the model as keyframes, remembered beside it, and loaded.

Save to Model writes the present state into the text as one step of the history, as do Update, Rename, Delete and the
arrows with keyframes of the model. Remember keeps the present state until the window closes, and leaves the text as it
is. Load changes the running state only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import NAME, LiveColumn, LiveRow, sort_key, value_text
from kinetree.app.widgets.button_row import ButtonRow
from kinetree.app.widgets.readouts import time_text
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.document.element_edit import ElementEdit, Remove, SetAttribute
from kinetree.engine.editing.key_states import add_key, free_name, move_key, next_name, state_of, write_state
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

MINE, KEPT = marked("In the model"), marked("Remembered, not saved")
TIME = LiveColumn(
    marked("Time, s"),
    lambda _row, value, _units: value_text(value),
    lambda _row, value: sort_key(value),
    is_live=True,
    is_number=True,
)


@dataclass(eq=False)
class RememberedState:
    """A state that is not in the text."""

    name: str
    state: dict[str, Any]
    number: int = field(default_factory=count().__next__)


class KeyframesPanel(LivePanel):
    what = "keyframe"
    columns = (NAME, TIME)

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        self.remembered: list[RememberedState] = []
        super().__init__(workspace, settings, parent)
        self.project = workspace.project
        self.model.icon_of = lambda _row: "key"
        new = (
            ("save", tr("Save to Model"), tr("Save the present state into the model as a new keyframe"), self.save),
            (
                "remember",
                tr("Remember"),
                tr("Remember the present state until the window closes; the model stays as it is"),
                self.remember,
            ),
        )
        selected = (
            ("load", tr("Load"), tr("Go on from the selected state (double-click)"), self.load),
            (
                "save_selected",
                tr("Save Selected"),
                tr("Save the remembered state that is selected into the model as a new keyframe"),
                self.save_selected,
            ),
            ("up", "▲", tr("Move the keyframe up in the model"), lambda: self.move(-1)),
            ("down", "▼", tr("Move the keyframe down in the model"), lambda: self.move(1)),
        )
        lines = ButtonRow(self, new, right=2), ButtonRow(self, selected, right=2)
        lines[0].setContentsMargins(6, 4, 6, 0)
        self.buttons = lines[0].buttons | lines[1].buttons
        for line in lines:
            self.column.addLayout(line)
        self.view.add_to_menu = self._add_to_menu
        self.view.doubleClicked.connect(lambda _index: self.load())
        self.view.activated.connect(lambda _index: self.load())
        self.view.chosen.connect(self._show_buttons)
        self._show_buttons()

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        for key in range(model.nkey):
            time = float(model.key_time[key])
            yield LiveRow(
                name_of(model, "key", key), lambda _s, time=time: time, selection=Selection("key", key), group=tr(MINE)
            )
        for each in self.remembered:
            time = each.state["time"]
            yield LiveRow(
                each.name,
                lambda _s, time=time: time,
                group=tr(KEPT),
                help=tr("Remembered until the window closes. Save Selected puts it into the model"),
                key=("remembered", each.number),
            )

    def empty_text(self, model: Any) -> str:
        return tr("This model has no keyframes. Save to Model makes one of the present state.")

    def refresh(self) -> None:
        super().refresh()
        self._show_buttons()

    # ---- what is selected --------------------------------------------------------------------------------

    def chosen(self) -> int | RememberedState | None:
        """The selected keyframe: its number in the model, or what was remembered."""
        rows = self.view.rows_selected()
        if len(rows) != 1:
            return None
        if rows[0].selection:
            return rows[0].selection.id
        return next((each for each in self.remembered if ("remembered", each.number) == rows[0].key), None)

    def _node(self) -> Node | None:
        """The element of the selected keyframe of the model; None where it is none, or has no text."""
        chosen, model = self.chosen(), self.simulation.model
        if not isinstance(chosen, int) or model is None or model.provenance is None or self.project.document is None:
            return None
        origin = model.provenance.origin("key", chosen)
        return None if origin is None else self.project.document.node(origin.node.id)

    def _show_buttons(self) -> None:
        chosen, snapshot = self.chosen(), self.simulation.snapshot
        has_text = self._document is not None
        self.buttons["save"].setEnabled(snapshot is not None and has_text)
        self.buttons["remember"].setEnabled(snapshot is not None)
        self.buttons["load"].setEnabled(chosen is not None)
        self.buttons["save_selected"].setVisible(isinstance(chosen, RememberedState) and has_text)
        for name in ("up", "down"):
            self.buttons[name].setEnabled(isinstance(chosen, int) and has_text)

    @property
    def _document(self) -> Document | None:
        """The text that keyframes are saved to, None where its format has none."""
        document = self.project.document
        return document if document is not None and document.root.tag == "mujoco" else None

    def _add_to_menu(self, menu: QMenu, rows: list[LiveRow]) -> None:
        chosen, node = self.chosen(), self._node()
        is_remembered = isinstance(chosen, RememberedState)
        menu.addAction(tr("Load"), self.load).setEnabled(chosen is not None)
        if is_remembered:
            menu.addAction(tr("Save Selected to Model"), self.save_selected).setEnabled(self._document is not None)
        else:
            menu.addAction(tr("Update to Present State, in the Model"), self.update_key).setEnabled(node is not None)
        menu.addAction(tr("Rename…"), self.ask_name).setEnabled(node is not None or is_remembered)
        where = tr("Forget") if is_remembered else tr("Delete from the Model")
        menu.addAction(where, self.delete).setEnabled(node is not None or is_remembered)
        menu.addSeparator()
        menu.addAction(tr("Save Present State to Model"), self.save).setEnabled(self.buttons["save"].isEnabled())
        menu.addAction(tr("Remember Present State"), self.remember).setEnabled(self.buttons["remember"].isEnabled())

    # ---- remembered states ---------------------------------------------------------------------------------

    def remember(self) -> None:
        """Remember the present state."""
        snapshot = self.simulation.snapshot
        if snapshot is None:
            return
        number = 1 + max((each.number for each in self.remembered), default=-1)
        kept = RememberedState(tr("remembered {number}", number=number + 1), state_of(snapshot), number)
        self.remembered.append(kept)
        self._show_again(kept)
        self.said.emit(
            tr(
                "Remembered the state at {time} until the window closes: Save Selected puts it into the model",
                time=time_text(snapshot.time, snapshot.opt.timestep),
            )
        )

    def load(self) -> None:
        """Continue from the selected state."""
        chosen, model = self.chosen(), self.simulation.model
        if isinstance(chosen, int):
            self.simulation.post(requests.LoadKeyframe(chosen))
        elif isinstance(chosen, RememberedState) and model is not None:
            sizes = {
                "qpos": model.nq,
                "qvel": model.nv,
                "act": model.na,
                "ctrl": model.nu,
                "mocap_pos": 3 * model.nmocap,
            }
            if all(np.size(chosen.state[name]) == size for name, size in sizes.items()):
                self.simulation.post(requests.SetState(chosen.state, chosen.name))
            else:
                self.said.emit(
                    tr("{name} cannot be loaded: the model has other joints or actuators now", name=chosen.name)
                )

    def _show_again(self, kept: RememberedState | None = None) -> None:
        self._is_stale = True
        self.refresh()
        if kept is not None:
            self.view.show_selected(lambda row: row.key == ("remembered", kept.number))
        self._show_buttons()

    # ---- the text ----------------------------------------------------------------------------------------

    def _apply(self, step: str, edits: list[ElementEdit]) -> bool:
        if not edits:
            return False
        try:
            self.project.apply(step, edits)
        except ValueError as error:
            self.said.emit(str(error))
            return False
        return True

    def save(self) -> None:
        """Save the present state into the model as a keyframe."""
        snapshot, document = self.simulation.snapshot, self._document
        if snapshot is not None and document is not None:
            self._add(document, next_name(document), state_of(snapshot))

    def save_selected(self) -> None:
        """Save the remembered state that is selected into the model as a keyframe."""
        chosen, document = self.chosen(), self._document
        if isinstance(chosen, RememberedState) and document is not None:
            name = free_name(document, chosen.name.replace(" ", "_"))
            if self._add(document, name, chosen.state):
                self.remembered.remove(chosen)
                self._show_again()

    def _add(self, document: Document, name: str, state: dict[str, Any]) -> bool:
        if not self._apply(tr("Keyframe {name}", name=name), add_key(document, name, state)):
            return False
        self.said.emit(tr("Saved the keyframe {name} into the model", name=name))
        return True

    def update_key(self) -> None:
        """Write the present state into the selected keyframe of the model."""
        node, snapshot = self._node(), self.simulation.snapshot
        if node is not None and snapshot is not None:
            self._apply(
                tr("Update keyframe {name}", name=node.get("name") or "").rstrip(),
                write_state(node, state_of(snapshot)),
            )

    def rename(self, name: str) -> None:
        """Give the selected keyframe another name."""
        chosen, node = self.chosen(), self._node()
        if isinstance(chosen, RememberedState):
            chosen.name = name
            self._show_again(chosen)
        elif node is not None and name != node.get("name"):
            self._apply(tr("Rename keyframe"), [SetAttribute(node, "name", name)])

    def ask_name(self) -> None:
        rows = self.view.rows_selected()
        if not rows:
            return
        dialog = QInputDialog(self)
        dialog.setWindowTitle(tr("Rename Keyframe"))
        dialog.setLabelText(tr("Name"))
        dialog.setTextValue(rows[0].name)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(lambda text: self.rename(text.strip()) if text.strip() else None)
        dialog.open()

    def delete(self) -> None:
        """Forget a remembered state; remove a keyframe of the model from the text."""
        chosen, node = self.chosen(), self._node()
        if isinstance(chosen, RememberedState):
            self.remembered.remove(chosen)
            self._show_again()
        elif node is not None:
            self._apply(tr("Delete keyframe {name}", name=node.get("name") or "").rstrip(), [Remove(node)])

    def move(self, by: int) -> None:
        """Move the selected keyframe of the model up (-1) or down (1)."""
        node, document = self._node(), self.project.document
        if node is not None and document is not None:
            self._apply(tr("Move keyframe"), move_key(document, node, by))
