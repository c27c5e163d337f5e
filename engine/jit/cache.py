"""Where compiled code is kept: one folder per user, with a subfolder for each version of the sources it was made
from.
"""

from __future__ import annotations

import ast
import atexit
import functools
import hashlib
import logging
import os
import pathlib
import shutil
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
log = logging.getLogger("kinetree")


@functools.cache
def cache_root() -> pathlib.Path:
    """The per-user folder of compiled code: $KINETREE_CACHE, else the XDG cache folder.

    Where it cannot be written: a temporary one, for this process and those that it starts.
    """
    chosen = os.environ.get("KINETREE_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    root = pathlib.Path(chosen) if chosen else pathlib.Path(base) / "kinetree"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError as error:
        ours = pathlib.Path(tempfile.mkdtemp(prefix="kinetree-"))
        atexit.register(shutil.rmtree, ours, ignore_errors=True)
        os.environ["KINETREE_CACHE"] = str(ours)
        log.warning(
            "compiled physics cannot be kept in %s (%s), so that each start takes long; let KINETREE_CACHE name a "
            "folder that can be written",
            root,
            error.strerror,
        )
        return ours


def _imports(path: pathlib.Path) -> set[pathlib.Path]:
    """The engine's own files that the file imports, at the top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] != ROOT.name:
                continue
            target = ROOT.joinpath(*parts[1:])
            for file in (target.with_suffix(".py"), target / "__init__.py"):
                if file.is_file():
                    found.add(file)
    return found


@functools.cache
def sources_of(path: pathlib.Path) -> tuple[pathlib.Path, ...]:
    """The file and every engine file that it imports, directly or not: all sources of its machine code."""
    seen, todo = set(), [path]
    while todo:
        file = todo.pop()
        if file not in seen:
            seen.add(file)
            todo += _imports(file)
    return tuple(sorted(seen))


@functools.cache
def stamp_of(path: pathlib.Path) -> str:
    """Hash of what the compiled code of a file depends on: sources, numba, LLVM and the processor."""
    digest = hashlib.sha256()
    for file in sorted({*sources_of(path), *sources_of(ROOT / "jit" / "compiler.py")}):
        digest.update(str(file.relative_to(ROOT.parent)).encode())
        digest.update(file.read_bytes())
    for fact in _compiler():
        digest.update(fact.encode())
    return digest.hexdigest()[:20]


@functools.cache
def _compiler() -> tuple[str, ...]:
    import llvmlite.binding
    import numba

    name = os.environ.get("NUMBA_CPU_NAME") or llvmlite.binding.get_host_cpu_name()
    features = os.environ.get("NUMBA_CPU_FEATURES") or llvmlite.binding.get_host_cpu_features().flatten()
    return numba.__version__, llvmlite.__version__, name, features
