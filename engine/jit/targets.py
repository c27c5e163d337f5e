"""The processors that kernels are compiled for: levels of an architecture, not the name of one machine's processor.

    target = here()         # the highest level that this machine has

All machines of a level run the same machine code, so that they compute the same bits, and code that was compiled on
one of them (`engine/jit/shipped.py`) fits the others. x86-64-v2 has no fused multiply-add: its last bits are others.

$KINETREE_TARGET names another target, for tests and measurements: a lower level, or "native" for all that LLVM knows
of this machine's processor.
"""

from __future__ import annotations

import functools
import os
from typing import NamedTuple


class Target(NamedTuple):
    """A kind of processor and system that LLVM generates code for.

    name      of the level; "native": this machine
    triple    LLVM's name of architecture and system
    cpu       LLVM's name of the processor, which implies its features
    features  features beyond those, as LLVM writes them
    needs     features, by LLVM's names, that a processor must have to run the code
    """

    name: str
    triple: str
    cpu: str
    features: str = ""
    needs: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Its name among those of several systems, such as "linux-x86-64-v3"."""
        system = self.triple.partition("-")[2]
        return f"{_SYSTEMS.get(system, system)}-{self.name}"


_V2 = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")

LINUX, MACOS, WINDOWS = "unknown-linux-gnu", "apple-darwin", "pc-windows-msvc"
_SYSTEMS = {LINUX: "linux", MACOS: "macos", WINDOWS: "windows"}


def levels(system: str) -> tuple[Target, ...]:
    """The levels of each architecture on a system, the highest first."""
    return (
        Target("x86-64-v3", f"x86_64-{system}", "x86-64-v3", needs=_V3),
        Target("x86-64-v2", f"x86_64-{system}", "x86-64-v2", needs=_V2),
        Target("aarch64", f"aarch64-{system}", "apple-m1" if system == MACOS else "generic"),
    )


def labelled(label: str) -> Target:
    """The level of that label."""
    return next(each for system in _SYSTEMS for each in levels(system) if each.label == label)


@functools.cache
def here() -> Target:
    """The target of this machine's kernels, or the one that $KINETREE_TARGET names.

    Raises ValueError for another name, or a level that this machine lacks.
    """
    triple = _triple()
    fitting = [target for target in levels(triple.partition("-")[2]) if fits(target, triple, features())]
    native = Target("native", triple, *_native())
    wanted = os.environ.get("KINETREE_TARGET")
    if not wanted:
        return fitting[0] if fitting else native
    for target in (*fitting, native):
        if target.name == wanted:
            return target
    names = ", ".join(target.name for target in (*fitting, native))
    raise ValueError(f"KINETREE_TARGET is {wanted!r}: this machine runs code for {names}")


def fits(target: Target, triple: str, present: frozenset[str]) -> bool:
    """Whether a machine of this triple, whose processor has these features, runs code for a target."""
    return target.triple == triple and present.issuperset(target.needs)


@functools.cache
def features() -> frozenset[str]:
    """The features of this machine's processor that the system lets programs use, by LLVM's names."""
    import llvmlite.binding as llvm

    return frozenset(name for name, has in llvm.get_host_cpu_features().items() if has)


def _native() -> tuple[str, str]:
    """LLVM's name of this machine's processor, and all of its features."""
    import llvmlite.binding as llvm

    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@functools.cache
def _triple() -> str:
    """LLVM's triple of this machine, without the version that macOS has there."""
    import llvmlite.binding as llvm

    architecture, _, system = llvm.get_process_triple().partition("-")
    architecture = {"arm64": "aarch64", "amd64": "x86_64"}.get(architecture, architecture)
    return f"{architecture}-{MACOS if system.startswith('apple') else system}"
