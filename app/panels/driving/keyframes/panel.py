"""The keyframes panel: states that are captured, loaded, and written into the model.

A captured state is kept for now, until the window closes. Write puts it into the text as one step of the history, as do
Update, Rename, Delete and the arrows with keyframes of the model. Load changes the running state only.
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
from kinetree.engine.editing.key_states import add_key, free_name, move_key, state_of, write_state
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Node

MINE, KEPT = marked("In the model"), marked("Captured, kept for now")
TIME = LiveColumn(
    marked("Time, s"),
    lambda _row, value, _units: value_text(value),
    lambda _row, value: sort_key(value),
    is_live=True,
    is_number=True,
)


@dataclass(eq=False)
class CapturedState:
    """A state that is not in the text."""

    name: str
    state: dict[str, Any]
    number: int = field(default_factory=count().__next__)


class KeyframesPanel(LivePanel):
    what = "keyframe"
    columns = (NAME, TIME)

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        self.captured: list[CapturedState] = []
        super().__init__(workspace, settings, parent)
        self.project = workspace.project
        self.model.icon_of = lambda _row: "key"
        rows = (
            ("capture", tr("Capture"), tr("Keep the present state, for now"), self.capture),
            ("load", tr("Load"), tr("Continue from the selected state (double-click)"), self.load),
            ("write", tr("Write"), tr("Write the captured state into the model as a keyframe"), self.write),
            ("up", "▲", tr("Move the keyframe up in the model"), lambda: self.move(-1)),
            ("down", "▼", tr("Move the keyframe down in the model"), lambda: self.move(1)),
        )
        line = ButtonRow(self, rows, right=3)
        self.buttons = line.buttons
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
        for each in self.captured:
            time = each.state["time"]
            yield LiveRow(each.name, lambda _s, time=time: time, group=tr(KEPT), key=("captured", each.number))

    def empty_text(self, model: Any) -> str:
        return tr("This model has no keyframes. Capture keeps the present state.")

    def refresh(self) -> None:
        super().refresh()
        self._show_buttons()

    # ---- what is selected --------------------------------------------------------------------------------

    def chosen(self) -> int | CapturedState | None:
        """The selected keyframe: its number in the model, or what was captured."""
        rows = self.view.rows_selected()
        if len(rows) != 1:
            return None
        if rows[0].selection:
            return rows[0].selection.id
        return next((each for each in self.captured if ("captured", each.number) == rows[0].key), None)

    def _node(self) -> Node | None:
        """The element of the selected keyframe of the model; None where it is none, or has no text."""
        chosen, model = self.chosen(), self.simulation.model
        if not isinstance(chosen, int) or model is None or model.provenance is None or self.project.document is None:
            return None
        origin = model.provenance.origin("key", chosen)
        return None if origin is None else self.project.document.node(origin.node.id)

    def _show_buttons(self) -> None:
        chosen, snapshot = self.chosen(), self.simulation.snapshot
        has_text = self.project.document is not None
        self.buttons["capture"].setEnabled(snapshot is not None)
        self.buttons["load"].setEnabled(chosen is not None)
        self.buttons["write"].setEnabled(isinstance(chosen, CapturedState) and has_text)
        for name in ("up", "down"):
            self.buttons[name].setEnabled(isinstance(chosen, int) and has_text)

    def _add_to_menu(self, menu: QMenu, rows: list[LiveRow]) -> None:
        chosen, node = self.chosen(), self._node()
        menu.addAction(tr("Capture Present State"), self.capture)
        menu.addSeparator()
        menu.addAction(tr("Load"), self.load).setEnabled(chosen is not None)
        menu.addAction(tr("Write into the Model"), self.write).setEnabled(self.buttons["write"].isEnabled())
        menu.addAction(tr("Update to Present State, in the Model"), self.update_key).setEnabled(node is not None)
        menu.addAction(tr("Rename…"), self.ask_name).setEnabled(node is not None or isinstance(chosen, CapturedState))
        where = tr("Forget") if isinstance(chosen, CapturedState) else tr("Delete from the Model")
        menu.addAction(where, self.delete).setEnabled(node is not None or isinstance(chosen, CapturedState))

    # ---- states, for now ---------------------------------------------------------------------------------

    def capture(self) -> None:
        """Keep the present state."""
        snapshot = self.simulation.snapshot
        if snapshot is None:
            return
        number = 1 + max((each.number for each in self.captured), default=-1)
        kept = CapturedState(tr("captured {number}", number=number + 1), state_of(snapshot), number)
        self.captured.append(kept)
        self._show_again(kept)
        self.said.emit(
            tr(
                "Captured the state at {time}, for now: Write puts it into the model",
                time=time_text(snapshot.time, snapshot.opt.timestep),
            )
        )

    def load(self) -> None:
        """Continue from the selected state."""
        chosen, model = self.chosen(), self.simulation.model
        if isinstance(chosen, int):
            self.simulation.post(requests.LoadKeyframe(chosen))
        elif isinstance(chosen, CapturedState) and model is not None:
            sizes = {
                "qpos": model.nq,
                "qvel": model.nv,
                "act": model.na,
                "ctrl": model.nu,
                "mocap_pos": 3 * model.nmocap,
            }
            if all(np.size(chosen.state[name]) == size for name, size in sizes.items()):
                self.simulation.post(requests.SetState(chosen.state))
            else:
                self.said.emit(
                    tr("{name} cannot be loaded: the model has other joints or actuators now", name=chosen.name)
                )

    def _show_again(self, kept: CapturedState | None = None) -> None:
        self._is_stale = True
        self.refresh()
        if kept is not None:
            self.view.show_selected(lambda row: row.key == ("captured", kept.number))
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

    def write(self) -> None:
        """Write the captured state into the model as a keyframe."""
        chosen, document = self.chosen(), self.project.document
        if isinstance(chosen, CapturedState) and document is not None:
            name = free_name(document, chosen.name.replace(" ", "_"))
            if self._apply(tr("Keyframe {name}", name=name), add_key(document, name, chosen.state)):
                self.captured.remove(chosen)
                self._show_again()
                self.said.emit(tr("Wrote the keyframe {name} into the model", name=name))

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
        if isinstance(chosen, CapturedState):
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
        """Forget a captured state; remove a keyframe of the model from the text."""
        chosen, node = self.chosen(), self._node()
        if isinstance(chosen, CapturedState):
            self.captured.remove(chosen)
            self._show_again()
        elif node is not None:
            self._apply(tr("Delete keyframe {name}", name=node.get("name") or "").rstrip(), [Remove(node)])

    def move(self, by: int) -> None:
        """Move the selected keyframe of the model up (-1) or down (1)."""
        node, document = self._node(), self.project.document
        if node is not None and document is not None:
            self._apply(tr("Move keyframe"), move_key(document, node, by))
