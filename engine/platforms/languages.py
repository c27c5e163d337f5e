"""The languages that the desktop asks for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from kinetree.engine import platforms
from kinetree.engine.platforms.system import HERE, System

_FRAMEWORK = "/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation"
_UTF8 = 0x08000100


def wanted(
    system: System = HERE,
    environment: Mapping[str, str] = os.environ,
    of_windows: Callable[[], int] | None = None,
    of_macos: Callable[[], list[str]] | None = None,
) -> list[str]:
    """Languages such as "de_DE.UTF-8" or "de-AT", the best first: those of the environment, as gettext reads them;
    without these, on macOS and Windows, those of the desktop's settings."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = environment.get(name)
        if value:
            return value.split(":")
    if system == "windows":
        from locale import windows_locale

        known = windows_locale.get((of_windows or platforms.windows.language_number)())
        return [known] if known else []
    if system == "macos":
        return (preferred if of_macos is None else of_macos)()
    return []


def preferred(core_foundation: Any = None) -> list[str]:
    """The languages of macOS' settings; none where it does not tell."""
    import ctypes

    try:
        library = ctypes.CDLL(_FRAMEWORK) if core_foundation is None else core_foundation
        copy, count, item, text = (
            library.CFLocaleCopyPreferredLanguages,
            library.CFArrayGetCount,
            library.CFArrayGetValueAtIndex,
            library.CFStringGetCString,
        )
    except (OSError, AttributeError):
        return []
    copy.restype = item.restype = ctypes.c_void_p
    count.argtypes, count.restype = (ctypes.c_void_p,), ctypes.c_long
    item.argtypes = ctypes.c_void_p, ctypes.c_long
    text.argtypes, text.restype = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long, ctypes.c_uint32), ctypes.c_bool
    array = copy()
    if not array:
        return []
    found = []
    for k in range(count(array)):
        memory = ctypes.create_string_buffer(64)
        if text(item(array, k), ctypes.addressof(memory), len(memory), _UTF8):
            found.append(memory.value.decode())
    library.CFRelease.argtypes = (ctypes.c_void_p,)
    library.CFRelease(array)
    return found
