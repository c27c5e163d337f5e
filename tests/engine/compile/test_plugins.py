"""Plugins: what is wrong with them is said where it stands, with the nearest name; the numbers of the others."""

from __future__ import annotations

import pytest

import engine

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
    ],
)  # fmt: skip
def test_errors(marked, code, words):
    marked = marked.replace("{}", "").replace("#", "'").replace("§'", "'§")
    before, text = marked.split("§")[0], marked.replace("§", "")
    with pytest.raises(engine.ModelError) as caught:
        engine.load_string(text)
    found = [item for item in caught.value.diagnostics if item.code == code]
    assert found, str(caught.value)
    assert words in found[0].message
    assert found[0].column == len(before) + 1


def test_numbers_of_a_controller():
    config = "<config key='kp' value='3'/><config key='ki' value='2'/><config key='imax' value='5'/>"
    model = engine.load_string(
        f"<mujoco>{PID}{BODY.format('')}<actuator><plugin joint='j' plugin='mujoco.pid' actdim='1'>{config}</plugin>"
        "</actuator></mujoco>"
    )
    assert model.nplugin == 1
    assert model.actuator_plugin.tolist() == [0]
    assert model.plugin_prm[0].tolist() == [3, 2, 0, 2.5, -1, 0, 0, 0]


def test_forces_of_a_cable_are_refused():
    plugin = "<plugin plugin='mujoco.elasticity.cable'/>"
    model = engine.load_string(f"<mujoco>{CABLE}{BODY.format(plugin)}</mujoco>")
    with pytest.raises(engine.ModelError, match="plugin"):
        engine.step(model, engine.Data(model))
