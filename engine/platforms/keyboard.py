"""Numbers that systems give to keys."""

from __future__ import annotations

from kinetree.engine.platforms.system import HERE, System

_MAC_DIGITS = {0x12: 1, 0x13: 2, 0x14: 3, 0x15: 4, 0x17: 5, 0x16: 6, 0x1A: 7, 0x1C: 8, 0x19: 9, 0x1D: 0}
"""Virtual keys of macOS in the row of digits."""
_FIRST_DIGIT = 10
"""Scan code of the key 1 with X11 and Wayland; those of 2 to 9 and 0 follow."""


def digit(virtual_key: int, scan_code: int, system: System = HERE) -> int | None:
    """The digit of a key in the row of digits, None for other keys."""
    if system == "windows":
        code = virtual_key - ord("0")
        return code if 0 <= code <= 9 else None
    if system == "macos":
        return _MAC_DIGITS.get(virtual_key)
    code = scan_code - _FIRST_DIGIT
    return (code + 1) % 10 if 0 <= code <= 9 else None
