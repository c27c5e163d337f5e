"""Compiles every kernel of the engine into the cache, on all processors. `./test` does this before the suite, so that
no test waits for a compilation and no two test processes compile the same kernel.

    python -m tests.warm
"""

import os
import sys
import time

from kinetree.engine.run import warmup
from kinetree.engine.run.kernels import kernels


def main() -> int:
    begin = time.perf_counter()
    names = kernels()
    count = sum(not warmup.is_compiled(name) for name in names)
    warmup.prepare(names, processes=os.cpu_count())
    failed = [name for name in names if not warmup.is_compiled(name)]
    if failed:
        print(f"warm: these kernels did not compile: {', '.join(failed)}", file=sys.stderr)
    if count:
        print(f"warm: {count} kernels compiled in {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
