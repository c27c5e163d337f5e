"""Where the window does not answer: a session of edits of a large model, with the cause of each stall.

    python -m tests.benchmark.stalls [--seconds 60] [--model FILE] [--above 50] [--only NAME ...] [--size 700x500] [--panels]

A window is opened on a model of 1 MB (24,000 elements) or on another file, and used as a hand does, one act after the
other: selecting, filtering, typing, scrubbing, editing in tree and inspector, undoing, tools. A thread looks all the
time whether the thread of the window has answered; while it has not, it notes what that one is doing. Printed are for
each act the longest stall, by what the window's thread computed in it and by the clock (which other programs and
threads on the same processors slow down), and below for each stall with more computing than the limit the places in
which it was found most often. Painting by software OpenGL is not counted. With `--panels` every panel is open, some of
them in windows of their own, with four plots.
"""

from __future__ import annotations

import argparse
import collections
import sys
import tempfile
import threading
import time
import traceback
import types
from collections.abc import Callable
from pathlib import Path

from tests.benchmark.latency import large
from tests.benchmark.window import display, opened, wait_until

PERIOD = 0.003  # s, between two looks at the window's thread
ROOT = Path(__file__).resolve().parents[2]
DRAWING = ("viewport/viewport.py", "/renderer/", "/scene/")


BEGINNING = "start", "open all panels"


def _draws(stack: list[str]) -> bool:
    return any(part in line for line in stack for part in DRAWING)


class Watchdog(threading.Thread):
    """Notes what the main thread does while it is late. `beat()` is called by its event loop."""

    def __init__(self, above: float):
        super().__init__(name="watchdog", daemon=True)
        self.above = above
        self.stalls: list[tuple[str, float, float, collections.Counter]] = []
        self.spent: dict[str, float] = collections.defaultdict(
            float
        )  # place -> s of computing in all stalls but the first
        self.act = "start"
        self.longest: dict[str, list[tuple[float, float]]] = collections.defaultdict(list)
        self._main = threading.main_thread().ident
        self._clock = time.pthread_getcpuclockid(threading.main_thread().ident or 0)
        self._beat, self._spent = time.perf_counter(), 0.0
        self._seen: list[list[str]] = []
        self._frames: list[types.FrameType] = []  # that were looked at
        self._ended = False
        self._lock = threading.Lock()

    def beat(self) -> None:
        with self._lock:
            now, spent = time.perf_counter(), time.clock_gettime(self._clock)
            late, busy, seen = now - self._beat, spent - self._spent, self._seen
            self._beat, self._spent, self._seen = now, spent, []
            self._frames.clear()
        drawing = sum(map(_draws, seen))
        other = 1 - drawing / max(len(seen), 1)
        late, busy = late * other, busy * other
        self.longest[self.act].append((late, busy))
        if busy > self.above:
            places: collections.Counter = collections.Counter()
            for stack in seen:
                places.update(set(stack))
                if self.act not in BEGINNING and not _draws(stack):
                    for place in set(stack):
                        self.spent[place] += busy / max(len(seen) - drawing, 1)
            self.stalls.append((self.act, late, busy, places))

    def run(self) -> None:
        while not self._ended:
            time.sleep(PERIOD)
            with self._lock:
                if time.perf_counter() - self._beat > 0.010:
                    stack = self._look()
                    ours = [
                        line.replace(f"{ROOT}/", "") for line in stack if str(ROOT) in line and __file__ not in line
                    ]
                    self._seen.append(ours or ["Qt"])

    def _look(self) -> list[str]:
        """The stack of the window's thread. Its frames are kept until that thread lets go of them: what they hold last,
        such as widgets and timers, must not end in this one."""
        frame = sys._current_frames().get(self._main or 0)
        begin = len(self._frames)
        while frame is not None:
            self._frames.append(frame)
            frame = frame.f_back
        summary = traceback.StackSummary.extract((each, each.f_lineno) for each in reversed(self._frames[begin:]))
        return [f"{Path(each.filename)}:{each.lineno} {each.name}" for each in summary]

    def stop(self) -> None:
        self._ended = True
        self.join()


class Hand:
    """What a hand does in the window, each act by its name."""

    def __init__(self, window, wait: Callable):
        from PySide6.QtTest import QTest

        self.window, self.wait, self.keys = window, wait, QTest
        self.project, self.tree = window.project, window.tree
        self.number = 0

    def settle(self, seconds: float = 10.0) -> None:
        """Wait for tools, for a while for the new model, and for the panels that follow."""
        window, end = self.window, time.monotonic() + seconds
        self.wait(lambda: not window.workspace.tasks.is_busy)
        self.wait(lambda: window.compiler.compiling_since is None or time.monotonic() > end)
        self.pause(0.3)

    def pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() > end)

    def nodes(self, tag: str):
        return [node for node in self.project.document.root.iter() if node.tag == tag]

    def some(self, tag: str):
        nodes = self.nodes(tag)
        self.number += 1
        return nodes[(len(nodes) // 3 + 7 * self.number) % len(nodes)]

    def select(self) -> None:
        from app.workspace.selection import Selection

        self.window.selection.select(Selection(element=self.some("geom").id))

    def select_several(self) -> None:
        from app.workspace.selection import Selection

        self.window.selection.select_several([Selection(element=node.id) for node in self.nodes("geom")[:3400]])

    def set_several(self) -> None:
        self.select_several()
        self.pause(1.0)
        self.number += 1
        self.set_in_inspector(f"0.{self.number}", select=False)

    def set_in_inspector(self, value: str = "", select: bool = True) -> None:
        if select:
            self.select()
            self.pause(0.3)
        panel = self.window.inspector
        panel.refresh()
        if panel.form is None or "size" not in panel.form.found.items:
            return  # the elements are gone, as after a tag that was left open
        self.number += 1
        panel.form.row("size").editor.numbers.typed.emit(0, value or f"0.{self.number}")

    def scrub(self) -> None:
        from engine.document.wish import SetAttribute

        node = self.some("geom")
        for i in range(15):
            wishes = [SetAttribute(node, "size", f"0.{i + 1} 0.2 0.3")]
            self.project.apply("Set size", wishes, merge=("scrub", self.number))
            self.pause(0.02)

    def type(self) -> None:
        """A new element, so that a tag is open while it is typed."""
        from PySide6.QtCore import Qt

        editor = self.window.source.editor
        place = self.some("geom").end
        editor.select(place, place)
        editor.setFocus()
        self.keys.keyClick(editor, Qt.Key.Key_Return)
        for letter in '<geom size="1" />':
            self.keys.keyClicks(editor, letter)
            self.pause(0.05)

    def type_number(self) -> None:
        editor = self.window.source.editor
        attribute = self.some("geom").attribute("size")
        place = attribute.value_span.start
        editor.select(place, place)
        for letter in "12":
            self.keys.keyClicks(editor, letter)
            self.pause(0.05)

    def duplicate(self) -> None:
        from PySide6.QtCore import Qt

        self.select()
        self.pause(0.2)
        self.tree.view.setFocus()
        self.keys.keyClick(self.tree.view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)

    def delete(self) -> None:
        from PySide6.QtCore import Qt

        self.select()
        self.pause(0.2)
        self.tree.view.setFocus()
        self.keys.keyClick(self.tree.view, Qt.Key.Key_Delete)

    def filter(self) -> None:
        for letter in "g12":
            self.tree.filter.setText(self.tree.filter.text() + letter)
            self.pause(0.15)
        self.tree.filter.clear()

    def expand(self) -> None:
        self.tree.expand_all(True)
        self.pause(0.2)
        bar = self.tree.view.verticalScrollBar()
        for i in range(10):
            bar.setValue(bar.maximum() * i // 10)
            self.pause(0.02)
        self.tree.expand_all(False)

    def undo(self) -> None:
        self.window.actions_["edit.undo"].trigger()
        self.pause(0.2)
        self.window.actions_["edit.redo"].trigger()

    def unit(self) -> None:
        texts = self.project.texts.text(self.project.path)
        name = "degrees" if 'angle="radian"' in texts else "radians"
        self.window.actions_[f"tools.{name}"].trigger()

    def undo_unit(self) -> None:
        self.unit()
        self.settle()
        self.undo()

    def find(self) -> None:
        source = self.window.source
        self.window.actions_["source.find"].trigger()
        source.find_bar.what.setText("geom")
        self.pause(0.3)
        source.find_bar.end()

    def fold(self) -> None:
        self.window.actions_["source.fold_all"].trigger()
        self.pause(0.2)
        self.window.actions_["source.unfold_all"].trigger()

    def format(self) -> None:
        self.window.actions_["source.format"].trigger()

    def scroll(self) -> None:
        bar = self.window.source.editor.verticalScrollBar()
        for i in range(20):
            bar.setValue(bar.maximum() * i // 20)
            self.pause(0.02)

    def acts(self) -> dict[str, Callable[[], None]]:
        return {
            "select": self.select,
            "set in inspector": self.set_in_inspector,
            "scrub": self.scrub,
            "type a tag": self.type,
            "type a number": self.type_number,
            "undo, redo": self.undo,
            "filter": self.filter,
            "expand, scroll": self.expand,
            "scroll source": self.scroll,
            "find": self.find,
            "fold": self.fold,
            "duplicate": self.duplicate,
            "delete": self.delete,
            "select 3400": self.select_several,
            "set in 3400": self.set_several,
            "unit": self.unit,
            "undo unit": self.undo_unit,
            "format": self.format,
        }


PLOTTED = (["qpos[0:7]"], ["energy"], ["ncon", "nefc"], ["norm(qvel)", "sum(efc_force)"])
FLOATING = "joints", "contacts", "facts", "sensors"


def open_panels(window, wait: Callable) -> None:
    """Every panel, the floating ones beside each other, and four plots."""
    for number, name in enumerate(FLOATING):
        window.docks[name].setFloating(True)
        window.docks[name].move(40 + 200 * number, 100 + 30 * number)
    for dock in window.docks.values():
        dock.show()
        dock.raise_()
        wait(lambda dock=dock: dock.panel is not None)
    plots = window.docks["plots"]
    plots.raise_()
    wait(lambda: plots.panel.plots)
    while len(plots.panel.plots) < len(PLOTTED):
        plots.panel.add_plot()
    for plot, texts in zip(plots.panel.plots, PLOTTED, strict=True):
        for text in texts:
            plot.add(text)


def run(window, path: Path, arguments: argparse.Namespace) -> None:
    from PySide6.QtCore import QTimer

    watchdog = Watchdog(arguments.above / 1000)

    timer = QTimer()
    timer.setInterval(1)
    timer.timeout.connect(watchdog.beat)
    timer.start()
    watchdog.beat()
    watchdog.start()
    window.actions_["source.show"].trigger()
    wait_until(lambda: window.source.editor is not None)
    hand = Hand(window, wait_until)
    if arguments.panels:
        watchdog.act = "open all panels"
        open_panels(window, wait_until)
    hand.settle()
    acts = {name: act for name, act in hand.acts().items() if not arguments.only or name in arguments.only}
    end = time.monotonic() + arguments.seconds
    rounds = 0
    while time.monotonic() < end and (rounds < arguments.rounds or not arguments.rounds):
        rounds += 1
        for name, act in acts.items():
            if time.monotonic() > end:
                break
            watchdog.act = name
            try:
                act()
                hand.settle()
            except Exception:
                traceback.print_exc()  # the acts before it are still worth their lines
    watchdog.stop()
    timer.stop()
    print(f"{path.name}, {len(window.project.texts.text(str(path)))} characters, {rounds} rounds")
    for name, late in watchdog.longest.items():
        count = sum(each > watchdog.above for _, each in late)
        wall, busy = (1e3 * max(each) for each in zip(*late, strict=True))
        print(
            f"  {name:20} {busy:7.1f} ms of computing, {count} above {arguments.above:g} ms; {wall:7.1f} ms by the clock"
        )
    if arguments.places:
        print("\nms of computing in all stalls, by places without what is painted by OpenGL")
    for place, spent in sorted(watchdog.spent.items(), key=lambda each: -each[1])[: arguments.places]:
        print(f"  {1e3 * spent:6.0f} {place}")
    for name, late, busy, places in sorted(watchdog.stalls, key=lambda stall: -stall[2])[: arguments.show]:
        print(f"\n{name}: {1e3 * busy:.0f} ms of computing, {1e3 * late:.0f} ms by the clock")
        for place, count in places.most_common(arguments.lines):
            print(f"  {count:4} {place}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=0, help="at most so often, 0: as often as there is time")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--panels", action="store_true", help="with all panels and four plots")
    parser.add_argument("--above", type=float, default=50, help="ms")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--size", default="900x600")
    parser.add_argument("--show", type=int, default=20, help="stalls that are explained")
    parser.add_argument("--lines", type=int, default=12, help="places of each")
    parser.add_argument("--places", type=int, default=0, help="places of all stalls together")
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    sys.setswitchinterval(0.001)
    with display(), tempfile.TemporaryDirectory() as folder:
        path = arguments.model or large(Path(folder))
        with opened(path, (width, height)) as (window, failures):
            run(window, path, arguments)
        for failure in failures:
            print(failure, file=sys.stderr)


if __name__ == "__main__":
    main()
