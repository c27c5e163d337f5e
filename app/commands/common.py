"""Shared by the commands without a window: loading a model, --seed, checks of the output file."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, cast

from app.terminal import UsageError, printable

if TYPE_CHECKING:
    from engine.model.model import Model


def add_seed(parser) -> None:
    """The option --seed of the commands that read models."""
    parser.add_argument("--seed", metavar="N", help="seed of the random joint axes of x_xy models (default 1)")


def seed_of(options) -> int | None:
    """The value of --seed. Raises UsageError."""
    if options.seed is None:
        return None
    try:
        seed = int(options.seed)
    except ValueError:
        seed = -1
    if not 0 <= seed < 2**32:
        raise UsageError(f"--seed {options.seed!r} must be an integer from 0 to {2**32 - 1}")
    return seed


def load(path: str, seed: int | None = None) -> Model | None:
    """The compiled model; None after its findings were written to stderr. Warnings are written too."""
    from app.workers.compiling import compile_file

    result = compile_file(path, seed=seed)
    assert result is not None, "nobody cancels it"
    for item in result.diagnostics:
        print(printable(str(item)), file=sys.stderr)
    return cast("Model | None", result.model)


def cannot_move(model) -> str:
    """Why a model with something in model.unsimulated cannot be simulated, in one line."""
    first, *more = model.unsimulated
    rest = f" (and {len(more)} more)" if more else ""
    return printable(f"{first.file}:{first.line}:{first.column}: {first.message}{rest}")


def writable(path: str) -> str | None:
    """Why a file cannot be written at this path, or None if it looks possible."""
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isdir(path):
        return f"{path} is a folder; name a file"
    if not os.path.isdir(folder):
        return f"the folder {folder} does not exist"
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        return f"{path} is not writable"
    return None
