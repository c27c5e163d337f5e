"""The mouse of the virtual screen: real events of the X server, for actions that Qt does not take from QTest, such as
drags.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import threading
import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.patience import wait_for

SHIFT, CONTROL, ALT = 0xFFE1, 0xFFE3, 0xFFE9
"""X keysyms of the left keys."""
STEP = 0.03  # s between two events


def is_available() -> bool:
    """Whether the library that moves the mouse is installed."""
    return ctypes.util.find_library("Xtst") is not None and ctypes.util.find_library("X11") is not None


def drag(points: Sequence[QPoint], held: Sequence[int] = (), before_release: Callable[[], None] | None = None) -> None:
    """Press the left button at the first of some places on the screen, go through the others, hold keys and release the
    button there. `before_release()` is called in the thread that moves the mouse. Events of Qt are processed
    meanwhile."""
    mover = threading.Thread(target=_drag, args=(list(points), list(held), before_release), name="pointer")
    mover.start()
    wait_for(lambda: not mover.is_alive(), QApplication.processEvents)
    mover.join()
    QTest.qWait(100)


def _drag(points: list[QPoint], held: list[int], before_release: Callable[[], None] | None) -> None:
    x11 = ctypes.CDLL(ctypes.util.find_library("X11"))
    xtst = ctypes.CDLL(ctypes.util.find_library("Xtst"))
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XKeysymToKeycode.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
    display = ctypes.c_void_p(x11.XOpenDisplay(os.environ["DISPLAY"].encode()))

    def flush() -> None:
        x11.XFlush(display)
        time.sleep(STEP)

    def move(point: QPoint) -> None:
        xtst.XTestFakeMotionEvent(display, -1, point.x(), point.y(), 0)
        flush()

    codes = [x11.XKeysymToKeycode(display, key) for key in held]
    move(points[0])
    xtst.XTestFakeButtonEvent(display, 1, 1, 0)
    flush()
    for index, point in enumerate(points[1:]):
        if index == 1:
            for code in codes:
                xtst.XTestFakeKeyEvent(display, code, 1, 0)
            flush()
        move(point)
    time.sleep(5 * STEP)
    move(points[-1] + QPoint(1, 0))
    time.sleep(5 * STEP)
    if before_release is not None:
        before_release()
    xtst.XTestFakeButtonEvent(display, 1, 0, 0)
    flush()
    for code in codes:
        xtst.XTestFakeKeyEvent(display, code, 0, 0)
    flush()
    x11.XCloseDisplay(display)
