"""What every command shares: how it is called, what a mistake is, how the terminal is told."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder of the program."""

USAGE_ERROR = 2


class UsageError(Exception):
    """A mistake in the arguments; one line."""


def command(*arguments: str) -> str:
    """What to type: the program as the user called it (`./run` says how), with arguments."""
    return " ".join([os.environ.get("KINETREE_COMMAND") or "kinetree", *map(shlex.quote, arguments)])


def version() -> str:
    """The version, from the installed package or from pyproject.toml beside it."""
    import tomllib

    try:
        with open(ROOT / "pyproject.toml", "rb") as file:
            return tomllib.load(file)["project"]["version"]
    except (OSError, KeyError, ValueError):
        from importlib.metadata import PackageNotFoundError
        from importlib.metadata import version as installed

        try:
            return installed("kinetree")
        except PackageNotFoundError:
            return "unknown"


def printable(text: str) -> str:
    """One line that the terminal can show, whatever a file's name or content holds."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def fail(message: str, code: int = 1) -> int:
    """Say what is wrong, in one line."""
    print(f"kinetree: {' '.join(message.split())}", file=sys.stderr)
    return code
