"""One attribute on the screen: its name, its editor, and two buttons.

    name  unit        [editor]        go  act

`go` leads to where an inherited value stands, `act` resets what is written or writes what is inherited. A click on
the name shows help, origin, and the compiled value. The name is bright where the attribute is written, in the
accent colour where a default class sets it, and dim where the format's default holds.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from kinetree.app.panels.writing.inspector.editors import Editor
from kinetree.app.settings import theme
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.style import set_property
from kinetree.engine.assist.in_force import ValueOrigin
from kinetree.engine.translation import tr

SLOT = 20  # width of a button, pixels
ICON = 13
LEFT = 12  # before the name, pixels
SPACE = 2  # above and below, pixels
NAME_SHARE, LEAST_NAME, MOST_NAME = 0.34, 88, 190  # of the width; pixels
NARROW_SHARE = 0.45  # of the width of a narrow form, at most


def name_width(width: int) -> int:
    """The width of the names in a form."""
    return int(min(max(NAME_SHARE * width, LEAST_NAME), MOST_NAME, NARROW_SHARE * width))


class InspectorRow(QWidget):
    """One attribute.

    Signals: `go()`, `act()`, `toggled()` (the details are shown or hidden), `link(target)` (a link in the details
    was clicked), `menu(global place)`, `resized()` (the row needs another height).
    """

    go = Signal()
    act = Signal()
    toggled = Signal()
    link = Signal(str)
    menu = Signal(QPoint)
    resized = Signal()

    def __init__(self, name: str, editor: Editor, parent: QWidget):
        super().__init__(parent)
        self.name, self.editor = name, editor
        editor.setParent(self)
        self.unit = ""
        self.tip = ""
        self.origin = ValueOrigin.FORMAT
        self.is_inherited = False
        """Whether another place of the text sets the value."""
        self.read_only = False
        self.severity = ""
        self.is_open = False
        self._hover = ""
        self._problem: QLabel | None = None
        self._message = ""
        self._refusal = ""
        self._details: QLabel | None = None
        self._picture: QLabel | None = None
        self._caption: QLabel | None = None
        self.can_write = True
        """Whether there is an inherited value that could be written here."""
        self.setMouseTracking(True)
        editor.refused.connect(self.set_refusal)

    # ---- what is shown -------------------------------------------------------------------------------

    def set_state(self, origin: ValueOrigin, inherited: bool, can_write: bool, read_only: bool) -> None:
        """Set where the value comes from, and whether it can be edited."""
        self.origin, self.is_inherited = origin, inherited
        self.can_write, self.read_only = can_write, read_only
        self.update()

    def set_findings(self, severity: str, message: str) -> None:
        """Set the errors of the written value; `severity`: "error", "warning", "info", or ""."""
        if (severity, message) != (self.severity, self._message):
            self.severity, self._message = severity, message
            self._show_problem()

    def set_refusal(self, message: str) -> None:
        """Set why the typed text is refused; "" if it is not."""
        if message != self._refusal:
            self._refusal = message
            self._show_problem()

    @property
    def problem(self) -> str:
        """The problem that is shown."""
        return self._refusal or self._message

    def _show_problem(self) -> None:
        text, severity = self.problem, "error" if self._refusal else self.severity
        if text and self._problem is None:
            self._problem = _label(self)
        if self._problem is not None:
            self._problem.setText(text)
            self._problem.setVisible(bool(text))
            set_property(self._problem, "severity", severity)
        self.update()
        self.resized.emit()

    def set_details(self, html: str) -> None:
        """Set the text below the editor, "" for none."""
        self.is_open = bool(html)
        if html and self._details is None:
            self._details = _label(self)
            self._details.setTextFormat(Qt.TextFormat.RichText)
            self._details.setObjectName("dim")
            self._details.linkActivated.connect(self.link)
        if self._details is not None:
            changed = self._details.text() != html
            self._details.setVisible(bool(html))
            if changed:
                self._details.setText(html)
                self.resized.emit()

    def set_preview(self, picture: QImage | None, text: str) -> None:
        """Set a picture and its caption below the editor, None and "" for none."""
        if text and self._picture is None:
            self._picture, self._caption = QLabel(self), _label(self)
            self._caption.setObjectName("dim")
        if self._picture is not None and self._caption is not None:
            self._picture.setPixmap(QPixmap() if picture is None else QPixmap.fromImage(picture))
            self._picture.setVisible(picture is not None)
            self._caption.setText(text)
            self._caption.setVisible(bool(text))
            self.resized.emit()

    @property
    def caption(self) -> str:
        """The text of the preview."""
        return self._caption.text() if self._caption is not None else ""

    @property
    def details(self) -> str:
        return self._details.text() if self._details is not None and self.is_open else ""

    # ---- geometry ------------------------------------------------------------------------------------

    def arrange(self, width: int) -> int:
        """Place everything for a width; returns the height."""
        name = name_width(width)
        inside = width - name - 2 * SLOT - 4
        self.editor.fit(inside)
        height = self.editor.sizeHint().height()
        self.editor.setGeometry(name, SPACE, inside, height)
        y = SPACE + height
        if self._picture is not None and not self._picture.isHidden():
            size = self._picture.pixmap().deviceIndependentSize().toSize()
            self._picture.setGeometry(max(LEFT, (width - size.width()) // 2), y + 4, size.width(), size.height())
            y += size.height() + 6
        for label in (self._caption, self._problem, self._details):
            if label is not None and not label.isHidden():
                inside = width - LEFT - 8
                taken = label.heightForWidth(inside)
                label.setGeometry(LEFT, y + 2, inside, taken)
                y += taken + 4
        return y + SPACE

    @property
    def line_height(self) -> int:
        return self.fontMetrics().height() + 8

    def name_rect(self) -> QRect:
        return QRect(0, SPACE, name_width(self.width()), self.line_height)

    def button_rect(self, which: str) -> QRect:
        """Where a button is: "go" or "act"."""
        x = self.width() - (2 if which == "go" else 1) * SLOT - 2
        return QRect(x, SPACE, SLOT, self.line_height)

    def button_at(self, point: QPoint) -> str:
        if self.is_inherited and self.button_rect("go").contains(point):
            return "go"
        if not self.read_only and self.action_icon() and self.button_rect("act").contains(point):
            return "act"
        return "name" if self.name_rect().contains(point) else ""

    def action_icon(self) -> str:
        """The icon of the second button."""
        if self.origin is ValueOrigin.WRITTEN:
            return "revert"
        return "pin" if self.can_write else ""

    # ---- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours, metrics = QPainter(self), theme.current(), self.fontMetrics()
        area = self.name_rect().adjusted(LEFT, 0, -6, 0)
        if self.origin is ValueOrigin.WRITTEN:
            painter.fillRect(QRect(4, SPACE + 4, 3, self.line_height - 8), QColor(colours.accent))
        painter.setPen(QPen(QColor(self._name_colour())))
        font = self.font()
        if self._hover == "name":
            font.setUnderline(True)
        painter.setFont(font)
        vertical = Qt.AlignmentFlag.AlignVCenter
        unit = metrics.horizontalAdvance(self.unit) + 6 if self.unit else 0
        name = metrics.horizontalAdvance(self.name)
        if name + unit > area.width():
            unit = 0
        shown = metrics.elidedText(self.name, Qt.TextElideMode.ElideRight, area.width() - unit)
        painter.drawText(area, vertical | Qt.AlignmentFlag.AlignLeft, shown)
        if unit:
            painter.setFont(self.font())
            painter.setPen(QPen(QColor(colours.dim)))
            painter.drawText(area, vertical | Qt.AlignmentFlag.AlignRight, self.unit)
        if self.is_inherited:
            self._paint_button(painter, "go", "target")
        if not self.read_only and self.action_icon():
            self._paint_button(painter, "act", self.action_icon())
        painter.end()

    def _name_colour(self) -> str:
        colours = theme.current()
        if self.severity in ("error", "warning") or self._refusal:
            return colours.error if self._refusal else getattr(colours, self.severity)
        if self.origin is ValueOrigin.WRITTEN:
            return colours.text
        return colours.accent if self.is_inherited else colours.dim

    def _paint_button(self, painter: QPainter, which: str, name: str) -> None:
        area = self.button_rect(which)
        if self._hover == which:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.current().hover))
            painter.drawRoundedRect(area.adjusted(1, 2, -1, -2), 4, 4)
        inner = QRect(0, 0, ICON, ICON)
        inner.moveCenter(area.center())
        visible = self._hover == which or which == "go" or self.origin is ValueOrigin.WRITTEN or self.underMouse()
        painter.setOpacity(1.0 if visible else 0.35)
        icon(name, "text" if self._hover == which else "dim").paint(painter, inner)
        painter.setOpacity(1.0)

    # ---- mouse ---------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._set_hover(self.button_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self._set_hover("")
        super().leaveEvent(event)

    def _set_hover(self, part: str) -> None:
        if part != self._hover:
            self._hover = part
            self.setCursor(Qt.CursorShape.PointingHandCursor if part else Qt.CursorShape.ArrowCursor)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.setAccepted(bool(self.button_at(event.position().toPoint())))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        match self.button_at(event.position().toPoint()):
            case "go":
                self.go.emit()
            case "act":
                self.act.emit()
            case "name":
                self.toggled.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu.emit(event.globalPos())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tip_at(event.pos())
            if text:
                QToolTip.showText(event.globalPos(), text, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def tip_at(self, point: QPoint) -> str:
        """The tooltip at a position."""
        match self.button_at(point):
            case "go":
                return tr("Go to where this value is set")
            case "act" if self.origin is ValueOrigin.WRITTEN:
                return tr("Reset: remove the attribute, so that the inherited value holds")
            case "act":
                return tr("Write this value here")
            case "name":
                return self.tip
        return ""


def _label(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setWordWrap(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.TextSelectableByMouse
    )
    return label
