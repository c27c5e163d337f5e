"""Serve other editors: completion, hover, errors and more over the Language Server Protocol.

The server speaks with its client over standard input and output, and ends with it. Nothing else is ever written to
standard output; messages about trouble are lines on standard error. See docs/editors.md.
"""

from __future__ import annotations

import logging
import os
import sys

from kinetree import __version__
from kinetree.app import language_server
from kinetree.app.terminal import fail
from kinetree.engine.translation import tr


def add_arguments(parser) -> None:
    parser.epilog = tr("docs/editors.md describes the setup of VS Code, Neovim, Emacs, Kate and Helix")
    parser.add_argument(
        "--stdio", action="store_true", help=tr("accepted, as some editors add it; there is no other way")
    )


def run(options) -> int:
    if sys.stdin is None or sys.stdin.isatty():
        return fail(tr("an editor starts `kinetree lsp` and talks to it; see docs/editors.md"), 2)

    # The client has standard output for itself: whatever else is printed goes to standard error.
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    handler = _OneLine(language_server.server.RequestRefused)
    for name in ("pygls", "kinetree.app", "asyncio"):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.propagate = False
    server = language_server.server.make_server(__version__)
    code = 0
    try:
        server.start_io(sys.stdin.buffer, output)
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    finally:
        server.problems.close()
    # A thread may still wait for a client that keeps its end open, or compile: nothing is lost by not waiting for it.
    sys.stderr.flush()
    os._exit(code)


class _OneLine(logging.Handler):
    """Warnings and errors as one line each, without tracebacks. Errors of the type `answered` are left out: the client
    has them as answers."""

    def __init__(self, answered: type[Exception]) -> None:
        super().__init__(logging.WARNING)
        self.answered = answered

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage().partition("\n")[0]  # pygls puts tracebacks behind its messages
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, self.answered):
            return
        if error is not None:
            text += f": {type(error).__name__}: {error}"
        print(f"kinetree lsp: {' '.join(text.split())}", file=sys.stderr, flush=True)
