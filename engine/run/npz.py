"""Arrays in .npz archives: packed in memory, so that a fault of the disk cannot change their layout, and read within
limits, whatever an archive announces.
"""

from __future__ import annotations

import io
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from kinetree.engine.translation import tr

NUMBERS = "fiub"
"""Kinds of numpy's types that are real numbers."""
MAX_BYTES = 4_000_000_000
"""Of all arrays of an archive: packed, they can be a thousandth of that."""


def packed(**arrays: np.ndarray) -> memoryview:
    """The contents of an archive."""
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return file.getbuffer()


def read(path: Path) -> dict[str, Any]:
    """The arrays of numbers and of text in an archive. Raises OSError and ValueError."""
    import zipfile

    try:
        with warnings.catch_warnings(), zipfile.ZipFile(path) as archive:
            warnings.simplefilter("ignore")  # about files of Python 2
            if sum(member.file_size for member in archive.infolist()) > MAX_BYTES:
                raise _TooLarge(tr("{name} has more than 4 GB of numbers; record fewer steps", name=path.name))
            found = {}
            for member in archive.infolist():
                with archive.open(member) as file:
                    array = np.lib.format.read_array(file, allow_pickle=False)
                if array.dtype.kind in NUMBERS or (array.dtype.kind == "U" and _is_text(array)):
                    found[member.filename.removesuffix(".npy")] = array
    except (OSError, _TooLarge):
        raise
    except Exception:  # zipfile, zlib, ast and tokenize raise many kinds of errors on damaged files
        raise ValueError(tr("{name} is not an .npz file of numbers", name=path.name)) from None
    return found


class _TooLarge(ValueError):
    """The arrays of a file would take too much memory."""


def _is_text(array: np.ndarray) -> bool:
    """Whether an array of texts has characters of Unicode alone: Python cannot hold others."""
    if not array.dtype.itemsize:
        return True
    codes = np.frombuffer(array.tobytes(), np.dtype("u4").newbyteorder(array.dtype.byteorder))
    return codes.max(initial=0) <= sys.maxunicode
