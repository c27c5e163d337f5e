"""Writing a file so that at any moment the disk has either the old bytes or the new ones, whole.

`write_file` touches nothing but the disk, so that a worker thread can call it.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from dataclasses import dataclass

from engine.document.source import Source


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
    """Write a file: to a new file beside it that then takes its place. A link keeps pointing to the file,
    which keeps its permissions.

    Raises ChangedOnDisk if the file is not what it was known to be, OSError if it cannot be written,
    ModelError if the text does not fit the file's encoding. The file is as it was then.
    """
    data = save.source.data
    target = os.path.realpath(save.target)
    current = _present(target)
    if save.checked and current is not None and current[0] not in (save.expected, data):
        raise ChangedOnDisk(
            f"{save.target} was changed by another program since it was read: reload it, or keep your version "
            "and save again"
        )
    if current is not None and not os.access(target, os.W_OK):
        raise PermissionError(f"{save.target} is read-only")
    descriptor, temporary = tempfile.mkstemp(prefix=".", suffix=".kinetree", dir=os.path.dirname(target))
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if current is not None:
            with contextlib.suppress(OSError, AttributeError):  # only the owner of both, or root, may
                os.chown(temporary, current[1].st_uid, current[1].st_gid)
            os.chmod(temporary, stat.S_IMODE(current[1].st_mode))
        else:
            os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _present(path: str) -> tuple[bytes, os.stat_result] | None:
    """The bytes and status of the file that is there now."""
    try:
        with open(path, "rb") as file:
            return file.read(), os.fstat(file.fileno())
    except FileNotFoundError:
        return None


def _umask() -> int:
    # Python can only read the process's mask by setting it; Linux shows it.
    with contextlib.suppress(OSError, ValueError, StopIteration), open("/proc/self/status") as status:
        return int(next(line for line in status if line.startswith("Umask:")).split()[1], 8)
    return 0o022
