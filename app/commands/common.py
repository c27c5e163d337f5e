"""Shared by the commands without a window: loading a model, --seed, checks of the output file."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from kinetree import app
from kinetree.app import workers
from kinetree.app.terminal import UsageError, printable
from kinetree.engine.diagnostics import shown
from kinetree.engine.resources import packages
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

SHOWN_AFTER = 1.0
"""Work shorter than this shows no progress, s."""
WIDTH = 78
"""Characters of a line of progress."""


@contextmanager
def shown_progress(path: str) -> Iterator[Callable[[int, int, str], None]]:
    """A function that takes how far reading a model has come (see compile_file). Where it takes longer than SHOWN_AFTER
    and stderr is a terminal, that is written there in one line, which is wiped out at the end."""
    told = time.monotonic() + SHOWN_AFTER
    is_shown = False

    def show(done: int, total: int, name: str) -> None:
        nonlocal is_shown
        if not sys.stderr.isatty() or time.monotonic() < told:
            return
        is_shown = True
        text = tr(
            "{name}: {number} % compiled: {step} (Ctrl+C stops)",
            name=os.path.basename(path),
            number=100 * done // total,
            step=tr(name),
        )
        print(f"\r{printable(text)[:WIDTH]:<{WIDTH}}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if is_shown:
            print("\r" + " " * WIDTH + "\r", end="", file=sys.stderr, flush=True)


def package_folders() -> tuple[str, ...]:
    """The folders of packages of the settings; none where the parts of Qt that read them are not there."""
    try:
        settings = app.settings.settings.Settings()
    except ImportError:
        return ()
    return packages.read(str(settings.value(app.settings.table.PACKAGE_FOLDERS)))


def load(path: str, seed: int | None = None) -> Model | None:
    """The compiled model; None after its findings were written to stderr. Warnings are written too."""
    with shown_progress(path) as progress:
        result = workers.compiling.compile_file(path, progress, seed=seed)
    assert result is not None, "nobody cancels it"
    for item in shown(result.diagnostics):
        print(printable(str(item)), file=sys.stderr)
    return cast("Model | None", result.model)


def cannot_move(model) -> str:
    """Why a model with something in model.unsimulated cannot be simulated, in one line."""
    first, *more = model.unsimulated
    told = f"{first.file}:{first.line}:{first.column}: {first.message}"
    return printable(
        counted("{told} (and {count} more)", "{told} (and {count} more)", len(more), told=told) if more else told
    )


def writable(path: str) -> str | None:
    """Why a file cannot be written at this path, or None if it looks possible."""
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isdir(path):
        return tr("{path} is a folder; name a file", path=path)
    if not os.path.isdir(folder):
        return tr("the folder {folder} does not exist", folder=folder)
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        return tr("{path} is not writable", path=path)
    return None


def object_id(command: str, model: Model, kind: str, name: str | None) -> int | None:
    """The id of an object given by name or number; None for None. Raises UsageError."""
    if name is None:
        return None
    names = model.names.get(kind, [])
    if name in names:
        return names.index(name)
    if name.isdigit() and int(name) < len(names):
        return int(name)
    known = ", ".join(item or str(i) for i, item in enumerate(names)) or "none"
    raise UsageError(
        tr(
            "{command}: the model has no {kind} {name!r}; it has: {known}",
            command=command,
            kind=kind,
            name=name,
            known=known,
        )
    )
