"""Finds acts that leak: each is repeated, and the additional objects are reported for one repetition.

    python -m tests.benchmark.leaks [--only NAME ...] [--times 10] [--warm 3] [--kinds 8] [--model FILE] [--all]

An act is one of `tests/benchmark/cycles.py`, opening and closing one panel (`panel NAME`), selecting an element of one
kind (`select TAG`), showing a dialog, or an action of the table (`action NAME`), after which edits are undone, dialogs
closed and the display is what it was. The first `--warm` repetitions do not count: they make what is made once.
`--only` takes names and beginnings of names. Printed are the acts that leave something: widgets, objects of Qt, of
Python and of OpenGL, threads and open files, bytes in C and blocks of Python for each repetition; below, the kinds
with at least one object left by each repetition, widgets with those around them. `--all` prints the others too.
"""

from __future__ import annotations

import argparse
import collections
import gc
import sys
import tempfile
import threading
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kinetree.app.workers.simulation import requests
from tests.benchmark.cycles import Acts, allocated, gl_objects
from tests.benchmark.window import display, opened, wait_until

NOT_REPEATED = (
    "file.quit", "file.close",  # the window ends
    "file.new_window", "help.report", "help.docs", "file.folder",  # another program opens
)  # fmt: skip
SELECTED = "body", "geom", "joint", "site", "camera", "light", "motor", "key"
COUNTED = "widgets", "QObjects", "objects", "GL", "threads", "files"
"""Counts that an act must not increase."""


@dataclass
class Counts:
    """Existing objects: `numbers` by the titles of the table, `kinds` by their names."""

    numbers: collections.Counter[str]
    kinds: collections.Counter[str]


def count(window) -> Counts:
    """Count, after all garbage is gone."""
    import psutil
    import shiboken6
    from PySide6.QtCore import QEvent, QObject
    from PySide6.QtWidgets import QApplication, QWidget

    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.unfreeze()
    while gc.collect():
        pass
    kinds: collections.Counter[str] = collections.Counter()
    seen: set[int] = set()
    widgets = QApplication.allWidgets()
    tops = [widget for widget in widgets if widget.parent() is None]
    for top in (QApplication.instance(), *tops):
        for each in (top, *top.findChildren(QObject)):
            address = shiboken6.getCppPointer(each)[0]
            if address not in seen:
                seen.add(address)
                kinds[around(each) if isinstance(each, QWidget) else f"Qt {each.metaObject().className()}"] += 1
    found = gc.get_objects()  # without those of PySide6, which the walk has made
    ours = [type(each) for each in found if not str(type(each).__module__).startswith("PySide6")]
    kinds.update(f"{kind.__module__}.{kind.__qualname__}" for kind in ours)
    objects = len(ours)
    del found, ours
    gl = gl_objects(window.viewport)
    kinds.update({f"GL {kind}": number for kind, number in gl.items()})
    kinds.update(f"thread {thread.name}" for thread in threading.enumerate())
    process = psutil.Process()
    numbers = collections.Counter(
        {
            "widgets": len(widgets), "QObjects": len(seen), "objects": objects, "GL": sum(gl.values()),
            "threads": threading.active_count(), "files": process.num_fds(), "kB in C": allocated() // 1000,
            "blocks": sys.getallocatedblocks(),
        }
    )  # fmt: skip
    gc.freeze()
    return Counts(numbers, kinds)


def around(widget) -> str:
    """The class of a widget and of three around it."""
    names = []
    while widget is not None and len(names) < 4:
        names.append(f"{type(widget).__name__}#{widget.objectName()}".rstrip("#"))
        widget = widget.parentWidget()
    return " < ".join(names)


class Repeated:
    """The acts by their names, and what makes the window as it was."""

    def __init__(self, window, path: Path):
        from tests.app.monkey import Guard

        self.window, self.path, self.text = window, path, path.read_text()
        self.cycles = Acts(window, [path])
        self.guard = Guard(window)

    def acts(self) -> dict[str, Callable[[], None]]:
        found = {name: act for name, act in self.cycles.all().items() if name != "panels"}
        found |= {f"select {tag}": partial(self.select, tag) for tag in SELECTED}
        found |= {f"panel {name}": partial(self.panel, name) for name in self.window.docks}
        names = [name for name in self.window.actions_.rows if name not in NOT_REPEATED]
        return found | {f"action {name}": partial(self.action, name) for name in names}

    def panel(self, name: str) -> None:
        dock = self.window.docks[name]
        dock.bring_up()
        self.cycles.wait(0.15)
        dock.close()

    def select(self, tag: str) -> None:
        from kinetree.app.workspace.selection import Selection

        node = next(node for node in self.window.project.document.root.iter() if node.tag == tag)
        self.window.selection.select(Selection(element=node.id))
        self.cycles.wait(0.15)
        self.window.selection.select(Selection())
        self.cycles.wait(0.05)

    def action(self, name: str) -> None:
        self.window.actions_[name].trigger()
        self.cycles.wait(0.1)

    def restore(self) -> None:
        """Restore the state that an act may have changed."""
        from tests.app.monkey import close_all

        self.guard.step += 1
        close_all()
        self.window.simulation.post(requests.Pause())  # else there is more history after each
        window, project = self.window, self.window.project
        window.handlers.show_help(False)
        if window.viewports.arrangement != "single":
            window.actions_["viewports.single"].trigger()
        for dock in window.plots.further():
            dock.close()
        while project.texts.undo_name and project.path == str(self.path):
            project.undo()
        if project.path != str(self.path) or project.modified:
            self.path.write_text(self.text)
            window.workspace.opening.open(str(self.path))
            wait_until(lambda: project.path == str(self.path))
        self.cycles.wait(0.05)
        wait_until(lambda: not window.workspace.tasks.is_busy and window.compiler.compiling_since is None, 30)

    def begin(self) -> None:
        """The model is opened again, with an empty history."""
        self.path.write_text(self.text)
        self.window.workspace.opening.open(str(self.path))
        wait_until(lambda: self.window.project.path == str(self.path))
        self.window.actions_["compare.end"].trigger()
        self.window.simulation.post(requests.Pause())
        self.cycles.ready()


def run(arguments: argparse.Namespace, window, failures: list[str], path: Path) -> None:
    repeated = Repeated(window, path)
    print(f"{'for each repetition':32} " + " ".join(f"{title:>8}" for title in (*COUNTED, "kB in C", "blocks")))
    for name, act in repeated.acts().items():
        if arguments.only and not any(name.startswith(each) for each in arguments.only):
            continue
        repeated.begin()
        try:
            for _ in range(arguments.warm):
                act()
                repeated.restore()
            before = count(window)
            if arguments.lines:
                tracemalloc.start(12)
                lines = tracemalloc.take_snapshot()
            for _ in range(arguments.times):
                act()
                repeated.restore()
            after = count(window)
            if arguments.lines:
                gc.unfreeze()
                gc.collect()
                more = tracemalloc.take_snapshot().compare_to(lines, "traceback")
                tracemalloc.stop()
                more = [each for each in more if each.count_diff >= arguments.times]
                for line in more[: arguments.lines]:
                    print(
                        f"  {line.size_diff / arguments.times:8.0f} bytes in {line.count_diff / arguments.times:.1f} blocks"
                    )
                    print("\n".join(line.traceback.format(12, True)))
        except TimeoutError:
            print(f"{name:32} did not end", flush=True)
            continue
        if failures:
            print(f"{name:32} failed: {failures[0]}", flush=True)
            failures.clear()
            continue
        tell(arguments, name, before, after)
    repeated.guard.stop()


def tell(arguments: argparse.Namespace, name: str, before: Counts, after: Counts) -> None:
    slopes = {title: (after.numbers[title] - before.numbers[title]) / arguments.times for title in after.numbers}
    more = {kind: number for kind, number in (after.kinds - before.kinds).items() if number >= arguments.times}
    if not arguments.all and not more and all(slopes[title] < 0.5 for title in COUNTED):
        return
    print(f"{name:32} " + " ".join(f"{slopes[title]:8.1f}" for title in slopes), flush=True)
    for kind, number in collections.Counter(more).most_common(arguments.kinds):
        print(f"    {number / arguments.times:8.1f} {kind}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--warm", type=int, default=3)
    parser.add_argument("--kinds", type=int, default=8, help="kinds that are told of each act")
    parser.add_argument("--lines", type=int, default=0, help="places in the source that are told")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--all", action="store_true", help="tell the acts too that leave nothing")
    arguments = parser.parse_args()
    from tests.app.conftest import MODEL

    with display(), tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rig.xml")
        path.write_text(MODEL if arguments.model is None else arguments.model.read_text())
        with opened(path, (1000, 700)) as (window, failures):
            run(arguments, window, failures, path)


if __name__ == "__main__":
    main()
