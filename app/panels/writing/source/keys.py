"""Keys: what each key press does in an editor.

Those of actions and of completion come first, then a table of the editor's own, then moves of all carets, then typing,
which completes markup (`overtyping.py`). What is typed in the name of a tag goes into the other tag of its pair too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QTextCursor

from kinetree.app.panels.writing.source import carets as strokes
from kinetree.app.panels.writing.source import markup
from kinetree.app.panels.writing.source.carets import Caret, Stroke
from kinetree.app.panels.writing.source.overtyping import Typing
from kinetree.engine.assist.tags import tag_pair
from kinetree.engine.document.edit import Edit
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor

TYPING, DELETING = "typing", "deleting"

KEYS = QKeySequence.StandardKey
MOVE, MODE = QTextCursor.MoveOperation, QTextCursor.MoveMode
HELD = Qt.KeyboardModifier

_MOVES = (
    (KEYS.MoveToNextChar, MOVE.Right, MODE.MoveAnchor),
    (KEYS.MoveToPreviousChar, MOVE.Left, MODE.MoveAnchor),
    (KEYS.MoveToNextWord, MOVE.NextWord, MODE.MoveAnchor),
    (KEYS.MoveToPreviousWord, MOVE.PreviousWord, MODE.MoveAnchor),
    (KEYS.MoveToNextLine, MOVE.Down, MODE.MoveAnchor),
    (KEYS.MoveToPreviousLine, MOVE.Up, MODE.MoveAnchor),
    (KEYS.MoveToStartOfLine, MOVE.StartOfLine, MODE.MoveAnchor),
    (KEYS.MoveToEndOfLine, MOVE.EndOfLine, MODE.MoveAnchor),
    (KEYS.SelectNextChar, MOVE.Right, MODE.KeepAnchor),
    (KEYS.SelectPreviousChar, MOVE.Left, MODE.KeepAnchor),
    (KEYS.SelectNextWord, MOVE.NextWord, MODE.KeepAnchor),
    (KEYS.SelectPreviousWord, MOVE.PreviousWord, MODE.KeepAnchor),
    (KEYS.SelectNextLine, MOVE.Down, MODE.KeepAnchor),
    (KEYS.SelectPreviousLine, MOVE.Up, MODE.KeepAnchor),
    (KEYS.SelectStartOfLine, MOVE.StartOfLine, MODE.KeepAnchor),
    (KEYS.SelectEndOfLine, MOVE.EndOfLine, MODE.KeepAnchor),
)
"""The keys that move every caret."""


class EditorKeys:
    """Handles the key presses of one editor.

    first    called with each key press first; True: the key is used up
    actions  the actions whose keys are the editor's while it has the focus
    """

    def __init__(self, editor: SourceEditor):
        self._editor = editor
        self.first: Callable[[QKeyEvent], bool] = lambda event: False
        self.actions: Callable[[], Sequence[QAction]] = tuple
        self._typing = Typing()
        self._pair: tuple[tuple[int, int], tuple[int, int]] | None = None  # tag names that are typed together
        project = editor.project
        self._own = (
            (KEYS.Undo, project.undo),
            (KEYS.Redo, project.redo),
            (KEYS.Copy, editor.clipboard.copy),
            (KEYS.Cut, editor.clipboard.cut),
            (KEYS.Paste, editor.clipboard.paste),
            (KEYS.Delete, partial(self.delete_to, strokes.next_character)),
            (KEYS.DeleteStartOfWord, partial(self.delete_to, strokes.previous_word)),
            (KEYS.DeleteEndOfWord, partial(self.delete_to, strokes.next_word)),
            (KEYS.DeleteEndOfLine, partial(self.delete_to, strokes.line_end)),
        )

    def action_of(self, event: QKeyEvent) -> QAction | None:
        """The action that a key press belongs to."""
        pressed = QKeySequence(event.keyCombination())
        return next((action for action in self.actions() if pressed in action.shortcuts()), None)

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key press means here and accept it, or leave it to the window; False for one that Qt is to take."""
        if self.first(event):
            pass
        elif (action := self.action_of(event)) is not None:
            action.trigger()
        elif (own := next((run for key, run in self._own if event.matches(key)), None)) is not None:
            own()
        elif not self._move(event) and not self._type(event):
            if not event.text() or not event.text().isprintable():
                return False
            event.ignore()  # no text: a key of the window
            return True
        event.accept()
        return True

    def _type(self, event: QKeyEvent) -> bool:
        """Handle a key that types or deletes text: characters, Return, Tab, Backspace. Esc removes all carets but the
        main one. False for any other key."""
        editor, text, carets = self._editor, self._editor.text, self._editor.carets.all()
        key, held = event.key(), event.modifiers()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            editor.carry_out(tr("Typing"), markup.new_line(text, self._typing.new_line(carets)), goes_on=True)
            editor.typed.emit("\n")
        elif key == Qt.Key.Key_Tab and not held & (HELD.ControlModifier | HELD.AltModifier):
            self._tab()
        elif key == Qt.Key.Key_Backtab:
            editor.carry_out(tr("Indent less"), strokes.indent(text, carets, outwards=True))
        elif key == Qt.Key.Key_Backspace and held in (HELD.NoModifier, HELD.ShiftModifier):
            self._delete(strokes.backspace(text, carets))
        elif key == Qt.Key.Key_Escape and len(carets) > 1:
            editor.carets.set([editor.carets.main])
        elif _is_text(event):
            self.type_text(event.text())
        else:
            return False
        return True

    def delete_to(self, reach: Callable[[str, int], int]) -> None:
        """Delete the selections, or from each caret to `reach(text, caret)`."""
        editor, text = self._editor, self._editor.text
        self._typing.forget()
        self._delete(strokes.delete(editor.carets.all(), lambda offset: reach(text, offset)))

    def _delete(self, done: Stroke) -> None:
        self._editor.carry_out(tr("Deleting"), self.paired(done), DELETING)
        self._editor.typed.emit("\b")

    def _tab(self) -> None:
        editor, carets = self._editor, self._editor.carets.all()
        if any("\n" in editor.text[caret.start : caret.end] for caret in carets):
            editor.carry_out(tr("Indent"), strokes.indent(editor.text, carets))
            return
        unit = strokes.indent_unit(editor.text)
        texts = []
        for caret in carets:
            column = caret.start - strokes.line_start(editor.text, caret.start)
            texts.append(unit if "\t" in unit else " " * (len(unit) - column % len(unit)))
        editor.carry_out(tr("Typing"), strokes.insert(carets, texts), TYPING)

    def _move(self, event: QKeyEvent) -> bool:
        """Move the carets where there are several, and to the first character of a line before its start."""
        found = next((move for move in _MOVES if event.matches(move[0])), None)
        if found is None or (self._editor.carets.count == 1 and found[1] != MOVE.StartOfLine):
            return False
        _, operation, mode = found
        cursors = self._editor.carets.cursors()
        for cursor in cursors:
            self._move_one(cursor, operation, mode)
        self._editor.carets.set([self._editor.carets.of(cursor) for cursor in cursors])
        return True

    def _move_one(self, cursor: QTextCursor, operation: QTextCursor.MoveOperation, mode: QTextCursor.MoveMode) -> None:
        editor = self._editor
        if operation == MOVE.StartOfLine and editor.lineWrapMode() == editor.LineWrapMode.NoWrap:
            here = editor.shown.offset(cursor.position())
            start = strokes.line_start(editor.text, here)
            first = start + len(strokes.indent_of(editor.text, here))
            cursor.setPosition(editor.shown.position(start if here == first else first), mode)
        elif mode == MODE.MoveAnchor and cursor.hasSelection() and operation in (MOVE.Left, MOVE.Right):
            cursor.setPosition(cursor.selectionStart() if operation == MOVE.Left else cursor.selectionEnd())
        else:
            cursor.movePosition(operation, mode)

    def add_caret(self, lines: int) -> None:
        """Add a caret on the line above (-1) or below (1) the outermost one."""
        editor, carets = self._editor, self._editor.carets.all()
        outermost = (max if lines > 0 else min)(carets, key=lambda caret: caret.position)
        cursor = editor.carets.cursor(Caret(outermost.position, outermost.position))
        if cursor.movePosition(MOVE.Down if lines > 0 else MOVE.Up):
            editor.carets.set([*carets, editor.carets.of(cursor)])

    def type_text(self, typed: str) -> None:
        """Handle typed characters."""
        editor = self._editor
        done = self._typing.type(editor.parsed, editor.carets.all(), typed)
        editor.carry_out(tr("Typing"), self.paired(done), TYPING)
        editor.typed.emit(typed)

    def paired(self, done: Stroke) -> Stroke:
        """A stroke inside the name of a tag, with the same one in the other tag of the pair."""
        if len(done.edits) != 1 or len(done.carets) != 1:
            self._pair = None
            return done
        (start, end, new), caret = done.edits[0], done.carets[0]
        pair = self._pair or tag_pair(self._editor.parsed, start)
        self._pair = None
        if pair is None or not (pair[0][0] <= start and end <= pair[0][1]):
            return done
        if not all(character.isalnum() or character in "_-.:" for character in new):
            return done
        (a, b), (c, d) = pair
        edits = [done.edits[0], Edit(c + start - a, c + end - a, new)]
        shift = len(new) - (end - start)
        if c < a:
            self._pair = (a + shift, b + 2 * shift), (c, d + shift)
            return Stroke(edits[::-1], [Caret(caret.anchor + shift, caret.position + shift)])
        self._pair = (a, b + shift), (c + shift, d + 2 * shift)
        return Stroke(edits, [caret])

    def forget(self, place: int | None = None) -> None:
        """Stop typing over inserted text and typing both names of a pair of tags: the text was changed otherwise, or
        the caret has gone to another place, for a pair outside of the name.
        """
        self._typing.forget()
        if place is None or (self._pair is not None and not self._pair[0][0] <= place <= self._pair[0][1]):
            self._pair = None


def _is_text(event: QKeyEvent) -> bool:
    """Whether a key press types characters."""
    text, held = event.text(), event.modifiers()
    if not text or not all(character.isprintable() for character in text):
        return False
    command = held & (HELD.ControlModifier | HELD.MetaModifier)
    return not command or bool(held & HELD.AltModifier and held & HELD.ControlModifier)  # AltGr
