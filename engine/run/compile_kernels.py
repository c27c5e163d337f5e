"""A worker process: compiles the kernels whose names come in on stdin, one a line, and answers each with a line."""

from __future__ import annotations

import gc
import sys

from kinetree.engine import jit, platforms, run


def main() -> None:

    platforms.processes.lower_priority()
    gc.disable()  # it would take a fifth of the time, and the process ends soon
    for line in sys.stdin:
        name = line.strip()
        if not name:
            return
        jit.compiler.compile_into_cache(name, run.warmup.signature(name))
        print(name, flush=True)


if __name__ == "__main__":
    main()
