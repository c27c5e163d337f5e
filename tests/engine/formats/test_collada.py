"""COLLADA meshes: triangles and polygons in the places of the scene, in metres; damaged and hostile files."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import kinetree
from kinetree.engine.resources.meshfile import read
from kinetree.engine.resources.raw_mesh import BadMesh

BOX = "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1"
QUADS = "0 3 2 1 4 5 6 7 0 1 5 4 2 3 7 6 1 2 6 5 0 4 7 3"
TRIANGLES = " ".join(
    f"{a} {b} {c} {a} {c} {d}"
    for a, b, c, d in (q.split() for q in (" ".join(QUADS.split()[i : i + 4]) for i in range(0, 24, 4)))
)
POLYLIST = f'<polylist count="6"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4 4 4 4 4 4</vcount><p>{QUADS}</p></polylist>'
TRIANGLE_SET = f'<triangles count="12" material="none"><input semantic="VERTEX" source="#v" offset="0"/><p>{TRIANGLES}</p></triangles>'


def dae(faces: str = POLYLIST, unit: str = "1", node: str = "", points: str = BOX, scene: bool = True) -> str:
    text = (
        '<?xml version="1.0" encoding="utf-8"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
        f'<asset><unit name="u" meter="{unit}"/><up_axis>Y_UP</up_axis></asset>'
        '<library_geometries><geometry id="g"><mesh><source id="s">'
        f'<float_array id="a" count="24">{points}</float_array><technique_common><accessor source="#a" count="8" stride="3">'
        '<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>'
        f'</source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>{faces}</mesh></geometry></library_geometries>'
    )
    if scene:
        text += (
            f'<library_visual_scenes><visual_scene id="w"><node id="n">{node}<instance_geometry url="#g"><bind_material>'
            '<technique_common><instance_material symbol="none" target="#missing"/></technique_common></bind_material>'
            "</instance_geometry></node></visual_scene></library_visual_scenes>"
            '<scene><instance_visual_scene url="#w"/></scene>'
        )
    return text + "</COLLADA>"


@pytest.mark.parametrize("scene", [True, False])
@pytest.mark.parametrize("faces", [POLYLIST, TRIANGLE_SET])
def test_shapes(faces, scene):
    raw = read(dae(faces, scene=scene).encode(), "box.dae")
    assert len(raw.vert) == 8
    assert len(raw.face) == 12
    assert np.ptp(raw.vert, axis=0).tolist() == [1, 1, 1]


def test_units_and_places_count_up_axis_does_not():
    raw = read(dae(unit="0.01", node="<translate>5 0 0</translate><scale>2 1 3</scale>").encode(), "box.DAE")
    assert np.allclose(raw.vert.min(axis=0), (0.05, 0, 0))
    assert np.allclose(raw.vert.max(axis=0), (0.07, 0.01, 0.03))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "damaged"),
        ("<COLLADA", "damaged"),
        (dae()[:900], "damaged"),
        (dae("<lines/>"), "no triangles"),
        (dae(POLYLIST.replace("0 3 2", "0 99 2")), "COLLADA"),
        (dae(points="1e999 " + BOX[2:]), "infinite"),
        ('<!DOCTYPE x [<!ENTITY a "aaaa">]>' + dae(), "document type"),
        (dae().replace("utf-8", "utf-7"), "UTF-8"),
        (dae("<bind_material>" * 1000), "COLLADA"),
    ],
)
def test_bad_files(text, word):
    with pytest.raises(BadMesh, match=word):
        read(text.encode(), "x.dae")


def test_utf_16_is_refused():
    with pytest.raises(BadMesh, match="UTF-8"):
        read(dae().encode("utf-16"), "x.dae")


def test_a_robot_of_it(tmp_path):
    (tmp_path / "box.dae").write_text(dae())
    path = tmp_path / "r.urdf"
    path.write_text(
        '<robot name="r"><link name="a"><collision><geometry><mesh filename="package://gone/box.dae" scale="1 2 1"/>'
        "</geometry></collision></link></robot>"
    )
    model = kinetree.load(path)
    assert model.nmesh == 1
    assert np.isclose(np.prod(2 * model.geom_size[0]), 2)


def test_nothing_is_imported_before_it_is_needed():
    code = "import sys, kinetree; kinetree.load_string('<robot name=\"r\"/>'); print({'collada', 'lxml', 'PIL'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
