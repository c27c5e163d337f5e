"""Write a small picture of a model for a file manager.

Another process draws it, in 5 s and 300 MB. A model that takes more, or has errors, gets a card with its format and
name instead.
"""

from __future__ import annotations

import os
import subprocess
import time
from urllib.parse import unquote, urlsplit

from kinetree.app import pictures
from kinetree.app.pictures.thumbnail import LARGEST, SECONDS, environment
from kinetree.app.terminal import UsageError, fail
from kinetree.engine.atomic import replaced
from kinetree.engine.interpreter import command
from kinetree.engine.platforms.processes import WITHOUT_CONSOLE
from kinetree.engine.translation import tr

LEAST, USUAL = 16, 256
ENDING = 0.4
"""Of the time, for the card and the file, s."""


def add_arguments(parser) -> None:
    parser.add_argument("input", metavar="FILE", help=tr("model file, or its file:// address"))
    parser.add_argument("output", metavar="OUT", help=tr("PNG file to write"))
    parser.add_argument(
        "-s",
        "--size",
        metavar="PIXELS",
        default=str(USUAL),
        help=tr("longer side of the picture (default {size})", size=USUAL),
    )


def run(options) -> int:
    begun = time.monotonic()
    if not options.size.isdigit() or not LEAST <= int(options.size) <= 1024:
        raise UsageError(tr("thumbnail: --size {size!r} must be from {least} to 1024", size=options.size, least=LEAST))
    path, size = path_of(options.input), int(options.size)
    try:
        about = pictures.card.summary(path)
        data = _drawn(path, size, begun) or pictures.card.png(about, size)
        with replaced(options.output) as draft, open(draft, "wb") as file:
            file.write(data)
    except OSError as error:
        return fail(f"thumbnail: {error.filename or options.output}: {error.strerror or error}")
    return 0


def path_of(text: str) -> str:
    """The path of an address such as file:///tmp/a%20b.xml; any other text is a path."""
    if not text.startswith("file://"):
        return text
    return os.fsdecode(unquote(urlsplit(text).path, errors="surrogateescape"))


def _drawn(path: str, size: int, begun: float) -> bytes:
    """The picture of the model, b"" where it could not be drawn within the limits."""
    line = command("kinetree.app.pictures.thumbnail", os.path.abspath(path), str(min(size, LARGEST)))
    left = SECONDS - ENDING - (time.monotonic() - begun)
    try:
        done = subprocess.run(
            line,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=left,
            check=False,
            creationflags=WITHOUT_CONSOLE,
        )
    except subprocess.TimeoutExpired:
        return b""
    return done.stdout if done.returncode == 0 and done.stdout.startswith(b"\x89PNG") else b""
