"""The dialog that decides about lines which the user and another program have both changed."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QRadioButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.panels.pages.lines_view import LinesView, width
from kinetree.app.workers.merging import MergeResult
from kinetree.engine.document.merge import ConflictChoice
from kinetree.engine.translation import counted, marked, tr

MOST_COMPARED = 4000
"""Characters of a conflict whose words are compared."""
_WORD = re.compile(r"[\w.+-]+|\r\n|\s|[^\w.+\s-]")
TEXT_SIZE = 10  # points, where nothing is set
CONTEXT = 4  # unchanged lines shown around a conflict
CHOICES = (
    (ConflictChoice.OURS, marked("Keep &mine")),
    (ConflictChoice.THEIRS, marked("Take the &disk's")),
    (ConflictChoice.BOTH, marked("Keep &both")),
)


class ConflictDialog(QDialog):
    """The conflicts of one file, each with both versions and what comes of the choice. `decided(choices)`: the user
    wants them merged; a Choice for each conflict by number. `size`: of the text, points."""

    decided = Signal(object)

    def __init__(self, result: MergeResult, parent: QWidget | None = None, size: int = TEXT_SIZE):
        super().__init__(parent)
        self.result_ = result
        self.conflicts = result.merge.conflicts
        self.choices: dict[int, ConflictChoice] = {}
        name = os.path.basename(result.path)
        self.setWindowTitle(tr("Merge Changes of {name}", name=name))
        around = parent.size() if parent is not None else QSize(1280, 800)
        self.resize(max(960, around.width() * 3 // 5), max(600, around.height() * 3 // 5))
        count, others = len(self.conflicts), len(result.merge.taken)
        sentences = [
            tr("Another program changed {name} while it had unsaved changes here.", name=name),
            counted(
                "One place was changed by both: decide which lines to keep.",
                "{count} places were changed by both: decide which lines to keep.",
                count,
            ),
        ]
        if others:
            sentences.append(
                counted(
                    "{count} other change of the other program will be merged.",
                    "{count} other changes of the other program will be merged.",
                    others,
                )
            )
        top = QLabel(" ".join([*sentences, tr("The merge can be undone.")]))
        top.setWordWrap(True)
        top.setTextFormat(Qt.TextFormat.PlainText)

        self.list = QListWidget()
        self.list.setSpacing(3)
        self.list.setMinimumWidth(150)
        self.list.setAccessibleName(tr("Conflicts"))
        for conflict in self.conflicts:
            self.list.addItem(QListWidgetItem(tr("Line {line}", line=conflict.line)))
        self.list.currentRowChanged.connect(self._show)

        self.mine, self.disk, self.outcome = (
            _LinesPane(text, size) for text in (tr("Mine"), tr("On disk"), tr("Result"))
        )
        versions = QSplitter(Qt.Orientation.Horizontal)
        versions.addWidget(self.mine)
        versions.addWidget(self.disk)
        versions.setChildrenCollapsible(False)
        panes = QSplitter(Qt.Orientation.Vertical)
        panes.addWidget(versions)
        panes.addWidget(self.outcome)
        panes.setChildrenCollapsible(False)

        self.buttons = QButtonGroup(self)
        row = QHBoxLayout()
        for number, (_, label) in enumerate(CHOICES):
            button = QRadioButton(tr(label))
            self.buttons.addButton(button, number)
            row.addWidget(button)
        row.addStretch(1)
        for label, choice in ((tr("All Mine"), ConflictChoice.OURS), (tr("All from Disk"), ConflictChoice.THEIRS)):
            button = QPushButton(label)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, choice=choice: self._choose_all(choice))
            row.addWidget(button)
        self.buttons.idClicked.connect(self._choose)

        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.merge_button = self.box.addButton(tr("Merge"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.merge_button.setDefault(True)
        self.box.accepted.connect(self._accept)
        self.box.rejected.connect(self.reject)

        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(panes, 1)
        middle = QSplitter(Qt.Orientation.Horizontal)
        middle.addWidget(self.list)
        middle.addWidget(right)
        middle.setStretchFactor(1, 1)
        middle.setSizes([170, 780])
        middle.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(top)
        layout.addWidget(middle, 1)
        layout.addWidget(self.box)
        self.list.setCurrentRow(0)
        self._note()

    @property
    def undecided(self) -> int:
        """How many conflicts have no choice yet."""
        return len(self.conflicts) - len(self.choices)

    def _choose(self, number: int) -> None:
        self.choices[self.list.currentRow()] = CHOICES[number][0]
        self._show(self.list.currentRow())
        self._note()

    def _choose_all(self, choice: ConflictChoice) -> None:
        self.choices = dict.fromkeys(range(len(self.conflicts)), choice)
        self._show(self.list.currentRow())
        self._note()

    def _note(self) -> None:
        """Show what is decided in the list, and what is left on the button's tip."""
        names = dict(zip((choice for choice, _ in CHOICES), (tr("mine"), tr("disk"), tr("both")), strict=True))
        for number, conflict in enumerate(self.conflicts):
            item, choice = self.list.item(number), self.choices.get(number)
            item.setText(
                tr("Line {line}", line=conflict.line) + (f"  –  {names[choice]}" if choice is not None else "")
            )
        self.merge_button.setEnabled(not self.undecided)
        left = self.undecided
        told = counted("{count} conflict is not decided yet", "{count} conflicts are not decided yet", left)
        self.merge_button.setToolTip(told if left else "")

    def _show(self, number: int) -> None:
        if number < 0:
            return
        conflict, choice = self.conflicts[number], self.choices.get(number)
        text = self.result_.merge.ours
        before = "".join(text[: conflict.start].splitlines(keepends=True)[-CONTEXT:])
        after = "".join(text[conflict.end :].splitlines(keepends=True)[:CONTEXT])
        first = max(1, conflict.line - CONTEXT)
        above = text[: conflict.start - len(before)]
        self.mine.show_lines(above, before, conflict.ours, after, first)
        self.disk.show_lines(above, before, conflict.theirs, after, first)
        for pane, stretches in zip((self.mine, self.disk), different(conflict.ours, conflict.theirs), strict=True):
            pane.mark(width(before), stretches)
        between = "" if not conflict.ours or conflict.ours.endswith(("\n", "\r")) else "\n"
        both = conflict.ours + between + conflict.theirs
        chosen = {ConflictChoice.OURS: conflict.ours, ConflictChoice.THEIRS: conflict.theirs, ConflictChoice.BOTH: both}
        if choice is not None:
            self.outcome.show_lines(above, before, chosen[choice], after, first)
        else:
            self.outcome.show_nothing(tr("Choose which lines to keep."))
        self.buttons.setExclusive(False)
        for index, (value, _) in enumerate(CHOICES):
            button = self.buttons.button(index)
            button.setChecked(value is choice)
        self.buttons.setExclusive(True)

    def _accept(self) -> None:
        self.decided.emit(dict(self.choices))
        self.accept()


class _LinesPane(QWidget):
    """A title over some lines; differing ones are marked."""

    def __init__(self, title: str, size: int):
        super().__init__()
        self.title = QLabel(title)
        self.title.setObjectName("dim")
        self.text = LinesView(size)
        self.text.setAccessibleName(title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        layout.addWidget(self.title)
        layout.addWidget(self.text, 1)
        self._name = title

    def show_lines(self, above: str, before: str, changed: str, after: str, first: int) -> None:
        """Show lines; the first one has the number `first`, and `above` is the text over it."""
        self.title.setText(self._name if changed else tr("{name}: nothing here", name=self._name))
        start = len(before.splitlines())
        differing = range(start, start + len(changed.splitlines()))
        self.text.show_lines((before + changed + after).rstrip("\r\n"), first, differing, above)

    def show_nothing(self, why: str) -> None:
        """Show no lines, and say why."""
        self.title.setText(self._name)
        self.text.show_lines("")
        self.text.setPlaceholderText(why)

    def mark(self, start: int, stretches: Sequence[tuple[int, int]]) -> None:
        """Mark stretches of the changed lines, which begin at the character `start`, more strongly."""
        self.text.mark_words([(start + first, start + last) for first, last in stretches])


def different(ours: str, theirs: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The stretches of two texts that are not in the other one, by whole words, in places of a QTextDocument; none for
    long texts, or where nothing is the same."""
    if max(len(ours), len(theirs)) > MOST_COMPARED:
        return [], []
    words = [_WORD.findall(text) for text in (ours, theirs)]
    places = [[0, *accumulate(map(width, each))] for each in words]
    found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
    blocks = SequenceMatcher(None, *words, autojunk=False).get_opcodes()
    for kind, *ends in blocks if any(each[0] == "equal" for each in blocks) else ():
        for side in range(2):
            first, last = ends[2 * side : 2 * side + 2]
            if kind != "equal" and first < last:
                found[side].append((places[side][first], places[side][last]))
    return found
