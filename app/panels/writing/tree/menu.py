"""The context menu of the tree, and the submenus that offer what may be inserted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from kinetree.app.panels.writing.tree.describe import icon_of
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.editing.templates import ElementChoice
from kinetree.engine.translation import tr

LONG = 24
"""A menu with more entries is split by their first letters."""

Insert = Callable[[ElementChoice], None]


def insert_menu(title: str, choices: Sequence[ElementChoice], parent: Subtree, insert: Insert, owner: QWidget) -> QMenu:
    """A menu of new elements for an element; disabled where there are none."""
    menu = QMenu(title, owner)
    menu.setToolTipsVisible(True)
    menu.setEnabled(bool(choices))
    groups = [choices] if len(choices) <= LONG else _grouped(choices)
    for group in groups:
        into = menu
        if len(groups) > 1:
            into = menu.addMenu(f"{group[0].row.tag} … {group[-1].row.tag}" if len(group) > 1 else group[0].row.tag)
            into.setToolTipsVisible(True)
        for choice in group:
            text = f"{choice.row.tag}…" if choice.file is not None else choice.row.tag
            action = into.addAction(icon(icon_of(Subtree(choice.row.tag, 0, 0, 0, True), parent)), text)
            action.setEnabled(choice.why is None)
            help = tr(choice.row.help)
            action.setToolTip(help if choice.why is None else f"{choice.why}.\n{help}")
            action.triggered.connect(lambda _checked=False, choice=choice: insert(choice))
    give_letters(menu)
    return menu


def _grouped(choices: Sequence[ElementChoice]) -> list[list[ElementChoice]]:
    """Choices in runs of about a dozen, in the order of the schema."""
    size = 14
    return [list(choices[start : start + size]) for start in range(0, len(choices), size)]


def context_menu(inserts: Iterable[QMenu], actions: Iterable[QAction | None], owner: QWidget) -> QMenu:
    """The whole menu; None in `actions` is a separator."""
    menu = QMenu(owner)
    for submenu in inserts:
        menu.addMenu(submenu)
    menu.addSeparator()
    for action in actions:
        if action is None:
            menu.addSeparator()
        else:
            menu.addAction(action)
    give_letters(menu)
    return menu
