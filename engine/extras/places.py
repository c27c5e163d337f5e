"""Whether an extra is there, where it is, and how a feature reaches it.

An extra that was fetched is a folder of its own in the user's data folder, for one version of Python and one set of
pinned packages:

    extras/cpython-311-linux-x86_64/video-3f0c9a2b41d7

It is complete if it exists. A version of Kinetree with other pins looks for another folder, and offers the extra again.
The folder comes last in `sys.path`: it never takes the place of a package of Kinetree.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import sys
import sysconfig
import tempfile
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from kinetree.engine.extras import wheels
from kinetree.engine.extras.table import EXTRAS, Extra
from kinetree.engine.platforms import folders
from kinetree.engine.translation import tr


class ExtraSource(Enum):
    """Where an extra comes from."""

    FETCHED = "fetched"
    ENVIRONMENT = "environment"
    SYSTEM = "system"


class FoundExtra(NamedTuple):
    """An extra that is there. `path`: its folder, or the program of the system."""

    source: ExtraSource
    path: str


class ExtraError(ValueError):
    """An extra could not be installed or removed. The message says why, and what to do."""


class MissingExtra(ValueError):
    """A feature needs an extra that is not there. The message names the command that installs it."""

    def __init__(self, extra: Extra):
        size = wheels.download_size(extra)
        if size is None:
            message = tr(
                "this needs the extra '{name}' ({packages}), which does not exist for this system and this version of "
                "Python",
                name=extra.name,
                packages=", ".join(extra.packages),
            )
        else:
            message = tr(
                "this needs the extra '{name}' ({packages}, {size} to download): `{command}` installs it",
                name=extra.name,
                packages=", ".join(extra.packages),
                size=wheels.size_text(size),
                command=install_command(extra),
            )
        super().__init__(message)
        self.extra = extra


def install_command(extra: Extra) -> str:
    """The command line that installs an extra, as this Kinetree was called."""
    return f"{os.environ.get('KINETREE_COMMAND') or 'kinetree'} extras install {extra.name}"


def home() -> Path:
    """The folder of the extras for this version of Python. It may not exist."""
    return folders.data() / "extras" / f"{sys.implementation.cache_tag}-{sysconfig.get_platform()}"


def folder(extra: Extra) -> Path:
    """Where an extra is put when it is fetched."""
    return home() / f"{extra.name}-{wheels.digest(extra)}"


def found(extra: Extra) -> FoundExtra | None:
    """An extra in the environment of Kinetree, or one that was fetched; None without. Quick."""
    path = folder(extra)
    if path.is_dir():
        return FoundExtra(ExtraSource.FETCHED, str(path))
    spec = importlib.util.find_spec(extra.module)
    return None if spec is None else FoundExtra(ExtraSource.ENVIRONMENT, os.path.dirname(spec.origin or ""))


def found_anywhere(extra: Extra) -> FoundExtra | None:
    """As `found`, or else a program of the system that does the same. It may take a tenth of a second."""
    here = found(extra)
    if here is None and extra.elsewhere is not None and (program := extra.elsewhere()):
        return FoundExtra(ExtraSource.SYSTEM, program)
    return here


def activate(name: str) -> None:
    """Let this process import the modules of an extra. Raises MissingExtra."""
    extra = EXTRAS[name]
    if importlib.util.find_spec(extra.module) is not None:
        return
    path = folder(extra)
    if not path.is_dir():
        raise MissingExtra(extra)
    if str(path) not in sys.path:
        sys.path.append(str(path))
    importlib.invalidate_caches()


def remove(extra: Extra) -> bool:
    """Remove what was fetched of an extra, also for other pins; whether there was anything. Raises ExtraError."""
    fetched = sorted(home().glob(f"{extra.name}-*")) if home().is_dir() else []
    for path in fetched:
        try:
            _remove(path)
        except OSError as error:
            raise ExtraError(
                tr(
                    "{path} cannot be removed: {reason}; close other windows of Kinetree, which may use it",
                    path=path,
                    reason=error.strerror or error,
                )
            ) from None
    importlib.invalidate_caches()
    return bool(fetched)


def remove_others(extra: Extra) -> None:
    """Remove what was fetched of an extra for other pins; what is in use stays."""
    for path in home().glob(f"{extra.name}-*"):
        if path != folder(extra):
            try:
                _remove(path)
            except OSError:
                continue


def _remove(path: Path) -> None:
    """Remove a folder: at any moment it is there as a whole, or not at all."""
    aside = Path(tempfile.mkdtemp(prefix=".removed-", dir=path.parent))
    try:
        path.rename(aside / path.name)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
