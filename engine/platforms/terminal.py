"""Command lines as users type them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from kinetree.engine.platforms.system import HERE, System


def quoted(words: Iterable[str], system: System = HERE) -> str:
    """Words as a command line for the shell of the system."""
    if system == "windows":
        from subprocess import list2cmdline

        return list2cmdline(words)
    return shlex.join(words)
