"""Writing a file so that at any moment the disk has either the old bytes or the new ones, whole.

`write_file` touches nothing but the disk, so that a worker thread can call it.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterable
from dataclasses import dataclass

from kinetree.engine.atomic import replaced, resolved
from kinetree.engine.document.source import Source
from kinetree.engine.translation import tr


@dataclass(frozen=True, slots=True)
class Save:
    """One file to be written.

    path      the file of the project
    target    where it goes: the same path, or that of a copy
    source    the text
    expected  the bytes that are known to be there, None if there is no such file
    checked   whether anything but the expected bytes stops the writing
    """

    path: str
    target: str
    source: Source
    expected: bytes | None
    checked: bool


class ChangedOnDisk(OSError):
    """Another program wrote the file in the meantime. Nothing was overwritten."""


def write_file(save: Save) -> None:
    """Write a file, see `kinetree.engine.atomic.replaced`.

    Raises ChangedOnDisk if the file is not what it was known to be, OSError if it cannot be written,
    ModelError if the text does not fit the file's encoding. The file is as it was then.
    """
    data = save.source.data
    target = resolved(save.target)
    current = _present(target)
    if save.checked and current is not None and current not in (save.expected, data):
        raise ChangedOnDisk(
            tr(
                "{target} was changed by another program since it was read: reload it, or keep your version "
                "and save again",
                target=save.target,
            )
        )
    if current is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, tr("the file is read-only"), save.target)
    with replaced(target) as draft, open(draft, "wb") as file:
        file.write(data)


def write_with_copies(save: Save, copies: Iterable[tuple[str, Source]]) -> None:
    """Write a file, and before it new files that it needs: (path, text). Their folders are made where there are none.

    Raises as `write_file` does, and ChangedOnDisk where one of the new files is there already. New files and folders
    are gone again then.
    """
    made: list[str] = []
    try:
        for path, source in copies:
            made += reversed(_missing_folders(path))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.lexists(path):
                raise ChangedOnDisk(tr("{path} was written by another program in the meantime: save again", path=path))
            write_file(Save(path, path, source, None, True))
            made.append(path)
        write_file(save)
    except BaseException:
        for path in reversed(made):
            with contextlib.suppress(OSError):  # another program has put something there
                os.rmdir(path) if os.path.isdir(path) else os.unlink(path)
        raise


def _missing_folders(path: str) -> list[str]:
    """The folders around a path that are not there, the innermost first."""
    folders = []
    while not os.path.isdir(folder := os.path.dirname(path)) and folder != path:
        folders.append(folder)
        path = folder
    return folders


def _present(path: str) -> bytes | None:
    """The bytes of the file that is there now."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
