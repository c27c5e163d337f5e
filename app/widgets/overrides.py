"""Exceptions in methods that Qt calls, such as `paintEvent`, do not end the program.

shiboken6 (6.9.3 to 6.11.3, tried) adds a sentence to such an exception, and takes for granted that it is an object. Up
to Python 3.11 one that C code raised, as the IndexError of a list or of an array, is only a type and a text until
somebody catches it: the process dies by a segmentation fault. `guard` has every override catch and raise it again; then
it reaches `sys.excepthook` like all others. It costs 0.1 us a call.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from PySide6.QtCore import QObject

IS_NEEDED = sys.version_info < (3, 12)


def guard() -> None:
    """Guard the overrides of all classes of Qt's objects, those that there are and those to come."""
    if not IS_NEEDED or "__init_subclass__" in vars(QObject):
        return

    def follow(cls: type, **more: Any) -> None:
        super(QObject, cls).__init_subclass__(**more)  # type: ignore[arg-type]
        _guard_class(cls)

    QObject.__init_subclass__ = classmethod(follow)  # type: ignore[assignment]
    known = list(QObject.__subclasses__())
    while known:
        cls = known.pop()
        known += cls.__subclasses__()
        _guard_class(cls)


def _guard_class(cls: type) -> None:
    for name, method in list(vars(cls).items()):
        if isinstance(method, FunctionType) and not hasattr(method, "__wrapped__") and _is_of_qt(cls, name):
            setattr(cls, name, _guarded(method))


def _is_of_qt(cls: type, name: str) -> bool:
    """Whether a method of a class is one of Qt's classes too."""
    return not name.startswith("__") and any(
        name in vars(base) and not isinstance(vars(base)[name], FunctionType) for base in cls.__mro__[1:]
    )


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def run(*positional: Any, **named: Any) -> Any:
        try:
            return method(*positional, **named)
        except BaseException:  # Python makes an object of it here
            raise

    return run
