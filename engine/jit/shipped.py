"""Machine code of kernels that was compiled before it was installed: one file for each target, read and never written.

`packaging/kernels.py` makes the files, a wheel carries them in `resources/kernels/`; a checkout has none, and compiles
into the cache (`engine/jit/cache.py`). $KINETREE_KERNELS names another folder.

Code is used if it was made from these very sources, for this target and with this LLVM, and if its bytes have the hash
that they should have. Otherwise it is compiled, and the log says why, once.

A file is a line with the hash of the next one, a line of JSON, then the code of all kernels one after the other. The
JSON has, beside what the code was made with:

    sources  place -> hash and imports of each source file, which saves a start from parsing it
    kernels  key -> hash of the sources, what ObjectCode holds beside the code, place and hash of the code
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import os
from pathlib import Path
from typing import Any

from kinetree.engine.jit.object_code import ObjectCode
from kinetree.engine.jit.targets import Target, here
from kinetree.engine.packaged import packaged

FOLDER = Path(os.environ.get("KINETREE_KERNELS") or packaged("resources", "kernels"))
log = logging.getLogger("kinetree")


class Unfit(Exception):
    """Why shipped code is not used."""


class Pack:
    """The file of one target, open for reading.

    Raises Unfit for one that is damaged, or made with another LLVM.
    """

    def __init__(self, path: Path, target: Target):
        try:
            digest, head, self._code = path.read_bytes().split(b"\n", 2)
        except ValueError:
            raise Unfit("it is damaged") from None
        if digest.decode(errors="replace") != _hash(head):
            raise Unfit("it is damaged")
        self._head: dict[str, Any] = json.loads(head)
        for name, is_here in made_with(target).items():
            if self._head[name] != is_here:
                raise Unfit(f"it was made with {name} {self._head[name]}, and here is {is_here}")

    def imports_of(self, source: str, digest: str) -> list[str] | None:
        """The imports of a source file, if it is the one that the code was made from."""
        known, imports = self._head["sources"].get(source, (None, None))
        return imports if known == digest else None

    def kernel(self, key: str, sources: str) -> ObjectCode | None:
        """The code of a kernel; None for one that was made inside a function.

        Raises Unfit for one that is missing, made from other sources, or damaged.
        """
        made = self._head["kernels"].get(key)
        if made is None:
            raise Unfit("it has no such kernel")
        if made["sources"] != sources:
            raise Unfit("the sources have changed")
        code = self._code[made["start"] : made["start"] + made["size"]]
        if _hash(code) != made["hash"]:
            raise Unfit("its code is damaged")
        return ObjectCode(made["symbol"], made["result"], made["calls"], code)


def find(key: str, sources: str, target: Target) -> ObjectCode | None:
    """The shipped code of a kernel for a target, if there is some that fits; `sources`: hash of all of its sources."""
    pack = _pack(target)
    if pack is None:
        return None
    try:
        return pack.kernel(key, sources)
    except Unfit as why:
        _tell(target, f"of {key}: {why}")
        return None


def imports_of(source: str, digest: str) -> list[str] | None:
    """The imports of a source file of this hash, if shipped code was made from it."""
    pack = _pack(here())
    return None if pack is None else pack.imports_of(source, digest)


@functools.cache
def _pack(target: Target) -> Pack | None:
    """The file of a target; None if there is none that fits."""
    path = path_of(target)
    try:
        return Pack(path, target)
    except FileNotFoundError:
        if FOLDER.exists():  # a checkout has none at all
            log.info("no compiled physics was installed for %s: it is compiled here", target.label)
    except (OSError, Unfit) as why:
        _tell(target, f"({path.name}): {why}")
    return None


@functools.cache
def _tell(target: Target, why: str) -> None:
    log.info("compiled physics for %s that was installed is not used %s; it is compiled here", target.label, why)


def path_of(target: Target) -> Path:
    """Where the code for a target lies."""
    return FOLDER / f"{target.label}.kernels"


def made_with(target: Target) -> dict[str, str]:
    """The versions that code for a target must have been made with, beside the sources."""
    import llvmlite.binding as llvm

    return {"LLVM": ".".join(map(str, llvm.llvm_version_info)), "target": " ".join(target[1:4])}


def pack(
    target: Target, kernels: dict[str, tuple[str, ObjectCode]], sources: dict[str, tuple[str, list[str]]]
) -> bytes:
    """The contents of a file: for each key of a kernel the hash of its sources and its code; facts of source files."""
    rows, codes, start = {}, [], 0
    for key, (digest, made) in sorted(kernels.items()):
        rows[key] = {
            "sources": digest,
            "symbol": made.symbol,
            "result": made.result,
            "calls": made.calls,
            "start": start,
            "size": len(made.code),
            "hash": _hash(made.code),
        }
        codes.append(made.code)
        start += len(made.code)
    content = {**made_with(target), "sources": sources, "kernels": rows}
    head = json.dumps(content, separators=(",", ":"), sort_keys=True).encode()
    return b"\n".join((_hash(head).encode(), head, b"".join(codes)))


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
