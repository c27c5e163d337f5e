"""The page in the middle of the window without a model: how to open one, or why a file cannot be opened."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from kinetree import engine
from kinetree.app.panels import pages
from kinetree.app.panels.pages.cards import LARGE, MARGIN, PICTURE, SLACK, Card, Cards
from kinetree.app.panels.writing.problems import ProblemsPanel, counts
from kinetree.app.settings.icons import app_icon, icon
from kinetree.app.settings.thumbnails import Thumbnails
from kinetree.app.widgets.labels import Elided, IconLabel
from kinetree.app.widgets.part import openings, part_text
from kinetree.app.workers.compiling import CompileResult
from kinetree.app.workers.parts import CODE
from kinetree.engine.diagnostics import Severity
from kinetree.engine.translation import counted, tr

RECENT = 8
WIDEST_OFFER = 620  # of the offer of the tour, pixels
MOST_COLUMNS = 5
WIDE = 1700  # a page from so many pixels on has larger pictures


class StartPage(QScrollArea):
    """Start page, shown without a model. Signals: `open_dialog()`, `open_file(path)`, `open_apart(path)` (in a new
    window), `new_wanted()`, `tour_wanted()`,
    `action_wanted(id)`."""

    open_dialog = Signal()
    open_file = Signal(str)
    open_apart = Signal(str)
    new_wanted = Signal()
    tour_wanted = Signal()
    action_wanted = Signal(str)

    def __init__(self, thumbnails: Thumbnails, parent: QWidget | None = None, plays: Callable[[], bool] = lambda: True):
        """`plays()`: whether moving pictures play."""
        super().__init__(parent)
        self._thumbnails = thumbnails
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._icon = IconLabel(64)
        self._title = Elided(Qt.TextElideMode.ElideMiddle)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title.setObjectName("start-title")
        self._text = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._text.setObjectName("dim")
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self.button = QPushButton(tr("Open a Model…"))
        self.button.setDefault(True)
        self.button.clicked.connect(self.open_dialog)
        self.new = QPushButton(tr("New Model"))
        self.new.clicked.connect(self.new_wanted)
        self.problems = ProblemsPanel(self)
        self.problems.setMaximumHeight(260)
        self.recent, self.examples = Cards(tr("Recent models"), self), Cards(tr("Examples"), self, plays)
        self._sections: list[tuple[QLabel, Cards]] = []
        column = QVBoxLayout()
        column.setSpacing(12)
        column.addStretch(1)
        column.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignHCenter)
        for widget in (self._title, self._text):
            column.addWidget(widget)
        self.models: list[QPushButton] = []  # open a model that the file is a part of
        row = self._row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.button)
        row.addWidget(self.new)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self._make_links())
        self._offer_row = QHBoxLayout()
        column.addLayout(self._offer_row)
        self.offer: QFrame | None = None  # of the tour
        column.addWidget(self.problems)
        self._block = QWidget()
        block = QVBoxLayout(self._block)
        block.setContentsMargins(0, 0, 0, 0)
        for title, cards in ((tr("Recent"), self.recent), (tr("Examples"), self.examples)):
            label = QLabel(title)
            label.setObjectName("start-section")
            label.setBuddy(cards)
            label.setIndent(MARGIN)
            cards.opened.connect(self.open_file)
            cards.opened_apart.connect(self.open_apart)
            block.addSpacing(6)
            block.addWidget(label)
            block.addWidget(cards)
            self._sections.append((label, cards))
        column.addWidget(self._block, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        page = QWidget()
        inner = QWidget()
        inner.setLayout(column)
        inner.setMaximumWidth(MOST_COLUMNS * (LARGE.width() + 2 * MARGIN) + 60)
        outer = QHBoxLayout(page)
        outer.addStretch(1)
        outer.addWidget(inner, 100)
        outer.addStretch(1)
        self.setWidget(page)
        self._shown: list[str] | None = None
        self._paths: list[str] = []
        self.show_nothing([])

    def _make_links(self) -> QLabel:
        """Links to pages for who is new."""
        links = self._links = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        shown = (
            ("help.tour", tr("Tour")),
            ("help.docs", tr("Documentation")),
            ("help.simulate", tr("Coming from simulate")),
        )
        links.setText(" &nbsp;·&nbsp; ".join(f'<a href="{name}">{text}</a>' for name, text in shown))
        links.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        links.linkActivated.connect(self.action_wanted)
        return links

    def offer_tour(self) -> None:
        """Offer the tour on this page, until the user takes it, declines or opens a model."""
        if self.offer is not None:
            return
        self.offer = QFrame(self)
        self.offer.setObjectName("tour-offer")
        take, decline = QPushButton(tr("Take the Tour")), QToolButton()
        take.clicked.connect(self.tour_wanted)
        decline.setIcon(icon("close"))
        decline.setAccessibleName(tr("Not now"))
        decline.setToolTip(tr("Not now: Help > Tour begins it at any time"))
        for button in (take, decline):
            button.clicked.connect(self.offer.hide)
        text = QLabel(tr("New here? Five steps show how to pull, edit, plot, pose and record."))
        text.setWordWrap(True)
        row = QHBoxLayout(self.offer)
        row.setContentsMargins(14, 6, 6, 6)
        for widget, stretch in ((text, 1), (take, 0), (decline, 0)):
            row.addWidget(widget, stretch)
        self.offer.setMaximumWidth(WIDEST_OFFER)
        self._offer_row.addWidget(self.offer)
        self.offer.show()

    def show_nothing(self, recent: list[str]) -> None:
        """Show the page without an open file."""
        self._icon.set_icon(app_icon())
        self._title.set_text("Kinetree")
        self._text.setText(tr("Open a model or drop a file here: MJCF, URDF or x_xy"))
        self.problems.hide()
        self._show_cards(recent)

    def show_loading(self, path: str) -> None:
        """Show that the first model is being compiled."""
        self._icon.set_icon(app_icon())
        self._title.set_text(os.path.basename(path))
        self._text.setText(tr("Reading the model…"))
        self.problems.hide()
        self._show_cards(None)

    def show_failed(self, path: str, diagnostics: list, earlier: str = "") -> None:
        """List the errors of the first model. `earlier`: the model that was closed for it, to go back to."""
        number = counts(diagnostics)[Severity.ERROR]
        self._icon.set_icon(icon("error", "error"))
        self._title.set_text(tr("{file} cannot be opened", file=os.path.basename(path)))
        self._text.setText(
            counted(
                "{count} error. Fix the file, and it is opened automatically.",
                "{count} errors. Fix the file, and it is opened automatically.",
                number,
            )
        )
        self.problems.set_items(diagnostics)
        self.problems.show()
        self._show_cards(None, [(tr("Back to {file}", file=os.path.basename(earlier)), earlier)] if earlier else [])

    def show_part(self, result: CompileResult, diagnostics: list) -> None:
        """Say that the first file is a part of other models, and offer to open these."""
        number = counts(diagnostics)[Severity.ERROR]
        self._icon.set_icon(app_icon())
        self._title.set_text(part_text(result))
        text = tr(
            "It is not a model by itself: open the model to see and simulate it. Its text can be edited in the Source "
            "panel."
        )
        if number:
            text += "\n" + counted("{count} error in this file.", "{count} errors in this file.", number)
        self._text.setText(text)
        others = [item for item in diagnostics if item.code != CODE]
        self.problems.set_items(others)
        self.problems.setVisible(bool(others))
        self._show_cards(None, openings(result))

    def _show_models(self, models: Sequence[tuple[str, str]]) -> None:
        """Show a button for each (text, path)."""
        if [button.text() for button in self.models] != [text for text, _ in models]:
            for button in self.models:
                self._row.removeWidget(button)
                button.hide()
                button.deleteLater()
            self.models = [QPushButton(text) for text, _ in models]
            for number, button in enumerate(self.models):
                self._row.insertWidget(1 + number, button)
                button.clicked.connect(lambda _checked=False, number=number: self.open_file.emit(self._paths[number]))
        self._paths = [path for _, path in models]

    def _show_cards(self, recent: list[str] | None, models: Sequence[tuple[str, str]] = ()) -> None:
        """Show the recent files and the examples; None: neither. Pictures are read when the page is seen. `models`:
        (text of a button, path) of models to open in place of these."""
        self._shown = recent
        if self.offer is not None and recent is None:
            self.offer.hide()
        self._show_models(models)
        for widget in (self.button, self.new, self._links):
            widget.setVisible(recent is not None)
        for label, cards in self._sections:
            has_cards = recent is not None and bool(cards is self.examples or recent)
            label.setVisible(has_cards)
            cards.setVisible(has_cards)
        if self.isVisible():
            self._fill()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._centre()

    def _centre(self) -> None:
        """Centre the cards: both lists have as many columns as the longer one needs, and as fit."""
        size = LARGE if self.viewport().width() >= WIDE else PICTURE
        for _, cards in self._sections:
            cards.set_picture_size(size)
        cell = self.recent.cell().width()
        room = self.viewport().width() - 2 * self.fontMetrics().height()
        longest = max((cards.count() for _, cards in self._sections if not cards.isHidden()), default=1)
        self._block.setFixedWidth(max(1, min(longest, MOST_COLUMNS, room // cell)) * cell + SLACK)

    def _fill(self) -> None:
        if self._shown is None:
            return
        paths = self._shown[:RECENT]
        names = engine.library.labels.labels(paths)
        self.recent.show_cards(
            Card(path, names[path], engine.library.labels.folder(path, names[path]), path, self._thumbnails.load(path))
            for path in paths
        )
        if not self.examples.count():
            self.examples.show_cards(
                Card(str(each.path), tr(each.title), "", tr(each.help), QImage(str(each.picture)), each.film)
                for each in pages.examples.examples()
            )
        self._centre()
