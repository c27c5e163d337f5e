"""The dialog of all keys and mouse gestures: found by words or by pressing keys, changed, and restored. A change acts
at once."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.menus.build import Actions
from kinetree.app.menus.keys import SCOPES, sequence, shown, why_not
from kinetree.app.menus.table import FOCUS, MENUS, VIEWPORT, Action
from kinetree.app.settings.settings import Settings
from kinetree.app.settings.table import MOUSE, SETTING_BY_NAME, SETTINGS, Setting
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.empty import paint_empty
from kinetree.app.widgets.filter import FilterEdit
from kinetree.app.widgets.key import KeyButton
from kinetree.engine.translation import counted, tr

ID, GESTURE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
NAME, KEYS, WHERE = range(3)
"""Columns."""


def _children(item: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
    for i in range(item.childCount()):
        child = item.child(i)
        if child is not None:
            yield child


class _KeysList(QTreeWidget):
    """List of actions with their keys; shows a text if the filter finds none."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        sections = (self.topLevelItem(row) for row in range(self.topLevelItemCount()))
        if all(section is None or section.isHidden() for section in sections):
            paint_empty(self, tr("No action has these words or keys."))


class KeysDialog(QDialog):
    """Every action with its keys, menu by menu, and what the mouse does in the viewport with its gestures."""

    def __init__(self, actions: Actions, settings: Settings, parent: QWidget | None = None):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Keyboard and Mouse"))
        self.resize(760, 620)
        self.actions_, self.settings = actions, settings
        self._adds = False  # whether the recorded key is one more
        self._offer: tuple[str, str] | None = None  # an action, and the key of others that it may take
        self.filter = FilterEdit()
        self.filter.setPlaceholderText(tr("Search by name, menu or keys"))
        self.filter.setAccessibleName(tr("Search actions"))
        self.filter.textChanged.connect(self._search)
        self.filter.entered.connect(self._enter)
        self.finder = KeyButton(tr("Search by Pressing Keys"))
        self.finder.recorded.connect(self._find_key)
        self.list = _KeysList()
        self.list.setHeaderLabels([tr("Action"), tr("Shortcut"), tr("Act in")])
        self.list.setAccessibleName(tr("Actions and their keys"))
        self.list.setRootIsDecorated(True)
        self.list.setUniformRowHeights(True)
        self.list.setAllColumnsShowFocus(True)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(KEYS, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(WHERE, QHeaderView.ResizeMode.ResizeToContents)
        self.items: dict[str, QTreeWidgetItem] = {}
        self.gestures: dict[str, QTreeWidgetItem] = {}  # by the setting that says the gesture
        self._fill()
        self.gesture = ComboBox()
        self.gesture.setAccessibleName(tr("Mouse gesture"))
        self.gesture.activated.connect(self._take_gesture)
        self.list.currentItemChanged.connect(self._show_current)
        self.list.itemActivated.connect(self._record)
        self.help = QLabel()
        self.help.setObjectName("dim")
        self.help.setWordWrap(True)
        self.help.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.help.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.take = QPushButton(tr("Use It Here Instead"))
        self.take.setAutoDefault(False)
        self.take.clicked.connect(self._take)
        policy = self.take.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the list keeps its height
        self.take.setSizePolicy(policy)
        self.take.hide()
        self.replace = KeyButton(tr("Record Keys"))
        self.replace.recorded.connect(lambda key: self._want(key, add=False))
        self.add = KeyButton(tr("Add Other Keys"))
        self.add.recorded.connect(lambda key: self._want(key, add=True))
        self.remove, self.restore = QPushButton(tr("Remove Keys")), QPushButton(tr("Default"))
        self.remove.clicked.connect(lambda: self._set(()))
        self.restore.clicked.connect(self._restore)
        for button in (self.remove, self.restore):
            button.setAutoDefault(False)
        self.restore_all = QPushButton(tr("Restore All Defaults"))
        self.restore_all.setAutoDefault(False)
        self.restore_all.clicked.connect(self._restore_all)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.addButton(self.restore_all, QDialogButtonBox.ButtonRole.ResetRole)
        box.rejected.connect(self.reject)
        top, bottom, told = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        top.addWidget(self.filter, 1)
        top.addWidget(self.finder)
        for button in (self.replace, self.add, self.remove, self.restore):
            bottom.addWidget(button)
        bottom.insertWidget(0, self.gesture)
        bottom.addStretch(1)
        told.addWidget(self.message, 1)
        told.addWidget(self.take)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addLayout(top)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.help)
        layout.addLayout(bottom)
        layout.addLayout(told)
        layout.addWidget(box)
        actions.keys_changed.connect(self._refresh)
        settings.changed.connect(self._take_setting)
        self.filter.setFocus()
        self._show_current()

    # ---- the list ------------------------------------------------------------------------------------

    def _fill(self) -> None:
        sections: dict[str, QTreeWidgetItem] = {}
        for name in MENUS:
            sections[name] = QTreeWidgetItem(self.list, [tr(name)])
            sections[name].setFirstColumnSpanned(True)
        for row in self.actions_.rows.values():
            top, below = row.top, row.innermost
            if top not in sections:
                continue
            title = tr(row.text).rstrip("…")
            item = QTreeWidgetItem(
                sections[top], [f"{tr(below)}: {title}" if below else title, "", tr(SCOPES[row.scope])]
            )
            item.setData(NAME, ID, row.id)
            self.items[row.id] = item
            self._refresh(row.id)
        sections[MOUSE] = QTreeWidgetItem(self.list, [tr(MOUSE)])
        sections[MOUSE].setFirstColumnSpanned(True)
        for setting in SETTINGS:
            if setting.group:
                item = QTreeWidgetItem(sections[MOUSE], [tr(setting.title), "", tr(SCOPES[VIEWPORT])])
                item.setData(NAME, GESTURE, setting.name)
                self.gestures[setting.name] = item
        self._show_gestures()
        for section in sections.values():
            section.setHidden(section.childCount() == 0)
        self.list.expandAll()

    def _show_gestures(self) -> None:
        """Show what the mouse does; in bold where it is not the default."""
        for name, item in self.gestures.items():
            row, value = SETTING_BY_NAME[name], self.settings.value(name)
            item.setText(KEYS, tr(dict(row.choices)[str(value)]))
            font = item.font(KEYS)
            font.setBold(value != row.default)
            item.setFont(KEYS, font)

    def _take_setting(self, name: str) -> None:
        if name in self.gestures:
            self._show_gestures()
            self._show_current()

    def _refresh(self, name: str) -> None:
        """Show the keys of an action; in bold where they are not the default."""
        item = self.items.get(name)
        if item is None:
            return
        item.setText(KEYS, self.actions_.key_text(name))
        font = item.font(KEYS)
        font.setBold(self.actions_.keys.is_changed(name))
        item.setFont(KEYS, font)

    def _search(self, text: str) -> None:
        words = text.casefold().split()
        self._filter(lambda row, shown_text: all(word in shown_text for word in words))

    def _find_key(self, key: str) -> None:
        """Show the actions that have a key."""
        self.filter.setText("")
        users = set(self.actions_.keys.users(key))
        self._filter(lambda row, _text: isinstance(row, Action) and row.id in users)
        self.message.setText(
            counted(
                "{key}: {count} action has this key.",
                "{key}: {count} actions have this key.",
                len(users),
                key=shown([key]),
            )
            if users
            else tr("{key} is free.", key=shown([key]))
        )

    def _filter(self, matches) -> None:
        """Show the actions and gestures (rows of the settings) for which `matches(row, text)` is true; the text is in
        lower case."""
        self._say("")
        first = None
        for name, item in self.items.items():
            row = self.actions_.rows[name]
            menu = tr(row.top)
            text = f"{item.text(NAME)} {menu} {item.text(KEYS)} {tr(row.help)}".casefold()
            item.setHidden(not matches(row, text))
            if first is None and not item.isHidden():
                first = item
        for name, item in self.gestures.items():
            setting = SETTING_BY_NAME[name]
            text = f"{item.text(NAME)} {tr(MOUSE)} {item.text(KEYS)} {tr(setting.help)}".casefold()
            item.setHidden(not matches(setting, text))
            if first is None and not item.isHidden():
                first = item
        for i in range(self.list.topLevelItemCount()):
            section = self.list.topLevelItem(i)
            if section is not None:
                section.setHidden(all(each.isHidden() for each in _children(section)))
        now = self.list.currentItem()
        if first is not None and (now is None or now.parent() is None or now.isHidden()):
            self.list.setCurrentItem(first)
        self._show_current()

    def _enter(self) -> None:
        self.list.setFocus(Qt.FocusReason.TabFocusReason)

    @property
    def current(self) -> Action | None:
        """The action that is selected in the list; None where that is a menu."""
        item = self.list.currentItem()
        name = None if item is None else item.data(NAME, ID)
        return None if name is None else self.actions_.rows[name]

    @property
    def current_gesture(self) -> Setting | None:
        """The setting of the mouse gesture that is selected in the list."""
        item = self.list.currentItem()
        name = None if item is None else item.data(NAME, GESTURE)
        return None if name is None else SETTING_BY_NAME[name]

    def select(self, name: str) -> None:
        """Select an action, or the setting of a gesture, in the list."""
        self.filter.clear()
        self.list.setCurrentItem(self.items.get(name) or self.gestures[name])
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- changes -------------------------------------------------------------------------------------

    def _show_current(self, *_ignored) -> None:
        row = self.current
        changeable = row is not None and row.scope != FOCUS and not self.items[row.id].isHidden()
        for button in (self.replace, self.add, self.remove):
            button.setEnabled(changeable)
        if row is not None and changeable:
            self.add.setEnabled(bool(self.actions_.keys.of(row.id)))
            self.remove.setEnabled(bool(self.actions_.keys.of(row.id)))
        self.restore.setEnabled(row is not None and self.actions_.keys.is_changed(row.id))
        self.restore.setToolTip(
            tr("Restore the default: {keys}", keys=shown(row.keys) or tr("no keys")) if row is not None else ""
        )
        gestures = (self.settings.value(name) != SETTING_BY_NAME[name].default for name in self.gestures)
        self.restore_all.setEnabled(any(map(self.actions_.keys.is_changed, self.items)) or any(gestures))
        gesture = self.current_gesture
        for button in (self.replace, self.add, self.remove):
            button.setVisible(gesture is None)
        self.gesture.setVisible(gesture is not None)
        if gesture is not None:
            self._show_gesture(gesture)
            return
        note = "" if row is None else tr("{sentence}.", sentence=tr(row.help))
        if row is not None and row.scope == FOCUS:
            note += " " + tr("Fields and lists have these keys by themselves: they cannot be changed.")
        self.help.setText(note)
        self._say("")

    def _show_gesture(self, row: Setting) -> None:
        """Show the gestures available in a row's place, and conflicts with others."""
        value = str(self.settings.value(row.name))
        self.gesture.clear()
        for choice, title in row.choices:
            self.gesture.addItem(tr(title), choice)
        self.gesture.setCurrentIndex(self.gesture.findData(value))
        self.restore.setEnabled(value != row.default)
        self.restore.setToolTip(tr("Restore the default: {keys}", keys=tr(dict(row.choices)[str(row.default)])))
        self.help.setText(tr(row.help))
        others = [each for each in SETTINGS if each.group == row.group and each is not row]
        same = [tr(each.title) for each in others if self.settings.value(each.name) == value]
        title = self.gesture.currentText()
        self._say(tr("{key} is the gesture of: {names}.", key=title, names=", ".join(same)) if same else "")

    def _take_gesture(self, index: int) -> None:
        row = self.current_gesture
        if row is not None:
            self.settings.set(row.name, self.gesture.itemData(index))

    def _say(self, text: str, offer: tuple[str, str] | None = None) -> None:
        self._offer = offer
        self.message.setText(text)
        self.take.setVisible(offer is not None)

    def _record(self, *_ignored) -> None:
        """Record other keys for the selected action; choose another gesture."""
        if self.current_gesture is not None:
            self.gesture.showPopup()
        elif self.replace.isEnabled():
            self.replace.setChecked(True)

    def _want(self, key: str, add: bool) -> None:
        """Assign a key that the user pressed to the selected action, unless another action has it."""
        row = self.current
        if row is None:
            return
        self._adds = add
        reason = why_not(key, row)
        others = self.actions_.keys.conflicts(row.id, key)
        if reason:
            self._say(f"{shown([key])}: {reason}")
        elif others:
            names = ", ".join(self.items[other].text(NAME) for other in others)
            self._say(tr("{key} is the key of: {names}.", key=shown([key]), names=names), (row.id, key))
            self.take.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._give(row.id, key)

    def _give(self, name: str, key: str) -> None:
        before = self.actions_.keys.of(name) if self._adds else ()
        self.actions_.set_keys(name, (*before, key))
        self._show_current()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take(self) -> None:
        """Take the key that was pressed away from the actions that have it."""
        if self._offer is None:
            return
        name, key = self._offer
        for other in self.actions_.keys.conflicts(name, key):
            kept = [each for each in self.actions_.keys.of(other) if sequence(each) != sequence(key)]
            self.actions_.set_keys(other, kept)
        self._give(name, key)

    def _set(self, keys: tuple[str, ...] | None) -> None:
        if self.current is not None:
            self.actions_.set_keys(self.current.id, keys)
            self._show_current()
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _restore(self) -> None:
        """Give the selected action its keys of the table, unless another action has one of them by now."""
        row, gesture = self.current, self.current_gesture
        if gesture is not None:
            self.settings.set(gesture.name, gesture.default)
        if row is None:
            return
        taken = [(key, other) for key in row.keys for other in self.actions_.keys.conflicts(row.id, key)]
        if taken:
            names = ", ".join(
                tr("{key} is the key of {action}", key=shown([key]), action=self.items[other].text(NAME))
                for key, other in taken
            )
            self._say(tr("{names}: restore that one first.", names=names))
            self.list.setCurrentItem(self.items[row.id])
        else:
            self._set(None)

    def _restore_all(self) -> None:
        """Give all actions their keys of the table, and the mouse its gestures."""
        for name in list(filter(self.actions_.keys.is_changed, self.items)):
            self.actions_.set_keys(name, None)
        for name in self.gestures:
            self.settings.set(name, SETTING_BY_NAME[name].default)
        self._show_current()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return is for the list and its buttons, and does not close the dialog."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
