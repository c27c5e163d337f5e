"""Mutated models, with their files: a Model or a ModelError with a location, in bounded time and memory.

The checks of kinetree.engine.check run on what compiles. A quick share runs always; `-m slow` runs many more.
"""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kinetree
from kinetree.engine.check.run import examine
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.document.document import Document
from tests import malformed
from tests.conftest import ROOT
from tests.mutation import ODD, mutated_text
from tests.patience import LIMIT, ends

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


@pytest.fixture(scope="module", autouse=True)
def _warm():
    """Length ranges are found by simulating: the kernels for that are not part of any time below."""
    kinetree.load_string(
        '<mujoco><worldbody><body><joint name="j" range="0 9"/><geom size="1"/></body></worldbody>'
        '<actuator><muscle joint="j"/></actuator></mujoco>'
    )


def survive(document: Document) -> None:
    """Compile and check a document; nothing but a ModelError may come of it."""
    with ends():
        try:
            compiled = compile_document(document)
            items = [*compiled.diagnostics, *examine(compiled, document)]
            assert not any(item.severity is Severity.ERROR for item in items)
        except kinetree.ModelError as error:
            items = error.diagnostics
            assert any(item.severity is Severity.ERROR for item in items)
    for item in items:
        check_place(item)


def check_place(item: Diagnostic) -> None:
    assert item.file and item.line >= 1 and item.column >= 1
    assert item.message and "\n" not in item.message
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", item.code)


# ---- texts
# ------------------------------------------------------------------------------------------------------------


@settings(max_examples=120, suppress_health_check=QUIET)
@given(st.randoms(use_true_random=False))
def test_mutated_texts(random):
    survive(Document.from_string(*mutated_text(random)))


@pytest.mark.slow("many damaged texts and files")
@settings(max_examples=3000, suppress_health_check=QUIET)
@given(st.randoms(use_true_random=False))
def test_many_mutated_texts(random):
    survive(Document.from_string(*mutated_text(random)))


# ---- files
# ------------------------------------------------------------------------------------------------------------

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], "<f4")
FACES = [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3]  # fmt: skip
CORNERS = CUBE[np.array(FACES).reshape(-1, 3)]
OBJ = "\n".join(
    [f"v {x} {y} {z}" for x, y, z in CUBE]
    + ["vt 0 0", "vn 0 0 1"]
    + ["f " + " ".join(f"{i + 1}/1/1" for i in FACES[k : k + 3]) for k in range(0, 36, 3)]
).encode()
TEXT_STL = ("solid a\n" + "".join(
    "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in t) + "endloop\nendfacet\n"
    for t in CORNERS) + "endsolid\n").encode()  # fmt: skip
STL = bytes(80) + struct.pack("<I", 12) + b"".join(bytes(12) + t.tobytes() + bytes(2) for t in CORNERS)
MSH = struct.pack("<4i", 8, 0, 0, 12) + CUBE.tobytes() + np.array(FACES, "<i4").tobytes()
SKN = (
    struct.pack("<4i", 4, 0, 2, 1) + np.arange(12, dtype="<f4").tobytes() + np.array([0, 1, 2] * 2, "<i4").tobytes()
    + b"a".ljust(40, b"\0") + struct.pack("<7f", 0, 0, 0, 1, 0, 0, 0) + struct.pack("<i", 4)
    + np.arange(4, dtype="<i4").tobytes() + np.ones(4, "<f4").tobytes()
)  # fmt: skip
GMSH = b"""$MeshFormat
4.1 0 8
$EndMeshFormat
$Nodes
1 4 1 4
3 1 0 4
1
2
3
4
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
1 1 1 1
3 1 4 1
1 1 2 3 4
$EndElements
"""
PNG = malformed._png(4, 4, zlib.compress(b"".join(b"\0" + bytes(range(12)) for _ in range(4))))
HEIGHTS = struct.pack("<2i", 3, 3) + np.arange(9, dtype="<f4").tobytes()
CUSTOM_TEXTURE = struct.pack("<2i", 2, 2) + bytes(12)
MESH = '<mujoco><asset><mesh name="m" file="{}"/></asset><worldbody><body><joint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
TEXTURE = '<mujoco><asset><texture name="t" type="{}" file="{}" {}/><material name="m" texture="t"/></asset></mujoco>'
HFIELD = '<mujoco><asset><hfield name="h" file="{}" size="1 1 1 1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>'
FILES: dict[str, tuple[bytes, str]] = {
    "a.obj": (OBJ, MESH),
    "a.stl": (STL, MESH),
    "text.stl": (TEXT_STL, MESH),
    "a.msh": (MSH, MESH),
    "flex.obj": (OBJ, '<mujoco><worldbody><flexcomp name="f" type="mesh" file="{}" dim="2" radius=".01"/></worldbody></mujoco>'),
    "flex.msh": (GMSH, '<mujoco><worldbody><flexcomp name="f" type="gmsh" file="{}" dim="3" radius=".01"/></worldbody></mujoco>'),
    "a.skn": (SKN, '<mujoco><worldbody><body name="a"><geom size="1"/></body></worldbody><deformable><skin file="{}"/></deformable></mujoco>'),
    "a.png": (PNG, TEXTURE.replace("{}", "2d", 1).replace("{}/>", "/>")),
    "cube.png": (PNG, TEXTURE.replace("{}", "cube", 1).replace("{}/>", 'gridsize="1 1"/>')),
    "a.tex": (CUSTOM_TEXTURE, TEXTURE.replace("{}", "2d", 1).replace("{}/>", "/>")),
    "hills.png": (PNG, HFIELD),
    "hills.bin": (HEIGHTS, HFIELD),
    "part.xml": (b'<mujoco><worldbody><geom size="1"/></worldbody></mujoco>', '<mujoco><include file="{}"/></mujoco>'),
    "child.xml": (
        b'<mujoco><worldbody><body name="b"><joint/><geom size="1"/></body></worldbody></mujoco>',
        '<mujoco><asset><model name="c" file="{}"/></asset><worldbody><attach model="c" body="b" prefix="p"/></worldbody></mujoco>',
    ),
}  # fmt: skip


def load_with(name: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_bytes(data)
        path = Path(folder, "model.xml")
        path.write_text(FILES[name][1].replace("{}", name))
        survive(Document.load(path))


@st.composite
def mutated_file(draw):
    name = draw(st.sampled_from(sorted(FILES)))
    data = bytearray(FILES[name][0])
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["cut", "byte", "word", "repeat", "token"]))
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        if kind == "cut":
            data = data[:at]
        elif kind == "byte" and data:
            data[at] = draw(st.integers(0, 255))
        elif kind == "word":
            words = [
                b"\xff\xff\xff\xff",
                bytes(4),
                b"\xff\xff\xff\x7f",
                b"\0\0\xc0\x7f",
                b"\0\0\x80\x7f",
                b"\0\0\0\x80",
            ]
            data[at & ~3 : (at & ~3) + 4] = draw(st.sampled_from(words))
        elif kind == "repeat":
            data += data[:at]
        else:
            tokens = bytes(data).split(b" ")
            tokens[draw(st.integers(0, len(tokens) - 1))] = draw(st.sampled_from(ODD)).encode()
            data = bytearray(b" ".join(tokens))
    return name, bytes(data)


@settings(max_examples=120, suppress_health_check=QUIET)
@given(mutated_file())
def test_mutated_files(case):
    load_with(*case)


@pytest.mark.slow("many damaged texts and files")
@settings(max_examples=3000, suppress_health_check=QUIET)
@given(mutated_file())
def test_many_mutated_files(case):
    load_with(*case)


ESCAPES = [
    "../../../../../../../../etc/passwd", "/etc/passwd", "/dev/zero", "/dev/stdin", "/proc/self/mem", ".", "..", "/", "a\\..\\b",
    "http://localhost:1/a.png", "file:///etc/passwd", "~/x.png", "$HOME/x.png", "%00.png", "x" * 5000, "x/" * 3000, "loop",
    "pipe", "CON", "model.xml", "data:image/png;base64,AAAA", "\ud800.png",
]  # fmt: skip


@pytest.mark.parametrize("kind", sorted(FILES))
def test_paths_that_lead_elsewhere(kind, tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    path = tmp_path / "model.xml"
    for name in ESCAPES:
        path.write_text(FILES[kind][1].replace("{}", name), errors="surrogatepass")
        with ends(), pytest.raises(kinetree.ModelError) as caught:
            kinetree.load(path)
        assert "root:" not in str(caught.value)


# ---- memory
# -----------------------------------------------------------------------------------------------------------

_W = "<mujoco>{}<worldbody>{}</worldbody>{}</mujoco>"
HEAVY = {
    "a grid of points": _W.format("", '<flexcomp name="f" type="grid" count="100000 100000 1" spacing="1 1 1" radius=".01"/>', ""),
    "points that are bodies": _W.format("", '<flexcomp name="f" type="grid" count="300 300 1" spacing="1 1 1" radius=".01"/>', ""),
    "a cable": _W.format("", '<composite type="cable" curve="s" count="1000000000 1 1" size="1" prefix="c"><geom type="capsule" size=".01"/></composite>', ""),
    "heights": _W.format('<asset><hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/></asset>', "", ""),
    "a texture": _W.format('<asset><texture name="t" builtin="flat" type="2d" width="100000" height="100000"/></asset>', "", ""),
    "replicas": _W.format("", '<replicate count="1000"><replicate count="1000"><replicate count="1000"><geom size="1"/></replicate></replicate></replicate>', ""),
    "keyframes": _W.format('<size nkey="1000000"/>', '<replicate count="300"><body><freejoint/><geom size="1"/></body></replicate>', ""),
    "user numbers": _W.format('<size nuser_geom="1000000"/>', '<replicate count="3000"><geom size="1"/></replicate>', ""),
    "activations": _W.format("", '<body><joint name="j"/><geom size="1"/></body>', '<actuator><general joint="j" dyntype="user" actdim="2000000000"/></actuator>'),
    "bodies": _W.format("", '<replicate count="30000"><body><freejoint/><geom size="1"/></body></replicate>', ""),
    "copied keyframes": _W.format("", '<replicate count="2000"><body><freejoint/><geom size="1"/></body></replicate>', "<keyframe>" + "<key/>" * 5000 + "</keyframe>"),
}  # fmt: skip


def test_memory_is_bounded(tmp_path):
    """All of them in one process that may not have more than 2 GB."""
    for k, text in enumerate(HEAVY.values()):
        (tmp_path / f"{k}.xml").write_text(text)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)); import kinetree\n"
        "for path in sys.argv[1:]:\n"
        "    try: kinetree.load(path); print('loaded', path)\n"
        "    except kinetree.ModelError as error: assert error.diagnostics[0].line\n"
    )
    paths = [str(tmp_path / f"{k}.xml") for k in range(len(HEAVY))]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, *paths], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, env=environment, check=False
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
