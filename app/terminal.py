"""Shared by all commands: the name of the program, usage errors, output to the terminal."""

from __future__ import annotations

import os
import sys

from kinetree.engine import platforms

USAGE_ERROR = 2


class UsageError(Exception):
    """Wrong arguments; the message is one line."""


def command(*arguments: str) -> str:
    """A command line for the user to type: the program as it was called, with arguments, quoted."""
    return " ".join(
        filter(None, [os.environ.get("KINETREE_COMMAND") or "kinetree", platforms.terminal.quoted(arguments)])
    )


def printable(text: str) -> str:
    """The text as one line that the terminal can show, with other characters escaped."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def fail(message: str, code: int = 1) -> int:
    """Print an error in one line to stderr; returns the exit code."""
    print(f"kinetree: {' '.join(message.split())}", file=sys.stderr)
    return code
