"""Each check finds what it is for, at the place marked with §, and nothing in the model beside it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from kinetree.engine.check import explanations
from kinetree.engine.check.run import STEPS, examine, switched_off
from kinetree.engine.check.table import CHECKS, TABLE
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.document.document import Document
from tests.conftest import ROOT

CUBE = 'vertex="0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1"'
FACES = "0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5"
INVERTED = " ".join(" ".join((a, c, b)) for a, b, c in re.findall(r"(\d) (\d) (\d)", FACES))


def world(inside: str, rest: str = "") -> str:
    return f"<mujoco>{rest}<worldbody>{inside}</worldbody></mujoco>"


def hinge(attributes: str, rest: str = "", head: str = "") -> str:
    return f'<mujoco>{head}<worldbody><body name="b"><joint name="j" {attributes}/><geom size=".1"/></body></worldbody>{rest}</mujoco>'


def mesh(attributes: str, geom: str = "") -> str:
    return world(
        f'<body><freejoint/><geom type="mesh" mesh="m" {geom}/></body>',
        f'<asset><mesh name="m" {attributes}/></asset>',
    )


def arm(joint: str, actuator: str, head: str = "") -> str:
    return hinge(joint, f"<actuator>{actuator}</actuator>", head)


def loop(equality: str) -> str:
    return (
        '<mujoco><worldbody><body name="a"><joint/><geom size=".1"/><site name="s"/>'
        '<body name="b" pos="1 0 0"><joint/><geom size=".1"/>'
        '<body name="c" pos="1 0 0"><joint/><geom size=".1"/><site name="t"/><site name="u" pos="-2 0 0"/>'
        f"</body></body></body></worldbody><equality>{equality}</equality></mujoco>"
    )


#: code -> (model with § where the finding stands, models that are in order)
CASES: dict[str, list[tuple[str, list[str]]]] = {
    "implausible-density": [
        (
            world('<body><joint/><geom size=".1" §mass="9000"/></body>'),
            [
                world('<body><joint/><geom size=".1" mass="80"/></body>'),
                world('<body><geom size=".1" mass="9000"/></body>'),
                world('<body><joint/><geom size=".1" mass="0"/><geom size=".1" pos="1 0 0"/></body>'),
            ],
        ),
        (world('<body><joint/><geom size=".1" §density=".001"/></body>'), []),
    ],
    "implausible-inertia": [
        (
            world('<body><joint/><inertial pos="0 0 0" mass="1" §diaginertia="4000 4000 4000"/><geom size=".1"/></body>'),
            [world('<body><joint/><inertial pos="0 0 0" mass="1" diaginertia=".004 .004 .004"/><geom size=".1"/></body>')],
        ),
    ],
    "implausible-size": [
        (mesh(f'{CUBE} §scale="800 800 800"'), [mesh(f'{CUBE} scale=".8 .8 .8"'), mesh(f'{CUBE} scale="800 800 800"').replace("<body>", '<geom type="plane" size="90 90 1"/><body pos="0 0 900">')]),
    ],
    "too-many-lights": [
        (
            world("<light/>" * 127 + "<§light/>" + "<light/>" * 3),
            [world("<light/>" * 127), world("<light/>" * 127 + '<light active="false"/>' * 9)],
        ),
        (world("<light castshadow='false'/>" * 128 + "<§light castshadow='false'/>", '<visual><headlight active="0"/></visual>'), []),
    ],
    "too-many-shadows": [
        (
            world('<light type="point"/>' * 21 + '<light type="point" §castshadow="true"/><light type="directional"/>'),
            [world('<light type="point"/>' * 21 + '<light type="point" castshadow="false"/>' * 9), world("<light/>" * 100)],
        ),
        (world('<light type="directional"/>' * 60 + '<light cutoff="80"/><§light/>'), []),
    ],
    "angle-unit": [
        (hinge('§range="-90 90"', head='<compiler angle="radian"/>'), [hinge('range="-1.57 1.57"', head='<compiler angle="radian"/>'), hinge('range="-90 90"')]),
        (hinge('§range="-1.5708 0"'), [hinge('range="-1.5 0"'), hinge('range="0 180"')]),
    ],
    "rest-outside-range": [(hinge('§range="10 40"'), [hinge('range="0 40"'), hinge('range="10 40" ref="20"')])],
    "keyframe-outside-range": [
        (hinge('range="-40 40"', '<keyframe><key/><key §qpos="2"/></keyframe>'), [hinge('range="-40 40"', '<keyframe><key qpos=".5"/></keyframe>')]),
        (
            arm("", '<motor joint="j" ctrlrange="-1 1"/>').replace("</mujoco>", '<keyframe><key §ctrl="2"/></keyframe></mujoco>'),
            [arm("", '<motor joint="j" ctrlrange="-1 1"/>').replace("</mujoco>", '<keyframe><key ctrl="-1"/></keyframe></mujoco>')],
        ),
    ],
    "narrow-range": [(hinge('type="slide" §range="0 1e-6"'), [hinge('type="slide" range="0 1e-3"')])],
    "redundant-inertial": [
        (
            world('<body><joint/>§<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom size=".5"/></body>', '<compiler inertiafromgeom="true"/>'),
            [world('<body><joint/><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/><geom size=".5"/></body>')],
        ),
    ],
    "mass-ignored": [
        (
            world('<body><joint/><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/><geom size=".5" §mass="3"/></body>'),
            [world('<body><joint/><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/><geom size=".5" mass="0"/></body>')],
        ),
    ],
    "range-off": [(hinge('limited="false" §range="0 3"'), [hinge('limited="true" range="0 3"'), hinge('range="0 0" limited="false"')])],
    "unused-class": [
        (
            world('<body><joint/><geom size=".1" class="used"/></body>', '<default><default class="used"/><default §class="idle"/></default>'),
            [world('<body childclass="inner"><joint/><geom size=".1"/></body>', '<default><default class="outer"><default class="inner"/></default></default>')],
        ),
    ],
    "unused-asset": [
        (
            world('<geom size=".1"/>', '<asset><§material name="idle"/></asset>'),
            [
                world('<geom size=".1" material="m"/>', '<asset><texture name="t" builtin="flat" type="2d" width="4" height="4"/><material name="m" texture="t"/></asset>'),
                world('<geom size=".1"/>', '<asset><texture type="skybox" builtin="flat" width="4" height="4"/></asset>'),
                world('<geom type="box" mesh="m"/>', f'<asset><mesh name="m" {CUBE}/></asset>'),
            ],
        ),
    ],
    "open-mesh": [
        (mesh(f'{CUBE} §face="{FACES[6:]}"'), [mesh(f'{CUBE} face="{FACES}"'), mesh(CUBE), mesh(f'{CUBE} face="{FACES[6:]}" inertia="convex"'), mesh(f'{CUBE} face="{FACES[6:]}"', 'mass="0"').replace("<freejoint/>", '<freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>')]),
    ],
    "inside-out-mesh": [(mesh(f'{CUBE} inertia="convex" §face="{INVERTED}"'), [mesh(f'{CUBE} inertia="convex" face="{FACES}"')])],
    "overlap-at-rest": [
        (
            world('<body name="a"><freejoint/><geom size=".1"/></body><body name="b" pos=".15 0 0"><freejoint/><§geom size=".1"/></body>'),
            [
                world('<body name="a"><freejoint/><geom size=".1"/></body><body name="b" pos=".2 0 0"><freejoint/><geom size=".1"/></body>'),
                world('<body name="a"><joint/><geom size=".1"/><body name="b" pos=".15 0 0"><joint/><geom size=".1"/></body></body>'),
                world('<body name="a"><freejoint/><geom size=".1"/></body><body name="b" pos=".15 0 0"><freejoint/><geom size=".1"/></body>').replace("</mujoco>", '<contact><exclude body1="a" body2="b"/></contact></mujoco>'),
                world('<body><freejoint/><geom type="box" size=".1 .1 .1"/></body><body pos="0 0 .2"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'),
                world('<body><freejoint/><geom type="box" size=".1 .1 .1"/></body><body pos=".24 .24 0"><freejoint/><geom type="cylinder" size=".19 .1"/></body>'),
            ],
        ),
    ],
    "below-ground": [
        (world('<geom type="plane" size="1 1 1"/><body pos="0 0 -.05"><freejoint/><§geom size=".1"/></body>'), [world('<geom type="plane" size="1 1 1"/><body pos="0 0 .1"><freejoint/><geom size=".1"/></body>')]),
    ],
    "never-collides": [
        (world('<§body><freejoint/><geom size=".1" contype="0" conaffinity="0"/></body>'), [world('<body><freejoint/><geom size=".1"/></body>'), world('<body gravcomp="1"><freejoint/><geom size=".1" contype="0" conaffinity="0"/></body>')]),
    ],
    "zero-friction": [(world('<geom size=".1" condim="3" §friction="0"/>'), [world('<geom size=".1" condim="1" friction="0"/>')])],
    "stiff-contact": [
        (world('<geom size=".1" §solref=".002 1"/>'), [world('<geom size=".1" solref=".004 1"/>'), world('<geom size=".1" solref="-1000 -10"/>')]),
        (world('<body><geom size=".1"/></body>', '<default><geom §solref=".002 1"/></default>'), []),
    ],
    "unstable-servo": [(arm("", '<position joint="j" §kp="1e8"/>'), [arm("", '<position joint="j" kp="100"/>'), arm("", '<position joint="j" kp="1e8"/>', '<option integrator="implicitfast"/>')])],
    "actuator-range": [
        (arm('range="0 90"', '<position joint="j" §ctrlrange="2 3"/>'), [arm('range="0 90"', '<position joint="j" ctrlrange="1 3"/>')]),
        (arm('range="-90 90"', '<position joint="j" §ctrlrange="-90 90"/>'), [arm('range="-90 90"', '<position joint="j" ctrlrange="-1.6 1.6"/>'), arm('range="-90 90"', '<motor joint="j" ctrlrange="-90 90"/>')]),
        (arm('range="-90 90"', '<position joint="j" §ctrlrange="-.01 .01"/>'), [arm('range="-90 90"', '<position joint="j" ctrlrange="-.01 .01" gear=".01"/>')]),
    ],
    "idle-actuator": [
        (arm("", '<motor joint="j" §gear="0"/>'), [arm("", '<motor joint="j" gear="2"/>')]),
        (arm("", '<position joint="j" §kp="0"/>'), [arm("", '<velocity joint="j" kv="1"/>')]),
    ],
    "idle-sensor": [
        (world('<body><joint/><geom size=".1" contype="0" conaffinity="0"/><site name="s"/></body>').replace("</mujoco>", '<sensor><§touch site="s"/></sensor></mujoco>'), [world('<body><joint/><geom size=".1"/><site name="s"/></body>').replace("</mujoco>", '<sensor><touch site="s"/><gyro site="s"/></sensor></mujoco>')]),
        (world('<site name="s"/>').replace("</mujoco>", '<sensor><§gyro site="s"/></sensor></mujoco>'), []),
        (hinge("", '<sensor><§jointactuatorfrc joint="j"/></sensor>'), [arm("", '<motor joint="j"/>').replace("</mujoco>", '<sensor><jointactuatorfrc joint="j"/></sensor></mujoco>')]),
    ],
    "sensors-off": [(hinge("", '<sensor><jointpos joint="j"/></sensor>', '<option><flag §sensor="disable"/></option>'), [hinge("", '<sensor><jointpos joint="j"/></sensor>'), hinge("", "", '<option><flag sensor="disable"/></option>')])],
    "loop-parent-child": [
        (loop('<connect §body1="b" body2="a" anchor="0 0 0"/>'), [loop('<connect body1="c" body2="a" anchor="0 0 0"/>'), loop('<weld body1="a"/>'), loop('<connect body1="b" body2="a" anchor="0 0 0" active="false"/>')]),
    ],
    "open-loop": [(loop('<connect §site1="t" site2="s"/>'), [loop('<connect site1="u" site2="s"/>')])],
    "redundant-exclude": [
        (loop("").replace("<equality></equality>", '<contact><§exclude body1="b" body2="a"/></contact>'), [loop("").replace("<equality></equality>", '<contact><exclude body1="c" body2="a"/></contact>')]),
    ],
    "unknown-switch": [(world('<geom size=".1"/>§<!-- kinetree: disable=overlapping -->'), [world('<geom size=".1"/><!-- kinetree: disable=overlap-at-rest -->')])],
}  # fmt: skip


def found(text: str, off=()) -> list[Diagnostic]:
    document = Document.from_string(text)
    return examine(compile_document(document), document, off)


ROWS = [(code, text, good) for code, cases in CASES.items() for text, good in cases]


@pytest.mark.parametrize(("code", "text", "good"), ROWS, ids=[row[0] for row in ROWS])
def test_check(code, text, good):
    text = re.sub(r'§(\w+=")', r"\1§", text)  # an attribute's place is its value
    column = text.index("§") + 1
    text = text.replace("§", "")
    items = [item for item in found(text) if item.code == code]
    assert [(item.line, item.column) for item in items] == [(1, column)]
    assert items[0].severity is TABLE[code].severity
    assert "; " in items[0].message or ": " in items[0].message, "say what to do, after a semicolon or colon"
    assert not found(text, {code, *(item.code for item in found(text))})
    for other in good:
        assert code not in {item.code for item in found(other)}, other


def test_every_check_has_a_case():
    assert set(CASES) == {row.code for row in CHECKS}, "each row of CHECKS needs one of CASES"
    found = {code for _, codes in STEPS for code in codes}
    assert found <= set(CASES), "a step of the checks names a code that has no row"


@pytest.mark.parametrize("path", sorted((ROOT / "resources/models").glob("*.xml")), ids=lambda p: p.stem)
def test_bundled_models_are_clean(path):
    document = Document.load(path)
    compiled = compile_document(document)
    assert not [*compiled.diagnostics, *examine(compiled, document)]


OVERLAPPING = '<body><freejoint/><geom size=".1"/></body><body pos=".1 0 0">%s<freejoint/><geom size=".1"/>%s</body>'


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (world(OVERLAPPING % ("<!-- kinetree: disable=overlap-at-rest -->", "")), True),
        (world(OVERLAPPING % ("", "<!--kinetree:disable = unused-asset, overlap-at-rest-->")), True),
        (world(OVERLAPPING % ("", "")) + "<!-- kinetree: disable=all -->", True),
        ("<!-- kinetree: disable=overlap-at-rest -->" + world(OVERLAPPING % ("", "")), True),
        (world(OVERLAPPING % ("", ""), "<!-- kinetree: disable=overlap-at-rest -->"), True),
        (
            world(
                OVERLAPPING % ("", ""),
                '<custom><text name="kinetree:disable" data="overlap-at-rest"/></custom>',
            ),
            True,
        ),
        (world(OVERLAPPING % ("", ""), "<custom><!-- kinetree: disable=overlap-at-rest --></custom>"), False),
        (world(OVERLAPPING % ("<!-- kinetree: disable=open-mesh -->", "")), False),
        (world(OVERLAPPING % ("<!-- disable=overlap-at-rest -->", "")), False),
    ],
)
def test_switched_off_in_the_text(text, hidden):
    assert [item.code for item in found(text)] == ([] if hidden else ["overlap-at-rest"])


def test_switched_off_in_an_included_file(tmp_path):
    """A comment in a part speaks for the elements of that part."""
    (tmp_path / "part.xml").write_text(
        '<mujoco><worldbody><body pos=".1 0 0"><!-- kinetree: disable=overlap-at-rest --><freejoint/><geom size=".1"/></body>'
        '<body pos="0 .1 0"><freejoint/><geom name="g" size=".1"/></body></worldbody></mujoco>'
    )
    main = tmp_path / "main.xml"
    main.write_text(
        '<mujoco><include file="part.xml"/><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    )
    document = Document.load(main)
    items = examine(compile_document(document), document)
    assert items and not any(
        '.1 0 0"><!--' in document.source_of(i.file).text[: i.column] and i.column < 90 for i in items
    )


def test_what_the_compiler_says_can_be_switched_off_too():
    text = world('<body><camera mode="targetbody"/></body>%s')
    document = Document.from_string(text % "")
    items = list(compile_document(document).diagnostics)
    assert [item.code for item in items] == ["no-target"]
    assert switched_off(items, document) == items
    assert not switched_off(items, document, {"no-target"})
    document = Document.from_string((text % "") + "<!-- kinetree: disable=no-target -->")
    assert not switched_off(list(compile_document(document).diagnostics), document)


def test_shapes_without_names_are_told_by_type_and_line(tmp_path):
    (tmp_path / "part.xml").write_text(
        '<mujocoinclude>\n<body name="part"><freejoint/>\n<geom type="box" size=".1 .1 .1"/></body></mujocoinclude>'
    )
    text = world(
        '\n<body><freejoint/>\n<geom size=".1"/></body>\n<body pos=".05 0 0"><freejoint/><geom size=".1"/></body>'
        '\n<include file="part.xml"/>'
    )
    main = tmp_path / "main.xml"
    main.write_text(text)
    document = Document.load(main)
    messages = [item.message for item in examine(compile_document(document), document)]
    first, *_ = [message for message in messages if "sphere geom of the body on line 4 overlaps" in message]
    assert "sphere geom of the body on line 2 (line 3)" in first
    assert any("box geom of body 'part' overlaps" in message for message in messages)
    assert any("(main.xml, line 3)" in message for message in messages)


def test_many_of_one_kind_are_counted():
    text = world('<replicate count="3" offset="5 0 0">' + "".join(f'<geom size=".1" pos="0 0 {i}" condim="3" friction="0"/>\n' for i in range(9)) + "</replicate>")  # fmt: skip
    items = found(text)
    assert len(items) == 5
    assert items[-1].more == 4 and str(items[-1]).endswith("(and 4 more of this kind) [zero-friction]")


# ---- the table ----------------------------------------------------------------------------------------


def test_every_code_of_the_engine_is_in_the_table():
    written = set()
    for path in [*ROOT.glob("engine/**/*.py"), *ROOT.glob("app/workers/*.py")]:
        text = path.read_text()
        for call in re.finditer(r"(?:\b(?:error|warning|info|Finding|report|Diagnostic|_refusal|add)\()", text):
            match = re.search(r'"([a-z]+(?:-[a-z]+)+)"', text[call.end() : call.end() + 160])
            if match and not re.search(
                r"\b(?:def|class|error|warning|info)\b", text[call.end() : call.end() + match.start()]
            ):
                written.add(match[1])
    assert len(written) > 50
    assert not {code for code in written - set(TABLE) if code not in ("utf-8", "utf-16", "utf-32")}, (
        "add them to engine/check/table.py"
    )


def test_rows():
    for row in TABLE.values():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)+", row.code)
        assert row.help.endswith(".") and len(row.help) < 110, (
            f"{row.code}: its help is too long or lacks its full stop"
        )
    for row in CHECKS:
        assert row.severity is not Severity.ERROR
        assert len(row.text) > 40 and row.text.endswith((".", ")"))
        assert row.code in explanations.explain(row.code)
    assert len(explanations.table().splitlines()) == len(TABLE)
    assert all(row.help in explanations.long_table() for row in TABLE.values())


def test_needs_no_kernels():
    """Nothing is compiled by checking."""
    code = (
        "import sys; from kinetree.engine.check.run import examine; from kinetree.engine.compile.compiler import compile_document;"
        "from kinetree.engine.document.document import Document;"
        f"d = Document.load({str(ROOT / 'resources/models/walker.xml')!r}); examine(compile_document(d), d);"
        "print([m for m in sys.modules if m.split('.')[0] in ('scipy', 'PIL', 'PySide6', 'llvmlite')][:3])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "scipy" not in done.stdout and "PySide6" not in done.stdout


def test_messages_name_elements_by_what_they_belong_to():
    text = world(
        '<body name="leg"><joint range="10 40"/><geom size=".1" friction="0" condim="3"/></body>',
    )
    messages = {item.code: item.message for item in found(text)}
    assert messages["rest-outside-range"].startswith("joint of body 'leg' is at 0 rad")
    assert messages["zero-friction"].startswith("sphere geom of body 'leg' has no friction")
    servo = arm('range="-40 40"', '<motor joint="j" ctrlrange="-1 1"/>')
    key = '<keyframe><key name="home" qpos="2" ctrl="3"/></keyframe></mujoco>'
    joint, control = [item.message for item in found(servo.replace("</mujoco>", key)) if item.code.startswith("key")]
    assert joint.startswith("key 'home' puts joint 'j' at 2,") and "correct its value, number 1 of qpos" in joint
    assert control.startswith("key 'home' sets motor of 'j' to 3,") and "number 1 of ctrl" in control
