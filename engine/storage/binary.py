"""The .kmodel format: a compiled model as a binary file, opened without reading texts, meshes and images again.

    HEAD     MAGIC, version, fingerprint of the field table, length of the header
    header   JSON: sizes, names, visual settings and everything else that is not an array
    numbers  the cells, then the arrays of engine/model/fields.py in the order of the table, little endian
    sum      CRC-32 of all of that

A file of another version or another table of fields is refused, and so is MuJoCo's .mjb: its layout is different.
No length in a file is trusted before it is checked; index arrays are checked by binary_rules.
"""

from __future__ import annotations

import json
import math
import os
import stat
import struct
import zlib
from functools import cache
from typing import Any

import numpy as np

from kinetree import engine
from kinetree.engine import document, dynamics, storage
from kinetree.engine.compile import derived
from kinetree.engine.diagnostics import Diagnostic, ModelError, Severity
from kinetree.engine.model.fields import DTYPES, TABLES, Field
from kinetree.engine.model.kinds import KINDS, NAMED
from kinetree.engine.model.model import Model
from kinetree.engine.model.pickles import fingerprint
from kinetree.engine.model.visual import Visual
from kinetree.engine.platforms.files import open_to_read
from kinetree.engine.translation import marked, tr

MAGIC = b"\x89KINETREE MODEL\n"
VERSION = 1
MAX_BYTES = 2_000_000_000
MAX_SIZE = 1_000_000
"""The largest size that counts no stored numbers: room for contacts, user data and the like."""

_COUNTS = {kind: KINDS[kind].size for kind in NAMED}
"""Kind of object -> the size that says how many there are."""
_HEAD = struct.Struct("<16sI16sQ")
_SUM = struct.Struct("<I")
_MUJOCO = struct.pack("<i", 54321)


class _Bad(ValueError):
    """Reason why a file is refused."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code


def is_binary(path: str | os.PathLike[str]) -> bool:
    """Whether a file starts like a .kmodel or like MuJoCo's .mjb. False for files that cannot be read."""
    try:
        descriptor = open_to_read(path)
    except (OSError, ValueError):
        return False
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        start = os.read(descriptor, len(MAGIC))
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return start == MAGIC or start.startswith(_MUJOCO)


def to_bytes(model: Model) -> bytes:
    """The contents of a binary file."""
    header = json.dumps(_header(model), separators=(",", ":"))
    text = header.encode("ascii")
    parts = [_HEAD.pack(MAGIC, VERSION, fingerprint("Model"), len(text)), text]
    parts += [_little(getattr(model, f.name), f) for f in _stored()]
    data = b"".join(parts)
    return data + _SUM.pack(zlib.crc32(data))


def read(path: str | os.PathLike[str]) -> Model:
    """The model of a .kmodel file. It has no spec and no positions in a text.

    Raises ModelError.
    """
    shown = os.fspath(path)
    try:
        size = os.stat(path).st_size
        if size > MAX_BYTES:
            raise _Bad("file-too-large", tr("the binary model is larger than 2 GB"))
        with open(path, "rb") as file:
            return _model(file.read(min(MAX_BYTES, os.fstat(file.fileno()).st_size) + 1), shown)
    except _Bad as error:
        code, message = error.code, str(error)
    except OSError as error:
        code, message = "unreadable-file", tr("the file cannot be read: {reason}", reason=error.strerror or error)
    raise ModelError(Diagnostic(Severity.ERROR, code, message, shown)) from None


# ---- reading -----------------------------------------------------------------------------------------------

_DAMAGED = marked("the file is damaged or was not written by Kinetree; make it again from the model's text")


def _model(data: bytes, path: str) -> Model:
    if data.startswith(_MUJOCO):
        raise _Bad(
            "mujoco-binary",
            tr(
                "this is a compiled model of MuJoCo (.mjb), which only the same version of MuJoCo can read; open the "
                "XML file that it was compiled from"
            ),
        )
    if len(data) < _HEAD.size + _SUM.size or not data.startswith(MAGIC):
        raise _Bad("damaged-file", tr(_DAMAGED))
    _, version, table, length = _HEAD.unpack_from(data)
    if version != VERSION or table != fingerprint("Model"):
        raise _Bad(
            "other-version",
            tr("this binary model is of another version of Kinetree; make it again from the model's text"),
        )
    if zlib.crc32(memoryview(data)[: -_SUM.size]) != _SUM.unpack(data[-_SUM.size :])[0]:
        raise _Bad("damaged-file", tr(_DAMAGED))
    start = _HEAD.size + length
    if start > len(data) - _SUM.size:
        raise _Bad("damaged-file", tr(_DAMAGED))
    try:
        header = json.loads(data[_HEAD.size : start])
        sizes = _sizes(header["sizes"], len(data) - _SUM.size - start)
        model = Model(sizes, _names(header["names"], sizes))
        _fill(model, data, start)
        _verify(model)
        _read_header(model, header, path)
    except _Bad:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError):
        raise _Bad("damaged-file", tr(_DAMAGED)) from None
    return model


def _sizes(given: dict[str, int], room: int) -> dict[str, int]:
    """The sizes, if the arrays that they ask for fill the file exactly."""
    names = [f.name for f in TABLES["Model"] if f.kind == "size"]
    if set(given) != set(names) or any(type(given[name]) is not int for name in names):
        raise _Bad("damaged-file", tr(_DAMAGED))
    words = {word for f in _stored() for word in f.shape if isinstance(word, str)}
    filled = {word for f in _stored() if _bytes(f, given) > 0 for word in f.shape if isinstance(word, str)}
    for name, value in given.items():
        if not (0 if name in words else -1) <= value <= (MAX_BYTES if name in filled else MAX_SIZE):
            raise _Bad("damaged-file", f"{_DAMAGED} ({name})")
    if sum(_bytes(f, given) for f in _stored()) != room:
        raise _Bad("damaged-file", tr(_DAMAGED))
    return given


def _names(given: dict[str, list[str]], sizes: dict[str, int]) -> dict[str, list[str]]:
    for kind, names in given.items():
        if len(names) != sizes[_COUNTS[kind]] or any(type(name) is not str for name in names):
            raise _Bad("damaged-file", tr(_DAMAGED))
    if not set(given) >= {"body", "joint", "geom"}:
        raise _Bad("damaged-file", tr(_DAMAGED))
    return {kind: given.get(kind, []) for kind in _COUNTS}


def _fill(model: Model, data: bytes, at: int) -> None:
    for field in _stored():
        shape = tuple(model.sizes[w] if isinstance(w, str) else w for w in field.shape)
        count = math.prod(shape)
        dtype = np.dtype(DTYPES[field.dtype]).newbyteorder("<")
        values = np.frombuffer(data, dtype, count, at).reshape(shape)
        setattr(model, field.name, values if field.shape else values.item())
        at += count * dtype.itemsize


def _verify(model: Model) -> None:
    """Check all indices; recompute derived arrays."""

    sizes = model.sizes
    try:
        with np.errstate(all="ignore"):
            storage.binary_rules.check(model)
    except storage.binary_rules.BadNumbers as error:
        raise _Bad("damaged-file", f"{_DAMAGED} ({error})") from None
    derived.mesh_boxes.fill(model)
    derived.structure.fill(model)
    if model.sizes != sizes:
        raise _Bad("damaged-file", tr(_DAMAGED))


def _read_header(model: Model, header: dict[str, Any], path: str) -> None:
    """Read the name, the visual settings and all that is no array from the header."""

    model.name = str(header["name"])
    model.texts = [str(text) for text in header["texts"]]
    if len(model.texts) != model.ntext:
        raise _Bad("damaged-file", tr(_DAMAGED))
    template = {section: dict(values) for section, values in _visual().items()}
    for section, values in header["vis"].items():
        for name, value in values.items():
            old = template[section][name]
            if np.shape(value) != np.shape(old) or np.asarray(value).dtype.kind not in "fiub":
                raise _Bad("damaged-file", tr(_DAMAGED))
            template[section][name] = np.asarray(value, np.float32) if np.ndim(old) else type(old)(value)
    for section, values in template.items():
        vars(model.vis)[section] = Visual(**values)
    reported = [dynamics.unsimulated.Gap(path, str(text)) for text in header["gaps"]]
    model.gaps = reported + engine.compile.unsimulated.gaps(model, lambda row: path, lambda geom: path)


@cache
def _visual() -> dict[str, dict[str, Any]]:
    """The default visual settings."""

    vis = engine.compile.compiler.compile_document(document.document.Document.from_string("<mujoco/>")).model.vis
    return {name: dict(vars(section)) for name, section in vars(vis).items()}


# ---- both ways ---------------------------------------------------------------------------------------------


def _stored() -> list[Field]:
    """The fields in the file, cells first."""
    fields = [f for f in TABLES["Model"] if f.kind != "size" and f.name not in storage.binary_rules.STRUCTURE]
    return sorted(fields, key=lambda f: f.kind != "cell")


def _bytes(field: Field, sizes: dict[str, int]) -> int:
    count = math.prod(sizes[w] if isinstance(w, str) else w for w in field.shape)
    return count * np.dtype(DTYPES[field.dtype]).itemsize


def _little(value: Any, field: Field) -> bytes:
    return np.asarray(value, np.dtype(DTYPES[field.dtype]).newbyteorder("<")).tobytes()


def _header(model: Model) -> dict[str, Any]:
    return {
        "sizes": model.sizes,
        "name": model.name,
        "names": {kind: names for kind, names in model.names.items() if kind in _COUNTS},
        "vis": {
            section: {name: np.asarray(value).tolist() for name, value in vars(values).items()}
            for section, values in vars(model.vis).items()
        },
        "texts": model.texts,
        "gaps": [gap.diagnostic.message for gap in model.gaps if gap.when is None],
    }
