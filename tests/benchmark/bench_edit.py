"""Editing a document: what the window pays for one step, over files of several sizes and forms.

    python -m tests.benchmark.bench_edit [--repeat N]

Printed are median and worst time of: setting one attribute, inserting and removing an element, undo, a typed character
that breaks the text, finding an element by its id; and the time to read and parse the whole file, which happens once.
The limit is 5 ms for one attribute in a file of 1 MB.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kinetree.engine.document import change
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.files import read_file
from kinetree.engine.document.project import Project

LIMIT = 0.005
SIZES = (213 << 10, 1 << 20)


def flat(count: int) -> str:
    """One element with very many children."""
    lines = (f'    <geom name="g{i}" size="0.1 0.2 0.3" pos="{i} 0 0"/>\n' for i in range(count))
    return f"<mujoco>\n  <worldbody>\n{''.join(lines)}  </worldbody>\n</mujoco>\n"


def branched(count: int) -> str:
    """Bodies in bodies."""
    lines = (
        f'    <body name="b{i}" pos="{i} 0 0">\n      <joint name="j{i}" range="-1 1"/>\n      <body name="c{i}">\n'
        f'        <geom name="g{i}" size="0.1 0.2 0.3"/>\n      </body>\n    </body>\n'
        for i in range(count)
    )
    return f"<mujoco>\n  <worldbody>\n{''.join(lines)}  </worldbody>\n</mujoco>\n"


def measure(make: Callable[[int], str], size: int, repeat: int, folder: Path) -> dict[str, list[float]]:
    """Seconds of each kind of step, by its name."""
    text = make(size * 1000 // len(make(1000)))
    path = folder / "model.xml"
    path.write_text(text)
    times: dict[str, list[float]] = {}

    def timed(name: str, step: Callable):
        start = time.perf_counter()
        result = step()
        times.setdefault(name, []).append(time.perf_counter() - start)
        return result

    project = Project()
    main = project.open(timed("read and parse", lambda: read_file(path)))
    identity = project.tree(main).child(0).at(len(text) // 2).id

    def apply(name: str, changes) -> None:
        project.apply(name, changes)
        project.snapshot(main)

    def undo() -> None:
        project.undo()
        project.snapshot(main)

    project.snapshot(main).document.node(identity)
    for round in range(repeat):
        node = timed("find by id", lambda: project.snapshot(main).document.node(identity))
        timed("set attribute", lambda: apply("Set", change.set_attribute(node, "pos", f"{round} 1 2")))  # noqa: B023
        timed("undo", undo)
        node = project.snapshot(main).document.node(identity)
        timed("insert", lambda: apply("Insert", change.insert_element(node.parent, "site", {}, 1)))  # noqa: B023
        node = project.snapshot(main).document.node(identity)
        timed("remove", lambda: apply("Remove", change.remove_element(node)))  # noqa: B023
        undo()
        undo()
        start = project.snapshot(main).document.node(identity).start
        timed("broken text", lambda: apply("Type", {main: [Edit(start, start, '<geom x="')]}))  # noqa: B023
        undo()
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=50)
    options = parser.parse_args()
    slow = False
    for make in (flat, branched):
        for size in SIZES:
            with tempfile.TemporaryDirectory() as folder:
                times = measure(make, size, options.repeat, Path(folder))
            print(f"{make.__name__}, {size >> 10} KiB")
            for name, seconds in times.items():
                median = statistics.median(seconds)
                print(f"  {name:16} {1e3 * median:8.2f} ms   worst {1e3 * max(seconds):8.2f} ms")
                slow |= name == "set attribute" and median > LIMIT
    return int(slow)


if __name__ == "__main__":
    raise SystemExit(main())
