"""Files to begin with, one function for each kind: made here, of our own models, and of the shared corpus."""

from __future__ import annotations

import io
import json
import struct
from functools import cache
from pathlib import Path

import numpy as np

from tests import malformed
from tests.conftest import ROOT, SHARED
from tests.fuzz import repair

OURS = ("resources/models", "resources/templates", "tests/data/models", "tests/data/document")
TESTDATA = SHARED / "corpus" / "mujoco" / "testdata"


def files(pattern: str, largest: int, *folders: Path) -> list[bytes]:
    """The files below some folders, the smallest first."""
    found = {path.read_bytes() for folder in folders for path in folder.rglob(pattern) if path.is_file()}
    return sorted((data for data in found if len(data) <= largest), key=lambda data: (len(data), data))


@cache
def texts(largest: int = 6000) -> list[bytes]:
    """MJCF, ours and some of the corpus."""
    found = files("*.xml", largest, *[ROOT / name for name in OURS])
    return found + files("*.xml", largest, SHARED / "corpus" / "inline")[::8] + files("*.xml", 3000, TESTDATA)[::3]


def mjcf() -> list[bytes]:
    from tests.engine.storage import test_binary as binary

    return [
        b"<mujoco/>",
        *(text.encode() for text in (binary.TEXT, binary.PLUGINS, binary.FIELDS, binary.SOFT)),
    ] + texts()


def assets() -> list[bytes]:
    """Models that refer to the files of `asset_folder`."""
    inside = (
        '<mesh name="a" file="m.stl"/><mesh name="b" file="m.obj" scale="1 -1 2"/><mesh name="c" file="m.msh"/>'
        '<texture name="t" type="2d" file="t.png"/><texture name="k" type="cube" file="t.ktx2"/><material name="w" texture="t"/>'
        '<hfield name="h" file="h.bin" size="1 1 1 .1"/>'
    )
    uses = (
        '<geom type="mesh" mesh="a"/><geom type="hfield" hfield="h"/><include file="part.xml"/>'
        '<body><freejoint/><geom type="mesh" mesh="b" material="w"/><geom type="box" mesh="c"/></body>'
        '<flexcomp name="f" type="gmsh" file="g.msh" mass="1" radius=".01" dim="3"/>'
    )
    return [
        malformed.world(uses, f"<asset>{inside}</asset>").encode(),
        malformed.world("", f"<asset>{inside}</asset>").encode(),
    ]


@cache
def asset_folder(folder: Path) -> Path:
    """A folder with one good file of each kind."""
    contents = {
        "m.stl": stl()[0], "m.obj": obj()[0], "m.msh": msh()[0], "t.png": malformed.GOOD_PNG, "t.ktx2": ktx()[0],
        "h.bin": hfield()[0], "g.msh": gmsh()[0], "part.xml": b'<mujoco><geom name="p" size=".1"/></mujoco>',
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    return folder


def urdf() -> list[bytes]:
    from tests.benchmark.mutate import URDF

    return [URDF.encode(), *files("*.urdf", 12_000, ROOT / "resources", SHARED / "corpus")]


def x_xy() -> list[bytes]:
    return [data for data in files("*.xml", 12_000, ROOT / "resources" / "models" / "formats") if b"<x_xy" in data] + [
        b'<x_xy model="m"><options dt=".01"/><worldbody><body joint="ry"><geom type="sphere" mass="1" dim=".1"/></body></worldbody></x_xy>'
    ]


CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], "<i4")


def stl() -> list[bytes]:
    rows = b"".join(bytes(12) + CORNERS[face].tobytes() + b"\0\0" for face in FACES)
    text = "solid a\n" + "".join(
        "facet normal 0 0 1\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*CORNERS[i]) for i in face)
        + "endloop\nendfacet\n"
        for face in FACES
    )
    made = [struct.pack("<80sI", b"binary", len(FACES)) + rows, (text + "endsolid\n").encode()]
    return made + files("*.stl", 6000, SHARED / "corpus")


def obj() -> list[bytes]:
    points = "".join("v {} {} {}\n".format(*p) for p in CORNERS) + "vt 0 0\nvt 1 0\nvn 0 0 1\n"
    made = [
        points + "".join("f {} {} {}\n".format(*(face + 1)) for face in FACES),
        points + "o a\ng b\ns off\nf 1/1/1 2/2/1 3/1/1\nf -1//1 -2//1 -3//1\n",
        points + "f 1/1 2/2 3/1 4/2\nf 1//1 2//1 4//1\n# end\nl 1 2\n",
        points + "v .3 .3 0\nv 1 1 0\nf 1 2 6 5 3\nf 2/1 6/1 5/2 3/2 1/1\n",
    ]
    return [text.encode() for text in made] + files("*.obj", 4000, SHARED / "corpus")


def msh() -> list[bytes]:
    made = struct.pack("<4i", 4, 4, 4, 4) + CORNERS.tobytes() * 2 + CORNERS[:, :2].tobytes() + FACES.tobytes()
    plain = struct.pack("<4i", 4, 0, 0, 4) + CORNERS.tobytes() + FACES.tobytes()
    return [made, plain, *files("cube.msh", 4000, TESTDATA)]


def gmsh() -> list[bytes]:
    text22 = (
        b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
        b"$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n"
    )
    text41 = (
        b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
        b"$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n"
    )
    point = CORNERS.astype("<f8")
    binary22 = (
        b"$MeshFormat\n2.2 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n4\n"
        + b"".join(struct.pack("<i3d", i + 1, *p) for i, p in enumerate(point))
        + b"\n$EndNodes\n$Elements\n1\n" + struct.pack("<9i", 4, 1, 1, 1, 0, 1, 2, 3, 4) + b"\n$EndElements\n"
    )  # fmt: skip
    binary41 = (
        b"$MeshFormat\n4.1 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n"
        + struct.pack("<4Q3iQ", 1, 4, 1, 4, 3, 1, 0, 4) + np.arange(1, 5, dtype="<u8").tobytes() + point.tobytes()
        + b"\n$EndNodes\n$Elements\n" + struct.pack("<4Q3iQ", 1, 1, 1, 1, 3, 1, 4, 1)
        + np.array([1, 1, 2, 3, 4], "<u8").tobytes() + b"\n$EndElements\n"
    )  # fmt: skip
    return [text22, text41, binary22, binary41, *files("*_*.msh", 6000, TESTDATA)]


def skin() -> list[bytes]:
    bone = b"world".ljust(40, b"\0") + np.array([0, 0, 0, 1, 0, 0, 0], "<f4").tobytes() + struct.pack("<i", 4)
    bone += np.arange(4, dtype="<i4").tobytes() + np.ones(4, "<f4").tobytes()
    made = struct.pack("<4i", 4, 4, 4, 1) + CORNERS.tobytes() + CORNERS[:, :2].tobytes() + FACES.tobytes() + bone
    return [made, *files("*.skn", 6000, SHARED / "corpus")]


def hfield() -> list[bytes]:
    return [struct.pack("<2i", 2, 3) + np.arange(6, dtype="<f4").tobytes(), *png()]


def pictures() -> list[bytes]:
    """MuJoCo's own format, and formats that are told to be others."""
    starts = (
        b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\0\0\0\0",
        b"v/1\x01",
        b"\xff\xd8\xff",
        b"RIFF",
        b"DDS ",
    )
    return [struct.pack("<2i", 2, 1) + bytes(6), *starts, *png(), *ktx()]


def png() -> list[bytes]:
    from PIL import Image

    made = []
    for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
        picture = Image.new("RGB", (4, 3), (10, 200, 30)).convert("L" if mode == "I;16" else mode)
        picture = picture.convert("I").convert("I;16") if mode == "I;16" else picture
        stream = io.BytesIO()
        picture.save(stream, "PNG", **({"transparency": 0} if mode in ("P", "L", "RGB") and mode != "RGB" else {}))
        made.append(repair.plain_png(stream.getvalue()))
    return [malformed.GOOD_PNG, *made, *files("*.png", 3000, SHARED / "corpus", ROOT / "resources")[:4]]


def ktx() -> list[bytes]:
    from tests.engine.resources import ktx_files as make

    flat, side = make.flat, [make.flat((1, 2, 3, 4))]
    made = [make.ktx2([[make.flat((1, 2, 3, 4)) for _ in range(6)]], make.RGBA8)]
    made += [make.ktx2([side], make.RGBA8, scheme=scheme, known={"KTXorientation": "rd"}) for scheme in (0, 2, 3)]
    made += [
        make.ktx2([[flat((1, 2, 3))], [flat((1, 2, 3), 2)], [flat((1, 2, 3), 1)]], make.SRGB8),
        make.ktx2([[flat((1, 2, 3, 1), 2, np.float32)]], make.FLOAT, known={"KTXswizzle": "bgra"}),
        make.ktx2([[flat((7,), 4, np.uint32)]], make.PACKED), make.ktx2([[flat((7,), 4, np.uint32)]], 123),
        make.ktx1([side], 0x1401, 0x1908), make.ktx1([[flat((1, 2, 3), 3)]], 0x1401, 0x1907),
        make.ktx1([[flat((1, 2), 2, np.uint16)]], 0x1403, 0x8227, order=">", known={"KTXorientation": "S=r,T=u"}),
    ]  # fmt: skip
    block = np.arange(16, dtype=np.uint8).reshape(1, 16)
    made += [make.ktx2([[block]], number, size=(4, 4)) for number in (133, 135, 137, 139, 141, 145)]
    made += [make.ktx1([[block]], 0, 0, internal, size=(4, 4)) for internal in (0x83F1, 0x83F2, 0x8E8C)]
    return made


def dae() -> list[bytes]:
    from tests.engine.formats import test_collada as made

    lines = '<lines count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1</p></lines>'
    polygons = '<polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 3</p></polygons>'
    texts = [
        made.dae(), made.dae(made.TRIANGLE_SET, scene=False), made.dae(polygons), made.dae(lines + made.POLYLIST),
        made.dae(unit=".01", node="<translate>1 2 3</translate><rotate>0 0 1 90</rotate><scale>1 2 3</scale>"),
        made.dae(node='<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><node id="k"><instance_geometry url="#g"/></node>'),
    ]  # fmt: skip
    return [text.encode() for text in texts]


@cache
def kmodel() -> list[bytes]:
    import kinetree
    from kinetree.engine.storage.binary import to_bytes
    from tests.engine.storage import test_binary as made

    texts = ("<mujoco/>", made.TEXT, made.PLUGINS, made.FIELDS, made.SOFT)
    return [to_bytes(kinetree.load_string(text)) for text in texts]


def journal() -> list[bytes]:
    """The parts that `journal` of targets.py takes apart: state.json, a line, a text."""
    file = {"path": "/m/a.xml", "text": "a.txt", "base": None}
    state = {"format": 1, "main": "/m/a.xml", "time": 1.5, "files": [file, file | {"base": "a.txt"}], "replaces": ""}
    return [
        json.dumps(state).encode() + b"\n<mujoco/>",
        json.dumps(state | {"files": []}).encode() + b"\n",
        b"[" * 9000,
    ]


def settings() -> list[bytes]:
    from kinetree.app.settings.table import SETTINGS

    rows = [f"{row.key}={row.text(row.default)}" for row in SETTINGS if "/" not in row.key]
    groups: dict[str, list[str]] = {}
    for row in SETTINGS:
        group, _, name = row.key.rpartition("/")
        if group:
            groups.setdefault(group, []).append(f"{name}={row.text(row.default)}")
    plots = '{\\"plots\\": [{\\"mode\\": \\"time\\", \\"curves\\": [[\\"qpos\\", 0, 1, 0, true]]}], \\"span\\": 1, \\"events\\": [], \\"earlier\\": true}'
    text = "\n".join(
        ["[General]", *rows, "recent=/m/a.xml, /m/b.xml", 'keys="file.open\\nCtrl+O", "x\\n"', "folder=/m"]
    )
    for group, lines in groups.items():
        text += f"\n\n[{group}]\n" + "\n".join(lines)
    text += f'\n\n[models]\nplots="/m/a.xml\\n{plots}"\nwatch="/m/a.xml\\n[\\"qpos[0]\\"]", "x"\nviewports="/m/a.xml\\n{{}}"\n'
    text += "\n[layout]\nwindow=@ByteArray(\\0\\0\\0\\xff)\n"
    deep = f'[models]\nplots="/m/a.xml\\n{"[" * 6000}"\n'
    return [
        text.encode(),
        deep.encode(),
        b"[General]\ndegrees=true\nrecent=@Invalid()\nlanguage=@Variant(\\0\\0\\0\\x2\\0\\0\\0\\x5)\n",
    ]


def views() -> list[bytes]:
    camera = {"type": "tracking", "lookat": [0, 0, 1.5], "distance": 2, "azimuth": 90, "elevation": -10, "object": "a"}
    point = ["a", [0.1, 0, 1], "corner"]
    records = [
        [camera, camera | {"type": "fixed", "object": "c", "orthographic": True}], [[[point, [1, [0, 0, 0], ""]]]],
        [[[0, 0, 0], [0, 0, 1]]], [camera | {"lookat": [10**400, 0, 0]}],
    ]  # fmt: skip
    return [json.dumps(each).encode() for each in records] + [b"[" * 6000, b"[[[NaN, 1e999, 0], [0, 0, 1]]]"]


def motion_csv() -> list[bytes]:
    return [
        b"time,qpos/j,ctrl/m\n0,1,2\n.1,1.5,2\n",
        b't,"a b"\r\n0,1e3\r\n1,-2\r\n',
        "\ufefftime;x\n".encode() + b"0;1\n",
    ]


def motion_npz() -> list[bytes]:
    made = []
    for arrays in (
        {"time": np.arange(3.0), "values": np.ones((3, 2)), "names": np.array(["qpos/a", "b"])},
        {"t": np.arange(2.0), "qpos": np.ones((2, 3)), "k": np.array([True, False])},
        {"time": np.arange(2.0), "ctrl": np.ones((2, 1)), "names": np.array(["m"])},
    ):
        stream = io.BytesIO()
        np.savez(stream, **arrays)
        made.append(stream.getvalue())
    return made


def expressions() -> list[bytes]:
    texts = (
        "qpos[0]", 'joint("j").qpos', "norm(xpos[1]) + 2 * sin(time)", "-(energy[0] ** 2) / 1e-3", "other(qvel[0:2])",
        'deg(body("a").xquat)', "1 if qpos[0] > 0 else 2", "ctrl[0] - qpos[-1]", "contact.dist[0]",
    )  # fmt: skip
    return [text.encode() for text in texts]
