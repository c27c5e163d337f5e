"""Cost of the model tree with many elements for the window's thread.

    python -m tests.benchmark.tree [--elements 10000] [--repeat 20] [--size 1280x800]

Printed are median and worst, in milliseconds of computing, of each act together with the repaint after it: the rows on
the screen painted again, expanding and collapsing all, scrolling, selecting one element and 3,400, a key in the filter,
an edit of one attribute, a new element.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from kinetree.app.workers.simulation import requests
from tests.benchmark.bench_edit import branched
from tests.benchmark.window import display, opened, wait_until

ELEMENTS_OF_A_BODY = 4  # of `branched`


def measure(window, elements: int, repeat: int) -> dict[str, list[float]]:
    from PySide6.QtGui import QPixmap

    from kinetree.engine.document.element_edit import Insert, SetAttribute

    tree = window.tree
    wait_until(lambda: window.simulation.model is not None and len(tree.outline) >= elements)
    window.simulation.post(requests.Pause())
    window.docks["tree"].show()
    window.docks["tree"].raise_()
    end = time.monotonic() + 1.0
    wait_until(lambda: time.monotonic() > end)
    view, picture = tree.view, QPixmap(tree.view.viewport().size())
    bar = view.verticalScrollBar()
    times: dict[str, list[float]] = {}

    def act(name: str, do: Callable[[], object] = lambda: None) -> None:
        start = time.thread_time()
        do()
        view.viewport().render(picture)
        times.setdefault(name, []).append(time.thread_time() - start)

    def settle() -> None:
        wait_until(
            lambda: not tree.busy and window.compiler.compiling_since is None and not window.workspace.tasks.is_busy
        )

    def round(number: int) -> None:
        act("expand all", lambda: tree.expand_all(True))
        act("repaint")
        for i in range(5):
            act("scroll", partial(bar.setValue, bar.maximum() * i // 5))
        world = window.project.document.root.child(0)
        bodies = [world.child(i) for i in range(world.child_count)]
        act("select", lambda: view.select_ids([bodies[-1 - number].id]))
        act("select 3400", lambda: view.select_ids([node.id for node in bodies[:3400]]))
        act("collapse all", lambda: tree.expand_all(False))
        for text in ("g", "g1", "g12"):
            act("filter", partial(tree.filter.setText, text))
            settle()
        tree.filter.setText("")
        settle()
        act("set attribute", lambda: window.project.apply("Set", [SetAttribute(bodies[7], "pos", f"{number} 0 0")]))
        settle()
        act("insert", lambda: window.project.apply("Insert", [Insert(bodies[9], "<site/>")]))
        settle()

    for number in range(repeat):
        round(number)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--size", default="1280x800")
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    with display(), tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.xml"
        path.write_text(branched(arguments.elements // ELEMENTS_OF_A_BODY))
        with opened(path, (width, height)) as (window, failures):
            times = measure(window, arguments.elements, arguments.repeat)
            if failures:
                raise AssertionError(failures[0])
    print(f"{arguments.elements} elements, {width} x {height}: median and worst, ms")
    for name, seconds in times.items():
        print(f"  {name:16} {1e3 * statistics.median(seconds):8.2f} {1e3 * max(seconds):8.2f}")


if __name__ == "__main__":
    main()
