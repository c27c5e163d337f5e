"""Files that are replaced as a whole: at any moment the disk has either the old bytes or the new ones.

with replaced("model.xml") as draft, open(draft, "wb") as file:
    file.write(data)
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator

from kinetree.engine.platforms import files


@contextlib.contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yields the name of a new file beside `path`, with the same extension, for the caller to write.

    At the end of the block the new file replaces `path`, with the permissions and the owner of the old file, or those
    that any new file of the user gets. If the block raises, the new file is removed and `path` is unchanged. A symbolic
    link keeps pointing to its file.

    Raises OSError. 311# without this, a crash of the computer could leave the new name without its bytes
    """
    target = resolved(path)
    folder, name = os.path.split(target)
    draft = os.path.join(folder, f".{secrets.token_hex(8)}-{name[-100:]}")
    try:
        with open(draft, "xb"):
            pass
        yield draft
        with open(draft, "rb+") as file:
            files.flush(file.fileno())  # else a crash of the computer could leave the new name without its bytes
        with contextlib.suppress(FileNotFoundError):
            files.take_over(os.stat(target), draft)
        files.replace(draft, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def resolved(path: str | os.PathLike[str]) -> str:
    """The path that symbolic links lead to. Raises OSError where it cannot be resolved: a link must not be replaced."""
    try:
        return os.path.realpath(path, strict=True)
    except FileNotFoundError:  # the file does not exist yet
        return os.path.realpath(path)
