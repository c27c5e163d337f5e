"""The operating system of this machine."""

from __future__ import annotations

import sys
from typing import Literal

System = Literal["linux", "macos", "windows"]
"""linux stands for all other Unix systems too: they follow its rules."""


def system_of(platform: str) -> System:
    """The system by its name in Python (`sys.platform`)."""
    return "windows" if platform == "win32" else "macos" if platform == "darwin" else "linux"


HERE: System = system_of(sys.platform)
