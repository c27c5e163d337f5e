"""Looking things up in the schema."""

import subprocess
import sys

import pytest

from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.defaults import Defaults
from kinetree.engine.mjcf.schema_rows import attribute
from kinetree.engine.mjcf.validate import validate

MODEL = """
<mujoco>
  <default><joint/><default class="a"><geom/></default></default>
  <extension><plugin plugin="p"><instance name="i"><config/></instance></plugin></extension>
  <asset><mesh><plugin><config/></plugin></mesh><skin><bone/></skin></asset>
  <worldbody>
    <frame><replicate count="2"><body><frame><joint/><site/></frame><flexcomp><edge/></flexcomp></body></replicate></frame>
    <body><geom><plugin><config/></plugin></geom><composite><joint/><geom/></composite></body>
  </worldbody>
  <tendon><spatial><site/><geom/></spatial><fixed><joint/></fixed></tendon>
  <equality><joint/></equality>
  <contact><pair/></contact>
  <sensor><plugin><config/></plugin><contact/><user/></sensor>
  <visual><map/></visual>
</mujoco>
"""
KINDS = {
    "mujoco/default/joint": "default.joint",
    "mujoco/default/default/geom": "default.geom",
    "mujoco/extension/plugin": "extension.plugin",
    "mujoco/extension/plugin/instance/config": "plugin.config",
    "mujoco/asset/mesh/plugin": "mesh.plugin",
    "mujoco/asset/skin": "asset.skin",
    "mujoco/asset/skin/bone": "skin.bone",
    "mujoco/worldbody/frame": "frame",
    "mujoco/worldbody/frame/replicate": "replicate",
    "mujoco/worldbody/frame/replicate/body": "body",
    "mujoco/worldbody/frame/replicate/body/frame/joint": "body.joint",
    "mujoco/worldbody/frame/replicate/body/flexcomp/edge": "flexcomp.edge",
    "mujoco/worldbody/body/geom/plugin/config": "plugin.config",
    "mujoco/worldbody/body/composite/joint": "composite.joint",
    "mujoco/tendon/spatial/site": "spatial.site",
    "mujoco/tendon/fixed/joint": "fixed.joint",
    "mujoco/equality/joint": "equality.joint",
    "mujoco/contact": "contact",
    "mujoco/sensor/contact": "sensor.contact",
    "mujoco/sensor/user": "sensor.user",
    "mujoco/visual/map": "visual.map",
}


def tags(node) -> str:
    return "/".join([each.tag for each in reversed(list(node.ancestors()))] + [node.tag])


def test_kinds_depend_on_the_place():
    root = Document.from_string(MODEL).merged
    found = {tags(node): schema.of(node) for node in root.iter()}
    assert all(kind is not None for kind in found.values())
    assert {path: found[path].id for path in KINDS} == KINDS


@pytest.mark.parametrize(
    "text",
    [
        "<mujoco><geom/></mujoco>",
        "<mujoco><worldbody><joint/></worldbody></mujoco>",
        "<mujoco><worldbody><frame><joint/></frame></worldbody></mujoco>",
        "<mujoco><worldbody><body><worldbody/></body></worldbody></mujoco>",
        "<mujoco><asset><frame/></asset></mujoco>",
        "<mujoco><nonsense><geom/></nonsense></mujoco>",
        "<robot><worldbody><geom/></worldbody></robot>",
    ],
)
def test_what_does_not_belong_has_no_kind(text):
    node = list(Document.from_string(text).root.iter())[-1]
    assert schema.of(node) is None and schema.row(node, "name") is None


def test_include_may_stand_anywhere():
    root = Document.from_string('<mujoco><asset><include file="nothing.xml"/></asset></mujoco>').root
    assert schema.of(root.find("asset").children[0]) is schema.INCLUDE


def test_rows_and_relations():
    joint = schema.ELEMENTS["body.joint"]
    assert {kind.id for kind in schema.kinds("joint")} >= {
        "body.joint",
        "fixed.joint",
        "equality.joint",
        "default.joint",
    }
    assert {kind.id for kind in schema.parents(joint)} == {"body", "frame", "replicate"}
    assert "joint" in schema.children(schema.ELEMENTS["frame"], schema.ELEMENTS["body"])
    assert "joint" not in schema.children(schema.ELEMENTS["frame"], schema.ELEMENTS["worldbody"])
    assert schema.kinds("nonsense") == []


@pytest.mark.parametrize(
    ("name", "candidates", "expected"),
    [
        ("hinje", ["free", "ball", "slide", "hinge"], "hinge"),
        ("Geom", ["geom", "site"], "geom"),
        (" geom", ["geom", "site"], "geom"),
        ("zzz", ["geom", "site"], None),
        ("x", [], None),
        ("", ["geom"], None),
    ],
)
def test_nearest(name, candidates, expected):
    assert schema.nearest(name, candidates) == expected


def test_a_made_up_row_is_read_and_checked(monkeypatch):
    row = attribute("sparkle", "real(2)", "1 2", "How much it sparkles.", low=0, high=1)
    monkeypatch.setitem(schema.ELEMENTS["body.geom"].attributes, "sparkle", row)
    root = Document.from_string(
        '<mujoco><worldbody><geom sparkle="3 4"/><geom sparkle="3"/></worldbody></mujoco>'
    ).merged
    diagnostics = Diagnostics()
    validate(root, diagnostics)
    assert [item.message for item in diagnostics] == ["sparkle: expects 2 numbers, found 1; add 1 number"]
    geom = root.find("worldbody").children[0]
    assert Defaults(root).values(geom, schema.of(geom))["sparkle"].tolist() == [3, 4]
    assert schema.row(geom, "sparkle").help == "How much it sparkles."


def test_the_schema_imports_little():
    code = "import sys, kinetree.engine.mjcf.validate; print([m for m in ('numba', 'scipy', 'PIL', 'lxml', 'mujoco', 'PySide6') if m in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )
