"""URDF: what differs from the reference on purpose, where files are looked for, errors and remarks at their place.

What is the same as the reference is compared in tests/oracle (cases/urdf.txt, fused.txt).
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine import translation
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from kinetree.engine.formats import urdf_table
from tests.oracle.compiled import differences

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1.5" izz="2" ixy="0" ixz="0" iyz="0"/></inertial>'
KEEP = '<mujoco><compiler discardvisual="false" fusestatic="false"/></mujoco>'
BOX = """v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 3 4 8 7
f 2 3 7 6
f 1 5 8 4
"""


def link(name: str, inside: str = MASS) -> str:
    return f"<link name='{name}'>{inside}</link>"


def joint(name: str, kind: str, parent: str, child: str, inside: str = "") -> str:
    return f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>{inside}</joint>"


def robot(inside: str, head: str = KEEP) -> str:
    return f"<robot name='r'>{head}{inside}</robot>"


def mesh(name: str, scale: str = "", tag: str = "collision") -> str:
    return f"<{tag}><geometry><mesh filename='{name}'{scale}/></geometry></{tag}>"


def findings(text: str, folder=None) -> list:
    return list(compile_document(Document.from_string(text, folder)).diagnostics)


# ---- different on purpose -----------------------------------------------------------------------------


def test_the_axes_of_an_inertial_count():
    """mujoco 3.3.4 reads them and takes the axes of the inertia alone; URDF gives the matrix in the turned frame."""
    text = robot(
        link("world", "")
        + joint("j", "revolute", "world", "a")
        + link("a", MASS.replace("<mass", "<origin rpy='0 0 1.5707963267948966'/><mass"))
    )
    ours, theirs = kinetree.load_string(text), mujoco.MjModel.from_xml_string(text)
    assert set(differences(ours, theirs)) & {"body_iquat"}
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, ours.body_iquat[1])
    matrix = matrix.reshape(3, 3)
    assert np.allclose(matrix @ np.diag(ours.body_inertia[1]) @ matrix.T, np.diag([1.5, 1, 2]))


def test_a_mesh_that_comes_again_with_its_scale_is_the_scaled_one(tmp_path):
    """mujoco 3.3.4 gives the last one the mesh without a scale."""
    (tmp_path / "m.obj").write_text(BOX)
    shapes = mesh("m.obj") + mesh("m.obj", " scale='1 1 2'") + mesh("m.obj", " scale='1 1 2'")
    path = tmp_path / "r.urdf"
    path.write_text(robot(link("a", shapes)))
    ours, theirs = kinetree.load(path), mujoco.MjModel.from_xml_path(str(path))
    assert ours.geom_dataid.tolist() == [0, 1, 1]
    assert theirs.geom_dataid.tolist() == [0, 1, 0]
    assert ours.names["mesh"] == ["m", "m1"]
    path.write_text(robot(link("a", mesh("m.obj") + mesh("m.obj", " scale='1 1 2'") + mesh("m.obj"))))
    assert not differences(kinetree.load(path), mujoco.MjModel.from_xml_path(str(path)))


def test_mimic():
    text = robot(
        link("world", "")
        + "".join(link(name) for name in "abc")
        + joint("leader", "revolute", "world", "a")
        + joint("same", "revolute", "world", "b", "<mimic joint='leader'/>")
        + joint("other", "prismatic", "world", "c", "<mimic joint='leader' multiplier='-2' offset='.5'/>")
    )
    model = kinetree.load_string(text)
    assert model.neq == 2
    names = model.names["joint"]
    assert [(names[a], names[b]) for a, b in zip(model.eq_obj1id, model.eq_obj2id)] == [
        ("same", "leader"),
        ("other", "leader"),
    ]
    assert model.eq_data[:, :5].tolist() == [[0, 1, 0, 0, 0], [0.5, -2, 0, 0, 0]]


@pytest.mark.parametrize("inside", ["<mimic joint='nobody'/>", "<mimic/>", "<mimic joint='f'/>"])
def test_a_mimic_that_cannot_be_followed_is_left_out(inside):
    text = robot(
        link("world", "")
        + link("a")
        + link("b")
        + joint("f", "floating", "world", "a")
        + joint("j", "revolute", "world", "b", inside)
    )
    assert [item.severity for item in findings(text)] == ["warning"]
    assert kinetree.load_string(text).neq == 0


# ---- files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("m.obj", "package://other/place/m.obj"),  # the reference's: folders do not count
        ("parts/m.obj", "parts/m.obj"),
        ("parts/m.obj", r"parts\m.obj"),
        ("../meshes/m.obj", "package://bot/meshes/m.obj"),
        ("../meshes/m.obj", "package://renamed/meshes/m.obj"),
        ("../../else/m.obj", "package://else/m.obj"),
        ("../meshes/m.obj", "file://{folder}/bot/meshes/m.obj"),
        ("../meshes/m.obj", "{folder}/bot/meshes/m.obj"),
    ],
)
def test_where_meshes_are_found(tmp_path, file, name):
    folder = tmp_path / "bot" / "urdf"
    target = folder / file
    for place in (folder, target.parent):
        place.mkdir(parents=True, exist_ok=True)
    target.write_text(BOX)
    path = folder / "r.urdf"
    path.write_text(robot(link("a", mesh(name.format(folder=tmp_path)))))
    compiled = compile_document(Document.load(path))
    assert compiled.model.nmesh == 1
    assert str(target.resolve()) in compiled.files
    told = [item.code for item in compiled.diagnostics]
    assert told == ([] if file == "m.obj" else ["found-elsewhere"])


def test_meshdir_goes_first(tmp_path):
    for place in ("", "low"):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / "m.obj").write_text(BOX.replace("v 1 1 1", "v 1 1 2") if place else BOX)
    path = tmp_path / "r.urdf"
    head = "<mujoco><compiler meshdir='low' fusestatic='false'/></mujoco>"
    path.write_text(robot(link("a", mesh("package://x/m.obj")), head))
    assert kinetree.load(path).mesh_vert.max() > 1
    assert not set(differences(kinetree.load(path), mujoco.MjModel.from_xml_path(str(path)))) - {"mesh_face"}


def test_meshes_are_not_fetched():
    text = robot(link("a", mesh("http://example.org/m.obj")))
    with pytest.raises(kinetree.ModelError, match="URL"):
        kinetree.load_string(text)


def test_shapes_that_are_not_kept_are_not_read(tmp_path):
    text = robot(link("a", MASS + mesh("nowhere.stl", tag="visual")), "")
    assert kinetree.load_string(text, tmp_path).nmesh == 0
    assert [item.code for item in findings(text, tmp_path)] == ["visuals-discarded"]


# ---- places -------------------------------------------------------------------------------------------


def test_objects_know_their_elements():
    text = robot("\n" + link("world", "") + "\n" + link("a") + "\n" + joint("j", "revolute", "world", "a"))
    model = kinetree.load_string(text)
    assert model.provenance.origin("body", 1).node.line == 3
    assert model.provenance.origin("joint", 0).node.line == 4


CHAIN = link("world", "") + link("a")


@pytest.mark.parametrize(
    ("code", "marked"),
    [
        ("missing-attribute", robot("<§link/>")),
        ("repeated-name", robot(link("a") + link("§a"))),
        ("repeated-name", robot(CHAIN + link("b") + joint("j", "revolute", "world", "a") + joint("§j", "revolute", "world", "b"))),
        ("undefined-reference", robot(CHAIN + joint("j", "revolute", "wrld§", "a").replace("wrld§'", "wrld'").replace("'wrld", "'§wrld"))),
        ("bad-choice", robot(CHAIN + joint("j", "§revolut", "world", "a"))),
        ("missing-element", robot(CHAIN + "<§joint name='j' type='fixed'><parent link='world'/></joint>")),
        ("two-parents", robot(CHAIN + joint("j", "fixed", "world", "a") + joint("k", "fixed", "world", "§a"))),
        ("joint-loop", robot(link("a") + link("b") + joint("j", "fixed", "§b", "a") + joint("k", "fixed", "a", "b"))),
        ("world-moves", robot(link("a") + link("world", "") + joint("j", "revolute", "a", "§world"))),
        ("bad-value", robot(CHAIN + joint("j", "revolute", "world", "a", "<axis xyz='§0 0 0'/>"))),
        ("not-a-number", robot(CHAIN + joint("j", "revolute", "world", "a", "<limit lower='§x'/>"))),
        ("wrong-count", robot(CHAIN + joint("j", "revolute", "world", "a", "<origin xyz='§1 2'/>"))),
        ("not-finite", robot(CHAIN + joint("j", "revolute", "world", "a", "<origin xyz='§1 2 inf'/>"))),
        ("bad-size", robot(link("a", "<collision><geometry><box size='§1 1 0'/></geometry></collision>"))),
        ("bad-size", robot(link("a", "<collision><geometry><sphere radius='§0'/></geometry></collision>"))),
        ("missing-element", robot(link("a", "<collision>§<geometry/></collision>"))),
        ("missing-element", robot(link("a", "<§collision/>"))),
        ("missing-file", robot(link("a", mesh("§nowhere.stl")))),
        ("missing-file", robot(link("a", mesh("").replace("filename", "§filename")))),
        ("bad-inertia", robot(link("a", MASS.replace('"1.5"', '"-1"').replace("<inertia ", "§<inertia ")))),
        ("missing-attribute", robot("§<material/>")),
        ("bad-choice", robot("", "<mujoco><compiler discardvisual='§maybe'/></mujoco>")),
        ("repeated-element", robot("", "<mujoco/><§mujoco/>")),
    ],
)  # fmt: skip
def test_errors_stand_at_their_place(code, marked, tmp_path):
    at = marked.index("§")
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string(marked.replace("§", ""), tmp_path)
    errors = [item for item in caught.value.diagnostics if item.severity == "error"]
    assert [(e.code, e.column) for e in errors] == [(code, at + 1)]


@pytest.mark.parametrize(
    ("severity", "code", "marked"),
    [
        ("warning", "unknown-element", robot("<§lnk name='a'/>")),
        ("warning", "unknown-attribute", robot("<link name='a' §nam='b'/>")),
        ("warning", "unknown-attribute", robot("", "<mujoco><compiler §discardvisuals='false'/></mujoco>")),
        ("info", "ignored-element", robot("<§gazebo/><gazebo/>")),
        ("info", "ignored-element", robot("<§xacro:include filename='x'/>")),
        ("warning", "bad-range", robot(CHAIN + joint("j", "revolute", "world", "a", "<limit lower='§1' upper='-1'/>"))),
        ("warning", "limited-continuous", robot(CHAIN + joint("j", "continuous", "world", "a", "<limit lower='§-1' upper='1'/>"))),
    ],
)  # fmt: skip
def test_what_has_no_effect_is_told(severity, code, marked):
    at = marked.index("§")
    found = findings(marked.replace("§", ""))
    assert [(item.severity, item.code, item.column) for item in found] == [(severity, code, at + 1)]


def test_elements_for_other_programs_are_counted():
    text = robot("<gazebo/><link name='a'><gazebo/><sensor/></link><gazebo reference='a'><material/></gazebo>")
    assert [(item.code, item.message) for item in findings(text)] == [
        ("ignored-element", "3 elements <gazebo> are left out: settings for the simulator Gazebo"),
        ("ignored-element", "<sensor> is left out: sensors for other programs"),
    ]
    translation.install(["de"])
    try:
        assert findings(text)[0].message == (
            "3 Elemente <gazebo> werden ausgelassen: Einstellungen für den Simulator Gazebo"
        )
        assert all(translation.tr(what) != what for what in urdf_table.IGNORED.values())
    finally:
        translation.install(["en"])


def test_deep_chains():
    count = 3000
    text = "".join(link(str(i)) for i in range(count))
    text += "".join(joint(f"j{i}", "fixed", str(i), str(i + 1)) for i in range(count - 1))
    with pytest.raises(kinetree.ModelError, match="too-deep"):
        kinetree.load_string(robot(text))


def test_a_mesh_that_is_nowhere_is_told_as_it_was_written(tmp_path):
    text = robot(link("a", mesh("package://bot/meshes/m.obj")))
    with pytest.raises(kinetree.ModelError, match=r"there is no file 'package://bot/meshes/m\.obj'"):
        kinetree.load_string(text, tmp_path)


def test_a_number_that_is_none():
    text = robot(link("a", "<collision><origin xyz='nan 0 0'/><geometry><sphere radius='1'/></geometry></collision>"))
    with pytest.raises(kinetree.ModelError, match="not-finite"):
        kinetree.load_string(text)
