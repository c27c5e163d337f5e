"""The dialog that opens a model by its name: examples, models below a folder, robots of installed packages."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QProcess,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFontMetrics, QImage, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.panels.dialogs.palette.fuzzy import Finder, SearchEntry
from kinetree.app.settings import theme
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.empty import paint_empty
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.app.widgets.labels import Elided
from kinetree.app.workers.answering import Answer
from kinetree.app.workers.working import WorkThread
from kinetree.engine.library import find
from kinetree.engine.library.folder import Bounds, kind_of
from kinetree.engine.library.model import ModelSource, NamedModel
from kinetree.engine.translation import counted, tr

Index = QModelIndex | QPersistentModelIndex
BOUNDS = Bounds(depth=10, entries=200_000, seconds=20.0)
"""Bounds of the walk below the folder: nobody waits for it, and it can be cancelled."""
PICTURE = QSize(64, 40)
ROW = 52
MARGIN = 10
KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
"""Keys of the line that move in the list."""


class _Rows(QAbstractListModel):
    """The models that fit the search. Kinds and pictures are read for the rows in view only."""

    def __init__(self, picture_of: Callable[[NamedModel], QImage], parent: QObject):
        super().__init__(parent)
        self.models: list[NamedModel] = []
        self._picture_of = picture_of
        self._pictures: dict[str, QImage] = {}
        self._kinds: dict[str, str] = {}

    def show_models(self, models: Sequence[NamedModel]) -> None:
        self.beginResetModel()
        self.models = list(models)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.models)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        model = self.models[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return model.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return model.path if not model.download else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (model.name, self.kind(model), place(model), self.side(model))))
        return None

    def picture(self, model: NamedModel) -> QImage:
        if model.path not in self._pictures:
            self._pictures[model.path] = self._picture_of(model)
        return self._pictures[model.path]

    def kind(self, model: NamedModel) -> str:
        """The format of a model on the disk."""
        if model.download:
            return ""
        if model.path not in self._kinds:
            self._kinds[model.path] = kind_of(model.path)
        return self._kinds[model.path]

    def side(self, model: NamedModel) -> str:
        """The text at the right: the format, or that a download is needed."""
        if not model.download:
            return self.kind(model)
        return tr("to download: {size:.1f} MB", size=model.size / 1e6) if model.size else tr("to download")


def place(model: NamedModel) -> str:
    """Where a model comes from."""
    return model.detail if model.source is ModelSource.FOLDER else f"{tr(model.source.value)} · {model.detail}"


class _Painter(QStyledItemDelegate):
    """Paints a model in two lines, with its picture."""

    def sizeHint(self, option, index: Index) -> QSize:
        return QSize(100, max(ROW, 2 * option.fontMetrics.height() + 14))

    def paint(self, painter: QPainter, option, index: Index) -> None:
        rows: Any = index.model()
        model, colours = rows.models[index.row()], theme.current()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(colours.selection))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(colours.hover))
        painter.save()
        area = option.rect.adjusted(MARGIN, 0, -MARGIN, 0)
        self._picture(
            painter,
            QRect(area.left(), area.center().y() - PICTURE.height() // 2, PICTURE.width(), PICTURE.height()),
            rows.picture(model),
        )
        area.setLeft(area.left() + PICTURE.width() + 12)
        metrics = QFontMetrics(option.font)
        side = metrics.elidedText(rows.side(model), Qt.TextElideMode.ElideRight, area.width() // 3)
        painter.setPen(QColor(colours.dim))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, side)
        area.setRight(area.right() - metrics.horizontalAdvance(side) - 16)
        half = QRect(area.left(), area.center().y() - metrics.height(), area.width(), metrics.height())
        below = half.translated(0, metrics.height() + 1)
        painter.drawText(below, 0, metrics.elidedText(place(model), Qt.TextElideMode.ElideMiddle, below.width()))
        painter.setPen(QColor(colours.dim if model.download else colours.text))
        painter.drawText(half, 0, metrics.elidedText(model.name, Qt.TextElideMode.ElideMiddle, half.width()))
        painter.restore()

    def _picture(self, painter: QPainter, area: QRect, picture: QImage) -> None:
        if picture.isNull():
            painter.fillRect(area, QColor(theme.current().surface))
            icon("model", "dim").paint(painter, area.adjusted(18, 6, -18, -6))
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        part = QRect(0, 0, picture.width(), round(picture.width() * area.height() / area.width()))
        part.moveTop(max(0, (picture.height() - part.height()) // 2))
        painter.drawImage(area, picture, part)


class _List(QListView):
    """The list, with a sentence where it is empty."""

    empty = ""

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        if not self.model().rowCount():
            paint_empty(self, self.empty)


class ModelChooser(QDialog):
    """Lists all models that have a name. `opened(path)`: the user has chosen one, which is on the disk;
    `opened_apart(path)`: it is to be opened in a new window (Ctrl or the middle button, or the context menu).

    The folder is searched in a thread. A robot that is not downloaded is fetched by its own package, in a process, when
    the user presses the button that says so.
    """

    opened = Signal(str)
    opened_apart = Signal(str)

    _found = Signal(object, object)

    def __init__(
        self, folder: str, name: str, picture_of: Callable[[NamedModel], QImage], parent: QWidget | None = None
    ):
        super().__init__(parent)
        self.setWindowTitle(tr("Open by Name"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 520)
        self._thread: WorkThread | None = None
        self._process: QProcess | None = None
        self._fetched: NamedModel | None = None
        self._is_apart = False
        self._models: list[NamedModel] = []
        self._finder = Finder([])
        self._is_cut = False
        self.line = QLineEdit(name)
        self.line.setClearButtonEnabled(True)
        self.line.setPlaceholderText(tr("Name of a model or robot"))
        self.line.setAccessibleName(tr("Name of a model or robot"))
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self._search)
        self.rows = _Rows(picture_of, self)
        self.list = _List(self)
        self.list.setModel(self.rows)
        self.list.setItemDelegate(_Painter(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(tr("Models"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.activated.connect(lambda index: self._choose())
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.viewport().installEventFilter(self)
        self.list.selectionModel().currentChanged.connect(self._show_buttons)
        self._folder = Elided(Qt.TextElideMode.ElideMiddle)
        self.folder_button = QPushButton(tr("Folder…"))
        self.folder_button.setAutoDefault(False)
        self.folder_button.setToolTip(tr("Choose the folder that is searched for models"))
        self.folder_button.clicked.connect(self._ask_folder)
        self.status = QLabel()
        self.status.setObjectName("dim")
        self.status.setWordWrap(True)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.status.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.button = self.box.addButton(tr("Open"), QDialogButtonBox.ButtonRole.ActionRole)
        self.button.setDefault(True)
        self.button.clicked.connect(lambda: self._choose())
        self.box.rejected.connect(self.reject)
        where = QHBoxLayout()
        where.addWidget(self._folder, 1)
        where.addWidget(self.folder_button)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(self.line)
        layout.addLayout(where)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.status)
        layout.addWidget(self.box)
        self._found.connect(self._take)
        self.finished.connect(self._end)
        self.look_in(folder)
        self.line.setFocus()

    # ---- the search --------------------------------------------------------------------------------------

    def look_in(self, folder: str) -> None:
        """Search another folder."""
        self.folder = os.path.abspath(folder)
        self._folder.set_text(tr("Below {folder}", folder=self.folder))
        self._stop_search()
        self._models, self._is_cut = [], False
        self._thread = WorkThread(
            lambda: find.everything(self.folder, BOUNDS), self._found.emit, lambda thread, fraction: None
        )
        self._thread.start()
        self._show_models()

    @Slot(object, object)
    def _take(self, thread: WorkThread, answer: Answer) -> None:
        if thread is not self._thread:
            return
        self._thread = None
        if isinstance(answer.value, tuple):
            self._models, self._is_cut = answer.value
        self._show_models()
        if answer.error is not None:
            self.status.setText(tr("The search failed: {error}", error=answer.error))

    def _show_models(self) -> None:
        entries = []
        for model in self._models:
            around = " ".join((*model.others, model.detail, model.source.value)).casefold()
            entries.append(
                SearchEntry(model.name, model.name.casefold(), around, 0.0 if model.download else 0.5, model)
            )
        self._finder = Finder(entries)
        self._search()

    def _search(self) -> None:
        found = self._finder.found(self.line.text().replace("-", "_"), 10_000)
        chosen: list[Any] = [entry.payload for entry in found]
        self.list.empty = tr("Searching…") if self._thread is not None else tr("No model has this name.")
        self.rows.show_models(chosen)
        self.list.setCurrentIndex(self.rows.index(0))
        self._show_status()
        self._show_buttons()

    def _show_status(self) -> None:
        """Say how many models there are, and how there can be more."""
        if self._process is not None:
            return
        if self._thread is not None:
            self.status.setText(tr("Searching…"))
            return
        told = [counted("{count} model.", "{count} models.", len(self.rows.models))]
        if self._is_cut:
            told.append(tr("The folder is too large to be searched to its end: choose one inside it."))
        if not find.installed():
            told.append(tr("More than 80 robots have names after `{command}`.", command=find.remedy()))
        self.status.setText(" ".join(told))

    @property
    def current(self) -> NamedModel | None:
        """The selected model."""
        row = self.list.currentIndex().row()
        return self.rows.models[row] if 0 <= row < len(self.rows.models) else None

    def _show_buttons(self) -> None:
        model = self.current
        self.button.setEnabled(model is not None and self._process is None)
        self.button.setText(tr("Download and Open") if model is not None and model.download else tr("Open"))

    def _ask_folder(self) -> None:
        dialog = FileDialog(self, tr("Folder With Models"), self.folder)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.look_in)
        dialog.open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The keys of the line that move in the list, and Enter, which the dialog would give to any button."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in KEYS:
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
                return True
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease:
            index, with_ctrl = self.list.indexAt(event.position().toPoint()), Qt.KeyboardModifier.ControlModifier
            if index.isValid() and (event.button() == Qt.MouseButton.MiddleButton or event.modifiers() & with_ctrl):
                self.list.setCurrentIndex(index)
                self._choose(apart=True)
                return True
        return super().eventFilter(watched, event)

    # ---- the choice --------------------------------------------------------------------------------------

    def _choose(self, apart: bool = False) -> None:
        model = self.current
        if model is None or self._process is not None:
            return
        self._is_apart = apart
        if model.download:
            self._download(model)
        else:
            self._open(model)

    def _open(self, model: NamedModel) -> None:
        (self.opened_apart if self._is_apart else self.opened).emit(model.path)
        self.accept()

    def _show_menu(self, place: QPoint) -> None:
        """Offer to open the model at a place of the list."""
        index = self.list.indexAt(place)
        if index.isValid() and self.button.isEnabled():
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(self.button.text(), self._choose)
            menu.addAction(tr("Open in New Window"), lambda: self._choose(apart=True))
            menu.popup(self.list.viewport().mapToGlobal(place))

    def _download(self, model: NamedModel) -> None:
        """Let the package of a model download it."""
        self._fetched = model
        process = self._process = QProcess(self)
        process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        process.finished.connect(self._take_download)
        process.errorOccurred.connect(self._take_failure)
        program, *words = find.download_command(model)
        self.status.setText(tr("Downloading {name}…", name=model.name))
        self._show_buttons()
        process.start(program, words)

    def _take_failure(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._take_download()

    def _take_download(self) -> None:
        process, model = self._process, self._fetched
        if process is None or model is None:
            return
        said = bytes(process.readAll().data()).decode(errors="replace").strip().splitlines()
        self._process = None
        process.deleteLater()
        self._show_buttons()
        if os.path.isfile(model.path):
            self._open(model)
        else:
            reason = said[-1] if said else tr("it says no reason")
            self.status.setText(tr("{name} could not be downloaded: {reason}", name=model.name, reason=reason))

    # ---- end ---------------------------------------------------------------------------------------------

    def _stop_search(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.cancel()

    def _end(self) -> None:
        self._stop_search()
        process, self._process = self._process, None
        if process is not None:
            process.blockSignals(True)
            process.kill()
            process.waitForFinished(1000)
