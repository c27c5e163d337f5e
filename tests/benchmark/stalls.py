"""Where the window does not answer: a session of edits of a large model, with the cause of each stall.

    python -m tests.benchmark.stalls [--seconds 60] [--model FILE] [--above 50] [--only NAME ...] [--size 700x500] [--panels]

A window is opened on a model of 1 MB (24,000 elements) or on another file, and used as a hand does, one act after the
other: selecting, filtering, typing, scrubbing, editing in tree and inspector, undoing, tools. Printed are
for each act the longest times without an answer (tests/benchmark/watchdog.py): by computing of the window's thread, by
waiting for Python's lock, by waiting for a processor, by the clock, and of painting by software OpenGL, which the others
leave out; then how many were above the limit by computing, by computing and waiting, and by the clock. Below are the
places of the worst ones. With `--panels` every panel is open, some of them in windows of their own, with four plots.
"""

from __future__ import annotations

import argparse
import collections
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.benchmark.latency import large
from tests.benchmark.watchdog import Watchdog, told
from tests.benchmark.window import display, opened, wait_until

BEGINNING = "start", "open all panels"


class Hand:
    """Actions of a user in the window, each by its name."""

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
        from kinetree.app.workspace.selection import Selection

        self.window.selection.select(Selection(element=self.some("geom").id))

    def select_several(self) -> None:
        from kinetree.app.workspace.selection import Selection

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
        from kinetree.engine.document.element_edit import SetAttribute

        node = self.some("geom")
        for i in range(15):
            edits = [SetAttribute(node, "size", f"0.{i + 1} 0.2 0.3")]
            self.project.apply("Set size", edits, merge=("scrub", self.number))
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
        wait(lambda dock=dock: dock.widget() is not None)
    plots = window.docks["plots"]
    plots.raise_()
    wait(lambda: plots.panel.plots)
    while len(plots.panel.plots) < len(PLOTTED):
        end = time.monotonic() + 0.3
        plots.panel.add_plot()
        wait(lambda end=end: time.monotonic() > end)  # a hand adds one at a time
    for plot, texts in zip(plots.panel.plots, PLOTTED, strict=True):
        for text in texts:
            plot.add(text)


def run(window, path: Path, arguments: argparse.Namespace) -> None:
    watchdog = Watchdog(arguments.above / 1000, window.viewport)
    rounds = 0
    with watchdog:
        window.actions_["source.show"].trigger()
        wait_until(lambda: window.source.editor is not None)
        hand = Hand(window, wait_until)
        if arguments.panels:
            watchdog.act = "open all panels"
            open_panels(window, wait_until)
        hand.settle()
        acts = {name: act for name, act in hand.acts().items() if not arguments.only or name in arguments.only}
        end = time.monotonic() + arguments.seconds
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
    print(f"{path.name}, {len(window.project.texts.text(str(path)))} characters, {rounds} rounds")
    print(f"memory, MB: window {peak_memory(os.getpid()):.0f}, compiler {peak_memory(window.compiler.process):.0f}")
    report(watchdog, arguments)


def peak_memory(process: int | None) -> float:
    """The most memory that a process has taken, MB; 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def report(watchdog: Watchdog, arguments: argparse.Namespace) -> None:
    """Print each act's longest times, and where the worst stalls were."""
    above, counts = watchdog.above, collections.Counter()
    print(f"{'':20} longest, ms: {'computing':>10} {'waiting':>8} {'ready':>8} {'clock':>8} {'drawing':>8}, above")
    for name, times in watchdog.longest.items():
        found = {
            "computing": [spent.computing for spent, _ in times],
            "waiting": [spent.waiting for spent, _ in times],
            "ready": [spent.ready for spent, _ in times],
            "clock": [spent.clock for spent, _ in times],
            "drawing": [drawing.clock for _, drawing in times],
        }
        over = {key: sum(each > above for each in values) for key, values in found.items()}
        own = sum(spent.computing + spent.waiting > above for spent, _ in times)
        if name not in BEGINNING:
            counts.update(over | {"computing and waiting": own})
        columns = " ".join(f"{1e3 * max(values):{10 if key == 'computing' else 8}.1f}" for key, values in found.items())
        print(f"  {name:31} {columns}  {over['computing']} {own} {over['clock']}")
    print(
        f"above {1e3 * above:g} ms after the beginning: {counts['computing']} by computing, "
        f"{counts['computing and waiting']} by computing and waiting, {counts['clock']} by the clock"
    )
    if arguments.places:
        print("\nms of computing in all stalls, by places")
    for place, spent in sorted(watchdog.places.items(), key=lambda each: -each[1])[: arguments.places]:
        print(f"  {1e3 * spent:6.0f} {place}")
    worst = sorted(watchdog.stalls, key=lambda stall: stall.spent.ready - stall.spent.clock)
    for stall in worst[: arguments.show]:
        print("", *told(stall, arguments.lines), sep="\n")


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
    with display(), tempfile.TemporaryDirectory() as folder:
        path = arguments.model or large(Path(folder))
        with opened(path, (width, height)) as (window, failures):
            run(window, path, arguments)
        for failure in failures:
            print(failure, file=sys.stderr)


if __name__ == "__main__":
    main()
