"""Every compiled object has the element that made it, and every element its objects."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

import kinetree
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from kinetree.engine.model.kinds import KINDS, NAMED, ObjectId
from tests.conftest import SHARED
from tests.corpus import listed
from tests.engine.model.test_kinds import EVERY_KIND
from tests.oracle.models import SENSOR_MODEL, SMOOTH_MODELS

ROOT = Path(__file__).resolve().parents[3]
MODELS = ROOT / "resources" / "models"
FORMATS = (".xml", ".urdf")
CORPUS = SHARED / "corpus"
EVERY = 12
"""Of the corpus, one model in so many is looked at here."""
MACROS = ("composite", "flexcomp")


# ---- what holds for every model ----------------------------------------------------------------------------


def expected_name(node, made_by) -> str | None:
    """The name of an object after its element and what copied that; None where composite or flexcomp name
    it."""
    name = node.get("name") or ""
    if not name and node.tag in ("mesh", "hfield", "texture", "skin"):
        name = PurePosixPath(PureWindowsPath(node.get("file") or "").name).stem
    for step in made_by:
        if step.tag in MACROS:
            return None
        if step.tag == "attach":
            name = name and step.prefix + name
        else:
            assert step.tag == "replicate"
            digits = len(step.node.get("count"))
            number = f"{step.node.get('sep', '')}{step.index:0{digits}d}"
            name = name + number if name or node.tag == "key" else ""
    return name


def check(model: kinetree.Model) -> None:
    provenance = model.provenance
    objects = list(provenance)
    assert set(objects) == {ObjectId(kind, id) for kind in NAMED for id in range(KINDS[kind].count(model))}
    for kind, id in objects:
        origin = provenance.origin(kind, id)
        assert origin.node.span.text.startswith("<" + origin.node.tag)
        assert (kind, id) in provenance.objects_of(origin.node)
        for step in origin.made_by:
            assert (kind, id) in provenance.made_by(step.node)
        name = model.names[kind][id]
        if model.format == "MJCF" and (kind, id) != ("body", 0) and kind != "probe":
            expected = expected_name(origin.node, origin.made_by)
            assert name == (name if expected is None else expected), (kind, id, origin)
            if name and not origin.made_by:
                assert name in origin.node.span.text.replace("&amp;", "&") or "&" in origin.node.span.text
    nodes = {provenance.origin(*each).node for each in objects}
    for node in nodes:
        for kind, at in provenance.objects_of(node):
            there = provenance.origin(kind, at).node
            assert (there.source.path, there.start) == (node.source.path, node.start) or (kind, at) == (
                "body",
                0,
            )
        line, column = node.source.line_column(node.start + 1)
        assert provenance.at(node.source.path, line, column).start == node.start
    for kind in NAMED:
        identities = provenance.identities(kind)
        assert len(set(identities)) == len(identities)


OWN = {f"smooth: {name}": text for name, text in SMOOTH_MODELS.items()}
OWN |= {"sensors": SENSOR_MODEL, "every kind": EVERY_KIND, "nothing": "<mujoco/>"}


@pytest.mark.parametrize("name", OWN)
def test_models_of_ours(name):
    check(kinetree.load_string(OWN[name]))


@pytest.mark.parametrize(
    "path",
    sorted(path for path in MODELS.rglob("*.*") if path.suffix in FORMATS and path.parent.name != "parts"),
    ids=lambda path: path.name,
)
def test_bundled_models(path):
    check(kinetree.load(path))


@pytest.mark.parametrize("row", listed(CORPUS)[::EVERY], ids=lambda row: row.place)
def test_models_of_the_corpus(row):
    try:
        model = kinetree.load(row.path)
    except kinetree.ModelError:
        return  # what is refused is tested elsewhere
    check(model)


# ---- what is made by other elements ------------------------------------------------------------------------


def node_of(model: kinetree.Model, tag: str, **attributes: str):
    for node in model.spec.root.iter(tag):
        if all(node.get(name) == value for name, value in attributes.items()):
            return node
    raise AssertionError(f"there is no {tag} {attributes}")


def objects(model: kinetree.Model, found) -> set[str]:
    """Objects as "kind name"."""
    return {f"{kind} {model.names[kind][id] or id}" for kind, id in found}


def test_replicas_have_numbers():
    model = kinetree.load_string("""<mujoco><worldbody>
     <replicate count="2" sep="-"><replicate count="3" sep="_"><body name="b"><joint name="j"/>
     <geom name="g" size="1"/>
     </body></replicate></replicate></worldbody>
     <actuator><motor name="m" joint="j"/></actuator><keyframe><key name="k" qpos="0"/></keyframe>
     </mujoco>""")
    check(model)
    outer, inner = model.spec.root.iter("replicate")
    for kind, name in (("geom", "g_1-0"), ("joint", "j_1-0"), ("body", "b_1-0"), ("actuator", "m_1-0")):
        origin = model.provenance.origin(kind, kinetree.name2id(model, kind, name))
        assert [(step.node, step.index) for step in origin.made_by] == [(inner, 1), (outer, 0)]
    assert len(model.provenance.objects_of(node_of(model, "geom"))) == 6
    assert len(model.provenance.objects_of(node_of(model, "motor"))) == 6
    made = model.provenance.made_by(outer)
    assert {kind for kind, _ in made} == {"body", "joint", "geom", "actuator"}
    assert model.provenance.made_by(inner) == (*made, ("key", 0), ("key", 1), ("key", 2))  # copied once
    assert model.provenance.objects_of(outer) == ()
    assert model.provenance.shown_by(outer) == made


def test_attached_objects_have_their_file_and_prefix(tmp_path):
    (
        tmp_path / "part.xml"
    ).write_text("""<mujoco model="part"><default><default class="c"><geom rgba="1 0 0 1"/></default>
    </default>
     <asset><material name="m"/></asset>
     <worldbody><replicate count="2"><body name="b"><joint name="j"/>
     <geom name="g" class="c" size="1" material="m"/></body>
     </replicate></worldbody><sensor><jointpos name="s" joint="j"/></sensor></mujoco>""")
    (tmp_path / "main.xml").write_text("""<mujoco><asset><model name="part" file="part.xml"/></asset><worldbody>
     <frame pos="1 0 0"><attach model="part" prefix="one_"/></frame><attach model="part" prefix="two_"/>
     <geom name="g" size="1"/></worldbody></mujoco>""")
    model = kinetree.load(tmp_path / "main.xml")
    check(model)
    one, two = model.spec.root.iter("attach")
    assert objects(model, model.provenance.made_by(one)) == {
        "material one_m", "body one_b0", "body one_b1", "joint one_j0", "joint one_j1", "geom one_g0",
        "geom one_g1", "sensor one_s0", "sensor one_s1",
    }  # fmt: skip
    origin = model.provenance.origin("geom", kinetree.name2id(model, "geom", "two_g1"))
    assert Path(origin.node.source.path).name == "part.xml"
    assert [(step.tag, step.index, step.prefix) for step in origin.made_by] == [
        ("replicate", 1, ""),
        ("attach", 0, "two_"),
    ]
    assert origin.made_by[1].node is two
    assert [node.parent.get("class") for node in origin.defaults] == ["c"]
    assert len(model.provenance.inheriting(origin.defaults[0])) == 4
    assert len(model.provenance.objects_of(origin.node)) == 4
    own = model.provenance.origin("geom", kinetree.name2id(model, "geom", "g"))
    assert own.made_by == () and Path(own.node.source.path).name == "main.xml"
    there = model.provenance.at(tmp_path / "part.xml", origin.node.line, origin.node.column + 2)
    assert there is origin.node


def test_included_elements_are_found_from_the_tree_of_their_file(tmp_path):
    (tmp_path / "part.xml").write_text("<mujoco><worldbody><geom name='g' size='1'/></worldbody></mujoco>")
    (tmp_path / "main.xml").write_text(
        "<mujoco><include file='part.xml'/><worldbody><geom name='h' size='1'/></worldbody></mujoco>"
    )
    document = Document.load(tmp_path / "main.xml")
    model = compile_document(document).model
    check(model)
    (part,) = (root for path, root in document.trees.items() if Path(path).name == "part.xml")
    node = next(part.iter("geom"))
    assert objects(model, model.provenance.objects_of(node)) == {"geom g"}
    for section in model.spec.root.children:  # both sections are the world
        assert ("body", 0) in model.provenance.objects_of(section)


def test_a_cable_comes_from_its_composite_and_the_elements_in_it():
    model = kinetree.load_string("""<mujoco><worldbody><body name="around">
    <composite type="cable" prefix="c_" curve="s" count="4 1 1"
     size="1" initial="none"><joint kind="main" damping="1"/><geom type="box" size=".01 .02 .03"/>
     <site size=".1"/><skin/>
     </composite></body></worldbody></mujoco>""")
    check(model)
    composite = node_of(model, "composite")
    made = model.provenance.made_by(composite)
    assert {kind for kind, _ in made} == {"body", "joint", "geom", "site", "skin", "exclude", "text"}
    assert all([step.node for step in model.provenance.origin(*each).made_by] == [composite] for each in made)
    assert len(model.provenance.objects_of(node_of(model, "geom"))) == 3
    assert objects(model, model.provenance.objects_of(node_of(model, "skin"))) == {"skin c_Skin"}
    assert model.provenance.origin("body", kinetree.name2id(model, "body", "c_B_first")).node is composite
    assert composite not in (step.node for step in model.provenance.origin("body", 1).made_by)


def test_a_flexcomp_in_a_replicate():
    model = kinetree.load_string("""<mujoco><worldbody><replicate count="2" offset="3 0 0"><body name="b">
    <flexcomp name="f" type="grid"
     count="3 1 1" spacing=".2 .2 .2" radius=".01" dim="1" mass="1"><edge equality="true"/></flexcomp>
     </body></replicate>
     </worldbody></mujoco>""")
    check(model)
    flexcomp, replicate = node_of(model, "flexcomp"), node_of(model, "replicate")
    for i in range(2):
        origin = model.provenance.origin("flex", i)
        assert origin.node is flexcomp
        assert [(step.node, step.index) for step in origin.made_by] == [(flexcomp, 0), (replicate, i)]
    assert objects(model, model.provenance.objects_of(node_of(model, "edge"))) == {"equality 0", "equality 1"}
    made = model.provenance.made_by(flexcomp)
    assert sum(kind == "body" for kind, _ in made) == 6
    assert sum(kind == "joint" for kind, _ in made) == 18


# ---- elements without objects of their own -----------------------------------------------------------------


def test_fused_bodies_lead_to_what_they_became_part_of():
    model = kinetree.load_string("""<mujoco><compiler fusestatic="true"/><worldbody>
     <body name="moves"><freejoint/><geom size="1"/><body name="fixed" pos="1 0 0"><geom name="g" size="1"/>
     <body name="deeper"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body></body>
     <body name="ground"><geom name="h" size="1"/></body></worldbody></mujoco>""")
    check(model)
    for name, into in (("fixed", 1), ("deeper", 1), ("ground", 0)):
        node = node_of(model, "body", name=name)
        assert model.provenance.objects_of(node) == ()
        assert model.provenance.fused_into(node) == model.provenance.shown_by(node) == (("body", into),)
    assert objects(model, model.provenance.objects_of(node_of(model, "geom", name="g"))) == {"geom g"}
    assert model.provenance.shown_by(node_of(model, "inertial")) == (("body", 1),)


def test_parts_of_an_element_lead_to_what_they_are_part_of():
    model = kinetree.load_string(EVERY_KIND)
    shown = {
        tag: objects(model, model.provenance.shown_by(node_of(model, tag))) for tag in ("bone", "config", "element")
    }
    assert shown == {"bone": {"skin skin"}, "config": {"plugin plugin"}, "element": {"tuple tuple"}}
    assert model.provenance.shown_by(model.spec.root) == ()


def test_frames_are_known():
    model = kinetree.load_string("""<mujoco><worldbody><frame name="a"><frame name="b"><replicate count="2">
    <geom size="1"/></replicate>
     <body><geom size="1"/></body></frame></frame></worldbody></mujoco>""")
    names = [[frame.get("name") for frame in model.provenance.origin("geom", i).frames] for i in range(3)]
    assert names == [["b", "a"], ["b", "a"], []]


def test_keyframes_without_an_element_come_from_the_size():
    model = kinetree.load_string("<mujoco><size nkey='2'/><keyframe><key name='k'/></keyframe></mujoco>")
    check(model)
    assert model.provenance.origin("key", 1).node.tag == "size"
    assert model.provenance.origin("key", 2) is None
    assert model.provenance.origin("geom", 0) is None


def test_default_elements_lead_to_what_inherits_from_them():
    model = kinetree.load_string("""<mujoco><default><geom size="1"/><motor gear="2"/><default class="a">
    <geom rgba="1 0 0 1"/>
     <default class="b"><joint damping="1"/></default></default></default>
     <worldbody><geom name="main"/><body childclass="b"><joint name="j"/><geom name="red"/></body></worldbody>
     <actuator><position name="p" joint="j"/></actuator></mujoco>""")
    check(model)
    size, red = (node_of(model, "geom", **found) for found in ({"size": "1"}, {"rgba": "1 0 0 1"}))
    assert model.provenance.origin("geom", 1).defaults == (size, red)
    assert objects(model, model.provenance.inheriting(size)) == {"geom main", "geom red"}
    assert objects(model, model.provenance.inheriting(red)) == {"geom red"}
    assert objects(model, model.provenance.inheriting(node_of(model, "motor"))) == {"actuator p"}
    assert objects(model, model.provenance.inheriting(red.parent)) == {"geom red", "joint j"}
    assert model.provenance.node(red.id) is red
    assert model.provenance.shown_by(red) == ()


def test_what_was_discarded_makes_nothing():
    model = kinetree.load_string("""<mujoco><compiler discardvisual="true"/><asset><material name="m"/>
    </asset><worldbody>
     <geom name="seen" size="1" contype="0" conaffinity="0" material="m"/><geom name="hit" size="1"/>
     </worldbody></mujoco>""")
    check(model)
    assert model.provenance.objects_of(node_of(model, "material")) == ()
    assert model.provenance.shown_by(node_of(model, "geom", name="seen")) == (("body", 0),)
    assert objects(model, model.provenance.objects_of(node_of(model, "geom", name="hit"))) == {"geom hit"}


def test_a_copy_of_a_model_knows_the_same():
    model = kinetree.load_string(EVERY_KIND)
    assert model.copy().provenance is model.provenance


# ---- other versions of the text ----------------------------------------------------------------------------

VERSIONS = """<mujoco><worldbody><replicate count="2"><body name="b"><joint name="j"/><geom size="1"/>
 <geom size="2"/></body></replicate>
<body name="c"><geom name="g" size="1"/></body></worldbody></mujoco>"""


def test_identities_stay_when_the_text_is_edited():
    before = Document.from_string(VERSIONS)
    after = before.with_edits({before.path: []})
    old = compile_document(before).model.provenance
    new = compile_document(after).model.provenance
    for kind in NAMED:
        assert old.identities(kind) == new.identities(kind)
    geom = old.origin("geom", 0).node
    assert new.node(geom.id).start == geom.start
    assert new.node(-1) is None


def test_the_tables_can_be_made_at_once():
    """Afterwards nothing is left to be made by the thread that asks."""
    model = kinetree.load(MODELS / "boxes.xml")
    model.provenance.prepare()
    before = set(vars(model.provenance))
    for kind in model.names:
        for id in range(len(model.names[kind])):
            origin = model.provenance.origin(kind, id)
            if origin is not None:
                model.provenance.shown_by(origin.node)
                model.provenance.inheriting(origin.node)
                model.provenance.at(origin.node.source.path, origin.node.line, origin.node.column)
    assert set(vars(model.provenance)) == before
