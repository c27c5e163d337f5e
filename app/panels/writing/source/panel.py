"""Read first: the source panel. One tab for each file of the project, and what belongs to all of them.

editor.py       one text: carets, painting            keys.py                what each key does
carets.py, markup.py                                  what keys do, as edits
shown_text.py   the QTextDocument of a text           positions.py           its positions and offsets of the text
highlight.py    colours (lexer.py, look.py)           problems.py            findings that move along with edits
fixes.py        quick fixes of findings at the caret
folding.py      folds                                 gutter.py, overview.py line numbers, the strip that scrolls
survey.py, shape.py                                   the shape of a text, and lines that differ from the file
finding.py, find_bar.py, search.py, found_list.py     finding and replacing, lists of places
rename_bar.py, closing.py                             renaming; bars that Esc closes
follow.py       caret and selection follow each other
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.panels.writing.source import carets as strokes
from kinetree.app.panels.writing.source.commands import SourceCommands
from kinetree.app.panels.writing.source.editor import SourceEditor
from kinetree.app.panels.writing.source.find_bar import FindBar
from kinetree.app.panels.writing.source.finding import FindSession
from kinetree.app.panels.writing.source.fixes import SourceFixes
from kinetree.app.panels.writing.source.follow import Follower
from kinetree.app.panels.writing.source.found_list import FoundList
from kinetree.app.panels.writing.source.knowledge import Knowledge
from kinetree.app.panels.writing.source.places import SourcePlaces
from kinetree.app.panels.writing.source.rename_bar import RenameBar
from kinetree.app.panels.writing.source.survey import TextSurvey
from kinetree.app.settings import theme as themes
from kinetree.app.settings.settings import Settings
from kinetree.app.settings.table import SETTING_BY_NAME
from kinetree.app.widgets.empty import MARGIN
from kinetree.app.widgets.own_keys import action_of, claims
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.diagnostics import Diagnostic
from kinetree.engine.document.history import Transaction
from kinetree.engine.translation import counted, tr


class SourcePanel(QWidget):
    """Panel with an editor for each text of the project. `told(str)`: a message for the status line.

    more_actions  of the window, at the end of the context menu
    """

    told = Signal(str)

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        parent: QWidget | None = None,
    ):
        super().__init__(parent)
        project, compiler = workspace.project, workspace.compiler
        self.project, self.compiler, self.settings = project, compiler, settings
        self._questions = workspace.questions  # short ones, asked while somebody types
        self._searches = workspace.add_questions()  # about whole texts
        self.tasks = workspace.tasks
        settings.changed.connect(self._apply_setting)
        self.editors: dict[str, SourceEditor] = {}
        self.more_actions: list[QAction] = []
        self._surveys: dict[str, TextSurvey] = {}
        self._texts = project.texts
        self._paths: list[str] = []
        self.places = SourcePlaces(self, self._questions)
        self.commands = SourceCommands(self)
        self.fixes = SourceFixes(self, self._questions)

        self.tabs = QTabBar(self)
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)  # parts of a robot have names alike: tabs are scrolled
        self.tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.tabs.currentChanged.connect(self._tab_chosen)
        self.place = QLabel(self)
        self.place.setObjectName("dim")
        self.nothing = QLabel(tr("No model is open."), self)
        self.nothing.setObjectName("dim")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.nothing.setMargin(MARGIN)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.nothing)
        self.find_bar = FindBar(self)
        self.rename_bar = RenameBar(self)
        self.found = FoundList(self)
        bar = QHBoxLayout()
        bar.setContentsMargins(0, 0, 8, 0)
        bar.addWidget(self.tabs, 1)
        bar.addWidget(self.place)
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        self._split.addWidget(self.stack)
        self._split.addWidget(self.found)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        self._split.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self.find_bar)
        layout.addWidget(self.rename_bar)
        layout.addWidget(self._split, 1)
        self.setMinimumHeight(90)

        self.follower = Follower(self, workspace.selection)
        self.knowledge = Knowledge(self, self._questions)
        self.finding = FindSession(self, self._searches)
        self.rename_bar.wanted.connect(self.knowledge.rename)
        self.rename_bar.closed.connect(self.keep_keyboard)
        project.edited.connect(self._follow)
        project.changed.connect(self._take_files)
        compiler.diagnostics_changed.connect(self._take_problems)
        compiler.compiled.connect(self._take_problems)  # the same findings, of a text that has changed
        found = self.found
        found.chosen.connect(lambda place: self.places.show(place.path, place.start, place.end, focus=False))
        found.closed.connect(self.keep_keyboard)
        self._take_files()

    # ---- files ---------------------------------------------------------------------------------------

    @property
    def editor(self) -> SourceEditor | None:
        """The editor of the tab that is shown."""
        widget = self.stack.currentWidget()
        return widget if isinstance(widget, SourceEditor) else None

    @property
    def paths(self) -> list[str]:
        """The files of the tabs, in order: the main file, what it includes, other files of the project."""
        return list(self._paths)

    def _wanted_paths(self) -> list[str]:
        document = self.project.document
        if document is None:
            return []
        return list(dict.fromkeys([*document.files, *self.project.texts.files]))

    def _take_files(self) -> None:
        """Update the tabs: the project has other files, or other files of it are modified."""
        another = self.project.texts is not self._texts  # another model is open, or the same one again
        if another:
            self._texts = self.project.texts
            self.places.clear()
            self.found.end()
        paths = self._wanted_paths()
        if another or paths != self._paths:
            chosen = self._paths[self.tabs.currentIndex()] if self.tabs.currentIndex() >= 0 else ""
            had_focus = self._drop_editors([path for path in self.editors if another or path not in paths])
            self._paths = paths
            self.tabs.blockSignals(True)
            while self.tabs.count():
                self.tabs.removeTab(0)
            for path in paths:
                self.tabs.setTabToolTip(self.tabs.addTab(""), path)
            self.tabs.setCurrentIndex(paths.index(chosen) if chosen in paths else 0)
            self.tabs.blockSignals(False)
            self._show_tab()
            if had_focus:
                self.focus_editor()
        for survey in self._surveys.values():
            survey.look_again()
        modified = set(self.project.modified)
        for index, (path, name) in enumerate(zip(paths, short_names(paths), strict=True)):
            text = f"{name} •" if path in modified else name
            if self.tabs.tabText(index) != text:
                self.tabs.setTabText(index, text)

    def _drop_editors(self, paths: Iterable[str]) -> bool:
        """Remove the editors of files; True if one of them had the keyboard."""
        had_focus = False
        for path in paths:
            editor = self.editors.pop(path)
            del self._surveys[path]
            had_focus |= editor.hasFocus()
            editor.clearFocus()  # Qt leaves it to a hidden widget until that is deleted
            self.stack.removeWidget(editor)
            editor.stop()
            editor.deleteLater()
        if not self.editors:
            self.stack.setCurrentWidget(self.nothing)
        return had_focus

    def _tab_chosen(self, _index: int) -> None:
        self._show_tab()
        self.focus_editor()

    def _show_tab(self) -> None:
        """Show the text of the current tab, if the panel is on the screen."""
        index = self.tabs.currentIndex()
        if not 0 <= index < len(self._paths):
            self.stack.setCurrentWidget(self.nothing)
        elif self.isVisible() or self.editors:
            path = self._paths[index]
            self.stack.setCurrentWidget(self._editor_of(path))
            self._surveys[path].look_again()
        self.show_caret()
        self.finding.refresh()

    def _editor_of(self, path: str) -> SourceEditor:
        if path not in self.editors:
            editor = self.editors[path] = SourceEditor(self.project, path, self.stack)
            editor.setAccessibleName(tr("Text of {file}", file=os.path.basename(path)))
            editor.set_text_size(self.settings.source_text_size)
            editor.set_wrap(self.settings.source_wrap)
            editor.overview.set_map(self.settings.source_map)
            editor.keys.actions = self.actions
            editor.told.connect(self.told)
            editor.cursorPositionChanged.connect(self.show_caret)
            editor.edited.connect(self.finding.text_edited)
            editor.zoomed.connect(self.zoom)
            editor.menu_opened.connect(self._fill_menu)
            self.stack.addWidget(editor)
            self.follower.watch(editor)
            self.knowledge.watch(editor)
            self._surveys[path] = TextSurvey(editor, self.project, self._searches)
            self._give_problems(editor)
            self._questions.ask(f"may write {path}", partial(_may_write, path), partial(self._take_access, path))
        return self.editors[path]

    def _take_access(self, path: str, may_write: bool) -> None:
        if path in self.editors:
            self.editors[path].is_read_only = not may_write
            self.show_caret()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._take_files()  # docks come back while others are still told of another model
        self._show_tab()
        self.follower.show_selection()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for editor in self.editors.values():
                editor.set_theme(themes.current())
            for survey in self._surveys.values():
                survey.look_again()

    def event(self, event: QEvent) -> bool:
        """Give keys of the source panel precedence over those of the window, also in its lines and lists."""
        return claims(self, event) or super().event(event)

    def focus_editor(self) -> None:
        if self.editor is not None and self.isVisible():
            self.editor.setFocus()

    @property
    def has_keyboard(self) -> bool:
        """Whether the keyboard is in this panel, or nowhere."""
        focus = self.window().focusWidget()
        return focus is None or focus is self or self.isAncestorOf(focus)

    def keep_keyboard(self) -> None:
        """Give the keyboard back to the text, after a widget beside it was closed or an answer has come, unless the
        user has gone on in another panel."""
        if self.has_keyboard:
            self.focus_editor()

    # ---- changes and findings ------------------------------------------------------------------------

    def _follow(self, transaction: Transaction, backward: bool) -> None:
        for path in transaction.changes:
            editor = self.editors.get(path)
            if editor is not None:
                editor.follow(transaction, backward)

    def _take_problems(self, *_ignored) -> None:
        for editor in self.editors.values():
            self._give_problems(editor)

    def _give_problems(self, editor: SourceEditor) -> None:
        """Give an editor the findings of the compiler; it drops those about older versions of the text."""
        result = self.compiler.result
        if result is None or self.compiler.compiling_since is not None or editor.path not in self.project.texts.files:
            return
        source = self.project.texts.source(editor.path)
        found = [item for item in self.compiler.diagnostics if self._is_of(item.file, editor.path)]
        editor.problems.take(found, source)
        editor.show_problems()

    def _is_of(self, file: str, path: str) -> bool:
        return bool(file) and (file == path or self.project.texts.key(file) == path)

    def show_problem(self, item: Diagnostic) -> None:
        """Show where a finding is, if the panel is on the screen."""
        path = self.project.texts.key(item.file) if item.file else ""
        if self.isVisible() and path in self._paths:
            place = self.project.texts.source(path).offset(item.line, item.column)
            self.places.show(path, place, place, focus=False)

    def show_file(self, path: str) -> SourceEditor:
        """Show the tab of a file, whatever stands in it, and return its editor."""
        self.tabs.blockSignals(True)
        self.tabs.setCurrentIndex(self._paths.index(path))
        self.tabs.blockSignals(False)
        editor = self._editor_of(path)
        self.stack.setCurrentWidget(editor)
        self._surveys[path].look_again()
        return editor

    def show_caret(self) -> None:
        """Say where the caret is, and what is special about the file."""
        editor = self.editor
        if editor is None:
            self.place.setText("")
            return
        cursor = editor.textCursor()
        parts = [tr("Line {line}, column {column}", line=cursor.blockNumber() + 1, column=cursor.positionInBlock() + 1)]
        carets = editor.carets.count
        if carets > 1:
            parts.insert(0, counted("{count} caret", "{count} carets", carets))
        elif cursor.hasSelection():
            parts.insert(0, tr("{count} selected", count=cursor.selectionEnd() - cursor.selectionStart()))
        source = self.project.texts.source(editor.path)
        if source.encoding != "utf-8":
            parts.append(source.encoding)
        if strokes.line_break(editor.text) == "\r\n":
            parts.append("CRLF")
        if editor.is_read_only:
            parts.insert(0, tr("The file is read-only: it cannot be saved here"))
        self.place.setText("   ".join(parts))

    # ---- settings -------------------------------------------------------------------------

    def zoom(self, steps: int) -> None:
        """Make the text larger or smaller by so many points; 0: as it was at first."""
        row = SETTING_BY_NAME["source.text_size"]
        self.settings.set(row.name, self.settings.source_text_size + steps if steps else row.default)

    def set_wrap(self, on: bool) -> None:
        self.settings.source_wrap = on

    def set_map(self, on: bool) -> None:
        self.settings.source_map = on

    def _apply_setting(self, name: str) -> None:
        settings = self.settings
        for editor in self.editors.values():
            if name == "source.text_size":
                editor.set_text_size(settings.source_text_size)
            elif name == "source.wrap":
                editor.set_wrap(settings.source_wrap)
            elif name == "source.map":
                editor.overview.set_map(settings.source_map)

    def _fill_menu(self, menu: QMenu) -> None:
        shown = (
            "source.fix",
            "source.definition",
            "source.references",
            "source.rename",
            "source.comment",
            "source.format",
        )
        editor = self.editor
        if editor is not None and editor.changes.at(editor.textCursor().blockNumber()) is not None:
            shown += ("source.restore",)
        by_name = {action.objectName(): action for action in self.actions()}
        menu.addSeparator()
        menu.addActions([by_name[name] for name in shown if name in by_name])
        menu.addActions(self.more_actions)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc the widgets that are open beside the text, one after another."""
        open_ = [each for each in (self.rename_bar, self.find_bar, self.found) if not each.isHidden()]
        action = action_of(self, event)
        if action is not None:
            action.trigger()
        elif event.key() == Qt.Key.Key_Escape and open_:
            open_[0].end()
        else:
            super().keyPressEvent(event)


def _may_write(path: str) -> bool:
    """Whether a file can be written, or made if it is not there."""
    return os.access(path if os.path.exists(path) else os.path.dirname(path), os.W_OK)


def short_names(paths: Sequence[str]) -> list[str]:
    """The names of files, those that are the same with the folders that tell them apart."""
    parts = [path.replace("\\", "/").split("/") for path in paths]
    depths = [1] * len(paths)
    while True:
        names = ["/".join(part[-depth:]) for part, depth in zip(parts, depths, strict=True)]
        same = [i for i, name in enumerate(names) if names.count(name) > 1 and depths[i] < len(parts[i])]
        if not same:
            return names
        for i in same:
            depths[i] += 1
