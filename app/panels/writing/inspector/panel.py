"""The inspector: attributes of the selected elements, what was compiled of them, and what they are now.

Read first. The panel follows the selection, the text, the findings and the running state, and shows one of
    Spec   the attributes as the text has them                     inspection.py (data), form.py, row.py, editors.py
    Model  the arrays of the compiled model                        object_values.py, values_view.py
    Data   the same of the running state, at most 10 times a second
or facts about the model while nothing is selected (overview.py). Changes of the text go out through changes.py.
"""

from __future__ import annotations

import time
from html import escape

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.panels.writing.inspector.changes import Changes
from kinetree.app.panels.writing.inspector.details import details, values_text
from kinetree.app.panels.writing.inspector.form import CLOSED_AT_FIRST, Form
from kinetree.app.panels.writing.inspector.inspection import (
    ORIENTATION,
    Inspection,
    inspect,
    nearest_attribute,
    place_of,
    problems_of,
    title_of,
    unknown_attribute,
)
from kinetree.app.panels.writing.inspector.object_values import data_rows, model_rows
from kinetree.app.panels.writing.inspector.overview import overview
from kinetree.app.panels.writing.inspector.previews import FilePreviews
from kinetree.app.panels.writing.inspector.row import InspectorRow
from kinetree.app.panels.writing.inspector.row_menu import RowMenu
from kinetree.app.panels.writing.inspector.values_view import ValuesView
from kinetree.app.panels.writing.inspector.visited import SelectionHistory, elements_of
from kinetree.app.settings import theme
from kinetree.app.settings.icons import FOLDER, icon
from kinetree.app.widgets.labels import Elided, IconLabel
from kinetree.app.workspace.selection import Selection, select_element
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.document.tree import Node
from kinetree.engine.mjcf import schema
from kinetree.engine.model.kinds import KINDS, ObjectId, name_of
from kinetree.engine.translation import tr

LIVE = 100  # ms between two looks at the running state
FORMS_KEPT = 8
AT_ONCE = 16
"""Of more elements, the others are looked at in a thread."""
SPEC, MODEL, DATA = range(3)


class InspectorPanel(QWidget):
    """The inspector panel: shows and edits the attributes of the selected elements, and shows compiled and current
    values."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None):
        super().__init__(parent)
        self.workspace = workspace
        self.project, self.compiler = workspace.project, workspace.compiler
        self.simulation, self.selection = workspace.simulation, workspace.selection
        self.found: Inspection | None = None
        self._found_of: tuple[int, ...] = ()  # the elements that it was made of
        self._all: tuple[Inspection, tuple[int, ...], Inspection | None] | None = None  # for an edit of all
        self.form: Form | None = None
        self.questions, self.tasks = workspace.add_questions(), workspace.tasks
        self.changes = Changes(self)
        self._forms: dict[tuple, Form] = {}
        self._closed = set(CLOSED_AT_FIRST)
        self._is_old = True
        self.visited = SelectionHistory(self.selection, self)
        self.visited.moved.connect(self.refresh_soon)
        self._selected: tuple = ()
        self._previews = FilePreviews(self.questions)
        self._build()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.refresh)
        self._live = QTimer(self)
        self._live.setSingleShot(True)
        self._live.timeout.connect(self._show_live)
        self._last_live = 0.0
        self.selection.changed.connect(self._select)
        self.project.text_changed.connect(self.refresh_soon)
        self.project.closed.connect(self._forget)
        self.simulation.model_changed.connect(self.refresh_soon)
        self.compiler.diagnostics_changed.connect(self.refresh_soon)
        self.simulation.snapshot_changed.connect(self._live_soon)
        if self.selection.selections:
            self._select()

    # ---- parts ---------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.back = self._tool("previous", tr("Back to the previous selection"), self.visited.back)
        self.forward = self._tool("next", tr("Forward to the next selection"), self.visited.forward)
        self.icon = IconLabel(16, self)
        self.title = Elided(Qt.TextElideMode.ElideMiddle, self)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.kind = QLabel(self)
        self.place = Elided(Qt.TextElideMode.ElideLeft, self)
        for label in (self.kind, self.place):
            label.setObjectName("dim")
        self.note = QLabel(self)
        self.note.setWordWrap(True)
        self.note.setObjectName("dim")
        self.note.setContentsMargins(10, 0, 8, 4)
        self.note.linkActivated.connect(self.follow_link)
        self.filter = QLineEdit(self)
        self.filter.setAccessibleName(tr("Filter of attributes"))
        self.filter.setPlaceholderText(tr("Filter attributes"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._set_filter)
        self.only_set = self._tool(
            "written", tr("Show only attributes that are set, here or in a class"), self._set_filter
        )
        self.only_set.setCheckable(True)
        self.tabs = QTabBar(self)
        self.tabs.setAccessibleName(tr("Pages of the inspector"))
        self.tabs.setObjectName("inspector-tabs")
        self.tabs.setExpanding(True)
        self.tabs.setDrawBase(False)
        for name, tip in (
            (tr("Spec"), tr("The attributes, as the text has them")),
            (tr("Model"), tr("Their compiled values")),
            (tr("Data"), tr("Their values in the running simulation")),
        ):
            self.tabs.setTabToolTip(self.tabs.addTab(name), tip)
        self.tabs.currentChanged.connect(self.refresh)
        self.rows_page = QScrollArea(self)
        self.rows_page.setAccessibleName(tr("Attributes"))
        self.rows_page.setFrameShape(QFrame.Shape.NoFrame)
        self.rows_page.setWidgetResizable(True)
        self.rows_page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.values = ValuesView(self)
        self.values.setAccessibleName(tr("Compiled and live values"))
        self.facts = QLabel(self)
        self.facts.setAccessibleName(tr("Facts about the selection"))
        self.facts.setTextFormat(Qt.TextFormat.RichText)
        self.facts.setWordWrap(True)
        self.facts.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.facts.setContentsMargins(12, 8, 6, 8)
        self.facts.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.facts.linkActivated.connect(self.follow_link)
        facts = QScrollArea(self)
        facts.setAccessibleName(tr("Facts about the selection"))
        facts.setFrameShape(QFrame.Shape.NoFrame)
        facts.setWidgetResizable(True)
        facts.setWidget(self.facts)
        self.pages = QStackedWidget(self)
        for page in (self.rows_page, self.values, facts):
            self.pages.addWidget(page)
        top = QHBoxLayout()
        top.setContentsMargins(6, 4, 6, 2)
        top.setSpacing(4)
        for widget in (self.back, self.forward, self.icon):
            top.addWidget(widget)
        top.addSpacing(2)
        lines = QVBoxLayout()  # the name has a line of its own
        lines.setSpacing(0)
        lines.addWidget(self.title)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.kind)
        below.addWidget(self.place, 1)
        lines.addLayout(below)
        top.addLayout(lines, 1)
        self.bar = QWidget(self)
        search = QHBoxLayout(self.bar)
        search.setContentsMargins(8, 2, 6, 4)
        search.setSpacing(4)
        search.addWidget(self.filter, 1)
        search.addWidget(self.only_set)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)  # a small window cuts it off below
        layout.addLayout(top)
        layout.addWidget(self.note)
        layout.addWidget(self.tabs)
        layout.addWidget(self.bar)
        layout.addWidget(self.pages, 1)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 56)

    def _tool(self, name: str, tip: str, run) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(icon(name))
        button.setIconSize(QSize(15, 15))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setAutoRaise(True)
        button.clicked.connect(run)
        return button

    # ---- what is shown -------------------------------------------------------------------------------

    def refresh_soon(self, *_: object) -> None:
        """Show the present state as soon as the events that wait are done."""
        self._is_old = True
        if self.isVisible() and not self._soon.isActive():
            self._soon.start(0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_old:
            self.refresh_soon()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_soon"):
            self.refresh_soon()  # texts with colours of the theme

    def refresh(self) -> None:
        """Show the selected elements as they are now."""
        if not self.isVisible():
            self._is_old = True
            return
        self._is_old = False
        self._soon.stop()
        document = self.project.document
        elements = self.selection.elements
        if document is None or not elements:
            self.found = None
        elif self.found is None or self.found.document is not document or self._found_of != elements:
            self.found, self._found_of = inspect(document, elements, AT_ONCE), elements
        if self.found is not None and self.found.left_out and document is not None:
            work = lambda: (elements, inspect(document, elements))  # noqa: E731
            self.questions.ask("inspect", work, lambda answer: self._take_rest(*answer))
        self._show_head()
        tab = self.tabs.currentIndex()
        if not self.selection.selections:
            self._show_facts()
        elif tab == SPEC:
            self._show_form()
        else:
            self._show_values(tab)

    def _take_rest(self, elements: tuple[int, ...], found: Inspection | None) -> None:
        """Show the result of inspecting many elements, once a thread has looked at all of them."""
        if found is None or elements != self.selection.elements or found.document is not self.project.document:
            return
        self.found, self._found_of = found, elements
        if self.tabs.currentIndex() == SPEC and self.isVisible():
            self._show_head()
            self._show_form()

    def look_at_all(self) -> Inspection | None:
        """Inspect all selected elements, before an edit of them."""
        found, elements = self.found, self.selection.elements
        if found is None or not found.left_out:
            return found
        if self._all is None or self._all[0] is not found or self._all[1] != elements:
            # not shown: rows would compute at once what thousands of elements have
            self._all = found, elements, inspect(found.document, elements, prepare=False)
        return self._all[2]

    def _show_head(self) -> None:
        found, current = self.found, self.selection.current
        if found is not None:
            (title, what), kind, place = title_of(found), kind_of(found), place_of(found.node)
        elif current.kind and self.simulation.model is not None:
            title, what, kind, place = self._object_name(), current.kind, current.kind, ""
        else:
            title = tr("Nothing selected") if not current else tr("This element is gone")
            what, kind, place = "", "info", ""
        self.title.set_text(title)
        self.kind.setText(what)
        self.kind.setVisible(bool(what))
        self.place.set_text(place)
        self.place.setVisible(bool(place))
        self.icon.set_icon(icon(kind_icon(kind)))
        note = self._note()
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.back.setEnabled(self.visited.can_go_back)
        self.forward.setEnabled(self.visited.can_go_forward)
        anything = bool(self.selection.selections)
        self.tabs.setVisible(anything)
        self.bar.setVisible(anything or self.filter.hasFocus())
        has_text = found is not None or self.project.document is not None
        if not has_text and self.tabs.currentIndex() == SPEC:
            self.tabs.setCurrentIndex(MODEL)
        elif has_text and not self.tabs.isTabEnabled(SPEC):
            self.tabs.setCurrentIndex(SPEC)
        self.tabs.setTabEnabled(SPEC, has_text)

    @property
    def object(self) -> ObjectId | None:
        """The object of the compiled model that is selected, or that shows the selected element."""
        current, model = self.selection.current, self.simulation.model
        if model is None:
            return None
        if not current.kind and current.element is not None and model.provenance is not None:
            node = model.provenance.node(current.element)
            current = select_element(model, node) if node is not None else current
        if not current.kind or current.id >= KINDS[current.kind].count(model):
            return None
        return ObjectId(current.kind, current.id)

    def _object_name(self) -> str:
        of, model = self.object, self.simulation.model
        return "" if of is None or model is None else name_of(model, *of).removeprefix(f"{of.kind} ")

    def _note(self) -> str:
        """Remarks on the selection: that another element generated it, that it cannot be edited here."""
        found, model, of = self.found, self.simulation.model, self.object
        lines = []
        origin = None
        if model is not None and of is not None and model.provenance is not None:
            origin = model.provenance.origin(*of)
        if origin is not None and origin.made_by:
            step = origin.made_by[0].node
            name = self._object_name()
            link = f'<a href="select:{step.id}" style="color: {theme.current().accent}">&lt;{step.tag}&gt;</a>'
            where = place_of(step)
            if found is None:
                lines.append(
                    tr(
                        "{kind} {name} comes from {link} ({where}): it cannot be edited here.",
                        kind=of.kind if of else "",
                        name=name,
                        link=link,
                        where=where,
                    )
                )
            elif step.id == found.node.id:
                lines.append(
                    tr(
                        "{kind} {name} is made by this element: an edit changes all that it makes.",
                        kind=of.kind if of else "",
                        name=name,
                    )
                )
            else:
                lines.append(
                    tr(
                        "{link} ({where}) makes copies of this element: an edit changes all of them.",
                        link=link,
                        where=where,
                    )
                )
        elif found is None and self.selection.current and self.project.document is None:
            lines.append(tr("The file has no text: its compiled values are shown."))
        if found is not None:
            if found.row is None:
                lines.append(
                    tr(
                        "&lt;{tag}&gt; is not known where it stands; its attributes cannot be edited.",
                        tag=found.node.tag,
                    )
                )
            for attribute in found.unknown if found.row is not None else ():
                lines.append(unknown_note(found, attribute.name, attribute.value))
            for item in problems_of(found, self.compiler.diagnostics).get("", []):
                colour = getattr(theme.current(), item.severity.value)
                lines.append(f'<span style="color: {colour}">{item.message}</span>')
        return "<br>".join(lines)

    # ---- Spec ----------------------------------------------------------------------------------------

    def _show_form(self) -> None:
        found = self.found
        if found is None or found.row is None:
            self.values.empty = (
                tr("There is no text for this object.") if found is None else tr("This element is not known.")
            )
            self.values.values.show_rows([], None, None)
            self.pages.setCurrentIndex(1)
            return
        form = self._form_of(found)
        form.show_inspection(found, self.changes.is_locked(found))
        form.set_filter(self.filter.text(), self.only_set.isChecked())
        if self.form is not form:
            self.rows_page.takeWidget()
            self.form = form
            self.rows_page.setWidget(form)
            form.show()
        self.pages.setCurrentIndex(0)
        self._show_findings()
        self._show_details()
        self._previews.show(found, form)

    def _form_of(self, found: Inspection) -> Form:
        key = (*found.kind, tuple(found.items))
        form = self._forms.pop(key, None)
        if form is None:
            form = Form(found, self._closed, self)
            form.hide()
            form.made.connect(self._connect_row)
            form.resize(max(self.rows_page.viewport().width(), 120), 100)
        self._forms[key] = form
        while len(self._forms) > FORMS_KEPT:
            oldest = self._forms.pop(next(iter(self._forms)))
            for row in oldest.rows.values():
                self._previews.drop(row)
            oldest.deleteLater()
        return form

    def _connect_row(self, row: InspectorRow) -> None:
        row.toggled.connect(lambda: self.toggle_details(row))
        row.link.connect(lambda target: self.changes.link(row.name, target))
        row.go.connect(lambda: self.changes.go_to_origin(row.name))
        row.act.connect(lambda: self.changes.reset_or_write(row.name))
        row.menu.connect(lambda place: self._open_menu(row, place))
        self.changes.connect_editor(row)

    def _show_findings(self) -> None:
        """Show the problems of the element at the attributes that they are about."""
        if self.found is None or self.form is None:
            return
        problems = problems_of(self.found, self.compiler.diagnostics)
        for name, row in self.form.rows.items():
            names = self.found.forms if name == ORIENTATION else (name,)
            items = [item for each in names for item in problems.get(each, [])]
            grave = min(items, key=lambda item: ("error", "warning", "info").index(item.severity.value), default=None)
            row.set_findings(grave.severity.value if grave else "", "\n".join(item.message for item in items))

    def toggle_details(self, row: InspectorRow) -> None:
        """Show or hide what is told about an attribute."""
        row.is_open = not row.is_open
        if not row.is_open:
            row.set_details("")
        self._show_details()

    def _show_details(self) -> None:
        if self.found is None or self.form is None:
            return
        for name, row in self.form.rows.items():
            if row.is_open and not row.isHidden():
                model, snapshot = self.simulation.model, self.simulation.snapshot
                one = len(self.found.nodes) == 1
                values = values_text(name, model, snapshot, self.object) if one else ""
                row.set_details(details(self.found, name, values))

    def _set_filter(self, *_: object) -> None:
        text = self.filter.text()
        self.values.values.set_filter(text.strip().lower())
        if self.form is not None:
            self.form.set_filter(text, self.only_set.isChecked())
            self._show_findings()

    def _open_menu(self, row: InspectorRow, place: QPoint) -> None:
        menu = RowMenu(self, self.changes).make(row, self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    # ---- Model and Data ------------------------------------------------------------------------------

    def _show_values(self, tab: int) -> None:
        model, of = self.simulation.model, self.object
        self.pages.setCurrentIndex(1)
        if of is None:
            self.values.empty = tr("Nothing was compiled of this element.")
            self.values.values.show_rows([], None, None)
        elif tab == MODEL:
            self.values.values.show_rows(model_rows(model, of), model, model)
        else:
            snapshot = self.simulation.snapshot
            current = snapshot if snapshot is not None and snapshot.model is model else None
            self.values.empty = tr("The state has no values of this object.")
            self.values.values.show_rows(data_rows(model, of), current, model)
        self.values.viewport().update()

    def _live_soon(self) -> None:
        """Show a new snapshot, at most every LIVE milliseconds."""
        if self._live.isActive() or not self.isVisible() or not self.selection.selections:
            return
        tab = self.tabs.currentIndex()
        if not (tab == DATA or (tab == SPEC and self.form is not None and self.form.has_open_rows)):
            return
        waited = 1000 * (time.monotonic() - self._last_live)
        self._live.start(max(0, round(LIVE - waited)))

    def _show_live(self) -> None:
        self._last_live = time.monotonic()
        snapshot = self.simulation.snapshot
        if not self.isVisible() or snapshot is None or snapshot.model is not self.simulation.model:
            return
        if self.tabs.currentIndex() == DATA:
            self.values.values.set_source(snapshot)
        elif self.tabs.currentIndex() == SPEC:
            self._show_details()

    # ---- nothing selected ----------------------------------------------------------------------------

    def _show_facts(self) -> None:
        self.facts.setText(overview(self.workspace.opening.shown_path, self.project.document, self.simulation.model))
        self.pages.setCurrentIndex(2)

    # ---- going to places -----------------------------------------------------------------------------

    def follow_link(self, target: str) -> None:
        """Follow a link such as "select:12", "remove:nmae" or "rename:nmae:name"."""
        what, _, rest = target.partition(":")
        if what == "select" and rest.isdigit():
            self.select_identity(int(rest))
        elif what == "remove":
            self.changes.remove_unknown(rest)
        elif what == "rename":
            self.changes.rename_unknown(*rest.split(":", 1))

    def select_node(self, node: Node) -> None:
        """Select an element of the text."""
        self.select_identity(node.id)

    def select_identity(self, identity: int) -> None:
        model = self.selection.model
        known = model.provenance.node(identity) if model is not None and model.provenance is not None else None
        if model is not None and known is not None:
            self.selection.select(select_element(model, known))
        else:
            self.selection.select(Selection(element=identity))

    def _select(self) -> None:
        selections = self.selection.selections
        self.visited.add(selections)
        if elements_of(selections) != self._selected:  # else it is the same under new ids, while something is dragged
            self._selected = elements_of(selections)
            self._previews.clear()  # a file may have changed since it was seen
            self.changes.finish()
        self.refresh_soon()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.BackButton:
            self.visited.back()
        elif event.button() == Qt.MouseButton.ForwardButton:
            self.visited.forward()

    def _forget(self) -> None:
        self.visited.clear()
        self._previews.clear()
        self.refresh_soon()


def kind_of(found: Inspection) -> str:
    """The kind of object that an element makes, such as "actuator" for <motor>; else its tag."""
    if found.language.name != "MJCF":
        return {"link": "body"}.get(found.node.tag, found.node.tag)
    declared = schema.declares(found.row.id) if found.row is not None else ()
    return declared[0] if declared else found.node.tag


def kind_icon(kind: str) -> str:
    """The name of the icon of a kind of object or element."""
    return kind if (FOLDER / f"{kind}.svg").is_file() else "folder"


def unknown_note(found: Inspection, name: str, value: str) -> str:
    """Message about an attribute that the element cannot have, with the remedy."""
    colours = theme.current()
    near = nearest_attribute(found.row, name)
    links = [("remove", name, tr("Remove"))]
    if near and found.node.attribute(near) is None:
        links.insert(0, ("rename", f"{name}:{near}", tr("Rename to {near}", near=near)))
    offers = " · ".join(
        f'<a href="{what}:{target}" style="color: {colours.accent}">{label}</a>' for what, target, label in links
    )
    text = escape(f'{name}="{value[:60]}"', quote=False)
    message = escape(unknown_attribute(found.row, name), quote=False)
    return f'<b>{text}</b><br><span style="color: {colours.error}">{message}</span><br>{offers}'
