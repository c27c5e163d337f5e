"""Compiles every kernel of the engine into the cache, on all processors. `./test` does this before the suite, so that
no test waits for a compilation and no two test processes compile the same kernel.

    python -m tests.warm
"""

import os
import pkgutil
import sys
import time
from importlib import import_module

from kinetree.engine.collision import table
from kinetree.engine.dynamics import forward
from kinetree.engine.jit.kernel import name_of
from kinetree.engine.run import warmup

PACKAGES = ("kinetree.engine.collision", "kinetree.engine.dynamics", "kinetree.engine.jit", "kinetree.engine.run")
"""Where kernels are that compiled code calls through an address, or Python by itself."""


def kernels() -> list[str]:
    """All of them, as "module:function": the rows of every table, and the kernels that state what they take."""
    stated = []
    for package in PACKAGES:
        for module in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
            functions = vars(import_module(module.name)).values()
            stated += [name_of(f) for f in functions if hasattr(f, "jit_takes") and f.__module__ == module.name]
    return [*sorted(forward.STAGES), *dict.fromkeys(table.FUNCTIONS.values()), *stated]


def main() -> int:
    begin = time.perf_counter()
    names = kernels()
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
