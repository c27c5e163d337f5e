"""Finding: finds and replaces in the texts of the panel, and lists places.

Texts are searched in a thread. An answer counts if text and pattern are still the same; else it is asked for again. A
new search ends the one that is under way.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from kinetree.app.panels.writing.source import carets as strokes
from kinetree.app.panels.writing.source.carets import Caret, Stroke
from kinetree.app.panels.writing.source.found_list import FoundPlace
from kinetree.app.panels.writing.source.search import Hit, Hits, Pattern, find_all, replacement
from kinetree.app.workspace.questions import Questions
from kinetree.engine.document.edit import Edit
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.panel import SourcePanel

SOON, SLOW = 120, 250  # ms: after an edit; until the user is told that a search goes on
FIND, FIND_IN_FILES = "find", "find in files"


class FindSession(QObject):
    """Connects the find bar and the list of places of a panel with its texts."""

    def __init__(self, panel: SourcePanel, questions: Questions):
        super().__init__(panel)
        self._panel, self._questions = panel, questions
        self._bar, self._list = panel.find_bar, panel.found
        self._found = Hits([])
        self._of: tuple[str, str, Pattern] | None = None  # path, text and pattern that `_found` is of
        self._ended = threading.Event()  # the search that is under way is not wanted any more
        self._planned: dict[str, str] = {}  # the texts that a list of changes was made for
        self._change_name = ""
        self._soon = self._timer(SOON, self.refresh)
        self._slow = self._timer(SLOW, lambda: self._bar.show_count(tr("Searching…")))
        bar = self._bar
        bar.changed.connect(lambda: self._with_hits(self._show_first))
        bar.step.connect(self.go_to_hit)
        bar.replace_one.connect(lambda: self._with_hits(self._replace_one))
        bar.replace_all.connect(lambda: self._with_hits(self._replace_all))
        bar.find_everywhere.connect(lambda: self._list_hits(False))
        bar.replace_everywhere.connect(lambda: self._list_hits(True))
        bar.closed.connect(self._end)
        self._list.confirmed.connect(self._make_changes)

    def _timer(self, milliseconds: int, run: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(run)
        return timer

    # ---- finding -------------------------------------------------------------------------------------

    def begin(self, replace: bool = False) -> None:
        """Open the find bar, with the selected text."""
        editor = self._panel.editor
        if editor is None:
            return
        caret = editor.carets.main
        chosen = editor.text[caret.start : caret.end]
        self._bar.begin(chosen if chosen and len(strokes.LINE_BREAK.split(chosen)) == 1 else "", replace)
        self.refresh()

    def begin_in_files(self) -> None:
        """Open the find bar and list what it finds in all files."""
        self.begin()
        if self._bar.what.text():
            self._list_hits(False)

    def refresh(self) -> None:
        """Mark the hits in the text that is shown."""
        if not self._bar.isHidden():
            self._with_hits()

    def text_edited(self) -> None:
        """Search again soon, as a text has changed."""
        if not self._bar.isHidden():
            self._soon.start()

    def _with_hits(self, then: Callable[[], None] = lambda: None) -> None:
        """Call a function as soon as the hits in the text that is shown are known."""
        editor = self._panel.editor
        if editor is None:
            return
        wanted = (editor.path, editor.text, self._bar.pattern)
        if self._is_present(self._of):
            self._mark()
            then()
            return
        self._ended.set()
        self._ended = threading.Event()

        def take(found: Hits) -> None:
            self._slow.stop()
            if self._is_present(wanted):
                self._found, self._of = found, wanted
                self._mark()
                then()
            else:
                self._with_hits(then)

        self._slow.start()
        self._questions.ask(FIND, partial(find_all, *wanted[1:], ended=self._ended.is_set), take)

    def _is_present(self, of: tuple[str, str, Pattern] | None) -> bool:
        """Whether hits are those of the text that is shown and of the pattern."""
        editor = self._panel.editor
        if of is None or editor is None:
            return False
        return of[0] == editor.path and of[1] is editor.text and of[2] == self._bar.pattern

    def _mark(self) -> None:
        """Show the hits in the text, and their number."""
        editor = self._panel.editor
        if editor is not None and not self._bar.isHidden():
            here = editor.carets.main
            hits = [hit[:2] for hit in self._found.items]
            editor.show_hits(hits, next((i for i, hit in enumerate(hits) if hit == (here.start, here.end)), -1))
            self._show_count()

    def _show_count(self) -> None:
        editor, found, bar = self._panel.editor, self._found, self._bar
        count = f"{len(found.items)}{'+' if found.more else ''}"
        if editor is None or not bar.what.text():
            text = ""
        elif bar.pattern.mistake:
            text = tr("Not a pattern")
        elif found.too_slow and not found.items:
            text = tr("Takes too long")
        elif editor.this_hit >= 0:
            text = tr("{number} of {count}", number=editor.this_hit + 1, count=count)
        else:
            text = (
                counted("{count} found", "{count} found", len(found.items), count=count)
                if found.items
                else tr("Nothing found")
            )
        why = tr("The search was given up: this pattern takes too long") if found.too_slow else ""
        bar.show_count(text, why)

    def _show_first(self) -> None:
        """Show the first hit after the place where the search began, for a changed pattern."""
        editor, hits = self._panel.editor, self._found.items
        if editor is not None and hits and editor.this_hit < 0 and not self._bar.isHidden():
            start = editor.carets.main.start
            self._show_hit(next((i for i, hit in enumerate(hits) if hit.start >= start), 0))

    def go_to_hit(self, step: int) -> None:
        """Go to the next (1) or previous (-1) hit."""
        if self._bar.isHidden():
            if not self._bar.what.text():
                self.begin()
                return
            self._bar.show()
        self._with_hits(partial(self._step, step))

    def _step(self, step: int) -> None:
        editor, hits = self._panel.editor, self._found.items
        if editor is None or not hits:
            return
        here = editor.carets.main
        if step > 0:
            number = next((i for i, hit in enumerate(hits) if hit.start >= here.end), 0)
        else:
            before = [i for i, hit in enumerate(hits) if hit.end <= here.start]
            number = before[-1] if before else len(hits) - 1
        self._show_hit(number)

    def _show_hit(self, number: int) -> None:
        editor = self._panel.editor
        if editor is not None:
            editor.this_hit = number
            editor.select(*self._found.items[number][:2])
            self._show_count()

    def _end(self) -> None:
        self._ended.set()
        self._questions.drop(FIND)
        self._slow.stop()
        self._found, self._of = Hits([]), None
        for editor in self._panel.editors.values():
            editor.show_hits([], -1)
        self._panel.keep_keyboard()

    # ---- replacing -----------------------------------------------------------------------------------

    def _replace_one(self) -> None:
        editor = self._panel.editor
        if editor is None or editor.this_hit < 0:
            self.go_to_hit(1)
            return
        hit = self._found.items[editor.this_hit]
        new = replacement(hit, self._bar.by.text(), self._bar.pattern)
        end = hit.start + len(new)
        editor.carry_out(tr("Replace"), Stroke([Edit(hit.start, hit.end, new)], [Caret(end, end)]))
        self.go_to_hit(1)

    def _replace_all(self) -> None:
        editor, found = self._panel.editor, self._found
        if editor is not None:
            edits = _edits(found.items, self._bar.pattern, self._bar.by.text())
            self._apply(
                {editor.path: edits}, tr("Replace all"), tr("there are more: replace again") if found.more else ""
            )

    def _list_hits(self, replace: bool) -> None:
        """List the hits in all files, or what replacing them does."""
        pattern, template, project = self._bar.pattern, self._bar.by.text(), self._panel.project
        if not pattern.text or pattern.mistake:
            return
        texts = {path: project.texts.text(path) for path in self._panel.paths}
        self._ended.set()
        self._ended = threading.Event()

        def take(changes: dict[str, list[Edit]]) -> None:
            self._slow.stop()
            self._show_count()
            if any(path not in project.texts.files or project.texts.text(path) is not texts[path] for path in changes):
                self._list_hits(replace)
                return
            places = [
                FoundPlace(path, edit.start, edit.end, edit.text if replace else None)
                for path, edits in changes.items()
                for edit in edits
            ]
            files = counted("{count} file", "{count} files", len(changes))
            count = counted("{count} place in {files}", "{count} places in {files}", len(places), files=files)
            self.show_places(count, places, tr("Replace") if replace and places else "", tr("Replace in all files"))

        self._slow.start()
        question = partial(_edits_of_all, texts, pattern, template, self._ended.is_set)
        self._questions.ask(FIND_IN_FILES, question, take)

    # ---- the list ------------------------------------------------------------------------------------

    def show_places(
        self,
        title: str,
        places: list[FoundPlace],
        verb: str = "",
        name: str = "",
        others: Mapping[str, str] | None = None,
    ) -> None:
        """List places. With a `verb` they are changes that the button of the list makes, as one step of that
        `name`. `others`: the texts of files that are not open."""
        texts = self._panel.project.texts
        paths = dict.fromkeys(place.path for place in places)
        self._planned = {path: texts.text(path) if path in texts.files else (others or {})[path] for path in paths}
        self._change_name = name
        self._list.show_places(title, places, self._planned, verb)

    def _make_changes(self) -> None:
        """Make the changes that are checked in the list."""
        texts = self._panel.project.texts
        if any(path not in texts.files or texts.text(path) != text for path, text in self._planned.items()):
            self._panel.told.emit(tr("The texts have changed in the meantime: make the list again."))
            return
        changes: dict[str, list[Edit]] = {}
        for place, checked in self._list.rows:
            if checked:
                changes.setdefault(place.path, []).append(Edit(place.start, place.end, place.new or ""))
        self._list.end()
        self._apply(changes, self._change_name)

    def _apply(self, changes: Mapping[str, list[Edit]], name: str, more: str = "") -> None:
        """Replace in all files, as one step of the undo history. `more` is shown after the count."""
        told = self._panel.told.emit
        replaced = counted("{count} replaced", "{count} replaced", sum(map(len, changes.values())))
        self._panel.tasks.change(name, changes, lambda _made: told(f"{replaced}; {more}" if more else replaced), told)


def _edits(hits: Sequence[Hit], pattern: Pattern, template: str) -> list[Edit]:
    return [Edit(hit.start, hit.end, replacement(hit, template, pattern)) for hit in hits]


def _edits_of_all(
    texts: Mapping[str, str], pattern: Pattern, template: str, ended: Callable[[], bool]
) -> dict[str, list[Edit]]:
    """Edits that replace all hits, for each text that has any."""
    found = {path: find_all(text, pattern, ended=ended).items for path, text in texts.items()}
    return {path: _edits(hits, pattern, template) for path, hits in found.items() if hits}
