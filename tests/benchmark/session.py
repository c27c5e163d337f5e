"""A long scripted session of edits through every surface (see tests/app/session.py).

    python -m tests.benchmark.session [--steps 1000] [--seed 0] [--settle 50] [--model FILE]

Printed are how often each surface changed something, and how long the steps took. It fails where text, tree, model, undo
or a saved file disagree.
"""

from __future__ import annotations

import argparse
import collections
import statistics
import tempfile
import time
from pathlib import Path

from tests.benchmark.window import display, opened


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--settle", type=int, default=50)
    parser.add_argument("--model", type=Path)
    arguments = parser.parse_args()
    with display():
        run(arguments)


def run(arguments: argparse.Namespace) -> None:
    from tests.app.conftest import MODEL
    from tests.app.session import Session
    from tests.app.test_session import PART

    folder = Path(tempfile.mkdtemp())
    (folder / "part.xml").write_text(PART)
    path = folder / "rig.xml"
    if arguments.model is not None:
        path.write_bytes(arguments.model.read_bytes())
    else:
        path.write_text(MODEL.replace("  <worldbody>", '  <include file="part.xml"/>\n  <worldbody>', 1))
    with opened(path) as (window, failures):
        edit(arguments, path, window, failures, Session(window, arguments.seed))


def edit(arguments: argparse.Namespace, path: Path, window, failures: list[str], session) -> None:
    times = collections.defaultdict(list)
    for number in range(arguments.steps):
        start = time.perf_counter()
        name = session.step()
        times[name].append(time.perf_counter() - start)
        if failures:
            raise AssertionError(f"step {number} ({name}): {failures[0]}")
        if number % arguments.settle == arguments.settle - 1:
            session.settle()
            session.check_picture()
            size = len(window.project.texts.text(path))
            print(f"step {number + 1}: {size} characters, {len(window.project.texts.undo_names)} steps", flush=True)
            if size > 200_000:  # copies of copies
                for _ in range(30):
                    window.project.undo()
    steps = 0
    while window.project.texts.undo_name is not None:
        window.project.undo()
        steps += 1
    session.settle()
    print(f"{steps} steps undone; changed: {session.counts}")
    for name, spent in times.items():
        print(f"{name:10} {1e3 * statistics.median(spent):7.1f} ms median, {1e3 * max(spent):7.1f} worst")


if __name__ == "__main__":
    main()
