"""Messages about a file that is a part of a model, and no model by itself."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from kinetree.app.widgets.message_bar import shortened
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.app.workers.compiling import CompileResult

MOST = 3
"""Models that are offered to be opened."""
LONGEST = 32
"""Characters of a file's name on a button."""


def part_text(result: CompileResult) -> str:
    """Which models a file is a part of."""
    first = os.path.basename(result.models[0].main_file)
    base, others = os.path.basename(result.path), len(result.models) - 1
    if not others:
        return tr("{file} is a part of {model}", file=base, model=first)
    return counted(
        "{file} is a part of {model} and {count} other model",
        "{file} is a part of {model} and {count} other models",
        others,
        file=base,
        model=first,
    )


def openings(result: CompileResult) -> list[tuple[str, str]]:
    """(text of a button, path) of the first models that include a file."""
    folder = os.path.dirname(os.path.abspath(result.path))
    paths = [model.main_file for model in result.models[:MOST]]
    names = [os.path.basename(path) for path in paths]
    if len(set(names)) < len(names):
        names = [os.path.relpath(path, folder) for path in paths]
    names = [shortened(name, lambda part: len(part) <= LONGEST) for name in names]
    return [(tr("Open {file}", file=name), path) for name, path in zip(names, paths, strict=True)]
