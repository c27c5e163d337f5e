"""Errors in methods that Qt calls.

Qt calls what a class of Python overrides, such as `paint`, `data` and `keyPressEvent`, and cannot take an error from
it. PySide 6.11 keeps such an error and raises it from whatever calls Qt next, often in the middle of another change. On
Python 3.11 it ends the program where the error was made in C, as `[][0]` does: it takes the text of the error for the
error. So every class that is made after `install` tells its errors where they happen, to `sys.excepthook`, and Qt gets
the answer that ANSWERS has for the method. Errors of methods without an answer there are raised as before, but as
objects, which do not end the program.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

from PySide6.QtCore import QByteArray, QMimeData, QModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPixmap
from shiboken6 import Shiboken


def _nothing() -> None:
    return None


ANSWERS: dict[str, Callable[[], Any]] = {
    **dict.fromkeys(("event", "eventFilter", "viewportEvent", "hitButton", "setData", "canInsertFromMimeData"), bool),
    **dict.fromkeys(("rowCount", "columnCount"), int),
    **dict.fromkeys(("sizeHint", "minimumSizeHint"), QSize),
    **dict.fromkeys(("index", "parent"), QModelIndex),
    **dict.fromkeys(("pixmap", "scaledPixmap"), QPixmap),
    "boundingRect": QRectF,
    "clone": _nothing,
    "createEditor": _nothing,
    "currentChanged": _nothing,
    "data": _nothing,
    "filterAcceptsRow": lambda: True,
    "flags": lambda: Qt.ItemFlag.NoItemFlags,
    "headerData": _nothing,
    "highlightBlock": _nothing,
    "initializeGL": _nothing,
    "insertFromMimeData": _nothing,
    "keyboardSearch": _nothing,
    "mimeData": QMimeData,
    "mimeTypes": list,
    "paint": _nothing,
    "paintGL": _nothing,
    "paintSection": _nothing,
    "pathFromIndex": str,
    "resizeGL": _nothing,
    "roleNames": dict[int, QByteArray],
    "setEditorData": _nothing,
    "setModelData": _nothing,
    "showPopup": _nothing,
    "sort": _nothing,
    "startDrag": _nothing,
    "updateEditorGeometry": _nothing,
}
"""Return value to Qt of a method that failed. Event handlers, whose names end in "Event", return nothing."""


def install() -> None:
    """Route exceptions in Python overrides of Qt methods to the log, for all classes defined from now on."""
    setattr(Shiboken.Object, "__init_subclass__", classmethod(_tell_errors))  # noqa: B010


def _tell_errors(cls: type, **arguments: Any) -> None:
    """Replacement of `__init_subclass__` for classes derived from Qt's: wraps the methods that Qt calls, to report
    their exceptions."""
    super(Shiboken.Object, cls).__init_subclass__(**arguments)  # type: ignore[arg-type]
    for name, method in list(vars(cls).items()):
        if isinstance(method, FunctionType) and _is_of_qt(cls, name):
            answer = ANSWERS.get(name, _nothing if name.endswith("Event") else None)
            setattr(cls, name, _raised(method) if answer is None else _told(method, answer))


def _is_of_qt(cls: type, name: str) -> bool:
    return not name.startswith("__") and any(
        name in vars(base) and base.__module__.startswith("PySide6.") for base in cls.__mro__[1:]
    )


def _told(method: Callable, answer: Callable[[], Any]) -> Callable:
    @wraps(method)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return method(*arguments, **named)
        except SystemExit:
            raise
        except BaseException:  # Ctrl+C, too, would be lost
            sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
            return answer()

    return call


def _raised(method: Callable) -> Callable:
    @wraps(method)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return method(*arguments, **named)
        except BaseException:  # Python makes an object of it here
            raise

    return call
