"""Properties of widgets that the style sheet asks for."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that a rule of the style sheet depends on: Qt looks for such rules only while it polishes."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
