"""Knowledge: what `engine/assist` knows about the text, brought to the editors.

Completion, help under the mouse, definitions, references, renaming and formatting are asked in a thread; an answer
about a text that has changed since is dropped. Which values are names is looked up while a line gets its colours.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QToolTip

from kinetree.app.panels.writing.source.carets import Caret, Stroke
from kinetree.app.panels.writing.source.completion import CompletionPopup, Stops
from kinetree.app.panels.writing.source.found_list import FoundPlace
from kinetree.app.panels.writing.source.lexer import TokenKind
from kinetree.app.panels.writing.source.look import html_of
from kinetree.app.workspace.questions import Questions
from kinetree.engine.assist.colours import is_colour
from kinetree.engine.assist.completion import Completion, Completions, complete
from kinetree.engine.assist.formatting import format_edits
from kinetree.engine.assist.hover import Hover, hover
from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.navigation import Renamed, definitions, references_everywhere, rename_at, rename_edits
from kinetree.engine.assist.tags import LONGEST_TAG
from kinetree.engine.document.change import Changes
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.files import FileRead
from kinetree.engine.document.source import Span
from kinetree.engine.editing.fixes import Fix
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor
    from kinetree.app.panels.writing.source.panel import SourcePanel

COMPLETE, HOVER, GO, RENAME, FORMAT = "complete", "hover", "go", "rename", "format"


class Knowledge(QObject):
    """Gives the editors of a panel completion, hover, definitions and the like from `engine/assist`."""

    def __init__(self, panel: SourcePanel, questions: Questions):
        super().__init__(panel)
        self._panel, self._questions = panel, questions
        self._popups: dict[SourceEditor, CompletionPopup] = {}
        self._stops: Stops | None = None
        self._renamed = ("", 0)  # where the name stands that is being renamed
        panel.project.edited.connect(self._take_edit)

    def watch(self, editor: SourceEditor) -> None:
        """Serve an editor."""
        popup = self._popups[editor] = CompletionPopup(editor)
        popup.accepted.connect(partial(self._insert, editor))
        editor.destroyed.connect(partial(self._popups.pop, editor, None))
        editor.keys.first = partial(self._take_key, editor)
        editor.typed.connect(partial(self._typed, editor))
        editor.caret_moved.connect(popup.hide)
        editor.left.connect(popup.hide)
        editor.verticalScrollBar().valueChanged.connect(popup.hide)
        editor.hovered.connect(partial(self._hover, editor))
        editor.definition_wanted.connect(self._define)
        editor.fixes_wanted.connect(self._panel.fixes.offer)
        editor.highlighter.meaning = partial(self._meaning, editor)

    def _ask(
        self, kind: str, ask: Callable[..., Any], *arguments, take: Callable[[Any], None], tell: bool = True
    ) -> None:
        """Call a function of the document and a file in the background. Its answer is used only if no text has changed
        by then. `tell`: show the user why there is no answer."""
        panel, editor = self._panel, self._panel.editor
        document = None if editor is None else self._document_of(editor.path)
        if document is None or editor is None:
            return
        version = panel.project.texts.version

        def taken(answer: Any) -> None:
            if panel.project.texts.version == version and editor.path in panel.editors:
                take(answer)

        refused = panel.told.emit if tell else lambda _reason: None
        self._questions.ask(kind, partial(ask, document, editor.path, *arguments), taken, refused)

    def _document_of(self, path: str) -> Document | None:
        """The document that a file is part of: the open one, a model that it attaches, or one that includes it."""
        return self._panel.project.document_of(path)

    # ---- completion ----------------------------------------------------------------------------------

    def _take_edit(self, _transaction: object, backward: bool) -> None:
        """Close the completion lists if the edit was an undo."""
        for popup in self._popups.values() if backward else ():
            popup.hide()

    def complete(self, asked: bool = True) -> None:
        """Offer what may be typed at the caret. `asked`: the user wants to see it, even if there is nothing to
        type."""
        editor = self._panel.editor
        if editor is None or len(editor.carets.all()) > 1:
            return
        place = editor.carets.main.position

        def offer(found: Completions) -> None:
            if editor.carets.main == Caret(place, place):
                self._offer(editor, found, place, asked)

        self._ask(COMPLETE, complete, place, take=offer, tell=asked)

    def _offer(self, editor: SourceEditor, found: Completions, place: int, asked: bool) -> None:
        popup, items = self._popups[editor], list(found.items)
        typed = bool(items) and items[0].start < place
        if len(items) == 1 and items[0].text == editor.text[items[0].start : items[0].end] and not asked:
            items = []  # it is there already
        if items and editor.window().focusWidget() is editor:
            popup.show_items(items, typed or asked)
        else:
            popup.hide()
            if asked:
                self._panel.told.emit(tr("There is nothing to complete here."))

    def _typed(self, editor: SourceEditor, typed: str) -> None:
        """Update the completions after the user has typed a character: open the list, narrow it down, or close it."""
        popup = self._popups[editor]
        if popup.isVisible():
            popup.narrow()
        begins = typed in ("<", '"', "'", " ", "/", ".") or typed.isalnum() or typed == "_"
        if typed in ("\n", ">", "="):
            popup.hide()
            self._questions.drop(COMPLETE)
        elif popup.isVisible() or (begins and typed != "\b"):
            place = editor.carets.main.position
            least = max(place - LONGEST_TAG, 0)
            if popup.isVisible() or editor.text.rfind("<", least, place) > editor.text.rfind(">", least, place):
                self.complete(asked=False)

    def _take_key(self, editor: SourceEditor, event: QKeyEvent) -> bool:
        if self._popups[editor].take_key(event):
            return True
        if self._stops is not None:
            if self._stops.is_over or event.key() == Qt.Key.Key_Escape:
                self._stops = None
            elif event.key() == Qt.Key.Key_Tab and event.modifiers() == Qt.KeyboardModifier.NoModifier:
                return self._stops.next()
        return False

    def _insert(self, editor: SourceEditor, item: Completion) -> None:
        """Insert what was chosen from the list, in place of the word at the caret."""
        place = editor.carets.main.position
        end = max(item.end, place)
        first = item.stops[0] if item.stops else (len(item.text), len(item.text))
        caret = Caret(item.start + first[0], item.start + first[1])
        editor.carry_out(tr("Typing"), Stroke([Edit(item.start, end, item.text)], [caret]), goes_on=True)
        self._stops = Stops(editor, item.start, item.stops[1:]) if len(item.stops) > 1 else None
        if item.again:
            self.complete(asked=False)

    # ---- hover ---------------------------------------------------------------------------------------

    def _hover(self, editor: SourceEditor, offset: int, place: QPoint) -> None:
        problems = [item.message for item in reversed(editor.problems.between(offset, offset))]
        fixes = self._panel.fixes.at(editor, offset, offset)[:1] if problems else []

        def show(found: Hover | None) -> None:
            parts = [f"<p>{_escaped(text)}</p>" for text in dict.fromkeys(problems)]
            parts += [f"<p><b>{_escaped(self._offer_of(fix))}</b></p>" for fix in fixes]
            area = QRect()
            if found is not None:
                parts.append(html_of(found.markdown))
                area = _area(editor, found.span.start, found.span.end)
            viewport = editor.viewport()
            if parts and viewport.rect().contains(viewport.mapFromGlobal(place)):
                QToolTip.showText(place, "<hr>".join(parts), viewport, area)
            else:
                QToolTip.hideText()

        if self._panel.editor is editor:
            self._ask(HOVER, hover, offset, take=show, tell=False)

    def _offer_of(self, fix: Fix) -> str:
        """A quick fix for the help under the mouse, with the key that lists it."""
        action = next((each for each in self._panel.actions() if each.objectName() == "source.fix"), None)
        key = "" if action is None else action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        return tr("{key}: {title}", key=key, title=fix.title) if key else fix.title

    # ---- names ---------------------------------------------------------------------------------------

    def go_to_definition(self) -> None:
        """Go to the declaration of the name at the caret."""
        if self._panel.editor is not None:
            self._define(self._panel.editor.carets.main.position)

    def _define(self, offset: int) -> None:
        self._ask(GO, definitions, offset, take=self._show_definitions)

    def _show_definitions(self, found: list[Span | str]) -> None:
        panel = self._panel
        spans = [each for each in found if isinstance(each, Span)]
        files = [each for each in found if isinstance(each, str)]
        if len(spans) == 1:
            panel.places.show(spans[0].source.path, spans[0].start, spans[0].end, panel.has_keyboard)
        elif spans:
            self._show_spans(counted("{count} place declares it", "{count} places declare it", len(spans)), spans)
        elif files:
            panel.places.show(files[0], 0, 0, panel.has_keyboard)
        else:
            panel.told.emit(tr("This name has no declaration."))

    def find_references(self) -> None:
        """List every place that has the name at the caret."""
        editor = self._panel.editor
        if editor is not None:
            survey = self._panel.project.survey()
            self._ask(GO, references_everywhere, editor.carets.main.position, True, survey, take=self._show_references)

    def _show_references(self, found: list[Span]) -> None:
        if not found:
            self._panel.told.emit(tr("There is no name here."))
            return
        title = counted(
            "{count} place has the name {name}", "{count} places have the name {name}", len(found), name=found[0].text
        )
        self._show_spans(title, found)

    def _show_spans(self, title: str, spans: list[Span]) -> None:
        """List places, some of which may be in files that are not open."""
        places = [self._place(span) for span in spans]
        texts = {place.path: span.source.text for place, span in zip(places, spans, strict=True)}
        self._panel.finding.show_places(title, places, others=texts)

    def _place(self, span: Span) -> FoundPlace:
        return FoundPlace(self._panel.project.texts.key(span.source.path), span.start, span.end)

    def ask_name(self) -> None:
        """Begin to rename what is at the caret."""
        editor = self._panel.editor
        if editor is not None:

            def ask(found: Renamed) -> None:
                if not self._panel.has_keyboard:
                    return  # the user has gone on elsewhere
                document, span = found.document, found.span
                self._renamed = (document.path_of(span.source), span.start)
                is_here = document is self._document_of(editor.path)
                self._panel.rename_bar.begin(span.text, "" if is_here else os.path.basename(document.path))

            self._ask(RENAME, rename_at, editor.carets.main.start, take=ask)

    def rename(self, name: str) -> None:
        """Give the element another name, with all that refers to it in all models that are known, as one step."""
        panel, (path, offset) = self._panel, self._renamed
        texts = panel.project.texts
        document = self._document_of(path) if texts.key(path) in texts.files else None
        if document is None:
            panel.rename_bar.show_reason(tr("The file is not open any more: place the caret on the name again."))
            return
        version, survey = texts.version, panel.project.survey()

        def question() -> tuple[Changes, list[FileRead]]:
            changes = rename_edits(document, path, offset, name, survey)
            return changes, survey.outside(changes)

        def change(found: tuple[Changes, list[FileRead]]) -> None:
            changes, others = found
            if panel.project.texts is texts and texts.version == version:
                panel.project.provide(*others)
                done = lambda _made: panel.rename_bar.end()  # noqa: E731
                panel.tasks.change(tr("Rename to {name}", name=name), changes, done, panel.rename_bar.show_reason)
            else:
                panel.rename_bar.show_reason(tr("The text has changed in the meantime: try again."))

        self._questions.ask(RENAME, question, change, panel.rename_bar.show_reason)

    # ---- formatting ----------------------------------------------------------------------------------

    def format(self) -> None:
        """Format the file: indentation and the spaces in tags."""
        editor = self._panel.editor
        if editor is not None:
            self._ask(FORMAT, format_edits, take=partial(self._format, editor))

    def _format(self, editor: SourceEditor, edits: list[Edit]) -> None:
        told = self._panel.told.emit
        if edits:
            done = lambda _made: told(counted("{count} place formatted", "{count} places formatted", len(edits)))  # noqa: E731
            self._panel.tasks.change(tr("Format"), {editor.path: edits}, done, told)
        else:
            told(tr("The file is formatted already."))

    # ---- colours -------------------------------------------------------------------------------------

    def _meaning(self, editor: SourceEditor, offset: int, name: str) -> TokenKind | None:
        """Whether an attribute declares a name, refers to one, or is a colour."""
        document, node = self._document_of(editor.path), editor.parsed.root.at(offset)
        if document is None or node is None:
            return None
        language = language_of(document)
        row = language.row(node)
        known = None if row is None else row.attributes.get(name)
        if row is None or known is None:
            return None
        declared = language.declares(node, row)
        if declared is not None and declared[0].name == name:
            return TokenKind.NAME
        if is_colour(known):
            return TokenKind.COLOUR
        return TokenKind.LINK if language.refers_by(node, row, known) is not None else None


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _area(editor: SourceEditor, start: int, end: int) -> QRect:
    """Where a stretch of one line is in the viewport."""
    first, last = QTextCursor(editor.document()), QTextCursor(editor.document())
    first.setPosition(editor.shown.position(start))
    last.setPosition(editor.shown.position(end))
    return editor.cursorRect(first).united(editor.cursorRect(last))
