"""Malformed model files, one function for each kind of damage: it writes the file to a folder and returns its path."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

FILES: dict[str, Callable[[Path], Path]] = {}


def _malformed(make):
    FILES[make.__name__.strip("_").replace("_", " ")] = make
    return make


def _write(folder: Path, content: str | bytes, name: str = "model.xml") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def world(inside: str, before: str = "") -> str:
    return f"<mujoco>{before}<worldbody>\n{inside}\n</worldbody></mujoco>"


# ---- no text -----------------------------------------------------------------------------------------------------


@_malformed
def empty(folder):
    return _write(folder, b"")


@_malformed
def only_blanks(folder):
    return _write(folder, " \n\t\n")


@_malformed
def binary(folder):
    return _write(folder, bytes(range(256)) * 40)


@_malformed
def zeros(folder):
    return _write(folder, bytes(5000))


@_malformed
def hundred_megabytes(folder):
    path = folder / "model.xml"
    with path.open("wb") as file:
        file.write(b"<mujoco><worldbody>")
        for _ in range(100):
            file.write(b"<!-- long -->" * (1024 * 1024 // 13))
        file.write(b"</worldbody></mujoco>")
    return path


@_malformed
def hundred_sparse_gigabytes(folder):
    path = folder / "model.xml"
    with path.open("wb") as file:
        file.truncate(100 * 1024**3)
    return path


@_malformed
def not_xml(folder):
    return _write(folder, "Dear reader,\nthis is a letter.\n")


@_malformed
def json(folder):
    return _write(folder, '{"mujoco": {"worldbody": []}}')


@_malformed
def html(folder):
    return _write(folder, "<!DOCTYPE html><html><head><meta charset=utf-8><br></head><body><p>404</body></html>")


@_malformed
def a_directory(folder):
    (folder / "model.xml").mkdir()
    return folder / "model.xml"


@_malformed
def missing(folder):
    return folder / "model.xml"


@_malformed
def in_a_missing_folder(folder):
    return folder / "nowhere" / "model.xml"


@_malformed
def below_a_file(folder):
    return _write(folder, "<mujoco/>", "file") / "model.xml"


@_malformed
def a_name_too_long(folder):
    return folder / ("x" * 300 + ".xml")


@_malformed
def no_permission(folder):
    path = _write(folder, "<mujoco/>")
    path.chmod(0)
    return path


@_malformed
def a_fifo(folder):
    os.mkfifo(folder / "model.xml")
    return folder / "model.xml"


@_malformed
def a_device(folder):
    (folder / "model.xml").symlink_to("/dev/zero")
    return folder / "model.xml"


@_malformed
def a_symlink_to_itself(folder):
    (folder / "model.xml").symlink_to(folder / "model.xml")
    return folder / "model.xml"


@_malformed
def a_dangling_symlink(folder):
    (folder / "model.xml").symlink_to(folder / "gone.xml")
    return folder / "model.xml"


# ---- text that is no model -------------------------------------------------------------------------------------------


@_malformed
def cut_short(folder):
    return _write(folder, world("<body><joint/><geom size='.1'/></body>")[:40])


@_malformed
def deep_nesting(folder):
    return _write(folder, world("<body>" * 100_000 + "</body>" * 100_000))


@_malformed
def deep_nesting_of_bodies_that_move(folder):
    body = "<body pos='0 0 .1'><joint/><geom size='.1'/>"
    return _write(folder, world(body * 3000 + "</body>" * 3000))


@_malformed
def deep_unclosed(folder):
    return _write(folder, "<a>" * 200_000)


@_malformed
def many_attributes(folder):
    many = " ".join(f"a{i}='1'" for i in range(10_000))
    return _write(folder, world(f"<geom size='.1' {many}/>"))


@_malformed
def a_long_attribute(folder):
    return _write(folder, world(f"<geom size='{'1 ' * 2_000_000}'/>"))


@_malformed
def billion_laughs(folder):
    names = [f"l{i}" for i in range(10)]
    entities = '<!ENTITY l0 "ha">' + "".join(f'<!ENTITY {b} "{("&" + a + ";") * 10}">' for a, b in pairwise(names))
    return _write(folder, f'<!DOCTYPE mujoco [{entities}]><mujoco model="&l9;"/>')


@_malformed
def an_entity_of_itself(folder):
    return _write(folder, '<!DOCTYPE mujoco [<!ENTITY a "&b;"><!ENTITY b "&a;">]><mujoco model="&a;"/>')


@_malformed
def an_external_entity(folder):
    return _write(folder, '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><mujoco model="&x;"/>')


@_malformed
def include_of_itself(folder):
    return _write(folder, "<mujoco><include file='model.xml'/></mujoco>")


@_malformed
def include_cycle(folder):
    _write(folder, "<mujoco><include file='b.xml'/></mujoco>", "a.xml")
    _write(folder, "<mujoco><include file='model.xml'/></mujoco>", "b.xml")
    return _write(folder, "<mujoco><include file='a.xml'/></mujoco>")


@_malformed
def include_cycle_through_a_symlink(folder):
    (folder / "other.xml").symlink_to(folder / "model.xml")
    return _write(folder, "<mujoco><include file='other.xml'/></mujoco>")


@_malformed
def include_chain(folder):
    for i in range(2000):
        _write(folder, f"<mujoco><include file='p{i + 1}.xml'/></mujoco>", f"p{i}.xml")
    return _write(folder, "<mujoco><include file='p0.xml'/></mujoco>")


@_malformed
def include_of_a_fifo(folder):
    os.mkfifo(folder / "part.xml")
    return _write(folder, "<mujoco><include file='part.xml'/></mujoco>")


@_malformed
def include_outside(folder):
    return _write(folder, "<mujoco><include file='../../../../../../../../etc/passwd'/></mujoco>")


@_malformed
def include_of_a_folder(folder):
    return _write(folder, "<mujoco><include file='.'/></mujoco>")


@_malformed
def include_with_a_zero_byte(folder):
    return _write(folder, "<mujoco><include file='a&#0;b.xml'/></mujoco>")


@_malformed
def replicas_without_end(folder):
    inner = "<geom size='.1'/>"
    for _ in range(6):
        inner = f"<replicate count='1000' offset='1 0 0'>{inner}</replicate>"
    return _write(folder, world(inner))


# ---- numbers ---------------------------------------------------------------------------------------------------------


NUMBERS = {
    "geom size": "<geom size='{}'/>",
    "geom pos": "<geom size='.1' pos='{} 0 0'/>",
    "body quat": "<body quat='{} 0 0 0'><joint/><geom size='.1'/></body>",
    "euler": "<body euler='{} 0 0'><joint/><geom size='.1'/></body>",
    "mass": "<body><joint/><geom size='.1' mass='{}'/></body>",
    "axis": "<body><joint axis='{} 0 1'/><geom size='.1'/></body>",
    "inertia": "<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='{} 1 1'/></body>",
    "replicate": "<replicate count='{}'><geom size='.1'/></replicate>",
    "fromto": "<geom type='capsule' size='.1' fromto='0 0 0 {} 0 1'/>",
    "group": "<geom size='.1' group='{}'/>",
}
MALFORMED_NUMBERS = [
    "nan",
    "inf",
    "-inf",
    "1e400",
    "99999999999999999999999999",
    "0x10",
    "1,5",
    "١",
    "1e",
    "--1",
    "",
]


@_malformed
def negative_sizes(folder):
    return _write(folder, world("<geom size='-1'/><geom type='box' size='1 -1 1'/><geom type='capsule' size='1 -2'/>"))


@_malformed
def negative_mass(folder):
    return _write(folder, world("<body><joint/><geom size='.1' mass='-1'/></body>"))


@_malformed
def zero_timestep(folder):
    return _write(folder, "<mujoco><option timestep='0'/></mujoco>")


@_malformed
def negative_counts(folder):
    return _write(folder, "<mujoco><size nkey='-5' nuserdata='-3'/></mujoco>")


@_malformed
def huge_counts(folder):
    return _write(folder, "<mujoco><size nuserdata='2000000000' nkey='2000000000'/></mujoco>")


@_malformed
def huge_texture(folder):
    asset = "<asset><texture name='t' type='2d' builtin='flat' width='1000000' height='1000000'/></asset>"
    return _write(folder, f"<mujoco>{asset}</mujoco>")


# ---- assets ----------------------------------------------------------------------------------------------------------


def _png(width: int, height: int, data: bytes) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def _with_asset(folder: Path, tag: str, name: str, content: bytes | None, more: str = "") -> Path:
    if content is not None:
        _write(folder, content, name)
    use = "<geom type='mesh' mesh='a'/>" if tag == "mesh" else "<geom size='.1'/>"
    asset = f"<asset>\n<{tag} name='a' {more} file='{name}'/></asset>"
    return _write(folder, world(use, asset))


GOOD_PNG = _png(2, 2, zlib.compress(b"\0" + bytes(6) + b"\0" + bytes(6)))
STL = struct.pack("<80sI", b"", 4) + bytes(50 * 4)

ASSETS = {
    "png missing": ("texture", "t.png", None),
    "png empty": ("texture", "t.png", b""),
    "png cut short": ("texture", "t.png", GOOD_PNG[:-30]),
    "png that is text": ("texture", "t.png", b"not a picture"),
    "png of 50000 x 50000": ("texture", "t.png", _png(50000, 50000, zlib.compress(bytes(1000)))),
    "png of bad data": ("texture", "t.png", _png(4, 4, b"no zlib here")),
    "png without pixels": ("texture", "t.png", _png(0, 0, zlib.compress(b""))),
    "stl empty": ("mesh", "m.stl", b""),
    "stl cut short": ("mesh", "m.stl", STL[:-20]),
    "stl of a billion faces": ("mesh", "m.stl", struct.pack("<80sI", b"", 10**9)),
    "stl flat": ("mesh", "m.stl", STL),
    "stl of not-a-numbers": ("mesh", "m.stl", struct.pack("<80sI", b"", 4) + (struct.pack("<12fH", *[float("nan")] * 12, 0)) * 4),
    "stl in text": ("mesh", "m.stl", b"solid a\nfacet normal 0 0 1\nouter loop\n"),
    "obj empty": ("mesh", "m.obj", b""),
    "obj of one point": ("mesh", "m.obj", b"v 0 0 0\nf 1 1 1\n"),
    "obj with faces out of range": ("mesh", "m.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 99\n"),
    "obj of words": ("mesh", "m.obj", b"v one two three\nf a b c\n" * 100),
    "obj of infinities": ("mesh", "m.obj", b"v 0 0 0\nv inf 0 0\nv 0 1 0\nv 0 0 nan\nf 1 2 3\nf 1 2 4\n"),
    "msh cut short": ("mesh", "m.msh", struct.pack("<4i", 10**9, 0, 0, 10)),
    "mesh of unknown kind": ("mesh", "m.xyz", b"1 2 3"),
    "mesh outside": ("mesh", "../../../../../../../../etc/passwd", None),
}  # fmt: skip

for _name, (_tag, _file, _content) in ASSETS.items():
    FILES[_name] = lambda folder, tag=_tag, file=_file, content=_content: _with_asset(
        folder, tag, file, content, "type='2d'" if tag == "texture" else ""
    )


@_malformed
def mesh_that_is_a_fifo(folder):
    os.mkfifo(folder / "m.stl")
    return _with_asset(folder, "mesh", "m.stl", None)


@_malformed
def mesh_that_is_a_folder(folder):
    (folder / "m.stl").mkdir()
    return _with_asset(folder, "mesh", "m.stl", None)


@_malformed
def texture_that_is_a_device(folder):
    (folder / "t.png").symlink_to("/dev/zero")
    return _with_asset(folder, "texture", "t.png", None, "type='2d'")


@_malformed
def mesh_in_a_symlink_loop(folder):
    (folder / "loop").symlink_to(folder / "loop")
    return _with_asset(folder, "mesh", "loop/m.stl", None)


def make(folder: Path) -> dict[str, Path]:
    """Write all of them, each to a folder of its own: kind of damage -> path."""
    made = {}
    for i, (name, build) in enumerate(FILES.items()):
        (folder / str(i)).mkdir()
        made[name] = build(folder / str(i))
    return made


# ---- edits at random ----

PIECES = (
    '"', "'", "<", ">", "/", "=", "&", ";", " ", "-", ".", "0", "9", "e", "nan", "1e999", "<geom ", "</body>", "<!--",
    "-->", "<?", "]]>", "<![CDATA[", "&#0;", "\n", "\t", 'name="', 'class="', "é", "😀", "<include file='", "<replicate ",
    "<mujoco>", "</mujoco>", '<frame euler="9 9 9">', "<!DOCTYPE x [", "-1", "99999999999999999999", "\u2028", "\u0301",
)  # fmt: skip
"""The typed texts; those without a key in QTest are pasted."""


def damaged(text: str, random: Random, times: int) -> str:
    """A text with pieces put in and characters taken out at random places."""
    for _ in range(times):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice((*PIECES, "", "", "")) + text[at + random.choice((0, 0, 1, 3)) :]
    return text
