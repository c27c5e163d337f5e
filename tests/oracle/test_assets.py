"""Files of meshes, height fields, textures and skins: what the reference makes of them, we make of them too."""

from __future__ import annotations

import io
import struct

import mujoco
import numpy as np
import pytest
from PIL import Image

import engine

from .compiled import differences

GREY = np.arange(6, dtype=np.uint8).reshape(2, 3) * 40
COLOUR = np.stack([GREY, GREY + 9, GREY // 2], -1)
HEIGHTS = struct.pack("<2i", 2, 3) + np.array([3, 1, 2, 4, 9, 6], "<f4").tobytes()


def png(image: Image.Image | np.ndarray, **options) -> bytes:
    out = io.BytesIO()
    (Image.fromarray(image) if isinstance(image, np.ndarray) else image).save(out, "PNG", **options)
    return out.getvalue()


def both(tmp_path, text: str, files: dict[str, bytes]):
    """(our model or error, the reference's or its message) of a text beside some files."""
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    path = tmp_path / "model.xml"
    path.write_text(text)
    try:
        ours = engine.load(path)
    except engine.ModelError as error:
        ours = error
    try:
        theirs = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        theirs = str(error)
    return ours, theirs


def agree(tmp_path, text: str, files: dict[str, bytes]):
    """Both load the text to the same model, or both refuse it."""
    ours, theirs = both(tmp_path, text, files)
    if isinstance(ours, engine.ModelError):
        assert isinstance(theirs, str), f"only we refuse it: {ours}"
        return None
    assert not isinstance(theirs, str), f"only the reference refuses it: {theirs}"
    assert not differences(ours, theirs)
    return ours


# ---- height fields ------------------------------------------------------------------------------------

HFIELD = '<mujoco><asset><hfield size="1 2 3 .5" {}/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>'
HFIELDS = {
    "grey": ('file="h.png"', png(GREY)),
    "upper case": ('file="h.PNG" name="h"', png(GREY)),
    "red counts": ('file="h.png"', png(COLOUR)),
    "alpha does not": ('file="h.png"', png(np.dstack([COLOUR, 7 * GREY]))),
    "16 bits": ('file="h.png"', png(GREY.astype(np.uint16) * 257 + 100)),
    "palette": ('file="h.png"', png(Image.fromarray(GREY).convert("P"))),
    "1 bit": ('file="h.png"', png(Image.fromarray(GREY).convert("1"))),
    "grey and alpha": ('file="h.png"', png(Image.fromarray(GREY).convert("LA"))),
    "all the same": ('file="h.png"', png(GREY * 0 + 10)),
    "one row": ('file="h.png"', png(GREY[:1])),
    "file and rows": ('file="h.png" nrow="2"', png(GREY)),
    "file and text": ('file="h.png" elevation="1 2 3"', png(GREY)),
    "no image": ('file="h.png"', b""),
    "cut image": ('file="h.png"', png(GREY)[:-30]),
    "binary": ('file="h.bin"', HEIGHTS),
    "no extension": ('file="h"', HEIGHTS),
    "too long": ('file="h.bin"', HEIGHTS + b"x"),
    "too short": ('file="h.bin"', HEIGHTS[:-1]),
    "no cells": ('file="h.bin"', struct.pack("<2i", 0, 3)),
    "empty": ('file="h.bin"', b""),
    "type png": ('file="h.bin" content_type="image/png"', png(GREY)),
    "type binary": ('file="h.png" content_type="image/vnd.mujoco.hfield"', HEIGHTS),
    "type unknown": ('file="h.png" content_type="image/foo"', HEIGHTS),
    "type of a mesh": ('file="h.png" content_type="model/stl"', HEIGHTS),
    "no type": ('file="h.bin" content_type=""', HEIGHTS),
}


@pytest.mark.parametrize(("attributes", "data"), HFIELDS.values(), ids=HFIELDS)
def test_hfield(tmp_path, attributes, data):
    name = attributes.split('"')[1]
    agree(tmp_path, HFIELD.format(attributes), {name: data})


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_heights_that_are_no_numbers(tmp_path, bad):
    """The reference makes them into heights that are no numbers."""
    data = struct.pack("<2i", 1, 3) + np.array([1, bad, 2], "<f4").tobytes()
    ours, _ = both(tmp_path, HFIELD.format('file="h.bin"'), {"h.bin": data})
    assert isinstance(ours, engine.ModelError)
    assert "not a number" in str(ours)


# ---- skins --------------------------------------------------------------------------------------------

SKIN = (
    '<mujoco><compiler meshdir="s"/><worldbody><body name="a"><geom size="1"/></body></worldbody><deformable>'
    "<skin {}>{}</skin></deformable></mujoco>"
)
BONE = '<bone body="a" bindpos="1 2 3" bindquat="2 0 0 0" vertid="0 1 2 3" vertweight="1 1 1 1"/>'


def skn(
    vert=4,
    uv=0,
    face=2,
    bones=1,
    name=b"a",
    vertid=(0, 1, 2, 3),
    weight=(1, 2, 1, 1),
    quat=(2, 0, 0, 0),
    cut=0,
):
    parts = [
        struct.pack("<4i", vert, uv, face, bones),
        np.arange(3 * vert, dtype="<f4"),
        np.arange(2 * uv, dtype="<f4"),
    ]
    parts.append(np.array([0, 1, 2] * face, "<i4"))
    for _ in range(bones):
        parts += [name.ljust(40, b"\0")[:40], struct.pack("<3f", 1, 2, 3), struct.pack("<4f", *quat)]
        parts += [struct.pack("<i", len(vertid)), np.array(vertid, "<i4"), np.array(weight, "<f4")]
    data = b"".join(bytes(part) for part in parts)
    return data[: len(data) - cut]


SKINS = {
    "plain": skn(),
    "texture coordinates": skn(uv=4),
    "too few texture coordinates": skn(uv=2),
    "cut": skn(cut=1),
    "longer": skn() + b"x",
    "unknown body": skn(name=b"zz"),
    "long name": skn(name=b"a" * 40),
    "after the name": skn(name=b"a\0zz"),
    "vertex too large": skn(vertid=(0, 1, 2, 9)),
    "vertex negative": skn(vertid=(0, 1, 2, -1)),
    "no vertices": skn(vert=0, vertid=(), weight=()),
    "no bones": skn(bones=0),
    "two bones": skn(bones=2),
    "no faces": skn(face=0),
    "quaternion of zeros": skn(quat=(0, 0, 0, 0)),
    "three vertices": skn(vert=3, vertid=(0, 1, 2), weight=(1, 1, 1)),
    "empty": b"",
    "zeros": b"\0" * 16,
    "negative": b"\xff" * 16,
}


@pytest.mark.parametrize("data", SKINS.values(), ids=SKINS)
def test_skin(tmp_path, data):
    agree(tmp_path, SKIN.format('file="a.skn"', ""), {"s/a.skn": data})


@pytest.mark.parametrize(
    ("attributes", "bone"),
    [('vertex="0 0 0"', ""), ('face="0 0 0"', ""), ('texcoord="0 0"', ""), ("", BONE), ('name="b"', "")],
)
def test_skin_from_a_file_and_the_text(tmp_path, attributes, bone):
    agree(tmp_path, SKIN.format('file="a.SKN" ' + attributes, bone), {"s/a.SKN": skn()})


@pytest.mark.parametrize("name", ["a", "a.bin", "missing.skn"])
def test_skin_files_by_name(tmp_path, name):
    agree(tmp_path, SKIN.format(f'file="{name}"', ""), {"s/a": skn(), "s/a.bin": skn()})


@pytest.mark.parametrize(
    "data",
    [
        skn(weight=(1, 1, 1, np.nan)),
        skn().replace(
            np.array([0, 1, 2] * 2, "<i4").tobytes(), np.array([0, 1, 2, 0, 1, 7], "<i4").tobytes()
        ),
        struct.pack("<4i", 2**31 - 1, 0, 2**31 - 1, 2**31 - 1),
    ],
)
def test_skins_that_only_we_refuse(tmp_path, data):
    """The reference keeps numbers that are none and vertices that do not exist, or dies."""
    (tmp_path / "s").mkdir()
    (tmp_path / "s/a.skn").write_bytes(data)
    with pytest.raises(engine.ModelError, match="bad-skin"):
        engine.load_string(SKIN.format('file="a.skn"', ""), tmp_path)
