"""Processes that end unexpectedly tell it here, from any thread; whoever writes crash reports listens."""

from __future__ import annotations

from collections.abc import Callable

Listener = Callable[[str, str, str], None]
"""Called with the name of a process, how it ended, and the end of its standard error."""
TAIL = 8000
"""Bytes of a standard error that are kept."""

listeners: list[Listener] = []


def tell(process: str, how: str, said: str) -> None:
    """A process has ended unexpectedly."""
    for listener in tuple(listeners):
        listener(process, how, said[-TAIL:])
