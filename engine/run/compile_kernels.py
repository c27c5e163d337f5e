"""A worker process: compiles the kernels whose names come in on stdin, one a line, and answers each with a line.

    python -m kinetree.engine.run.compile_kernels [LABEL ...]

LABEL: targets (`engine/jit/targets.py`) to compile for; without any it is this machine.
"""

from __future__ import annotations

import gc
import sys

from kinetree.engine import jit, platforms, run


def main() -> None:
    targets = [jit.targets.labelled(label) for label in sys.argv[1:]]
    platforms.processes.lower_priority()
    gc.disable()  # it would take a fifth of the time, and the process ends soon
    for line in sys.stdin:
        name = line.strip()
        if not name:
            return
        jit.compiler.compile_into_cache(name, run.warmup.signature(name), targets)
        print(name, flush=True)


if __name__ == "__main__":
    main()
