"""Errors are reported at their places: "§" marks where each diagnostic must point."""

from __future__ import annotations

import pytest

import kinetree

BODY = "<body name='b'>§<joint name='j' {}/><geom size='.1'/></body>"


def _world(text: str) -> str:
    return f"<mujoco><worldbody>{text}</worldbody></mujoco>"


def _scene(text: str) -> str:
    return (
        "<mujoco><worldbody><body name='arm'><joint name='elbow' range='0 1'/><geom name='skin' size='.1'/>"
        "<site name='tip'/></body><body name='ball'><joint name='socket' type='ball'/><geom size='.1'/></body>"
        f"</worldbody>{text}</mujoco>"
    )


CASES = [
    ("bad-size", _world("<geom type='box' size='§1 1'/>")),
    ("bad-size", _world("§<geom/>")),
    ("bad-size", _world("<geom type='plane' size='§1 1'/>")),
    ("bad-value", _world("<geom size='1' condim='§2'/>")),
    ("bad-value", _world("<geom type='capsule' size='1' fromto='§0 0 0 0 0 0'/>")),
    ("bad-value", _world("<geom type='sphere' size='1' fromto='§0 0 0 0 0 1'/>")),
    ("out-of-range", _world("<geom size='1' quat='§0 0 0 0'/>")),
    ("bad-orientation", _world("<geom size='1' axisangle='§0 0 0 1'/>")),
    ("bad-orientation", _world("<geom size='1' xyaxes='§1 0 0 2 0 0'/>")),
    ("bad-orientation", _world("<body zaxis='§0 0 0'/>")),
    ("not-finite", _world("<geom size='1' pos='§0 0 inf'/>")),
    ("undefined-reference", _world("<geom size='1' material='§gold'/>")),
    ("bad-place", _world("<body><body>§<freejoint/><geom size='1'/></body></body>")),
    ("bad-place", _world("<body><freejoint/><geom type='§plane' size='1 1 1'/><geom size='1'/></body>")),
    ("bad-joints", _world("<body><joint type='ball'/>§<joint/><geom size='1'/></body>")),
    ("bad-mocap", _world("<body mocap='§true'><joint/><geom size='1'/></body>")),
    ("no-mass", _world("§<body><joint/></body>")),
    ("no-mass", _world("§<body><joint/><geom size='1' mass='0'/></body>")),
    ("bad-inertia", _world("<body><inertial pos='0 0 0' mass='1' diaginertia='§1 1 3'/></body>")),
    ("bad-inertia", _world("<body><inertial pos='0 0 0' mass='1' fullinertia='§1 1 1 2 0 0'/></body>")),
    ("bad-value", _world("<body><inertial pos='0 0 0' mass='§-1' diaginertia='1 1 1'/></body>")),
    ("bad-range", _world("<body><joint range='§1 0' limited='true'/><geom size='1'/></body>")),
    ("bad-range", _world("<body><joint type='ball' range='§1 2'/><geom size='1'/></body>")),
    ("bad-value", _world("<body><joint axis='§0 0 0'/><geom size='1'/></body>")),
    (
        "unlimited-range",
        "<mujoco><compiler autolimits='false'/><worldbody><body><joint range='§0 1'/><geom size='1'/></body>"
        "</worldbody></mujoco>",
    ),
    ("bad-value", _world("<replicate count='§0'><geom size='1'/></replicate>")),
    ("too-many-elements", _world("<replicate count='§1000000000'><geom size='1'/></replicate>")),
    ("bad-value", _world("<light dir='§0 0 0'/>")),
    ("bad-mesh", "<mujoco><asset><mesh name='m' vertex='§0 0 0 1 0 0 0 1 0'/></asset></mujoco>"),
    (
        "bad-mesh",
        "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='§0 1 7'/></asset></mujoco>",
    ),
    ("missing-file", "<mujoco><asset><mesh file='§nowhere.stl'/></asset></mujoco>"),
    ("bad-file", "<mujoco><asset><mesh file='§https://example.org/a.stl'/></asset></mujoco>"),
    ("bad-texture", "<mujoco><asset><texture name='t' builtin='flat' width='§0'/></asset></mujoco>"),
    (
        "bad-texture",
        "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='§100000' height='9'/></asset></mujoco>",
    ),
    ("wrong-count", _scene("<keyframe><key qpos='§1 2'/></keyframe>")),
    ("bad-reference", _scene("<sensor><jointpos joint='§socket'/></sensor>")),
    ("bad-reference", _scene("<sensor><ballquat joint='§elbow'/></sensor>")),
    ("bad-reference", _scene("<equality><joint joint1='§socket'/></equality>")),
    ("exclusive-attributes", _scene("<actuator><motor joint='elbow' jointinparent='§socket'/></actuator>")),
    ("missing-attribute", _scene("<actuator>§<motor/></actuator>")),
    ("exclusive-attributes", _scene("<actuator><general joint='elbow' actrange='§0 1'/></actuator>")),
    ("exclusive-attributes", _scene("<actuator><position joint='elbow' kv='1' dampratio='§1'/></actuator>")),
    ("bad-value", "<mujoco><default><default class='a'><position kv='1' dampratio='§1'/></default></default></mujoco>"),
    (
        "bad-value",
        "<mujoco><default><motor ctrlrange='0 1'/><default class='a'><position inheritrange='§1'/></default></default>"
        "</mujoco>",
    ),
    ("missing-attribute", _scene("<equality><§connect body1='arm'/></equality>")),
    (
        "bad-value",
        _world("<composite type='cable' count='§3' prefix='c'><geom type='box' size='.1 .1 .1'/></composite>"),
    ),
    ("bad-path", _scene("<tendon><spatial><site site='tip'/>§<site site='tip'/></spatial></tendon>")),
    ("missing-element", _scene("<tendon>§<spatial/></tendon>")),
    ("missing-element", _scene("<tendon>§<spatial><site site='tip'/></spatial></tendon>")),
    ("bad-path", _scene("<tendon><spatial><site site='tip'/>§<geom geom='skin'/></spatial></tendon>")),
    (
        "undefined-reference",
        _scene("<tendon><spatial><site site='tip'/><site site='§tap'/></spatial></tendon>"),
    ),
    ("undefined-reference", _scene("<actuator><motor site='§tap'/></actuator>")),
    ("missing-attribute", _scene("<actuator>§<motor cranksite='tip' cranklength='1'/></actuator>")),
    ("bad-value", _scene("<actuator><motor cranksite='tip' slidersite='tip' cranklength='§0'/></actuator>")),
    ("bad-value", _scene("<actuator><muscle joint='elbow' lengthrange='0 1' range='§1 .5'/></actuator>")),
    ("bad-value", _scene("<actuator><muscle joint='elbow' lengthrange='0 1' lmax='§.9'/></actuator>")),
    (
        "no-length-range",
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"
        "<actuator>§<muscle joint='j'/></actuator></mujoco>",
    ),
    (
        "no-length-range",
        _scene("<compiler><lengthrange mode='all'/></compiler><actuator>§<motor site='tip'/></actuator>"),
    ),
    ("bad-value", "<mujoco><size nkey='§-1'/></mujoco>"),
]


@pytest.mark.parametrize(("code", "marked"), CASES, ids=[f"{i}-{code}" for i, (code, _) in enumerate(CASES)])
def test_place_and_code(code, marked):
    marked = marked.replace("><", ">\n<")
    before, text = marked.split("§")[0], marked.replace("§", "")
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string(text)
    found = [(d.code, d.line, d.column) for d in caught.value.diagnostics]
    assert (code, before.count("\n") + 1, len(before) - before.rfind("\n")) in found, str(caught.value)


def test_several_at_once():
    text = _world("<geom size='0'/><geom size='1' condim='2'/><geom type='box' size='1'/>")
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string(text)
    assert len(caught.value.diagnostics) >= 3


def test_nearest_name():
    text = _scene("<actuator><motor joint='elbwo'/></actuator>")
    with pytest.raises(kinetree.ModelError, match="elbow"):
        kinetree.load_string(text)


def test_default_class_is_the_place():
    text = "<mujoco><default><geom condim='1' pos='0 0 inf'/></default><worldbody><geom size='1'/></worldbody></mujoco>"
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string(text)
    assert caught.value.diagnostics[0].column == text.index("0 0 inf") + 1


WARNINGS = {
    "singular-inertia": _world("<body><joint/><joint/><geom size='1'/></body>"),
    "first-coordinate": _scene("<tendon><fixed><joint joint='socket' coef='1'/></fixed></tendon>"),
}


@pytest.mark.parametrize("code", WARNINGS)
def test_warnings(code):
    from kinetree.engine.compile.compiler import compile_document
    from kinetree.engine.document.document import Document

    compiled = compile_document(Document.from_string(WARNINGS[code]))
    assert [d.code for d in compiled.diagnostics.warnings] == [code]


def test_progress_and_cancel():
    from kinetree.engine.compile.compiler import compile_document
    from kinetree.engine.document.document import Document
    from kinetree.engine.progress import Cancelled

    document = Document.from_string(_world("<geom size='1'/>"))
    seen = []
    compile_document(document, progress=lambda done, total, name: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] == len(seen) - 1
    with pytest.raises(Cancelled):
        compile_document(document, cancelled=lambda: len(seen) > 0)


def test_deep_nesting_is_no_crash():
    depth = 450
    text = _world("<body>" * depth + "<geom size='1'/>" + "</body>" * depth)
    assert kinetree.load_string(text).nbody == depth + 1
    frames = _world("<frame>" * depth + "<geom size='1'/>" + "</frame>" * depth)
    assert kinetree.load_string(frames).ngeom == 1
    copies = _world("<replicate count='2'>" * 30 + "<geom size='1'/>" + "</replicate>" * 30)
    with pytest.raises(kinetree.ModelError, match="too-many-elements"):
        kinetree.load_string(copies)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (_scene("<actuator><damper name='a' joint='elbow'/></actuator>"), "damper 'a' needs ctrlrange"),
        (_scene("<actuator><intvelocity joint='elbow'/></actuator>"), "intvelocity needs actrange"),
        (_scene("<actuator><motor joint='elbow' ctrllimited='true'/></actuator>"), "ctrllimited is true, but"),
        (_scene("<keyframe><key qpos='1'/></keyframe>"), "qpos has 1 number, but the model has 5 joint positions; add 4"),
        (_scene("<extension><plugin plugin='mujoco.test.sensor'/></extension>"), "there are mujoco.pid, "),
        (_scene("<extension><plugin plugin='mujoco.sensors.touchgrid'/></extension>"), "did you mean 'mujoco.sensor.touch_grid'"),
        ("<mujocoinclude/>", "this file is a part that others include"),
        ("<mujoco><geom size='1'/></mujoco>", "this file is a part that others include"),
        ("<mujoco><sensor><geom size='1'/></sensor></mujoco>", r"or 'spatial' \["),
        (_world("<flexcomp name='f' type='direct' point='0 0 0 1 0 0' element='0 3' dim='1'/>"), "points are numbered 0 to 1"),
    ],
)  # fmt: skip
def test_words(text, words):
    with pytest.raises(kinetree.ModelError, match=words):
        kinetree.load_string(text)


def test_a_name_that_another_file_has(tmp_path):
    (tmp_path / "kid.xml").write_text(_world("<body name='b'/>"))
    text = (
        "<mujoco><asset><model name='k' file='kid.xml'/></asset><worldbody><body name='p_b'/>"
        "<attach model='k' body='b' prefix='p_'/></worldbody></mujoco>"
    )
    (tmp_path / "main.xml").write_text(text)
    with pytest.raises(kinetree.ModelError, match=r"kid\.xml.*line 1 of .*main\.xml"):
        kinetree.load(tmp_path / "main.xml")
