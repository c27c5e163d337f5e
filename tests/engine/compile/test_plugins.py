"""Plugins: what is wrong with them is said where it stands, with the nearest name; the numbers of the others."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import Severity
from kinetree.engine.document.document import Document

BODY = '<worldbody><body name="b"><joint name="j"/><geom size="1"/><site name="s"/>{}</body></worldbody>'
CABLE = '<extension><plugin plugin="mujoco.elasticity.cable"><instance name="i"/></plugin></extension>'
PID = '<extension><plugin plugin="mujoco.pid"/></extension>'


@pytest.mark.parametrize(
    ("marked", "code", "words"),
    [
        (f"<mujoco><extension><plugin plugin='§mujoco.pit'/></extension>{BODY}</mujoco>", "undefined-plugin", "mujoco.pid"),
        (
            f"<mujoco>{CABLE}{BODY.format('<plugin plugin=§#mujoco.elasticity.cables#/>')}</mujoco>",
            "undefined-plugin",
            "did you mean 'mujoco.elasticity.cable'",
        ),
        (f"<mujoco>{BODY.format('<plugin plugin=§#mujoco.pid#/>')}</mujoco>", "undefined-plugin", "add <plugin"),
        (f"<mujoco>{CABLE}{BODY.format('<plugin instance=§#j#/>')}</mujoco>", "undefined-reference", "'j'"),
        (
            f"<mujoco>{CABLE}{BODY.format('<plugin instance=#i#/>').replace('name=#i#', '')}"
            "<actuator><plugin joint='j' instance=§#i#/></actuator></mujoco>",
            "bad-reference",
            "is for a body",
        ),
        (
            f"<mujoco>{CABLE}"
            + BODY.format("<plugin plugin='mujoco.elasticity.cable'><config key=§#bent# value='1'/></plugin>")
            + "</mujoco>",
            "unknown-attribute",
            "did you mean 'bend'",
        ),
        (
            f"<mujoco>{PID}{BODY.format('')}<actuator><plugin joint='j' plugin='mujoco.pid' actdim=§#2#>"
            "<config key='ki' value='1'/></plugin></actuator></mujoco>",
            "bad-value",
            'actdim="1"',
        ),
        (
            f"<mujoco>{CABLE}"
            + BODY.format("<plugin plugin='mujoco.elasticity.cable'><config key='bend' value=§#1e6 Pa#/></plugin>")
            + "</mujoco>",
            "bad-value",
            "bend is '1e6 Pa'; write a number",
        ),
    ],
)  # fmt: skip
def test_errors(marked, code, words):
    marked = marked.replace("{}", "").replace("#", "'").replace("§'", "'§")
    before, text = marked.split("§")[0], marked.replace("§", "")
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string(text)
    found = [item for item in caught.value.diagnostics if item.code == code]
    assert found, str(caught.value)
    assert words in found[0].message
    assert found[0].column == len(before) + 1


def test_numbers_of_a_controller():
    config = "<config key='kp' value='3'/><config key='ki' value='2'/><config key='imax' value='5'/>"
    model = kinetree.load_string(
        f"<mujoco>{PID}{BODY.format('')}<actuator><plugin joint='j' plugin='mujoco.pid' actdim='1'>{config}</plugin>"
        "</actuator></mujoco>"
    )
    assert model.nplugin == 1
    assert model.actuator_plugin.tolist() == [0]
    assert model.plugin_prm[0].tolist() == [3, 2, 0, 2.5, -1, 0, 0, 0]


@pytest.mark.parametrize(
    ("key", "value", "number", "words"),
    [
        ("kp", "abc", 0, "mujoco.pid: 'abc' in kp counts as 0; write a number"),
        ("kp", "4x", 4, "'4x' in kp counts as 4"),
        ("kp", "4e", 4, "'4e' in kp counts as 4"),
        ("kp", "3 5", 3, "kp is '3 5': only the first number counts"),
        ("kp", " 3. ", 3, ""),
        ("kp", "0x1p3", 8, ""),
        ("kp", "", 0, ""),
        ("kd", "-", 0, "'-' in kd counts as 0"),
    ],
)
def test_a_value_that_is_no_number_warns_where_mujoco_takes_it(key, value, number, words):
    text = (
        f"<mujoco>{PID}{BODY.format('')}<actuator><plugin joint='j' plugin='mujoco.pid'>"
        f"<config key='{key}' value='{value}'/></plugin></actuator></mujoco>"
    )
    found = compile_document(Document.from_string(text))
    assert found.model.plugin_prm[0, ("kp", "ki", "kd").index(key)] == number
    assert len(found.diagnostics) == bool(words)
    for item in found.diagnostics:
        assert item.code == "bad-value" and item.severity == Severity.WARNING and words in item.message
        assert item.column == text.index(f"'{value}'/>") + 2


@pytest.mark.parametrize("value", ["maybe", "TRUE", "1"])
def test_a_flag_of_a_cable(value):
    config = f"<plugin plugin='mujoco.elasticity.cable'><config key='flat' value='{value}'/></plugin>"
    found = compile_document(Document.from_string(f"<mujoco>{CABLE}{BODY.format(config)}</mujoco>"))
    (warning,) = [item for item in found.diagnostics if item.code == "bad-choice"]
    assert "counts as false; write true or false" in warning.message


def test_a_cable_without_values_moves_as_its_body():
    plugin = "<plugin plugin='mujoco.elasticity.cable'/>"
    with_cable = kinetree.load_string(f"<mujoco>{CABLE}{BODY.format(plugin)}</mujoco>")
    without = kinetree.load_string(f"<mujoco>{BODY.format('')}</mujoco>")
    states = []
    for model in (with_cable, without):
        data = kinetree.Data(model)
        data.qvel[:] = 1.0
        kinetree.step(model, data, 20)
        assert data.qpos[0] > 0.01
        states.append((data.qpos, data.qvel))
    np.testing.assert_array_equal(states[0], states[1])


def _link(name: str, inside: str = "", plugin: str = "<plugin instance='i'/>") -> str:
    geom = "<joint type='ball'/><geom type='capsule' size='.01' fromto='0 0 0 .1 0 0'/>"
    return f"<body name='{name}' pos='.1 0 0'>{plugin}{geom}{inside}</body>"


BROKEN = {
    "a link without the plugin": _link("a", _link("b", _link("c"), "")),
    "a body between": _link("a", _link("x", plugin="") + _link("b")),
    "two cables with others between": _link("a") + _link("x", plugin="") + _link("b"),
}
BRANCHED = {"siblings": _link("a", _link("b") + _link("c")), "two cables": _link("a") + _link("b")}


def _cable_world(links: str) -> str:
    return f"<mujoco>{CABLE}<worldbody>{links}</worldbody></mujoco>"


@pytest.mark.parametrize("links", BROKEN.values(), ids=BROKEN)
def test_the_bodies_of_a_cable_follow_each_other(links):
    """The reference refuses the others as well: "This body does not have the requested plugin instance"."""
    text = _cable_world(links)
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string(text)
    (found,) = caught.value.diagnostics
    assert found.code == "broken-cable" and found.line == 1
    assert found.column == text.rindex("<plugin instance") + 1
    with pytest.raises(ValueError, match="requested plugin instance"):
        mujoco.MjModel.from_xml_string(text)


@pytest.mark.parametrize("links", BRANCHED.values(), ids=BRANCHED)
def test_cables_that_branch_are_warned_of(links):
    """The reference takes them, and bends bodies against each other that have no joint between them."""
    text = _cable_world(links)
    mujoco.MjModel.from_xml_string(text)
    (found,) = compile_document(Document.from_string(text)).diagnostics
    assert found.code == "branched-cable" and found.severity == Severity.WARNING
    assert found.column == text.rindex("<plugin instance") + 1
