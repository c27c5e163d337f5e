"""Edits every element of every model, and checks that each edit changes only its own span and can be undone.

    python -m tests.benchmark.every_element [FOLDER] [--seed 0] [--shard 1/4] [--keep-going]

FOLDER has the models, by default the shared corpus beside this clone. Each element has an attribute set, added, removed,
written out and reset; it gets a child, is duplicated, moved, removed, copied and pasted (see
tests/engine/editing/structural.py). Each step is undone, done again and undone, and the bytes are compared. The models
are read only; nothing is written to the disk.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from kinetree.engine.diagnostics import ModelError
from tests.conftest import SHARED
from tests.engine.editing.structural import KINDS, Edited, check_element, elements

SUFFIXES = (".xml", ".urdf", ".x_xy")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "corpus")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shard", default="1/1", help="2/4: the second quarter of the models")
    parser.add_argument("--keep-going", action="store_true", help="go on after an element that failed")
    arguments = parser.parse_args()
    number, count = map(int, arguments.shard.split("/"))
    if not arguments.folder.is_dir():
        parser.error(f"there is no folder {arguments.folder}")
    paths = sorted(path for path in arguments.folder.rglob("*") if path.suffix.lower() in SUFFIXES)[number - 1 :: count]
    counts: Counter[str] = Counter()
    seen = failed = unreadable = 0
    start = told = time.monotonic()
    for place, path in enumerate(paths):
        try:
            edited = Edited(str(path))
        except ModelError:
            unreadable += 1
            continue
        for order in range(len(elements(edited.document))):
            node = elements(edited.document)[order]
            name = f"{path}:{node.line}: <{node.tag}>"
            seen += 1
            try:
                counts += check_element(edited, node, random.Random(f"{arguments.seed} {path.name} {order}"))
            except Exception:
                failed += 1
                print(f"{name}\n{traceback.format_exc()}", flush=True)
                if not arguments.keep_going:
                    return 1
                edited = Edited(str(path))
            if time.monotonic() - told > 30:
                told = time.monotonic()
                print(f"{place + 1} of {len(paths)} files, {seen} elements, {failed} failed; {name}", flush=True)
    print(f"{len(paths) - unreadable} files, {seen} elements, {failed} failed, {time.monotonic() - start:.0f} s")
    print(f"{unreadable} files are no XML with a root element")
    print(", ".join(f"{kind} {counts[kind]}" for kind in KINDS))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
