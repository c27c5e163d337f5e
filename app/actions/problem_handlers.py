"""Actions on findings about the text in panels: show the place, fix it, copy it, hide a kind."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from kinetree.app.actions.context import ActionContext
from kinetree.app.panels.writing.problems import ProblemsPanel
from kinetree.app.panels.writing.source.panel import SourcePanel
from kinetree.app.workspace.fixing import QuickFixes, described
from kinetree.app.workspace.log import LogEntry
from kinetree.app.workspace.selection import select_at
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.document.document import Document
from kinetree.engine.translation import tr


class ProblemHandlers:
    """Actions of the lists of problems. `panel` is the list in a dock, which the status bar and the viewport open;
    `start` the list of the start page. `unless_unsaved(then)` asks about unsaved edits before it does something that
    loses them.
    """

    def __init__(
        self,
        context: ActionContext,
        panel: ProblemsPanel,
        start: ProblemsPanel,
        source: SourcePanel,
        unless_unsaved: Callable[[Callable[[], None]], None],
    ):
        self.context, self._panel, self._source = context, panel, source
        self._unless_unsaved = unless_unsaved
        self._settings, self._compiler = context.settings, context.workspace.compiler
        self._compiler.hide_codes(self._settings.hidden_checks)
        self._compiler.diagnostics_changed.connect(self._show_items)
        self._fixes = QuickFixes(context.workspace.project, context.workspace.questions)
        panel.chosen.connect(source.show_problem)
        for each in (panel, start):
            each.set_knowledge(
                lambda item: described(item, self._document(item)),
                lambda item: self._fixes.of(item, self._document(item)),
            )
            each.fix_wanted.connect(lambda fixes, item: self._apply(self._fixes.apply, fixes, item))
            each.fix_all_wanted.connect(lambda items: self._apply(self._fixes.apply_all, items, items[0]))
            each.chosen.connect(self.select)
            each.copied.connect(lambda place: context.say(tr("Copied {place}", place=place)))
            each.opened.connect(self.open)
            each.hide_kind.connect(lambda code: self._hide([*self._settings.hidden_checks, code]))
            each.show_again.connect(self._show_kinds)
        self._show_items()

    def show_panel(self) -> None:
        """Open the panel of problems."""
        self.context.docks["problems"].bring_up()

    def _show_items(self) -> None:
        self._panel.set_items(self._compiler.diagnostics)
        self._panel.set_hidden(self._settings.hidden_checks, self._compiler.hidden)

    def _document(self, item: Diagnostic) -> Document | None:
        """The text that a finding is about: the one that was compiled, or one that it belongs to."""
        result = self._compiler.result
        document = result.document if result is not None else None
        if document is not None and item.file:
            try:
                document.source_of(item.file)
                return document
            except KeyError:
                pass
        return self.context.workspace.project.document_of(item.file) if item.file else None

    def _apply(self, apply: Callable[..., None], what: Sequence[Any], item: Diagnostic) -> None:
        document = self._document(item)
        if document is not None:
            apply(what, document, self.context.say)

    def select(self, item: Diagnostic) -> None:
        """Select the element that a finding is about, where it is in the model that is shown."""
        workspace = self.context.workspace
        model = workspace.simulation.model
        if model is not None:
            found = select_at(model, item.file, item.line, item.column)
            if found:
                workspace.selection.select(found)

    def open(self, item: Diagnostic) -> None:
        """Show a finding in the text."""
        project, opening = self.context.workspace.project, self.context.workspace.opening
        if opening.attempt and item.file and project.texts.key(item.file) not in project.texts.files:
            self.open_broken(item)
            return
        self.context.docks["source"].bring_up()
        self._source.show_problem(item)

    def open_broken(self, item: Diagnostic | None = None) -> None:
        """Open the file that could not be opened in place of the open one, to be fixed in the source panel, where the
        first error is shown, or `item`."""
        project, opening = self.context.workspace.project, self.context.workspace.opening
        path = opening.attempt
        first = next((each for each in self._compiler.diagnostics if each.severity is Severity.ERROR), None)
        shown = first if item is None else item

        def show() -> None:
            if project.path == path:
                project.changed.disconnect(show)
                self.context.docks["source"].bring_up()
                if shown is not None and shown.file and project.texts.key(shown.file) in project.texts.files:
                    self._source.show_problem(shown)
                self._source.focus_editor()
            elif opening.attempt != path:  # given up
                project.changed.disconnect(show)

        def open() -> None:
            if opening.attempt == path:
                opening.open_with_errors()
                project.changed.connect(show)

        self._unless_unsaved(open)

    def show_entry(self, entry: LogEntry) -> None:
        """Show where in the text something of the log was."""
        if entry.place is None:
            return
        if isinstance(entry.place, Diagnostic):
            self.open(entry.place)
            return
        path, start, end = entry.place
        texts = self.context.workspace.project.texts
        if path not in texts.files:
            self.context.say(tr("{file} is not open any more", file=os.path.basename(path)))
            return
        most = len(texts.text(path))
        self.context.docks["source"].bring_up()
        self._source.places.show(path, min(start, most), min(end, most), focus=False)

    def _hide(self, codes: list[str]) -> None:
        self._settings.hidden_checks = codes
        self._compiler.hide_codes(self._settings.hidden_checks)

    def _show_kinds(self, codes: list[str]) -> None:
        self._hide([code for code in self._settings.hidden_checks if code not in codes])
