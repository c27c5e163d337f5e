"""The example of docs/controllers.md does what the page says."""

import re

import pytest

import kinetree
from kinetree.engine.run.control import ControlView, layout, pack
from tests.conftest import ROOT

MODEL = """<mujoco><worldbody><body><joint name="slide" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
<actuator><motor name="push" joint="slide"/></actuator></mujoco>"""


def test_the_example_holds_the_slide():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "controllers.md").read_text(), re.S)
    names: dict = {}
    exec(blocks[0], names)
    model = kinetree.load_string(MODEL)
    data, view = kinetree.Data(model), ControlView(layout(model))
    for _ in range(2000):
        view.take(pack(data))
        data.ctrl[:] = view.controls(names["control"](view.time, view))
        kinetree.step(model, data)
    assert data.qpos[0] == pytest.approx(0.5, abs=1e-3)
    exec(blocks[1], names)
    assert names["RATE"] == 50 and callable(names["reset"])
