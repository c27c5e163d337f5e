"""Swatches: small squares before the values that are colours. A click opens the colour dialog."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from kinetree.app.panels.writing.source.highlight import swatches_of
from kinetree.app.panels.writing.source.painting import Line, rectangles
from kinetree.app.settings.theme import Theme
from kinetree.app.widgets.colour import open_colour_dialog, paint_pattern
from kinetree.engine.assist.colours import colour_of, colour_text
from kinetree.engine.document.element_edit import SetAttribute
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor

GAP = 3.0  # pixels on both sides


class ShownSwatch(NamedTuple):
    """A colour swatch on the screen, and the place of its value in the text."""

    area: QRectF
    start: int
    end: int


def side_of(editor: SourceEditor) -> float:
    """The side of a square, pixels."""
    return float(round(editor.fontMetrics().ascent() * 0.85))


def paint_swatches(editor: SourceEditor, lines: Sequence[Line], painter: QPainter, theme: Theme) -> list[ShownSwatch]:
    """Paint the squares of the lines on the screen; returns where they are."""
    found = []
    side = side_of(editor)
    for block, top, _ in lines:
        swatches = swatches_of(block)
        line_start = editor.shown.line(block)[0] if swatches else 0
        for swatch in swatches:
            start = line_start + swatch.start
            for area in rectangles(editor, block, top, start, start):
                left, upper = area.left() - GAP - side, area.top() + (area.height() - side) / 2
                square = QRectF(round(left) + 0.5, round(upper) + 0.5, side - 1, side - 1)
                colour = QColor.fromRgbF(*swatch.rgba)
                if colour.alpha() < 255:
                    paint_pattern(painter, square)
                painter.fillRect(square, colour)
                painter.setPen(QPen(QColor(theme.dim), 1))
                painter.drawRect(square)
                found.append(ShownSwatch(square, start, line_start + swatch.end))
                break
    return found


class ColourChooser(QObject):
    """Opens the colour dialog for a value of an editor. What the dialog shows is in the model at once; the whole choice
    is one step, which Cancel undoes."""

    def __init__(self, editor: SourceEditor):
        super().__init__(editor)
        self._editor = editor
        self._is_open = False
        editor.colour_wanted.connect(self.open)

    def open(self, start: int) -> None:
        """Choose the colour whose value starts at an offset."""
        editor = self._editor
        node = editor.parsed.root.at(start)
        attribute = None
        for each in node.attributes if node is not None else ():
            attribute = each if each.value_span.start == start else attribute
        rgba = None if attribute is None else colour_of(attribute.value)
        if node is None or attribute is None or rgba is None or self._is_open:
            return
        identity, name, old = node.id, attribute.name, attribute.value
        texts = editor.project.texts
        step = tr("Set {name}", name=name)
        changed = False

        def write(value: str) -> None:
            nonlocal changed
            now = editor.parsed.node(identity)
            if now is not None and editor.project.texts is texts:
                changed = True
                editor.project.apply(step, [SetAttribute(now, name, value)], ("colour", identity, name))

        def finish(taken: bool) -> None:
            self._is_open = False
            if changed and not taken:
                if texts.undo_name == step and editor.project.texts is texts:
                    editor.project.undo()
                else:
                    write(old)
            texts.seal()

        texts.seal()
        self._is_open = True
        has_alpha = len(old.split()) == 4
        open_colour_dialog(
            editor.window(), QColor.fromRgbF(*rgba), has_alpha, lambda values: write(colour_text(values, old)), finish
        )
