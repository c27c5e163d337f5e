"""The base of the panels that docks show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget


class Panel(QWidget):
    """A panel knows nothing of the window. What it wants of others goes up through these signals:

    said(text)             show a remark in the status bar
    action_wanted(id)      do what an action of the table does
    setting_wanted(name)   show a setting, to change it
    keys_wanted(id)        show the keys of an action, to change them
    plot_wanted(list)      plot these quantities
    other_wanted(list)     open another panel of plots, with these PlotStates
    bookmark_wanted(int)   go to a bookmark
    place_wanted(Entry)    show where in the text an entry of the log was

    shared_keys  id of an action of the table -> the action of the panel that does the same there, with its keys
    """

    said = Signal(str)
    action_wanted = Signal(str)
    setting_wanted = Signal(str)
    keys_wanted = Signal(str)
    plot_wanted = Signal(list)
    other_wanted = Signal(list)
    bookmark_wanted = Signal(int)
    place_wanted = Signal(object)

    shared_keys: Mapping[str, QAction] = {}

    @property
    def running_lists(self) -> Sequence[QWidget]:
        """The lists in which the key of Run or Pause runs and pauses, as it has no other use there."""
        return ()

    def take_keys(self, _action: str) -> None:
        """Called when the user has changed the keys of an action. A panel may override it."""
