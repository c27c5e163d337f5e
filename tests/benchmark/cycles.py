"""Whether memory stays where it is: the same acts again and again in one window, and what there is after each round.

    python -m tests.benchmark.cycles [--cycles 50] [--only NAME ...] [--models FILE ...] [--every 5] [--grown 12]

An act opens something and closes it again: models, all panels, plots, viewports, edits, dialogs, a comparison. Printed
are after each round what the process has in memory, how much of that is in use (`in C`: given out by malloc; `blocks`:
by Python), Python's objects, objects of Qt, widgets, windows, objects of OpenGL and threads; at the end the kinds of
objects that have become more since the round named by `--settled`. `--lines` also tells the lines whose memory grew.
"""

from __future__ import annotations

import argparse
import collections
import ctypes
import ctypes.util
import gc
import sys
import tempfile
import threading
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kinetree.app.workers.simulation import requests
from tests.benchmark.stalls import PLOTTED, open_panels
from tests.benchmark.window import display, opened, wait_until

GL = ("Texture", "Buffer", "Renderbuffer", "Framebuffer", "VertexArray", "Program")
GL_NAMES = 6000
MALLINFO = (
    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
)  # fmt: skip
DIALOGS = "edit.settings", "edit.keys", "file.screenshot", "file.video", "sim.until", "view.palette", "help.keys"


@dataclass
class Found:
    """The objects that exist at one moment; `kinds`: objects of Python by their types, of Qt by their classes."""

    resident: float
    in_c: float
    blocks: float
    objects: int
    qt: int
    widgets: int
    windows: int
    gl: int
    threads: int
    kinds: collections.Counter[str]

    TITLES = ("RSS MB", "in C MB", "blocks", "objects", "QObjects", "widgets", "windows", "GL", "threads")

    def line(self) -> str:
        return (
            f"{self.resident:8.1f} {self.in_c:8.1f} {self.blocks:8.0f} {self.objects:8} {self.qt:8} {self.widgets:8} "
            f"{self.windows:8} {self.gl:8} {self.threads:8}"
        )


def look(window) -> Found:
    """Count, after all garbage is gone."""
    import psutil
    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QApplication

    frozen = gc.get_freeze_count()
    gc.unfreeze()
    while gc.collect():
        pass
    kinds = collections.Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects())
    objects = sum(kinds.values())
    if frozen:
        gc.freeze()
    tops = QApplication.topLevelWidgets()
    qt: set[int] = set()
    names: list[str] = []
    import shiboken6

    for top in [QApplication.instance(), *tops]:
        for each in [top, *top.findChildren(QObject)]:
            address = shiboken6.getCppPointer(each)[0]
            if address not in qt:
                qt.add(address)
                names.append(f"Qt {each.metaObject().className()}")
    kinds.update(names)
    gl = gl_objects(window.viewport)
    kinds.update({f"GL {kind}": count for kind, count in gl.items()})
    memory = psutil.Process().memory_info().rss / 1e6
    return Found(
        memory, allocated() / 1e6, sys.getallocatedblocks() / 1e3, objects, len(qt), len(QApplication.allWidgets()),
        len(tops), sum(gl.values()), threading.active_count(), kinds,
    )  # fmt: skip


def allocated() -> int:
    """Bytes that malloc has given out (glibc; else 0)."""

    class Info(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in MALLINFO]

    library = ctypes.CDLL(ctypes.util.find_library("c"))
    if not hasattr(library, "mallinfo2"):
        return 0
    library.mallinfo2.restype = Info
    info = library.mallinfo2()
    return info.uordblks + info.hblkhd


def gl_objects(viewport) -> dict[str, int]:
    """How many objects of each kind the viewport's context has."""
    from PySide6.QtGui import QOpenGLContext

    viewport.makeCurrent()
    context = QOpenGLContext.currentContext()
    found = {}
    if context is not None:
        library = ctypes.CDLL(ctypes.util.find_library("GL"))
        for kind in GL:
            exists = getattr(library, f"glIs{kind}")
            exists.restype = ctypes.c_ubyte
            found[kind] = sum(exists(name) for name in range(1, GL_NAMES))
    viewport.doneCurrent()
    return found


class Acts:
    """The actions of each round; `--only` chooses by the names of the methods."""

    def __init__(self, window, paths: list[Path]):
        self.window, self.paths, self.round = window, paths, 0

    def wait(self, seconds: float) -> None:
        from PySide6.QtTest import QTest

        QTest.qWait(round(1000 * seconds))

    def ready(self) -> None:
        window = self.window
        wait_until(lambda: not window.workspace.tasks.is_busy and window.compiler.compiling_since is None)
        wait_until(lambda: window.simulation.snapshot is not None and window.simulation.snapshot.ready)
        self.wait(0.2)

    def models(self) -> None:
        for path in self.paths:
            self.window.workspace.opening.open(str(path))
            wait_until(lambda path=path: self.window.project.path == str(path))
            self.wait(0.3)
            self.ready()

    def reload(self) -> None:
        self.window.actions_["file.reload"].trigger()
        self.ready()

    def panels(self) -> None:
        open_panels(self.window, wait_until)
        self.wait(1.0)
        facts = self.window.docks["facts"].panel
        for part in range(facts.tabs.count()):
            facts.show_part(part)
            self.wait(0.1)
        for dock in self.window.docks.values():
            dock.close()
        self.window.actions_["view.layout"].trigger()
        self.wait(0.2)

    def plots(self) -> None:
        dock = self.window.docks["plots"]
        dock.bring_up()
        wait_until(lambda: dock.panel.plots)
        for texts in PLOTTED:
            plot = dock.panel.add_plot()
            for text in texts:
                plot.add(text)
        self.wait(1.0)
        for plot in list(dock.panel.plots):
            dock.panel.remove_plot(plot)
        dock.close()

    def edits(self) -> None:
        from kinetree.app.workspace.selection import Selection
        from kinetree.engine.document.element_edit import SetAttribute

        project = self.window.project
        nodes = [node for node in project.document.root.iter() if node.tag == "geom"]
        for number, node in enumerate(nodes[:5]):
            self.window.selection.select(Selection(element=node.id))
            self.wait(0.05)
            project.apply("Set size", [SetAttribute(node, "rgba", f".{1 + number} .5 .5 1")])
            self.ready()
        for _ in nodes[:5]:
            self.window.actions_["edit.undo"].trigger()
            self.ready()

    def source(self) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        self.window.actions_["source.show"].trigger()
        wait_until(lambda: self.window.source.editor is not None)
        editor = self.window.source.editor
        editor.setFocus()
        QTest.keyClicks(editor, "<!-- x -->")
        QTest.keyClick(editor, Qt.Key.Key_Return)
        self.ready()
        while self.window.project.modified and self.window.project.texts.undo_name:
            self.window.project.undo()
        self.ready()
        self.window.docks["source"].close()

    def viewports(self) -> None:
        for name in ("columns", "grid", "single"):
            self.window.actions_[f"viewports.{name}"].trigger()
            self.wait(0.5)

    def dialogs(self) -> None:
        from tests.app.monkey import close_all

        for name in DIALOGS:
            self.window.actions_[name].trigger()
            self.wait(0.1)
            close_all()
        self.window.handlers.show_help(False)
        self.wait(0.1)

    def compare(self) -> None:
        self.window.actions_["compare.present"].trigger()
        self.wait(0.3)
        self.ready()
        self.window.actions_["compare.side"].trigger()
        self.wait(0.3)
        self.window.actions_["compare.end"].trigger()
        self.ready()

    def themes(self) -> None:
        for name in ("light", "dark"):
            self.window.actions_[f"view.theme_{name}"].trigger()
            self.wait(0.2)

    def reset(self) -> None:
        for _ in range(5):
            self.wait(0.2)
            self.window.actions_["sim.reset"].trigger()
        for key in ("sim.step", "sim.back", "sim.oldest", "sim.newest"):
            self.window.actions_[key].trigger()
            self.wait(0.1)
        self.window.simulation.post(requests.Play())

    def all(self) -> dict[str, Callable[[], None]]:
        acts = [
            self.models, self.panels, self.plots, self.edits, self.reload, self.source, self.viewports, self.dialogs,
            self.compare, self.themes, self.reset,
        ]  # fmt: skip
        return {act.__name__: act for act in acts}


def run(arguments: argparse.Namespace, window, failures: list[str], paths: list[Path]) -> None:
    acts = Acts(window, paths)
    chosen = {name: act for name, act in acts.all().items() if not arguments.only or name in arguments.only}
    print("round " + " ".join(f"{title:>8}" for title in Found.TITLES))
    settled: Found | None = None
    lines = None
    for number in range(1, arguments.cycles + 1):
        for name, act in chosen.items():
            act()
            if failures:
                raise AssertionError(f"{name}: {failures[0]}")
        if number % arguments.every == 0 or number in (1, arguments.settled, arguments.cycles):
            found = look(window)
            print(f"{number:5} {found.line()}", flush=True)
            if number == arguments.settled:
                settled = found
                if arguments.lines:
                    tracemalloc.start(8)
                    lines = tracemalloc.take_snapshot()
    if settled is not None:
        more = found.kinds - settled.kinds
        print(f"more than after round {arguments.settled}:")
        for kind, count in more.most_common(arguments.grown):
            print(f"  {count:8} {kind}")
    if lines is not None:
        for line in tracemalloc.take_snapshot().compare_to(lines, "traceback")[: arguments.lines]:
            print(f"{line.size_diff / 1e3:10.1f} kB in {line.count_diff} blocks")
            print("\n".join(line.traceback.format(6)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", type=int, default=50)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--settled", type=int, default=5, help="the round after which nothing should become more")
    parser.add_argument("--grown", type=int, default=12, help="kinds that are told")
    parser.add_argument("--lines", type=int, default=0, help="places in the source that are told")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--models", type=Path, nargs="*", default=())
    arguments = parser.parse_args()
    from tests.app.conftest import FLAWED, MODEL

    with display(), tempfile.TemporaryDirectory() as folder:
        paths = list(arguments.models)
        for name, text in (("flawed", FLAWED), ("rig", MODEL)) if not paths else ():
            paths.append(Path(folder, f"{name}.xml"))
            paths[-1].write_text(text)
        with opened(paths[-1], (1000, 700)) as (window, failures):
            run(arguments, window, failures, paths)


if __name__ == "__main__":
    main()
