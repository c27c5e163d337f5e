"""How long a menu takes to open while frames are slow.

    python -m tests.benchmark.menus [--model FILE] [--size 1280x800] [--count 20] [--whole]

The window runs a model. At random moments, also while a frame is drawn, another thread puts a click on the File menu
into Qt's queue. Printed are median and worst time from the click until the menu is painted, and what a frame takes.
`--whole` draws every picture whole, for comparison.
"""

from __future__ import annotations

import argparse
import random
import statistics
import threading
import time
from pathlib import Path

from tests.benchmark.latency import HUMANOIDS
from tests.benchmark.window import display, opened, wait_until


def clicked(window, menu) -> float:
    """Open a menu as a click does, at a random moment; time until it is painted, s."""
    from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    class Painted(QObject):
        at = 0.0

        def eventFilter(self, watched, event) -> bool:
            if event.type() == QEvent.Type.Paint and not self.at:
                self.at = time.perf_counter()
            return False

    painted = Painted()
    menu.installEventFilter(painted)
    bar = window.menuBar()
    place = QPointF(bar.actionGeometry(menu.menuAction()).center())
    globally = bar.mapToGlobal(QPoint(int(place.x()), int(place.y()))).toPointF()
    buttons = Qt.MouseButton
    begun: list[float] = []

    def press() -> None:
        time.sleep(random.uniform(0.2, 0.6))
        begun.append(time.perf_counter())
        for kind, held in (
            (QEvent.Type.MouseButtonPress, buttons.LeftButton),
            (QEvent.Type.MouseButtonRelease, buttons.NoButton),
        ):
            event = QMouseEvent(kind, place, globally, buttons.LeftButton, held, Qt.KeyboardModifier.NoModifier)
            QApplication.postEvent(bar, event)

    thread = threading.Thread(target=press)
    thread.start()
    wait_until(lambda: painted.at > 0.0, 30)
    thread.join()
    menu.removeEventFilter(painted)
    menu.close()
    return painted.at - begun[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=HUMANOIDS / "22_humanoids.xml")
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--whole", action="store_true", help="every picture whole")
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    with display(), opened(arguments.model, (width, height)) as (window, failures):
        viewport = window.viewport
        viewport.set_may_reduce(not arguments.whole)
        frames: list[float] = []
        viewport.frameSwapped.connect(lambda: frames.append(viewport.frames.seconds or 0.0))
        for _ in range(40):  # until the quality is found
            count = len(frames)
            wait_until(lambda count=count: len(frames) > count, 30)
        late = [clicked(window, window.actions_.menus["File"]) for _ in range(arguments.count)]
        mean = viewport.frames.seconds or 0.0
        print(f"{arguments.model.name} at {arguments.size}, {viewport.quality.text or 'whole pictures'}")
        print(f"  {1e3 * mean:.0f} ms a frame, {viewport.frames.rate or 0:.1f} per second")
        print(f"  menu: median {1e3 * statistics.median(late):.0f} ms, worst {1e3 * max(late):.0f} ms")
        for failure in failures:
            print(failure)


if __name__ == "__main__":
    main()
