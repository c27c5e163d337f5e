"""Latency of a key press in the source panel, until its glyph and its underline are painted, in a real window.

    python -m tests.benchmark.typing [--repeat 50] [--model FILE ...] [--still] [--show 3]

Without a model: humanoid and 22_humanoids of the shared corpus, where it is, and a model of 1 MB that is made here. The
simulation runs, unless --still. Printed are median and worst in milliseconds, by the clock and (in brackets) the
computing time of the window's thread, how long it waited for Python's lock, and for a processor, of:

    glyph       a digit typed into a value, until the line is painted
    syntax      "<" typed into a value, until the underline of that mistake is painted
    finding     a letter typed into a number, until the underline of the compiler's finding is painted (clock only)
    drawing     time of software OpenGL for the picture of the model when a key was pressed, if it was due at that moment: the others are without it
    stall       the longest time for which the window did not answer meanwhile, without drawing

Below are the places of the longest stalls (tests/benchmark/watchdog.py).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from kinetree.app.workers.simulation import requests
from tests.benchmark.latency import HUMANOIDS, large
from tests.benchmark.watchdog import Spent, Stall, ThreadClock, Watchdog, told
from tests.benchmark.window import display, wait_until

PARTS = "clock", "computing", "waiting", "ready"
Times = dict[str, list[Spent]]


def measure(path: Path, repeat: int, still: bool) -> tuple[Times, list[Stall]]:
    from PySide6.QtCore import QEvent, Qt
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QApplication

    from kinetree.app.settings.settings import Settings
    from kinetree.app.window import Window
    from kinetree.app.workspace.garbage import GarbageCollection

    application = QApplication.instance()
    assert application is not None
    window = Window(Settings(tempfile.mkdtemp()))
    collection = GarbageCollection(window.workspace, window)
    window.resize(1280, 800)
    window.simulation.post(requests.Play() if not still else requests.Pause())
    window.open(str(path))
    window.show()

    def rest(seconds: float) -> None:
        end = time.monotonic() + seconds
        wait_until(lambda: time.monotonic() > end)

    def is_compiled() -> bool:
        return window.compiler.result is not None and window.compiler.compiling_since is None

    wait_until(lambda: window.simulation.snapshot is not None and window.simulation.snapshot.ready)
    window.actions_["source.show"].trigger()
    wait_until(lambda: window.source.editor is not None)
    editor = window.source.editor
    assert editor is not None
    editor.setFocus()
    rest(1.0)
    clock = ThreadClock(threading.main_thread())

    def press(key: Qt.Key, text: str) -> Spent:
        """Press a key and paint; what that took, without drawing: the picture of the model may be due at that
        moment.
        """
        start, drawn = clock.now(), watchdog.drawn
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            application.sendEvent(editor, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))
        editor.viewport().repaint()
        spent, drawing = clock.now() - start, watchdog.drawn - drawn
        times["drawing"].append(Spent(drawing.clock))
        return spent - drawing

    times: Times = {"glyph": [], "syntax": [], "finding": [], "stall": [], "drawing": []}
    place = editor.text.rindex('size="') + len('size="')
    with Watchdog(0.05, window.viewport) as watchdog:
        for number in range(repeat):
            editor.select(place, place)
            rest(0.15)
            watchdog.act = str(number)
            times["glyph"].append(press(Qt.Key.Key_1, "1"))
            rest(0.1)
            press(Qt.Key.Key_Backspace, "\b")
            rest(0.1)
            times["syntax"].append(press(Qt.Key.Key_Less, "<"))
            assert any(item.code.startswith("xml-") for item in editor.problems.all)
            press(Qt.Key.Key_Backspace, "\b")
            wait_until(lambda: is_compiled() and not window.compiler.failed)
            start = time.perf_counter()
            press(Qt.Key.Key_X, "x")
            wait_until(lambda: is_compiled() and window.compiler.failed and editor.problems.all)
            editor.viewport().repaint()
            times["finding"].append(Spent(time.perf_counter() - start))
            press(Qt.Key.Key_Backspace, "\b")
            wait_until(lambda: is_compiled() and not window.compiler.failed)
    for number in range(repeat):
        times["stall"].append(max((spent for spent, _ in watchdog.longest[str(number)]), key=lambda spent: spent.clock))
    clock.close()
    collection.end()
    window.close_anyway()
    return times, watchdog.stalls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=50)
    parser.add_argument("--model", nargs="*", type=Path)
    parser.add_argument("--show", type=int, default=3, help="stalls that are explained")
    parser.add_argument("--still", action="store_true", help="do not simulate meanwhile")
    arguments = parser.parse_args()
    with display():
        from PySide6.QtWidgets import QApplication

        from kinetree.app.settings import theme

        application = QApplication(sys.argv[:1])
        application.setStyle("Fusion")
        theme.apply(application, theme.choose("dark"))
        folder = Path(tempfile.mkdtemp())
        corpus = [HUMANOIDS / f"{name}.xml" for name in ("humanoid", "22_humanoids")]
        for path in arguments.model or [*(each for each in corpus if each.exists()), large(folder)]:
            times, stalls = measure(path, arguments.repeat, arguments.still)
            shown = []
            for name, found in times.items():
                parts = {part: [1000 * getattr(each, part) for each in found] for part in PARTS}
                texts = [f"{statistics.median(part):.1f}/{max(part):.1f}" for part in parts.values()]
                own = any(map(any, list(parts.values())[1:2]))
                text = f"{name} {texts[0]}" + (f" ({', '.join(texts[1:])})" if own else "")
                shown.append(text)
            print(f"{path.name}: {', '.join(shown)}", flush=True)
            for stall in sorted(stalls, key=lambda stall: -stall.spent.clock)[: arguments.show]:
                print("\n".join(told(stall, 8)), flush=True)


if __name__ == "__main__":
    main()
