"""Compiles all kernels ahead, for every level of processor of a system, into `resources/kernels/`.

    python packaging/kernels.py [--targets all|here|none] [--processes N]
    python packaging/kernels.py --into-cache      for this machine, into the user's cache: what ./run does at first

It runs in an environment with numba. What is in the cache of compiled code already is taken from there. The same
sources give the same bytes.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "kinetree"  # in a checkout it holds links, in an sdist the folders themselves
CHOICES = ("all", "here", "none")


def make(choice: str = "all", processes: int | None = None) -> list[Path]:
    """Write the files that shipped code is read from, and remove others; their paths.

    Raises RuntimeError, naming them, where kernels do not compile.
    """
    from kinetree.engine.jit import compiler, shipped
    from kinetree.engine.jit.cache import facts_of, hash_of, source_of
    from kinetree.engine.jit.targets import LINUX, here, levels
    from kinetree.engine.run import warmup
    from kinetree.engine.run.kernels import kernels

    native = here()
    system = native.triple.partition("-")[2]
    # On Linux one machine compiles for every architecture; elsewhere what it compiles for others was never tried.
    of_system = [each for each in levels(system) if system == LINUX or each.triple == native.triple]
    targets = {"all": of_system, "here": [native], "none": []}[choice]
    names = kernels() if targets else []
    warmup.compile_all(names, targets, processes)
    rows = [(name, warmup.signature(name), source_of(name.partition(":")[0])) for name in names]
    files = {}
    for target in targets:
        made = {}
        for name, signature, source in rows:
            code = compiler.read_cached(name, signature, target)
            if code is None:
                raise RuntimeError(f"{name} did not compile for {target.label}")
            made[compiler.key_of(name, signature)] = hash_of(source), code
        files[shipped.path_of(target)] = shipped.pack(target, made, facts_of(source for _, _, source in rows))
    shipped.FOLDER.mkdir(exist_ok=True)
    for old in shipped.FOLDER.glob("*.kernels"):
        if old not in files:
            old.unlink()
    for path, content in files.items():
        path.write_bytes(content)
    return list(files)


def fill_cache(processes: int | None = None) -> None:
    """Compile the package's modules to bytecode and all kernels into the cache, those of our example models first.

    After each kernel a line: how many are ready, how many there are, and how many the examples need.
    """
    import compileall

    for folder in ("engine", "renderer", "app"):
        compileall.compile_dir(PACKAGE / folder, quiet=2)
    import kinetree
    from kinetree.engine.run import warmup
    from kinetree.engine.run.kernels import kernels

    models = [kinetree.load(path) for path in sorted((PACKAGE / "resources" / "models").glob("*.xml"))]
    run = [name for name in kernels() if name.startswith("kinetree.engine.run.")]
    first = list(dict.fromkeys(name for model in models for name in warmup.needed(model))) + run
    rest = [name for name in kernels() if name not in first]
    total = len(first) + len(rest)

    def report(before: int) -> Callable[[int, int, str], None]:
        return lambda done, _total, _name: print(before + done, total, len(first), flush=True)

    warmup.prepare(first, report(0), processes=processes)
    warmup.prepare(rest, report(len(first)), processes=processes)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--targets", choices=CHOICES, default="all", help="levels of processor (default: all)")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many compile at the same time")
    parser.add_argument("--into-cache", action="store_true", help="compile for this machine into the user's cache")
    options = parser.parse_args()
    if options.into_cache:
        fill_cache(options.processes)
        return 0
    begin = time.perf_counter()
    for path in make(options.targets, options.processes):
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    print(f"compiled in {time.perf_counter() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
