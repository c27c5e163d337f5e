"""The gallery: docs/gallery.md has the commands, and this runs them."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PIL import Image

from tests.pictures.saving import ROOT, save

PAGE = ROOT / "docs" / "gallery.md"
_COMMAND = re.compile(r"^    kinetree (render (?:.+\\\n)*.+)$", re.MULTILINE)


def commands() -> dict[str, list[str]]:
    """The commands of the page, by the name of their picture."""
    found = {}
    for line in _COMMAND.findall(PAGE.read_text(encoding="utf-8")):
        arguments = shlex.split(line.replace("\\\n", " "))
        found[Path(arguments[arguments.index("-o") + 1]).stem] = arguments
    return found


def make(arguments: list[str]) -> None:
    """Run a command, its output in docs/images/gallery."""
    place = arguments.index("-o") + 1
    with tempfile.TemporaryDirectory() as folder:
        # PNG: a picture that is compressed twice loses twice
        output = Path(folder) / Path(arguments[place]).with_suffix(".png").name
        run = [sys.executable, "-m", "kinetree", *arguments[:place], str(output), *arguments[place + 1 :]]
        subprocess.run(run, cwd=ROOT / "resources" / "models", check=True)
        name = f"gallery/{output.stem}"
        with Image.open(output) as picture:
            print(f"{name}: {'written' if save(picture, name, quality=86) else 'as before'}", flush=True)


PICTURES: dict[str, Callable[[], None]] = {
    f"gallery/{name}": partial(make, arguments) for name, arguments in commands().items()
}
