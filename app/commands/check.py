"""List the errors and warnings of models, as file:line:column: severity: message [code].

The exit code is 1 if any model has errors.
"""

from __future__ import annotations

import sys

from app.commands.common import add_seed, seed_of


def add_arguments(parser) -> None:
    parser.add_argument("models", metavar="MODEL", nargs="+", help="model files")
    add_seed(parser)


def run(options) -> int:
    from app.workers.compiling import compile_file
    from engine.diagnostics import Severity

    found, seed = False, seed_of(options)
    for path in options.models:
        result = compile_file(path, seed=seed)
        for item in result.diagnostics:
            print(printable(str(item)))
            found |= item.severity is Severity.ERROR
    sys.stdout.flush()
    return 1 if found else 0


def printable(text: str) -> str:
    """One line that the terminal can show, whatever a file's name or content holds."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
