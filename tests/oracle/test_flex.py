"""Where the vertices of flexes are, against mujoco: our own models (those of the corpus: test_models.py)."""

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.position import flex
from kinetree.engine.jit.compiler import compiled
from tests.oracle.bridge import copy_state
from tests.oracle.test_smooth import random_state

QUIET = '<contact selfcollide="none"/>'
OWN = {
    "centred": '<flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".2 .3 .5" radius=".03"/>',
    "pinned": '<flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".2 .3 .5" radius=".03" euler="10 20 30">'
    '<pin id="0 1"/></flexcomp>',
    "rigid": '<flexcomp name="f" type="grid" dim="3" count="3 3 3" spacing=".2 .3 .5" rigid="true"/>',
    "line": '<flexcomp name="f" type="circle" dim="1" count="9 1 1" spacing=".1 .1 .1" radius=".01"/>',
    "radial": '<flexcomp name="f" type="ellipsoid" dim="3" count="4 4 4" spacing=".1 .2 .1" dof="radial"/>',
    "trilinear": f'<flexcomp name="f" type="grid" dim="3" count="4 3 3" spacing=".2 .3 .5" dof="trilinear">{QUIET}'
    "</flexcomp>",
    "flat trilinear": f'<flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".2 .3 .5" dof="trilinear">{QUIET}'
    "</flexcomp>",
    "pinned trilinear": f'<flexcomp name="f" type="grid" dim="3" count="4 3 3" spacing=".2 .3 .5" dof="trilinear">{QUIET}'
    '<pin id="0 3"/></flexcomp>',
    "two": '<flexcomp name="f" type="grid" dim="1" count="4 1 1" spacing=".2 .3 .5" radius=".03"/>'
    f'<flexcomp name="g" type="grid" dim="3" count="3 3 3" spacing=".2 .3 .5" dof="trilinear">{QUIET}</flexcomp>',
}


def _agree(m: mujoco.MjModel, model: kinetree.Model) -> None:
    d, data = mujoco.MjData(m), kinetree.Data(model)
    rng = np.random.default_rng(1)
    for moved in (False, True):
        if moved:
            random_state(m, d, rng)
        for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_flex):
            stage(m, d)
        copy_state(m, d, data)
        want = d.flexvert_xpos
        for name in ("xpos", "xmat"):
            getattr(data, name)[...] = getattr(d, name)
        for kernel in (compiled(flex.flex_positions), flex.flex_positions):
            data.flexvert_xpos[...] = np.nan
            kernel(model, data)
            np.testing.assert_allclose(data.flexvert_xpos, want, rtol=1e-12, atol=1e-12 * (1 + abs(want).max()))


@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_own_models(text):
    xml = (
        '<mujoco><worldbody><body name="b" pos="1 2 3" euler="10 20 30"><freejoint/><geom size=".01"/>'
        f"{text}</body></worldbody></mujoco>"
    )
    _agree(mujoco.MjModel.from_xml_string(xml), kinetree.load_string(xml))


def test_kinematics_places_them():
    text = f"<mujoco><worldbody>{OWN['line']}</worldbody></mujoco>"
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    data.flexvert_xpos[...] = np.nan
    kinetree.kinematics(model, data)
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    np.testing.assert_allclose(data.flexvert_xpos, d.flexvert_xpos, atol=1e-12)


def test_models_without_flexes_have_no_such_stage():
    from kinetree.engine.dynamics import forward

    model = kinetree.load_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")
    assert "flex_positions" not in [row.name for row in forward.stages(model)]
