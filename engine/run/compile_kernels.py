"""A worker process: compiles the kernels whose names come in on stdin, one a line, and answers each with a line."""

from __future__ import annotations

import os
import sys


def main() -> None:
    from engine.run.warmup import dispatcher, signature

    os.nice(5)  # the window comes first
    for line in sys.stdin:
        name = line.strip()
        if not name:
            return
        dispatcher(name).compile(signature(name))
        print(name, flush=True)


if __name__ == "__main__":
    main()
