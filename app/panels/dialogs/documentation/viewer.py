"""The window that shows the documentation: the list of pages, a search, and the page.

It stays open beside the main window. Menu paths on pages are links: a click does what the menu entry does.
"""

from __future__ import annotations

import posixpath
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QAction,
    QBrush,
    QColor,
    QDesktopServices,
    QImage,
    QKeyEvent,
    QKeySequence,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.menus.build import Actions
from kinetree.app.panels.dialogs.documentation.pages import FIRST, PageHit, Pages, anchor
from kinetree.app.settings import theme
from kinetree.app.settings.icons import icon
from kinetree.engine.translation import tr

SIZE = QSize(1040, 720)
LIST = 270  # width of the list at first, pixels
MARGIN = 22  # around a page, pixels
PICTURE = 760  # widest picture, pixels
PAGE, ANCHOR = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
PAUSE = 120
"""How long the search waits for the next letter, ms."""
KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
"""Keys of the line that move in the list."""


class Browser(QTextBrowser):
    """The page. Pictures are those of the installed pages."""

    def __init__(self, pages: Pages, parent: QWidget):
        super().__init__(parent)
        self._pages, self.page = pages, ""
        self.setOpenLinks(False)
        self.setAccessibleName(tr("Page"))
        self.document().setDocumentMargin(MARGIN)

    def loadResource(self, kind: int, name: QUrl) -> Any:
        if kind != QTextDocument.ResourceType.ImageResource.value or name.scheme():
            return None
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.page), name.path()))
        picture = QImage(str(self._pages.folder / path)) if self._pages.has(path) else QImage()
        widest = min(PICTURE, max(200, self.viewport().width() - 2 * MARGIN - 20))
        ratio = self.devicePixelRatioF()
        if picture.width() > widest * ratio:
            picture = picture.scaledToWidth(round(widest * ratio), Qt.TransformationMode.SmoothTransformation)
        picture.setDevicePixelRatio(ratio if picture.width() > widest else 1.0)
        return picture


class DocumentationWindow(QDialog):
    """Window of the documentation. It is not modal."""

    def __init__(self, actions: Actions, parent: QWidget, pages: Pages | None = None):
        super().__init__(parent)
        self.pages = pages or Pages()
        self._actions = actions
        self._paths = {
            " > ".join([*row.menu.split("/"), row.text]): (
                row.id,
                " > ".join([*(tr(part) for part in row.menu.split("/")), tr(row.text)]),
            )
            for row in actions.rows.values()
            if row.menu
        }
        self._words: list[str] = []
        self._rows: list[QTreeWidgetItem] = []  # of pages and hits
        self._back: list[tuple[str, int]] = []  # pages with their scroll positions
        self._forward: list[tuple[str, int]] = []
        self.setWindowTitle(tr("Documentation"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        self.resize(SIZE)
        self.line = QLineEdit()
        self.line.setClearButtonEnabled(True)
        self.line.setPlaceholderText(tr("Search all pages"))
        self.line.setAccessibleName(tr("Search all pages"))
        self.line.installEventFilter(self)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._search)
        self.line.textChanged.connect(lambda: self._pause.start(PAUSE))
        self.list = QTreeWidget()
        self.list.setHeaderHidden(True)
        self.list.setAccessibleName(tr("Pages"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.itemClicked.connect(self._choose)
        self.list.itemActivated.connect(self._choose)
        self.browser = Browser(self.pages, self)
        self.browser.anchorClicked.connect(self.follow)
        self.browser.highlighted.connect(self._tell)
        self.status = QLabel()
        self.status.setObjectName("dim")
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.back = self._button("previous", tr("Back"), QKeySequence(Qt.Modifier.ALT | Qt.Key.Key_Left), self.go_back)
        self.forward = self._button(
            "next", tr("Forward"), QKeySequence(Qt.Modifier.ALT | Qt.Key.Key_Right), self.go_forward
        )
        find = QAction(self)
        find.setShortcut(QKeySequence(QKeySequence.StandardKey.Find))
        find.triggered.connect(self._take_keyboard)
        self.addAction(find)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(self.back)
        row.addWidget(self.forward)
        row.addWidget(self.line, 1)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        splitter = QSplitter()
        splitter.addWidget(side)
        splitter.addWidget(self.browser)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([LIST, SIZE.width() - LIST])
        splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 4)
        layout.addWidget(splitter, 1)
        layout.addWidget(self.status)
        self._list_pages()
        self._show_buttons()
        self.line.setFocus()

    def _button(self, name: str, text: str, keys: QKeySequence, run) -> QToolButton:
        button = QToolButton(self)
        action = QAction(icon(name), text, self)
        action.setShortcut(keys)
        action.setToolTip(f"{text} ({keys.toString(QKeySequence.SequenceFormat.NativeText)})")
        action.triggered.connect(run)
        self.addAction(action)
        button.setDefaultAction(action)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _take_keyboard(self) -> None:
        self.line.setFocus()
        self.line.selectAll()

    # ---- the list ----------------------------------------------------------------------------------------

    def _list_pages(self) -> None:
        """List all pages by their sections."""
        self.list.clear()
        self._rows = []
        self.list.setRootIsDecorated(True)
        for title, pages in self.pages.sections:
            if len(pages) == 1:
                self.list.addTopLevelItem(self._item(title, pages[0][1]))
                continue
            section = QTreeWidgetItem([title])
            section.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for name, page in pages:
                section.addChild(self._item(name, page))
            self.list.addTopLevelItem(section)
            section.setExpanded(True)
        self._mark_page()

    def _item(self, title: str, page: str, mark: str = "", help: str = "") -> QTreeWidgetItem:
        item = QTreeWidgetItem([title])
        item.setData(0, PAGE, page)
        item.setData(0, ANCHOR, mark)
        self._rows.append(item)
        item.setToolTip(0, help.replace("&", "&amp;").replace("<", "&lt;"))
        return item

    def _search(self) -> None:
        """List the sections that have the words of the line, or all pages without words."""
        self._words = self.line.text().split()
        if not self._words:
            self._list_pages()
        else:
            self._list_hits(self.pages.search(self.line.text()))
        self._mark_words()

    def _list_hits(self, hits: list[PageHit]) -> None:
        self.list.clear()
        self._rows = []
        self.list.setRootIsDecorated(False)
        for hit in hits:
            name = hit.title if not hit.anchor else f"{hit.title}: {hit.heading}"
            self.list.addTopLevelItem(self._item(f"{name}\n    {hit.snippet}", hit.page, hit.anchor, hit.snippet))
        if not hits:
            nothing = QTreeWidgetItem([tr("No page has all these words.")])
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addTopLevelItem(nothing)
        elif self._rows:
            self.list.setCurrentItem(self._rows[0])

    def _choose(self, item: QTreeWidgetItem, _column: int = 0) -> None:
        page = item.data(0, PAGE)
        if page:
            self.show_page(page, item.data(0, ANCHOR))
        else:
            item.setExpanded(not item.isExpanded())

    def _mark_page(self) -> None:
        """Select the page that is shown in the list of all pages."""
        item = next((each for each in self._rows if each.data(0, PAGE) == self.browser.page), None)
        if item is not None and not self._words:
            self.list.setCurrentItem(item)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The keys of the line that move in the list, and Enter, which opens what is marked."""
        if watched is self.line and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in KEYS:
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if self._pause.isActive():
                    self._pause.stop()
                    self._search()
                item = self.list.currentItem()
                if item is not None:
                    self._choose(item)
                return True
            if event.key() == Qt.Key.Key_Escape and self.line.text():
                self.line.clear()
                return True
        return super().eventFilter(watched, event)

    # ---- the page ----------------------------------------------------------------------------------------

    def show_page(self, page: str = FIRST, mark: str = "") -> None:
        """Show a page, at a heading."""
        if self.browser.page and page != self.browser.page:
            self._back.append((self.browser.page, self.browser.verticalScrollBar().value()))
            self._forward.clear()
        self._load(page)
        self._scroll_to(mark)

    def search(self, words: str) -> None:
        """Show the sections with some words, and the first of them."""
        self.line.setText(words)
        self._pause.stop()
        self._search()
        item = self.list.currentItem()
        if item is not None and item.data(0, PAGE):
            self._choose(item)

    def go_back(self) -> None:
        self._go(self._back, self._forward)

    def go_forward(self) -> None:
        self._go(self._forward, self._back)

    def _go(self, there: list[tuple[str, int]], here: list[tuple[str, int]]) -> None:
        if there:
            here.append((self.browser.page, self.browser.verticalScrollBar().value()))
            page, place = there.pop()
            self._load(page)
            self.browser.verticalScrollBar().setValue(place)

    def _load(self, page: str) -> None:
        if page != self.browser.page:
            try:
                text = self.pages.shown(page, self._paths)
            except OSError as error:
                self.status.setText(tr("{page} cannot be read: {reason}", page=page, reason=error.strerror or error))
                return
            self.browser.page = page
            self._set_text(text)
        self._mark_page()
        self._mark_words()
        self._show_buttons()

    def _set_text(self, text: str) -> None:
        document = self.browser.document()
        document.clear()
        self.browser.setMarkdown(text)
        _style(document)
        self.browser.moveCursor(QTextCursor.MoveOperation.Start)

    def _scroll_to(self, mark: str) -> None:
        """Scroll to a heading, "" for the beginning."""
        bar, block = self.browser.verticalScrollBar(), self.browser.document().begin()
        bar.setValue(0)
        while mark and block.isValid():
            if block.blockFormat().headingLevel() and anchor(block.text()) == mark:
                bar.setValue(
                    round(self.browser.document().documentLayout().blockBoundingRect(block).top()) - MARGIN // 2
                )
                return
            block = block.next()

    def _mark_words(self) -> None:
        """Mark what was searched for on the page."""
        marks, document = [], self.browser.document()
        colours = theme.current()
        for word in self._words:
            cursor = document.find(word)
            while not cursor.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor = cursor  # pyright: ignore[reportAttributeAccessIssue]
                mark.format.setBackground(QColor(colours.selection))  # pyright: ignore[reportAttributeAccessIssue]
                marks.append(mark)
                cursor = document.find(word, cursor)
        self.browser.setExtraSelections(marks)

    def _show_buttons(self) -> None:
        self.back.defaultAction().setEnabled(bool(self._back))
        self.forward.defaultAction().setEnabled(bool(self._forward))

    # ---- links -------------------------------------------------------------------------------------------

    def follow(self, link: QUrl) -> None:
        """Follow a link of the page: to another page, to an action, or to the browser of the desktop."""
        if link.scheme() == "action":
            self._do(link.path())
        elif link.scheme() in ("http", "https"):
            QDesktopServices.openUrl(link)
        elif not link.path():
            self._scroll_to(link.fragment())
        else:
            page = posixpath.normpath(posixpath.join(posixpath.dirname(self.browser.page), link.path()))
            if self.pages.has(page) and page.endswith(".md"):
                self.show_page(page, link.fragment())

    def _do(self, name: str) -> None:
        action, title = self._actions[name], tr(self._actions.rows[name].text).rstrip("…")
        if action.isEnabled():
            self.status.setText(title)
            QTimer.singleShot(0, self, partial(action.trigger))
        else:
            self.status.setText(tr("{action} is not possible now", action=title))

    def _tell(self, link: QUrl) -> None:
        """Say in the line below where a link under the mouse leads."""
        if link.scheme() == "action":
            row, keys = self._actions.rows[link.path()], self._actions.key_text(link.path())
            self.status.setText(f"{tr(row.help)} ({keys})" if keys else tr(row.help))
        else:
            self.status.setText(link.toString())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.browser.page:
            page, place = self.browser.page, self.browser.verticalScrollBar().value()
            self.browser.page = ""
            self._load(page)
            self.browser.verticalScrollBar().setValue(place)


def _style(document: QTextDocument) -> None:
    """Give tables lines, code a background, headings and lines some air: Qt's Markdown has none."""
    colours = theme.current()
    for frame in document.rootFrame().childFrames():
        _style_table(frame, colours)
    cursor, block = QTextCursor(document), document.begin()
    while block.isValid():
        _style_block(cursor, block, colours)
        block = block.next()


def _style_table(frame: QTextFrame, colours: theme.Theme) -> None:
    if isinstance(frame, QTextTable):
        style = frame.format()
        style.setBorder(1)
        style.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        style.setBorderCollapse(True)
        style.setBorderBrush(QBrush(QColor(colours.line)))
        style.setCellPadding(5)
        style.setCellSpacing(0)
        style.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        frame.setFormat(style)


def _style_block(cursor: QTextCursor, block: QTextBlock, colours: theme.Theme) -> None:
    style, cursor_in = block.blockFormat(), QTextCursor(block)
    if style.headingLevel():
        style.setTopMargin(18 if style.headingLevel() > 1 else 4)
        style.setBottomMargin(6)
        cursor_in.setBlockFormat(style)
    elif style.hasProperty(QTextFormat.Property.BlockCodeLanguage) or style.nonBreakableLines():
        style.setBackground(QColor(colours.surface))
        style.setLeftMargin(8)
        cursor_in.setBlockFormat(style)
    fragments = [each.fragment() for each in block]  # pyright: ignore[reportGeneralTypeIssues]
    has_picture = any(each.charFormat().isImageFormat() for each in fragments)
    if not style.headingLevel() and cursor_in.currentTable() is None and not block.textList():
        style.setBottomMargin(8)
        if not has_picture:
            style.setLineHeight(120, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor_in.setBlockFormat(style)
    for fragment in fragments:
        char = fragment.charFormat()
        if char.isAnchor():
            change = QTextCharFormat()
            change.setForeground(QColor(colours.accent))
            cursor.setPosition(fragment.position())
            cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(change)
