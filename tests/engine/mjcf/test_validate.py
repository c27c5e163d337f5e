"""Diagnostics of validation, and their places; none for models that the reference accepts."""

import re
import sys

import mujoco
import pytest

import kinetree
from kinetree.engine.diagnostics import KEPT, Diagnostics, ModelError, Severity
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf import exceptions, schema
from kinetree.engine.mjcf.validate import validate
from tests.conftest import SHARED
from tests.corpus import listed
from tests.patience import work

CORPUS = SHARED / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not beside the clone")


def check(text: str) -> list[str]:
    diagnostics = Diagnostics()
    validate(Document.from_string(text, name="m.xml").merged, diagnostics)
    return [str(item).removeprefix("m.xml:") for item in diagnostics]


def in_world(inside: str, rest: str = "") -> str:
    return f"<mujoco><worldbody>\n{inside}</worldbody>{rest}</mujoco>"


def refused(text: str) -> bool:
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return True
    return False


CASES = [
    # unknown and misplaced elements
    (in_world("<goem/>"), "2:2: error: unknown element 'goem' in 'worldbody'; did you mean 'geom'? [unknown-element]"),
    (in_world("<Geom/>"), "2:2: error: unknown element 'Geom' in 'worldbody'; did you mean 'geom'? [unknown-element]"),
    (in_world("<body>\n<wobble/></body>"), "3:2: error: unknown element 'wobble' in 'body'; remove it [unknown-element]"),
    ("<mujoco>\n<geom/></mujoco>", "2:2: error: 'geom' does not belong in 'mujoco'; it belongs in 'worldbody', 'body', 'composite', 'default' or 'spatial'; if this file is a part that others include, open one of those [misplaced-element]"),
    (in_world("<joint/>"), "2:2: error: 'joint' does not belong in 'worldbody'; it belongs in 'body', 'composite', 'default', 'equality' or 'fixed' [misplaced-element]"),
    (in_world("<frame><freejoint/></frame>"), "2:9: error: 'freejoint' does not belong in 'frame in worldbody'; it belongs in 'body' [misplaced-element]"),
    (in_world('<geom size="1"><site/></geom>'), "2:17: error: 'site' does not belong in 'geom'; it belongs in 'worldbody', 'body', 'composite', 'default' or 'spatial' [misplaced-element]"),
    ("<mujoco><option>\n<flags/></option></mujoco>", "2:2: error: unknown element 'flags' in 'option'; did you mean 'flag'? [unknown-element]"),
    ("<modle/>", "1:2: error: the root element is 'modle'; a model in MJCF starts with <mujoco> [unknown-element]"),
    # unknown attributes
    (in_world('<geom sise="1"/>'), "2:7: error: unknown attribute 'sise' of 'geom'; did you mean 'size'? [unknown-attribute]"),
    (in_world('<geom size="1" Pos="0 0 0"/>'), "2:16: error: unknown attribute 'Pos' of 'geom'; did you mean 'pos'? [unknown-attribute]"),
    (in_world('<body mass="1"/>'), "2:7: error: unknown attribute 'mass' of 'body'; it belongs to 'inertial' [unknown-attribute]"),
    (in_world('<body class="main"/>'), "2:7: error: unknown attribute 'class' of 'body'; it belongs to 'joint' (did you mean 'childclass'?) [unknown-attribute]"),
    ("<mujoco>\n<worldbody pos='0 0 0'/></mujoco>", "2:12: error: unknown attribute 'pos' of 'worldbody'; it belongs to 'body' [unknown-attribute]"),
    ("<mujoco>\n<asset name='a'/></mujoco>", "2:8: error: unknown attribute 'name' of 'asset'; it belongs to 'mesh' [unknown-attribute]"),
    # what older versions had
    ("<mujoco>\n<option collision='all'/></mujoco>", "2:9: error: unknown attribute 'collision' of 'option'; it is no longer part of MJCF; choose contacts with contype, conaffinity, pair and exclude [unknown-attribute]"),
    ("<mujoco><equality>\n<distance geom1='a' geom2='b'/></equality></mujoco>", "2:2: error: unknown element 'distance' in 'equality'; distance constraints are no longer part of MJCF; use a tendon with a limited range [unknown-element]"),
    (in_world('<composite prefix="c" type="grid" count="3"/>'), "2:29: error: type: 'grid' is no longer part of MJCF; soft objects are made with flexcomp now [bad-choice]"),
    # values
    (in_world('<geom size="1" pos="1 2"/>'), "2:21: error: pos: expects 3 numbers, found 2; add 1 number [wrong-count]"),
    (in_world('<geom size="1" type="bux"/>'), "2:22: error: type: 'bux' is not one of plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf; did you mean box? [bad-choice]"),
    (in_world('<geom size="1" contype="1.5"/>'), "2:25: error: contype: not an integer: '1.5'; write a whole number [not-an-integer]"),
    # required attributes
    (in_world("", "<custom>\n<text data='x'/></custom>"), "3:2: error: 'text' needs the attribute 'name' (string): Name of the text. [missing-attribute]"),
    (in_world('<body><joint/><inertial pos="0 0 0" mass=""/></body>'), "2:37: error: 'inertial' needs a value for mass: Mass of the body. [missing-attribute]"),
    # elements that stand once
    ("<mujoco><option>\n<flag/>\n<flag/></option></mujoco>", "3:2: error: 'option' takes one 'flag' only, the first is in line 2; merge them or remove one [repeated-element]"),
    # names
    (in_world('<geom name="a" size="1"/>\n<geom name="a" size="1"/>'), "3:13: error: the geom name 'a' is taken, first in line 2; choose another name [repeated-name]"),
    (in_world("<body><freejoint name='a'/><geom size='1'/></body>\n<body><joint name='a'/><geom size='1'/></body>"), "3:20: error: the joint name 'a' is taken, first in line 2; choose another name [repeated-name]"),
    (in_world('<body name="world"/>'), "2:13: error: the body name 'world' is taken by the world itself; choose another name [repeated-name]"),
    # references
    (in_world('<geom size="1" material="gird"/>', "<asset><material name='grid'/></asset>"), "2:26: error: there is no material named 'gird'; did you mean 'grid'? [undefined-reference]"),
    (in_world('<light target="nobody"/>'), "2:16: error: there is no body named 'nobody'; the model declares no body with a name [undefined-reference]"),
    (in_world('<geom size="1" material="m"/>'), "2:26: error: there is no material named 'm'; the model declares no material with a name [undefined-reference]"),
    (in_world('<site name="s"/>', '<sensor>\n<framepos objtype="body" objname="s"/></sensor>'), "3:35: error: there is no body named 's'; there is a site of that name [undefined-reference]"),
    (in_world('<geom size="1" class="nope"/>'), "2:23: error: there is no default class 'nope'; declare it inside <default>, or remove the attribute [undefined-class]"),
    (in_world('<body childclass="vizual"/>', '<default><default class="visual"/></default>'), "2:19: error: there is no default class 'vizual'; did you mean 'visual'? [undefined-class]"),
    # exceptions
    (in_world('<geom size="1" quat="1 0 0 0" euler="1 2 3"/>'), "2:38: error: euler: quat and euler cannot stand together: an orientation can be given in one way only; keep one of them [exclusive-attributes]"),
    (in_world('<geom size="1" quat="0 0 0 0"/>'), "2:22: error: quat: a quaternion of zeros has no direction; use 1 0 0 0 for no rotation [out-of-range]"),
    (in_world('<body name="b"/>', "<equality>\n<connect body1='b'/></equality>"), "3:2: error: 'connect': add body1 and anchor, or site1 and site2 [missing-attribute]"),
    ("<mujoco>\n<statistic extent='0'/></mujoco>", "2:20: error: extent: must be greater than 0 [out-of-range]"),
    (in_world("<body><plugin/></body>"), "2:8: error: 'plugin': add plugin, or instance to share one declared under extension [missing-attribute]"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"), CASES, ids=[re.search(r"error: (.*?) \[", case[1])[1][:50] for case in CASES]
)
def test_one_error_with_its_place_and_remedy(text, expected):
    assert check(text) == [expected]
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return
    pytest.fail("the reference accepts this")


ACCEPTED = [
    in_world('<frame foo="1"><geom size="1"/></frame>'),  # a warning: frames are read without being checked
    in_world('<replicate count="2" name="x"><geom size="1"/></replicate>'),
    in_world('<frame gravcomp="1"><geom size="1"/></frame>'),
    in_world('<frame><body><geom sise="1" size="1"/></body></frame>'),
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_has_no_effect_is_a_warning(text):
    [line] = check(text)
    assert "warning: unknown attribute" in line and not refused(text)


FINE = [
    "<mujoco/>",
    in_world('<geom size="1" material=""/><geom size="1" name=""/><geom size="1" name=""/>'),
    in_world('<body name="a"><geom name="a" size="1"/><frame name="a"/></body>'),
    in_world('<replicate count="2"><body name="b"><geom name="g" size="1"/></body></replicate><site name="g"/>', '<contact><exclude body1="b0" body2="b1"/></contact>'),
    in_world('<replicate count="2" sep="-"><site name="s"/></replicate>', '<sensor><gyro site="s"/></sensor>'),
    in_world('<replicate count="2"><replicate count="2"><site name="s"/></replicate></replicate>', '<sensor><gyro site="s01"/></sensor>'),
    in_world('<flexcomp name="f" count="3 1 1" dim="1" type="grid" radius="0.001"/>', '<contact><exclude body1="f_1" body2="world"/></contact>'),
    in_world('<composite prefix="c" type="cable" count="5" curve="s" size="1" initial="none"><geom type="capsule" size="0.01"/></composite>', '<contact><exclude body1="cB_first" body2="cB_last"/></contact>'),
    in_world('<light mode="track" target="world"/>'),
    '<mujoco><asset><texture type="2d" builtin="flat" width="4" height="4" name="t"/><texture type="skybox" builtin="gradient" width="4" height="4"/></asset></mujoco>',
    "<mujoco><option><flag/></option><option><flag/></option></mujoco>",
    in_world("<body><frame><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></frame><joint/></body>"),
]  # fmt: skip


@pytest.mark.parametrize("text", FINE)
def test_what_the_reference_accepts_is_fine(text):
    assert not refused(text)
    assert check(text) == []


def test_names_that_copies_make_are_left_to_the_compiler():
    text = in_world(
        '<attach model="m" prefix="p_"/>',
        '<asset><model name="m" file="m.xml"/></asset><sensor><gyro site="%s"/></sensor>',
    )
    assert check(text % "p_anything") == []
    assert "there is no site named 'other'" in check(text % "other")[0]
    unnamed = text.replace('name="m" ', "").replace('model="m"', 'model="whatever"')
    assert check(unnamed % "p_s") == []


def test_references_are_not_judged_where_an_include_could_not_be_read():
    text = (
        '<mujoco><include file="nothing.xml"/><worldbody><geom size="1" material="m" class="c"/></worldbody></mujoco>'
    )
    document = Document.from_string(text)
    assert [item.severity for item in document.diagnostics] == [Severity.ERROR]
    diagnostics = Diagnostics()
    validate(document.merged, diagnostics, complete=False)
    assert list(diagnostics) == []


def test_an_unused_reference_of_a_class_is_a_warning():
    text = '<mujoco><default><geom material="none"/></default></mujoco>'
    assert not refused(text)
    [line] = check(text)
    assert "warning: there is no material named 'none'" in line


def test_names_come_from_files():
    text = '<mujoco><asset><mesh file="a/cup.obj"/>\n<mesh file="b/cup.stl"/></asset><worldbody><geom type="mesh" mesh="cup"/></worldbody></mujoco>'
    assert check(text) == [
        "2:13: error: the mesh name 'cup' is taken, first in line 1; choose another name [repeated-name]"
    ]


def test_names_in_unknown_elements_count():
    text = '<mujoco><worldbody><stie name="s"/></worldbody><sensor><gyro site="s"/></sensor></mujoco>'
    assert [line.rpartition("[")[2] for line in check(text)] == ["unknown-element]"]


def test_a_flood_of_errors_hides_no_other():
    text = in_world('<geom sise="1" pos="1"/>\n' * 5000 + '<geom typ="box"/>\n<geoms/>')
    lines = check(text)
    of_kind = [sum(code in line for line in lines) for code in ("unknown-attribute", "wrong-count", "unknown-element")]
    assert of_kind == [KEPT, KEPT, 1] and len(lines) == sum(of_kind)
    assert [line for line in lines if "more of this kind" in line] == [
        f"{KEPT + 1}:7: error: unknown attribute 'sise' of 'geom'; did you mean 'size'? "
        f"(and {5001 - KEPT} more of this kind) [unknown-attribute]",
        f"{KEPT + 1}:21: error: pos: expects 3 numbers, found 1; add 2 numbers "
        f"(and {5000 - KEPT} more of this kind) [wrong-count]",
    ]


def test_a_flood_of_warnings_hides_no_error():
    text = in_world('<frame sise="1"/>\n' * 1000 + '<geom sise="1"/>')
    assert [line for line in check(text) if "error" in line] == [
        "1002:7: error: unknown attribute 'sise' of 'geom'; did you mean 'size'? [unknown-attribute]"
    ]


def test_mistakes_are_counted_without_a_search_for_each():
    """Suggestions are searched only while messages are kept: the search compares with every name."""

    def work(count: int) -> int:
        sites = "".join(f'<site name="place{k}"/>' for k in range(20))
        sensors = "".join(f'<gyro site="plaice{k}"/>' for k in range(count))
        text = in_world(sites, f"<sensor>{sensors}</sensor>")
        calls = 0

        def count_calls(frame, event, argument) -> None:
            nonlocal calls
            calls += event == "call" and frame.f_code.co_name == "get_close_matches"

        sys.setprofile(count_calls)
        try:
            check(text)
        finally:
            sys.setprofile(None)
        return calls

    assert 0 < work(KEPT // 2) < work(3 * KEPT) == work(5 * KEPT) == KEPT


def test_deep_nesting():
    deep = 400
    bodies = in_world("<body>" * deep + '<geom sise="1"/>' + "</body>" * deep)
    assert len(check(bodies)) == 1
    classes = "".join(f'<default class="c{i}">' for i in range(deep)) + '<geom size="1"/>' + "</default>" * deep
    assert check(f"<mujoco><default>{classes}</default></mujoco>") == []


def test_motphys_elements_and_attributes_are_accepted():
    motphys = """
    <mujoco>
      <visual>
        <probe texture="t" position="0 0 1" scale="1 1 1"/> <ssao active="true"/> <tonemapping method="aces"/>
        <ssgi active="true" resolutionscale="2" raycount="4" stepcount="8" thickness="0.1" intensity="1"/>
        <map envmapintensity="0.5"/>
      </visual>
      <asset>
        <texture name="t" type="probe" builtin="dynamic"/>
        <material name="m" emission="1 1 1 1" emissionintensity="2" detailpara="1 1 1 0" depthbias="1" castshadow="false"/>
      </asset>
      <default>
        <joint hardlimit="true"/> <geom hard="true"/> <light innerangle="20" nearz="0.2"/>
        <camera trackposspeed="1" trackrotspeed="1" depth="true" znear="0.1" zfar="10"/>
        <material emissionintensity="1"/> <adhesion ctrllimited="true"/>
      </default>
      <worldbody>
        <light innerangle="30" nearz="0.1"/> <camera name="c" depth="false"/> <site name="s" zaxes="0 0 1"/>
        <body name="b"> <joint name="j" hardlimit="true"/> <geom name="g" size="1" hard="false"/> </body>
      </worldbody>
      <tendon> <fixed name="x" width="0.01" rgba="1 0 0 1"> <joint joint="j" coef="1"/> </fixed> </tendon>
      <actuator> <adhesion body="b" gear="2" ctrllimited="auto"/> </actuator>
      <sensor> <contact name="k" geom1="g" geom2="g" num="2" data="found force" reduce="mindist"/> </sensor>
    </mujoco>
    """
    assert check(motphys) == []
    names = {row.name for kind in schema.ELEMENTS.values() for row in kind.attributes.values() if row.dialect == "mpex"}
    for name in names - {"zaxes", "num", "data", "reduce", "rgba", "width"}:
        assert f"{name}=" in motphys or name in (
            "gidenoiseoffset", "rraycount", "rdenoiseoffset", "joint", "tendon", "subtree1", "subtree2", "site",
            "body1", "body2", "name",
        ), name  # fmt: skip


def test_custom_rules_concern_known_attributes():
    for id, groups in exceptions.EXCLUSIVE.items():
        for names, _ in groups:
            present = [name for name in names if name in schema.ELEMENTS[id].attributes]
            assert len(present) > 1, id
    for id, needs in exceptions.NEEDS.items():
        for name, needed, _ in needs:
            assert name in schema.ELEMENTS[id].attributes and needed in schema.ELEMENTS[id].attributes
    assert set(exceptions.CHECKS) <= set(schema.ELEMENTS)


# Refused by the reference while reading, for reasons outside the text of the model (other files, plugins, generated
# elements).
BEYOND_THE_SCHEMA = re.compile(
    r"Error opening|could not parse model|plugin .* not found|Vertex and face data|Keyframe|Spacing must|has point id|"
    r"Error: Error reading|Invalid elements header|Invalid node header|single block|sequential|Maximum number of nodes"
)
#: The reference names the parent, or another element of the pair that excludes each other; we the attribute.
OTHER_LINE = {"UniqueElementTest", "MaterialTextureFailTest", "ParseReplicateRepeatedName", "HasDataBadSize"}


@needs_corpus
def test_the_corpus():
    false, missed, elsewhere, right = [], [], [], 0
    for path, says in [(row.place, row.loads) for row in listed(CORPUS)]:
        try:
            document = Document.load(CORPUS / path)
        except ModelError:
            assert not says.strip().endswith("yes"), path
            continue
        if document.root.tag != "mujoco":
            continue
        diagnostics = Diagnostics(document.diagnostics)
        validate(document.merged, diagnostics, complete=not document.diagnostics.has_errors)
        errors = diagnostics.errors
        if says.strip().endswith("yes"):
            false += [str(item) for item in errors]
        elif says.startswith("XML Error") and not BEYOND_THE_SCHEMA.search(says):
            line = re.search(r"line (\d+)", says)
            if not errors:
                missed.append((path, says))
            elif line and int(line[1]) not in [item.line for item in errors]:
                elsewhere.append(path)
            else:
                right += 1
    assert false == []
    assert missed == []
    assert {path.rpartition("/")[2].removesuffix(".xml") for path in elsewhere} == OTHER_LINE
    assert right > 60


@needs_corpus
def test_humanoid_is_checked_with_little_work():
    """About a millisecond."""
    root = Document.load(CORPUS / "mujoco/model/humanoid/humanoid.xml").merged
    diagnostics = Diagnostics()
    attributes = sum(len(node.attributes) for node in root.iter())
    assert work(lambda: validate(root, diagnostics)) < 80 * attributes  # 57 lines for each
    assert len(diagnostics) == 0


def test_a_model_in_a_model():
    """The root belongs nowhere: that is no reason to look for its parents."""
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string("<mujoco><mujoco/></mujoco>")
    (item,) = caught.value.diagnostics
    assert (item.line, item.column, item.code) == (1, 10, "unknown-element")


def test_a_piece_of_a_tree_outside_the_world():
    """Files that others include are opened by mistake: the reference sees an empty world, and says nothing."""
    text = '<mujoco>\n <body name="a"><geom size="1"/></body><frame/></mujoco>'
    assert mujoco.MjModel.from_xml_string(text).nbody == 1
    assert kinetree.load_string(text).nbody == 1
    assert [line.split(" ")[0] + line.split(" ")[-1] for line in check(text)] == [
        "2:3:[ignored-element]",
        "2:41:[ignored-element]",
    ]
