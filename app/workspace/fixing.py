"""Quick fixes of findings in the open document, carried out as one undo step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from kinetree.app.workspace.project import ProjectController
from kinetree.app.workspace.questions import Questions
from kinetree.engine.diagnostics import Diagnostic
from kinetree.engine.document.change import Changes
from kinetree.engine.editing.fixes import Fix, changes_of, fixes_of, fixes_of_all
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node


Told = Callable[[str], None]
"""Takes a sentence for the status line: what was done, or why nothing was."""


class QuickFixes:
    """Quick fixes of one project. `document` of a finding is the text that its lines and columns count in."""

    def __init__(self, project: ProjectController, questions: Questions):
        self._project, self._questions = project, questions

    def of(self, item: Diagnostic, document: Document | None) -> list[Fix]:
        """The fixes of a finding, the best one first."""
        return fixes_of(item, document) if document is not None and item.file else []

    def apply(self, fixes: Sequence[Fix], document: Document, told: Told) -> None:
        """Carry out fixes as one undo step. A thread works out their edits; nothing is done where the text changes
        before."""
        self._ask(lambda: (fixes, changes_of(fixes, document)), document, told)

    def apply_all(self, items: Sequence[Diagnostic], document: Document, told: Told) -> None:
        """Carry out the first fix of each finding as one undo step; see `apply`."""

        def work_out() -> tuple[Sequence[Fix], Changes]:
            fixes = fixes_of_all(items, document)
            return fixes, changes_of(fixes, document)

        self._ask(work_out, document, told)

    def _ask(self, work_out: Callable[[], tuple[Sequence[Fix], Changes]], document: Document, told: Told) -> None:
        def take(found: tuple[Sequence[Fix], Changes]) -> None:
            told(self._carry_out(*found, document))

        def refuse(reason: str) -> None:
            told(tr("These problems cannot be fixed together: {reason}", reason=reason))

        self._questions.ask("fix", work_out, take, refuse)

    def _carry_out(self, fixes: Sequence[Fix], changes: Changes, document: Document) -> str:
        """Change the texts. Returns a sentence for the status line."""
        texts, title = self._project.texts, title_of(fixes)
        for path in changes:
            if texts.key(path) not in texts.files:
                return tr("{file} is not part of the open document: open it to fix the problem", file=path)
            if texts.text(path) != document.source_of(path).text:
                return tr("The text has changed: the problem can be fixed as soon as it has been checked again")
        if changes:
            texts.seal()
            self._project.apply(title, changes)
            texts.seal()
        return title


def title_of(fixes: Sequence[Fix]) -> str:
    """The name of an undo step."""
    titles = {fix.title for fix in fixes}
    if len(titles) != 1:
        return counted("Fix {count} problem", "Fix {count} problems", len(fixes))
    (title,) = titles
    return title if len(fixes) == 1 else tr("{title} ({count} times)", title=title, count=len(fixes))


def described(item: Diagnostic, document: Document | None) -> str:
    """The element that a finding is about: its kind and name, or that of the element around it."""
    node = _node(item, document)
    if node is None or node.parent is None:
        return ""
    for around in (node, *node.ancestors()):
        name = around.get("name") or (around.get("class") if around.tag == "default" else None)
        if name and around.parent is not None:
            label = f"{around.tag} '{name}'"
            return label if around is node else tr("{tag} of {label}", tag=node.tag, label=label)
    return node.tag


def _node(item: Diagnostic, document: Document | None) -> Node | None:
    try:
        source = document.source_of(item.file) if document is not None else None
    except KeyError:
        return None
    if document is None or source is None or (item.line, item.column) == (1, 1) or item.line > len(source.line_starts):
        return None
    return document.node_at(item.file, source.offset(item.line, item.column))
