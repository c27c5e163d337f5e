"""Leaves out of a report what belongs to the user: folders, names in models, texts of models.

Paths become names of files, or paths inside a package for Python's own files. Of the message of an exception, the first
line stays, without what is in quotes.
"""

from __future__ import annotations

import re

LONGEST = 300
"""Characters of a message."""
LEFT_OUT = "…"
_QUOTED = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`""")
_PATH = re.compile(r"(?<![\w/])(?:[A-Za-z]:[\\/]|~?/)[^\s'\"<>|:;,()]+|(?<![\w/])(?:[\w.-]+[\\/])+[\w.-]+\.\w+")
"""Absolute paths, and relative ones to a file with an extension."""
_FRAME = re.compile(r'^(\s*File )"([^"]*)"(.*)$')
_CHAINED = (
    "Traceback ",
    "During handling of ",
    "The above exception ",
    "Current thread ",
    "Thread ",
    "Fatal Python",
    "Extension modules",
)
_PACKAGES = re.compile(r"^.*(?:site-packages|dist-packages|lib/python[\d.]+)/(.*)$")
_OURS = re.compile(r"(?:^|/)((?:kinetree/)?(?:app|engine|renderer|kinetree)/.*\.py)$")


def message(text: str) -> str:
    """The first line of a message, without quotations and folders."""
    first = text.strip().splitlines()[0] if text.strip() else ""
    first = _PATH.sub(lambda found: base_name(found[0]), _QUOTED.sub(f"'{LEFT_OUT}'", first))
    return first if len(first) <= LONGEST else first[:LONGEST] + LEFT_OUT


def base_name(path: str) -> str:
    """The name of a file without its folder."""
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1] or path


def code_file(path: str) -> str:
    """The file of a stack frame: its place in a package; of others the name alone."""
    path = path.replace("\\", "/")
    ours, package = _OURS.search(path), _PACKAGES.search(path)
    if package is not None:
        return package[1]
    return ours[1] if ours is not None else path if path.startswith("<") else base_name(path)


def stack(text: str) -> str:
    """Tracebacks of Python, as `traceback` and `faulthandler` write them: frames and their lines of code stay."""
    lines: list[str] = []
    in_frames = in_message = False
    for line in text.splitlines():
        frame = _FRAME.match(line)
        if frame is not None:
            in_frames, in_message = True, False
            lines.append(f'{frame[1]}"{code_file(frame[2])}"{frame[3]}')
        elif line.startswith(_CHAINED):
            in_frames, in_message = line.startswith(("Traceback", "Thread", "Current")), False
            lines.append(line if not line.startswith("Extension modules") else message(line))
        elif in_frames and line.startswith("    "):
            lines.append(line)  # code of ours, and the marks below it
        elif line.strip() and not in_message:
            lines.append(message(line))
            in_frames, in_message = False, True
        elif not line.strip():
            in_message = False
            if lines and lines[-1]:
                lines.append("")
    return "\n".join(lines).strip("\n")
