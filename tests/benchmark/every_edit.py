"""Random edits of random elements of all models: each has to compile, or to be refused.

    python -m tests.benchmark.every_edit [FOLDER] [--cases 2000] [--seed 0] [--largest 40000]

FOLDER has the models, by default the shared corpus beside this clone; only those that compile are taken. The edits are
those of the tree, see tests/engine/editing/sweep.py. Printed are the outcomes of each kind of edit, and each edit that
does not compile, or is stopped since a trial did not. The models are read only; nothing is written to the disk.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

from kinetree.engine.diagnostics import ModelError
from tests.benchmark.every_element import SUFFIXES
from tests.conftest import SHARED
from tests.engine.editing.sweep import KINDS, Outcome, Swept, edits, inserts, own, parents_of


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "corpus")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--largest", type=int, default=40_000, help="bytes of a model's main file")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    paths = sorted(path for path in arguments.folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    paths = [path for path in paths if path.stat().st_size <= arguments.largest]
    chance.shuffle(paths)
    counts: Counter[tuple[str, str]] = Counter()
    codes: Counter[str] = Counter()
    start = time.monotonic()
    while sum(counts.values()) < arguments.cases and paths:
        path = paths.pop()
        try:
            swept = Swept(str(path))
            if swept.error():
                continue
        except (ValueError, ModelError):
            continue
        nodes, parents = own(swept.document), parents_of(swept.document)
        for node in chance.sample(nodes, min(len(nodes), 6)):
            chosen = [*inserts(swept.document, node), *edits(swept.document, node, parents)]
            for case in chance.sample(chosen, min(len(chosen), 3)):
                try:
                    outcome = swept.outcome(case)
                except Exception as error:
                    outcome, swept = Outcome("crashed", repr(error)), Swept(str(path))
                counts[case.edit, outcome.kind] += 1
                if outcome.kind in ("fails", "crashed"):
                    codes[outcome.why.rpartition("[")[2].rstrip("]")] += 1
                if outcome.kind in ("stopped", "fails", "crashed"):
                    print(f"{path}: {case.words}\n    {outcome.why}", flush=True)
    print(f"{sum(counts.values())} edits, {time.monotonic() - start:.0f} s")
    for kind in (*KINDS, "crashed"):
        each = {edit: number for (edit, outcome), number in sorted(counts.items()) if outcome == kind}
        print(f"{kind}: {sum(each.values())} {each}")
    print(f"errors: {dict(codes.most_common())}")
    return 1 if any(outcome in ("fails", "crashed") for _, outcome in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
