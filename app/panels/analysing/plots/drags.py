"""Drags over views of pyqtgraph: they refuse all drags, and complain when one leaves that they refused."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractScrollArea


def leave_to_parent(view: QAbstractScrollArea) -> None:
    """Pass drags over a view to the widget around it."""
    view.setAcceptDrops(False)
    view.viewport().setAcceptDrops(False)
