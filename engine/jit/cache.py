"""Where compiled code is kept: one folder per user, with a subfolder for each version of the sources it was made
from.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import functools
import hashlib
import importlib.util
import json
import logging
import os
import pathlib
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kinetree.engine.jit import shipped
from kinetree.engine.jit.targets import Target
from kinetree.engine.platforms import folders
from kinetree.engine.platforms.files import replace

ENGINE = pathlib.Path(__file__).resolve().parent.parent
log = logging.getLogger("kinetree")


@functools.cache
def cache_root() -> pathlib.Path:
    """The per-user folder of compiled code: $KINETREE_CACHE, else in the system's folder of caches.

    Where it cannot be written: a temporary one, for this process and those that it starts.
    """
    root = folders.cache()
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


def source_of(module: str) -> pathlib.Path:
    """The file of a module of ours, by its name; it need not exist."""
    return ENGINE.parent.joinpath(*module.removeprefix("kinetree.").split(".")).with_suffix(".py")


@functools.cache
def sources_of(path: pathlib.Path) -> tuple[pathlib.Path, ...]:
    """The file and every engine file that it imports, directly or not: all sources of its machine code."""
    seen, todo = set(), [path]
    while todo:
        file = todo.pop()
        if file not in seen:
            seen.add(file)
            todo += (ENGINE.parent / name for name in _facts().of(file).imports)
    return tuple(sorted(seen))


@functools.cache
def hash_of(path: pathlib.Path) -> str:
    """Hash of all sources of a file's compiled code, those of the translation to machine code included."""
    digest = hashlib.sha256()
    for file in sorted({*sources_of(path), *sources_of(source_of("kinetree.engine.jit.translation"))}):
        digest.update(_facts().of(file).hash.encode())
    _facts().save()
    return digest.hexdigest()


def stamp_of(path: pathlib.Path, target: Target) -> str:
    """Hash of the inputs of a file's compiled code: sources, Python, numba, LLVM and the target."""
    return hashlib.sha256("|".join((*_compiler(), *map(str, target), hash_of(path))).encode()).hexdigest()[:20]


def file_of(path: pathlib.Path, what: str, target: Target) -> pathlib.Path:
    """The file in the cache for something that was compiled from a source file."""
    name = "".join(letter if letter.isalnum() else "_" for letter in what)
    return cache_root() / stamp_of(path, target) / f"{path.stem}.{name}"


@functools.cache
def _compiler() -> tuple[str, ...]:
    """Identity of the compiler. numba reads bytecode, which differs between versions of Python."""
    import llvmlite
    import numpy

    numba = importlib.util.find_spec("numba")
    assert numba is not None and numba.origin is not None, "numba is a dependency"
    version = pathlib.Path(numba.origin).with_name("_version.py").read_text("utf-8")
    return version, llvmlite.__version__, numpy.__version__, str(sys.implementation.cache_tag)


# ---- what is known of source files -----------------------------------------------------------------------------------


class Facts(NamedTuple):
    """Data of a source file for the stamp.

    when     time of its last change, ns, and its size: as long as they stay, so do the others
    hash     of its place and text
    imports  the engine's own files that it imports, at the top or inside a function, relative to the engine's folder
    """

    when: list[int]
    hash: str
    imports: list[str]


class _Sources:
    """Facts of all source files, kept in the cache: reading them all takes longer than loading the kernels.

    What they import comes from the shipped code (`engine/jit/shipped.py`) where that was made from the same file.
    """

    def __init__(self) -> None:
        where = hashlib.sha256(str(ENGINE).encode()).hexdigest()[:12]
        self._path = cache_root() / f"sources-{where}.json"
        self._facts: dict[str, Facts] = {}
        self._changed = False
        with contextlib.suppress(OSError, ValueError, TypeError):  # none yet, or damaged: computed again
            self._facts = {name: Facts(*facts) for name, facts in json.loads(self._path.read_text("utf-8")).items()}

    @functools.cache  # noqa: B019 (there is one object)
    def of(self, file: pathlib.Path) -> Facts:
        """The facts of a file as it was when it was first asked for."""
        name, state = os.path.relpath(file, ENGINE.parent), file.stat()
        when = [state.st_mtime_ns, state.st_size]
        known = self._facts.get(name)
        if known is None or known.when != when:
            text = file.read_bytes()
            digest = hashlib.sha256(name.encode() + b"\0" + text).hexdigest()
            imports = shipped.imports_of(name, digest)
            known = Facts(when, digest, sorted(_imports(text)) if imports is None else imports)
            self._facts[name] = known
            self._changed = True
        return known

    def save(self) -> None:
        if self._changed:
            self._changed = False
            handle, name = tempfile.mkstemp(dir=self._path.parent)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(self._facts, file)
            replace(name, self._path)


def facts_of(paths: Iterable[pathlib.Path]) -> dict[str, tuple[str, list[str]]]:
    """Hash and imports of all sources of these files, by their place."""
    files = {file for path in paths for file in sources_of(path)}
    return {os.path.relpath(file, ENGINE.parent): _facts().of(file)[1:] for file in sorted(files)}


@functools.cache
def _facts() -> _Sources:
    return _Sources()


def _at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below one but those under TYPE_CHECKING, which never run."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            for other in child.orelse:
                yield other
                yield from _at_run_time(other)
        else:
            yield child
            yield from _at_run_time(child)


def _imports(text: bytes) -> set[str]:
    """The engine's own files that a source imports, at the top or inside a function, relative to its folder."""
    found = set()
    for node in _at_run_time(ast.parse(text)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if not f"{name}.".startswith("kinetree.engine."):
                continue
            target = source_of(name).with_suffix("")
            for file in (target.with_suffix(".py"), target / "__init__.py"):
                if file.is_file():
                    found.add(os.path.relpath(file, ENGINE.parent))
    return found
