"""A monkey at the window (tests/app/monkey.py): random clicks, keys, drags, turns of the wheel and resizes.

    python -m tests.benchmark.monkey [--acts 20000] [--seed 0] [--model FILE] [--every 500] [--close 2000]

It fails at the first error: an exception, a message of Qt, a record of level ERROR. Printed are, after so many acts, the
memory (of the process; given out by malloc; blocks of Python), the number of widgets, threads and open files, and how long the
window took at most to answer one act, and computed for it: by the clock it waits for other programs too. After
`--close` acts everything is closed that the monkey opened, and what memory is left is told: it stays where it is unless
something leaks. All panels are opened once before, as they stay.
"""

from __future__ import annotations

import argparse
import collections
import ctypes
import ctypes.util
import faulthandler
import gc
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

from kinetree.app.workers.simulation import requests
from tests.benchmark.cycles import allocated
from tests.benchmark.window import display, opened, wait_until


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acts", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=500)
    parser.add_argument("--close", type=int, default=2000)
    parser.add_argument("--model", type=Path)
    arguments = parser.parse_args()
    faulthandler.enable()
    with display():
        run(arguments)


def run(arguments: argparse.Namespace) -> None:
    from tests.app.conftest import MODEL

    folder = Path(tempfile.mkdtemp())
    path = folder / "rig.xml"
    if arguments.model is None:
        path.write_text(MODEL)
    else:
        shutil.copytree(arguments.model.parent, folder, dirs_exist_ok=True)
        path = folder / arguments.model.name
    from tests.app.monkey import Monkey

    with opened(path, (800, 500)) as (window, failures):
        monkey = Monkey(window, arguments.seed)
        try:
            play(arguments, window, monkey, failures, path)
        finally:
            monkey.stop()
    shutil.rmtree(folder)


def play(arguments: argparse.Namespace, window, monkey, failures: list[str], path: Path) -> None:
    from PySide6.QtWidgets import QApplication

    from tests.app.monkey import close_all

    make_panels(window)
    close_everything(window, path, path.read_text())
    last = collections.deque(maxlen=12)
    slowest = busiest = (0.0, "")
    first = kinds()

    def grown() -> str:
        return ", ".join(f"{count} {kind}" for kind, count in (kinds() - first).most_common(5))

    text = path.read_text()
    for number in range(1, arguments.acts + 1):
        start, computed = time.perf_counter(), time.thread_time()
        told = monkey.act()
        spent, computed = time.perf_counter() - start, time.thread_time() - computed
        last.append(told)
        slowest, busiest = max(slowest, (spent, told)), max(busiest, (computed, told))
        if failures:
            acts = "\n  ".join(last)
            raise AssertionError(f"act {number}:\n  {acts}\n{failures[0]}")
        if number % arguments.every == 0:
            close_all()
            QApplication.processEvents()
            print(
                f"{number} acts: {memory():.0f} MB, {allocated() / 1e6:.0f} in C, {sys.getallocatedblocks() / 1e6:.2f} M "
                f"blocks, {len(QApplication.allWidgets())} widgets, {threading.active_count()} threads, {handles()} handles; slowest "
                f"{slowest[0]:.2f} s: {slowest[1]}; most computing {busiest[0]:.2f} s: {busiest[1]}; "
                f"more widgets: {grown()}",
                flush=True,
            )
            slowest = busiest = (0.0, "")
            if window.project.path != str(path) or len(window.project.texts.text(str(path)) or "") > 4 * len(text):
                path.write_text(text)
                window.workspace.opening.open(str(path))
            window.resize(800, 500)
        if number % arguments.close == 0:
            close_everything(window, path, text)
    monkey.stop()
    close_everything(window, path, text)
    window.viewports.end()
    tell_memory("without anything on the graphics card")
    window.workspace.opening.open(str(path))
    wait_until(lambda: window.simulation.snapshot is not None and window.simulation.snapshot.ready, 60)
    print("the window answers" if not failures else failures[0])


def make_panels(window) -> None:
    """Open and close what is made when it is first opened, and stays: it is no leak."""
    from tests.benchmark.cycles import Acts

    acts = Acts(window, [])
    for make in (acts.panels, acts.plots, acts.dialogs):
        make()


def close_everything(window, path: Path, text: str) -> None:
    """Leave one viewport on the model, with few effects, without panels, edits, comparison and history, and tell the
    memory."""
    from PySide6.QtWidgets import QApplication

    from tests.app.monkey import close_all

    close_all()
    for name in ("compare.end", "viewports.single", "quality.performance"):
        window.actions_[name].trigger()
    plots = window.docks["plots"].widget()
    if plots is not None:
        for plot in list(plots.plots):
            plots.remove_plot(plot)
    for dock in window.docks.values():
        dock.close()
    for _ in range(2):  # the first may still be the model that the monkey made
        path.write_text(text)
        window.workspace.opening.open(str(path))
        wait_until(lambda: window.project.path == str(path) and window.compiler.compiling_since is None, 60)
        wait_until(lambda: window.simulation.snapshot is not None and window.simulation.snapshot.ready, 60)
        end = time.monotonic() + 1.0
        wait_until(lambda end=end: time.monotonic() > end)
    window.simulation.post(requests.Reset())
    gc.unfreeze()
    while gc.collect():
        pass
    gc.freeze()
    QApplication.processEvents()
    tell_memory("all closed")


def tell_memory(when: str) -> None:
    from PySide6.QtWidgets import QApplication

    before = memory()
    library = ctypes.CDLL(ctypes.util.find_library("c"))
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)  # what is free, and scattered among what is not, goes back to the system
    print(
        f"  {when}: {before:.0f} MB, {memory():.0f} without what malloc keeps, {allocated() / 1e6:.0f} in C, "
        f"{sys.getallocatedblocks() / 1e6:.2f} M blocks, {len(QApplication.allWidgets())} widgets, "
        f"{threading.active_count()} threads, {handles()} handles",
        flush=True,
    )


def kinds() -> collections.Counter[str]:
    """How many widgets there are of each class."""
    from PySide6.QtWidgets import QApplication

    return collections.Counter(type(widget).__name__ for widget in QApplication.allWidgets())


def handles() -> int:
    """How many files, pipes and sockets are open."""
    import psutil

    return psutil.Process().num_fds()


def memory() -> float:
    """Memory of the process, MB."""
    import psutil

    return psutil.Process().memory_info().rss / 1e6


if __name__ == "__main__":
    main()
