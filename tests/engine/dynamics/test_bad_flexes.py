"""Flexes that no one should make, beside the reference: a refusal, a motion like its own, or a warning and a reset.

Torn flexes (states that are no numbers): tests/oracle/test_flex_contacts.py, tests/engine/dynamics/force/test_flex.py.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.model import enums

SURFACE = '<elasticity young="1e3" poisson=".2" damping=".01" thickness=".02" elastic2d="both"/>'
SOLID = '<elasticity young="1e3" poisson=".2" damping=".01"/>'
KEPT = '<edge equality="true"/>'
SPRINGS = '<edge stiffness="10" damping="1"/>'
FOUR, FIVE = "0 0 0  .1 0 0  0 .1 0  0 0 .1", "0 0 0  .1 0 0  0 .1 0  0 0 .1  .1 .1 .1"
# name: (dim, points, elements, what else stands inside)
MOVE = {
    "inverted tetrahedra": (3, FIVE, "1 0 2 3  1 2 3 4", SOLID),
    "flat tetrahedra without elasticity": (3, FIVE.replace("0 0 .1", ".1 .1 0", 1), "0 1 2 3  1 2 3 4", ""),
    "a triangle that is a line": (2, "0 0 0  .1 0 0  .2 0 0  0 .1 0", "0 1 2  0 2 3", KEPT),
    "an edge without length": (1, "0 0 0  0 0 0  .1 0 0", "0 1  1 2", SPRINGS),
    "an edge without length that is kept": (1, "0 0 0  0 0 0  .1 0 0", "0 1  1 2", KEPT),
    "a point of no element": (2, FOUR, "0 1 2", SURFACE),
    "an element twice": (2, FOUR, "0 1 2  0 1 2  0 2 3", SURFACE),
    "three triangles at an edge": (2, "0 0 0  .1 0 0  0 .1 0  0 -.1 0  0 0 .1", "0 1 2  0 3 1  0 1 4", SURFACE),
}  # fmt: skip
RESET = {
    "flat tetrahedra": (3, FIVE.replace("0 0 .1", ".1 .1 0", 1), "0 1 2 3  1 2 3 4", SOLID),
    "an elastic triangle that is a line": (2, "0 0 0  .1 0 0  .2 0 0  0 .1 0", "0 1 2  0 2 3", SURFACE),
    "a bent triangle that is a line": (
        2,
        "0 0 0  .1 0 0  .2 0 0  0 .1 0",
        "0 1 2  0 2 3",
        SURFACE.replace("both", "bend"),
    ),
    "two points in one place": (2, "0 0 0  .1 0 0  .1 0 0  0 .1 0", "0 1 2  0 2 3", SURFACE),
}
REFUSED = {
    "a vertex twice in an element": ((2, FOUR, "0 1 1  0 1 2", SURFACE), "names a vertex twice"),
    "an element outside": ((2, FOUR, "0 1 4", SURFACE), "names point 4, but points are numbered 0 to 3"),
    "a pin outside": ((2, FOUR, "0 1 2  0 2 3", SURFACE + '<pin id="9"/>'), "id names point 9"),
    "a negative pin": ((2, FOUR, "0 1 2  0 2 3", SURFACE + '<pin id="-1"/>'), "id names point -1"),
    "a pin outside of the grid": ((2, FOUR, "0 1 2  0 2 3", SURFACE + '<pin grid="9 0"/>'), "grid"),
    "a range of pins that is outside": ((2, FOUR, "0 1 2  0 2 3", SURFACE + '<pin range="2 9"/>'), "range names point"),
}


def world(dim: int, points: str, elements: str, inside: str) -> str:
    return f"""<mujoco><worldbody><geom type="plane" size="3 3 1" pos="0 0 -.1"/>
  <flexcomp name="f" type="direct" dim="{dim}" mass="1" radius=".01" point="{points}" element="{elements}">{inside}</flexcomp>
 </worldbody></mujoco>"""


@pytest.fixture(autouse=True)
def quiet_reference():
    """The reference warns of models that diverge; it would also write a log file beside us."""
    mujoco.set_mju_user_warning(lambda message: None)
    yield
    mujoco.set_mju_user_warning(None)


@pytest.mark.parametrize("row", MOVE.values(), ids=MOVE)
def test_they_fall_on_the_floor_as_in_the_reference(row):
    text = world(*row)
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    mujoco.mj_step(m, d, 90)
    kinetree.step(model, data, 90)
    assert not data.warning[:, 1].any() and not d.warning.number.any()
    assert data.ncon == d.ncon > 0
    np.testing.assert_allclose(data.qpos, d.qpos, atol=1e-6)


@pytest.mark.parametrize("row", RESET.values(), ids=RESET)
def test_elements_without_extent_are_warned_of_and_reset(row):
    """Their stiffness is no number. The reference goes on with an invalid state."""
    text = world(*row)
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    mujoco.mj_step(m, d, 5)
    kinetree.step(model, data, 5)
    assert data.warning[enums.WARN_BADQACC, 1] == 5 and np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()
    assert not np.isfinite(d.qpos).all()


@pytest.mark.parametrize(("row", "words"), REFUSED.values(), ids=REFUSED)
def test_elements_and_pins_outside_are_refused(row, words):
    text = world(*row)
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string(text)
    assert words in str(caught.value) and caught.value.diagnostics[0].line == 2


def crumpled(count: int, flexes: str, spread: float) -> tuple[kinetree.Model, kinetree.Data]:
    """Cloths whose vertices are anywhere within a ball."""
    cloths = "".join(
        f'<flexcomp name="{name}" type="grid" dim="2" count="{count} {count} 1" spacing=".02 .02 .02" mass="1" '
        'radius=".008"><edge equality="true"/><contact selfcollide="auto" internal="false"/></flexcomp>'
        for name in flexes
    )
    model = kinetree.load_string(
        f'<mujoco><option solver="CG" iterations="5"/><worldbody>{cloths}</worldbody></mujoco>'
    )
    data = kinetree.Data(model)
    data.qpos[:] = spread * np.random.default_rng(1).normal(size=model.nq)
    return model, data


def test_two_crumpled_cloths():
    """Thousands of contacts between all elements: steps end, memory stops growing, and the cloths come apart."""
    model, data = crumpled(9, "ab", 0.08)
    kinetree.step(model, data)
    first, size = data.ncon, sum(a.nbytes for a in data._arrays.values())
    assert first > 5000
    kinetree.step(model, data, 10)
    assert np.isfinite(data.qpos).all() and 0 < data.ncon < first
    assert sum(a.nbytes for a in data._arrays.values()) == size


def test_more_contacts_than_any_step_has():
    """The first 50 000 count, with a warning; the step ends and the state stays a number."""
    model, data = crumpled(34, "a", 0.1)
    kinetree.step(model, data)
    assert data.ncon == 50_000 and data.warning[enums.WARN_CONTACTFULL, 1] > 0
    assert (data.contact.dist < 0).all() and (data.contact.flex == 0).all()
    assert np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()
