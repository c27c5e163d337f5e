"""The rows of the tree that are selected, and the selection that the window shares."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QObject, Signal, Slot

from kinetree.app.panels.writing.tree.elements import GeneratedRow
from kinetree.app.panels.writing.tree.outline import TreeOutline
from kinetree.app.panels.writing.tree.view import TreeView
from kinetree.app.workspace.selection import Selection, SelectionModel, select_element, select_object
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.engine.translation import tr


class ChosenRows(QObject):
    """Keeps the rows of one tree and the selection in line. `said(message)`: why a row cannot be edited, "" for
    nothing."""

    said = Signal(str)

    def __init__(
        self,
        outline: TreeOutline,
        view: TreeView,
        selection: SelectionModel,
        simulation: SimulationController,
        parent: QObject | None = None,
    ):
        super().__init__(parent)
        self._outline, self._view = outline, view
        self._selection, self._simulation = selection, simulation
        self._picked: tuple[tuple, list[Hashable]] | None = None  # what was selected here, and the rows
        self._picking = False

    def ids(self) -> list[Hashable]:
        """The ids of the rows that stand for the selection, also of those that the filter hides."""
        found = [self._row_id(each) for each in self._selection.selections]
        return self._view.selected_ids or [each for each in found if each is not None]

    def element_ids(self) -> list[int]:
        """The selected elements of the text; a message if what expansion made is selected too."""
        rows = [self._outline.items[self._outline.row_of(each)] for each in self.ids()]
        made = [item for item in rows if isinstance(item, GeneratedRow)]
        if made:
            self.said.emit(self.made_by(made[-1]))
            return []
        return [item.id for item in rows]

    def made_by(self, item: GeneratedRow) -> str:
        """Why what expansion made cannot be edited."""
        if item.is_heading:
            return tr("“{name}” is a heading, and no element of the text", name=item.name)
        row = self._outline.row_of(item.id)
        while row >= 0 and isinstance(self._outline.items[row], GeneratedRow):
            row = self._outline.parent(row)
        if row < 0:
            return tr("This model has no text that could be edited")
        maker = self._view.tree_model.describe(row)
        tag = f"<{self._outline.items[row].tag}>"
        name = tag if maker.name == self._outline.items[row].tag else f"{tag} “{maker.name}”"
        return tr("“{name}” was made by {name2}: edit that element instead", name=item.name, name2=name)

    def drawn_of(self, identity: Hashable) -> Selection:
        """The object in the viewport for a row: of the objects made by expansion, the single one."""
        item = self._outline.items[self._outline.row_of(identity)]
        if isinstance(item, GeneratedRow) and item.number >= 0:
            return Selection(item.kind, item.number)
        return self._selection_of(identity)

    @Slot()
    def pick(self) -> None:
        """Select the objects of the rows that the user selected."""
        self.said.emit("")
        ids = self._view.selected_ids
        chosen = [each for each in map(self._selection_of, ids) if each]
        self._picking = True
        self._selection.select_several(chosen)
        self._picking = False
        self._picked = tuple(map(tuple, self._selection.selections)), ids

    def select_row(self, identity: Hashable) -> None:
        """Select a row, and nothing else, as a click on it does."""
        self._view.select_ids([identity])
        self.pick()

    @Slot()
    def show(self) -> None:
        """Select the rows of the objects selected elsewhere."""
        if self._picking:
            return
        now = tuple(map(tuple, self._selection.selections))
        if self._picked is not None and self._picked[0] == now:
            ids = self._picked[1]  # the very rows, of several that stand for the same
            if self._view.selected_ids == ids:
                return
        else:
            self._picked = None
            ids = [self._row_id(each) for each in self._selection.selections]
        self._view.select_ids([each for each in ids if each is not None])

    def _row_id(self, selection: Selection) -> Hashable | None:
        """The row for a selection: its element, else the object that was made of one."""
        if selection.element is not None and self._outline.row_of(selection.element) >= 0:
            return selection.element
        for item in self._outline.items if selection.kind else ():
            if isinstance(item, GeneratedRow) and (item.kind, item.number) == (selection.kind, selection.id):
                return item.id
        return None

    def _selection_of(self, identity: Hashable) -> Selection:
        """The selection that a row stands for."""
        row = self._outline.row_of(identity)
        item = self._outline.items[row]
        model = self._simulation.model
        if isinstance(item, GeneratedRow):
            if item.kind == "made":
                return self._selection_of(self._outline.items[self._outline.parent(row)].id)
            return Selection() if item.number < 0 or model is None else select_object(model, item.kind, item.number)
        provenance = None if model is None else model.provenance
        while provenance is not None and row >= 0:
            around = self._outline.items[row]
            node = None if isinstance(around, GeneratedRow) else provenance.node(around.id)
            if node is not None and model is not None:
                return select_element(model, node)._replace(element=item.id)
            row = self._outline.parent(row)
        return Selection(element=item.id)
