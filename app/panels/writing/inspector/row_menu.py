"""The context menu of a row of the inspector: copy and paste, inherited or written, and where a value is set."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from kinetree.app.panels.writing.inspector.editors import Editor, FlagEditor
from kinetree.app.panels.writing.inspector.inspection import ORIENTATION
from kinetree.app.panels.writing.inspector.orientation_editor import OrientationEditor
from kinetree.app.panels.writing.inspector.row import InspectorRow
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.engine.editing import attributes
from kinetree.engine.mjcf import schema
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.inspector.changes import Changes
    from kinetree.app.panels.writing.inspector.panel import InspectorPanel


class RowMenu:
    """Makes the menus of the rows of one inspector."""

    def __init__(self, panel: InspectorPanel, changes: Changes):
        self._panel, self._changes = panel, changes

    def make(self, row: InspectorRow, parent: QWidget) -> QMenu:
        """The context menu of a row."""
        menu, name = QMenu(parent), row.name
        item = self._changes.item(name)
        found = self._changes.found
        if item is None or found is None:
            give_letters(menu)
            return menu
        attribute, text = item.row.name, item.written
        add = menu.addAction
        copy = add(tr("Copy Value"), lambda: copy_text(text or ""))
        copy.setEnabled(bool(text))
        whole = add(tr("Copy Attribute"), lambda: copy_text(f"{attribute}={quoteattr(text or '')}"))
        whole.setEnabled(bool(text))
        paste = add(tr("Paste Value"), lambda: self.paste(name, attribute, row.editor))
        paste.setEnabled(not row.read_only and bool(QGuiApplication.clipboard().text().strip()))
        menu.addSeparator()
        reset = add(tr("Reset"), lambda: self._changes.reset(name))
        reset.setEnabled(item.is_written and not row.read_only)
        write = add(tr("Write Here"), lambda: self._changes.write(name))
        write.setEnabled(not item.is_written and row.can_write and not row.read_only)
        if found.row is not None and found.row.default is not None and self._has_class_row(attribute):
            self._add_classes(menu, name, bool(text) and not row.read_only)
        go = add(tr("Go to Where It Is Set"), lambda: self._changes.go_to_origin(name))
        go.setEnabled(item.primary.where is not None)
        if isinstance(row.editor, OrientationEditor):
            menu.addSeparator()
            editor = row.editor
            for form in found.forms:
                action = menu.addAction(tr("Show as {form}", form=form), lambda form=form: editor.show_form(form))
                action.setCheckable(True)
                action.setChecked(form == editor.form)
        menu.addSeparator()
        add(tr("Hide Help") if row.is_open else tr("Show Help"), lambda: self._panel.toggle_details(row))
        give_letters(menu)
        return menu

    def _add_classes(self, menu: QMenu, name: str, enabled: bool) -> None:
        """Offer to set the value in the classes of the elements, or in one that is around them."""
        found, item, own = self._changes.found, self._changes.item(name), self._changes.own_classes()
        if found is None or item is None:
            return
        around = attributes.classes_for(found.document, found.nodes, item.row.name)
        entries: list[tuple[str, str | None]] = [(each, each) for each in around]
        if len(own) > 1:
            entries = [(", ".join(own), None), *entries]
        into = menu if len(entries) == 1 else menu.addMenu(tr("Set in Class"))
        for label, of in entries:
            text = tr("Set in Class {label}", label=label) if into is menu else label
            action = into.addAction(text.replace("&", "&&"), lambda of=of: self._changes.set_in_class(name, of))
            action.setEnabled(enabled)

    def _has_class_row(self, attribute: str) -> bool:
        found = self._changes.found
        if found is None or found.row is None or found.row.default is None or attribute == "class":
            return False
        return attribute in schema.ELEMENTS[found.row.default].attributes

    def paste(self, name: str, attribute: str, editor: Editor) -> None:
        """Set a value from the clipboard, which may have the whole attribute."""
        text = QGuiApplication.clipboard().text().strip()
        start = f"{attribute}="
        if text.startswith(start):
            text = text[len(start) :].strip("\"'")
        if isinstance(editor, FlagEditor):
            text = text.lower()
        why = self._problem(attribute, text)
        if why:
            self._changes.show_refusal(name, tr("'{text}' cannot be pasted: {why}", text=text[:40], why=why))
        elif name == ORIENTATION:
            found = self._changes.found
            if found is not None:
                self._changes.turn(attribute, [text] * len(found.nodes), False)
        else:
            self._changes.set_text(name, text)

    def _problem(self, attribute: str, text: str) -> str:
        found = self._changes.found
        if found is None or found.row is None:
            return tr("nothing is selected")
        return attributes.problem(found.row, found.items[attribute].row, text)


def copy_text(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
