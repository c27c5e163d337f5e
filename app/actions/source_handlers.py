"""Actions of the source panel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from kinetree.app.panels.writing.source import carets as strokes
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.dock import Dock
    from kinetree.app.panels.writing.source.panel import SourcePanel


def source_handlers(panel: SourcePanel, dock: Dock) -> dict[str, Callable]:
    """The handlers of the rows "source.*" of the table, by id."""

    def lines(name: str, make: Callable, *options) -> Callable[[], None]:
        return lambda: panel.commands.stroke(name, lambda text, carets: make(text, carets, *options))

    def make_room() -> None:
        """Make the dock high enough to read a text in it, unless the user has chosen a height."""
        window = dock.parentWidget()
        if dock.wanted is None and isinstance(window, QMainWindow) and not dock.isHidden():
            height = max(dock.sizeHint().height(), window.height() // 3)
            window.resizeDocks([dock], [height], Qt.Orientation.Vertical)

    def show() -> None:
        dock.show()
        dock.raise_()
        make_room()
        panel.focus_editor()

    dock.brought_up.connect(make_room)
    return {
        "source.show": show,
        "source.find": panel.finding.begin,
        "source.replace": partial(panel.finding.begin, True),
        "source.next_hit": partial(panel.finding.go_to_hit, 1),
        "source.previous_hit": partial(panel.finding.go_to_hit, -1),
        "source.find_in_files": panel.finding.begin_in_files,
        "source.line": panel.places.go_to_line,
        "source.back": panel.places.back,
        "source.forward": panel.places.forward,
        "source.complete": panel.knowledge.complete,
        "source.fix": lambda: panel.fixes.offer(),
        "source.definition": panel.knowledge.go_to_definition,
        "source.references": panel.knowledge.find_references,
        "source.rename": panel.knowledge.ask_name,
        "source.format": panel.knowledge.format,
        "source.next_problem": partial(panel.places.go_to_problem, 1),
        "source.previous_problem": partial(panel.places.go_to_problem, -1),
        "source.next_change": partial(panel.places.go_to_change, 1),
        "source.previous_change": partial(panel.places.go_to_change, -1),
        "source.restore": panel.commands.restore_lines,
        "source.comment": panel.commands.toggle_comment,
        "source.duplicate": lines(tr("Duplicate lines"), strokes.duplicate_lines),
        "source.duplicate_above": lines(tr("Duplicate lines"), strokes.duplicate_lines, False),
        "source.move_up": lines(tr("Move lines"), strokes.move_lines, False),
        "source.move_down": lines(tr("Move lines"), strokes.move_lines, True),
        "source.delete_lines": lines(tr("Delete lines"), strokes.delete_lines),
        "source.indent": lines(tr("Indent"), strokes.indent),
        "source.outdent": lines(tr("Indent less"), strokes.indent, True),
        "source.add_next": panel.commands.add_next,
        "source.add_all": panel.commands.add_all,
        "source.caret_above": partial(panel.commands.add_caret, -1),
        "source.caret_below": partial(panel.commands.add_caret, 1),
        "source.fold": partial(panel.commands.fold, True),
        "source.unfold": partial(panel.commands.fold, False),
        "source.fold_all": partial(panel.commands.fold_all, True),
        "source.unfold_all": partial(panel.commands.fold_all, False),
        "source.larger": partial(panel.zoom, 1),
        "source.smaller": partial(panel.zoom, -1),
        "source.normal_size": partial(panel.zoom, 0),
        "source.wrap": panel.set_wrap,
        "source.map": panel.set_map,
    }
