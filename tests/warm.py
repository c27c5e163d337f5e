"""Compiles every kernel of the engine into the cache, on all processors. `./test` does this before the suite, so that
no test waits for a compilation and no two test processes compile the same kernel.

    python -m tests.warm
"""

import os
import sys
import time

from engine.collision import table
from engine.dynamics import forward
from engine.run import warmup


def main() -> int:
    begin = time.perf_counter()
    stages = [row.where for rows in forward.LISTS.values() for row in rows if isinstance(row, forward.Stage)]
    names = list(dict.fromkeys([*stages, *table.FUNCTIONS.values(), warmup.LOOP, warmup.RAYS]))
    count = sum(not warmup.is_cached(name) for name in names)
    warmup.prepare(names, processes=os.cpu_count())
    failed = [name for name in names if not warmup.is_cached(name)]
    if failed:
        print(f"warm: these kernels did not compile: {', '.join(failed)}", file=sys.stderr)
    if count:
        print(f"warm: {count} kernels compiled in {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
