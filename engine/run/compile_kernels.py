"""A worker process: compiles the kernels whose names come in on stdin, one a line, and answers each with a line."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    from kinetree.engine.jit.compiler import compile_into_cache
    from kinetree.engine.run.warmup import signature

    os.nice(5)  # the window comes first
    gc.disable()  # it would take a fifth of the time, and the process ends soon
    for line in sys.stdin:
        name = line.strip()
        if not name:
            return
        compile_into_cache(name, signature(name))
        print(name, flush=True)


if __name__ == "__main__":
    main()
