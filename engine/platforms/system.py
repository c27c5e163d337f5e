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


def described(system: System = HERE) -> str:
    """Name and version of the system, for reports of errors."""
    import platform

    if system == "linux":
        try:
            return f"{platform.freedesktop_os_release()['PRETTY_NAME']} (Linux {platform.release()})"
        except (OSError, KeyError):
            pass
    return f"{platform.system()} {platform.release()}"
