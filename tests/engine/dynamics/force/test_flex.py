"""Invariants of flexes and cables: rest, momentum, energy; and elements, states and pins that are bad.

Numbers against the reference: tests/oracle/test_flex_forces.py.
"""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import enums

QUIET = '<contact selfcollide="none" internal="false" contype="0" conaffinity="0"/>'
FREE = {
    "line": '<flexcomp name="f" type="grid" dim="1" count="6 1 1" spacing=".1 .1 .1" mass="1" radius=".01">'
    f'<edge stiffness="30"/>{QUIET}</flexcomp>',
    "surface": '<flexcomp name="f" type="grid" dim="2" count="4 5 1" spacing=".1 .1 .1" mass="1" radius=".01">'
    f'<elasticity young="1e4" poisson=".2" thickness=".02" elastic2d="stretch"/>{QUIET}</flexcomp>',
    "solid": '<flexcomp name="f" type="grid" dim="3" count="3 3 3" spacing=".1 .1 .1" mass="1" radius=".01">'
    f'<elasticity young="1e3" poisson=".2"/>{QUIET}</flexcomp>',
    "kept edges": '<flexcomp name="f" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" mass="1" radius=".01">'
    f'<edge equality="true"/>{QUIET}</flexcomp>',
}
CABLE = (
    '<composite prefix="a" type="cable" curve="s 0 0" count="6 1 1" size="1" offset="0 0 1" initial="none">'
    '<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1e7"/><config key="bend" value="4e6"/></plugin>'
    '<geom type="capsule" size=".005"/></composite>'
)


RESTING = FREE | {
    "bent": FREE["surface"].replace('"stretch"', '"both"'),
    "bent, turned": FREE["surface"]
    .replace('"stretch"', '"both"')
    .replace("radius", 'euler="10 20 30" pos="1 2 3" radius'),
    "radial": '<flexcomp name="f" type="box" dim="3" count="3 3 3" spacing=".1 .1 .1" mass="1" dof="radial">'
    f'<elasticity young="1e3" poisson=".2" damping=".1"/>{QUIET}</flexcomp>',
    "cell": '<flexcomp name="f" type="grid" dim="3" count="4 4 4" spacing=".1 .1 .1" mass="1" dof="trilinear" pos="1 2 3">'
    f'<elasticity young="1e3" poisson=".2" damping=".1"/>{QUIET}</flexcomp>',
    "damped": FREE["solid"].replace('poisson=".2"', 'poisson=".2" damping=".1"'),
    "pinned": FREE["surface"].replace("</flexcomp>", '<pin id="0 3"/></flexcomp>'),
    "cable": CABLE,
}


def load(inside: str, option: str = 'gravity="0 0 0" timestep=".001"', after: str = "") -> kinetree.Model:
    plugin = '<extension><plugin plugin="mujoco.elasticity.cable"/></extension>' if "plugin" in inside else ""
    return kinetree.load_string(
        f'<mujoco>{plugin}<option {option}><flag energy="enable"/></option><worldbody>{inside}</worldbody>{after}</mujoco>'
    )


def stirred(model: kinetree.Model, speed: float = 0.1) -> kinetree.Data:
    data = kinetree.Data(model)
    data.qvel = np.random.default_rng(0).normal(0, speed, model.nv)
    return data


@pytest.mark.parametrize("text", RESTING.values(), ids=RESTING)
def test_at_rest_nothing_moves_to_the_bit(text):
    model = load(text)
    data = kinetree.Data(model)
    kinetree.step(model, data, 100)
    assert not data.qvel.any() and np.array_equal(data.qpos, model.qpos0)


@pytest.mark.parametrize("text", FREE.values(), ids=FREE)
def test_a_free_flex_keeps_its_momentum(text):
    model = load(text)
    data = stirred(model)
    mass = model.body_mass[1:, None]

    def momentum():
        velocity = data.qvel.reshape(-1, 3)
        return np.concatenate(((mass * velocity).sum(0), np.cross(data.flexvert_xpos, mass * velocity).sum(0)))

    kinetree.forward(model, data)
    start = momentum()
    for _ in range(50):
        kinetree.step(model, data)
        kinetree.kinematics(model, data)
        np.testing.assert_allclose(momentum()[:3], start[:3], atol=1e-13)
        np.testing.assert_allclose(momentum()[3:], start[3:], atol=1e-4 if text is FREE["kept edges"] else 1e-10)


def test_springs_of_edges_keep_their_energy():
    model = load(FREE["line"])
    data = stirred(model)
    kinetree.forward(model, data)
    start = data.energy.sum()
    drift = []
    for _ in range(200):
        kinetree.step(model, data)
        drift.append(abs(data.energy.sum() - start))
    assert data.energy[0] > 0.1 * start and max(drift) < 0.02 * start


def test_damping_only_takes_energy():
    model = load(FREE["line"].replace('stiffness="30"', 'stiffness="30" damping=".5"'))
    data = stirred(model)
    energy = []
    for _ in range(200):
        kinetree.step(model, data)
        energy.append(data.energy.sum())
    assert max(np.diff(energy)) < 1e-9 and energy[-1] < 0.9 * energy[0]


def test_the_passive_flag_switches_forces_off():
    for text in (FREE["surface"], CABLE):
        model = load(text)
        model.opt.disableflags = 1 << 5
        data = stirred(model)
        data.qpos += 0.01 * data.qvel[: model.nq].sum()
        kinetree.forward(model, data)
        assert not data.qfrc_passive.any() and not data.qfrc_spring.any()


def test_flat_elements_are_warned_of_and_reset():
    """A flat tetrahedron has no stiffness: each step ends in a reset with a warning."""
    body = "".join(
        f'<body name="{name}" pos="{pos}"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>'
        f'<joint type="slide" axis="0 0 1"/><geom size=".01" contype="0" conaffinity="0"/></body>'
        for name, pos in zip("abcd", ("0 0 0", "1 0 0", "0 1 0", "1 1 0"), strict=True)
    )
    flex = f'<deformable><flex name="x" dim="3" body="a b c d" element="0 1 2 3"><elasticity young="1e3"/>{QUIET}</flex></deformable>'
    model = load(body, after=flex)
    data = kinetree.Data(model)
    kinetree.step(model, data, 3)
    assert data.warning[enums.WARN_BADQACC, 1] > 0 and np.isfinite(data.qpos).all()


def test_a_flex_torn_by_what_is_no_number_is_reset():
    for text in (*FREE.values(), CABLE):
        model = load(text)
        data = kinetree.Data(model)
        data.qpos[1] = np.nan
        kinetree.step(model, data, 2)
        assert data.warning[enums.WARN_BADQPOS, 1] == 1 and np.isfinite(data.qpos).all()


def test_pins_outside_are_refused():
    with pytest.raises(kinetree.ModelError) as error:
        load(FREE["surface"].replace("</flexcomp>", '<pin id="99"/></flexcomp>'))
    assert "id names point 99" in str(error.value)


def test_nothing_of_a_large_flex_grows_with_the_square_of_its_size():
    """Bytes for each vertex, of Model and Data."""
    each = []
    for n in (10, 20):
        model = load(FREE["surface"].replace('count="4 5 1"', f'count="{n} {n} 1"'))
        data = kinetree.Data(model)
        kinetree.step(model, data)
        each.append(sum(a.nbytes for table in (model, data) for a in table._arrays.values()) / n**2)
    assert each[1] < 1.1 * each[0]
