"""Bad input in the physics: a warning, a reset, a result that ends; no crash, no hang, no memory without end."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.jit.capacity import MOST_CONTACTS
from kinetree.engine.model import enums
from kinetree.engine.run.divergence import findings
from tests.engine.dynamics.solver.test_primal import crowd
from tests.patience import ends


def overlapping(number: int) -> kinetree.Model:
    return kinetree.load_string(f"""<mujoco><worldbody><geom type="plane" size="5 5 1"/><replicate count="{number}">
 <body pos="0 0 .5"><freejoint/><geom size=".1"/></body></replicate></worldbody></mujoco>""")


@pytest.mark.slow("fills memory with contacts")
def test_contacts_beyond_the_limit_are_left_out():
    model = overlapping(330)
    data, other = kinetree.Data(model), kinetree.Data(model)
    with ends():
        for _ in range(2):
            kinetree.step(model, data)
            kinetree.step(model, other)
            assert data.ncon == MOST_CONTACTS
    assert data.warning[enums.WARN_CONTACTFULL].tolist() == [MOST_CONTACTS, 2]
    assert data.qpos.tobytes() == other.qpos.tobytes() and np.isfinite(data.qpos).all()
    assert data._sizes["nconmax"] < 2 * MOST_CONTACTS
    (found,) = findings(model, data)
    assert found.summary == "Too crowded" and "too many contacts" in found.text


def crowded_chain(number: int) -> kinetree.Model:
    """Links of one chain, all within each other: each contact acts on the dofs of all links below."""
    rng = np.random.default_rng(3)
    places = (" ".join(map(str, rng.normal(size=3) * 0.002)) for _ in range(number))
    links = "".join(
        f'<body pos="{place}"><joint axis="{k % 2} 1 0" armature="1"/><geom size=".1" condim="6"/>'
        for k, place in enumerate(places)
    )
    return kinetree.load_string(f"<mujoco><worldbody>{links}{'</body>' * number}</worldbody></mujoco>")


@pytest.mark.parametrize("solver", ["PGS", "noslip"])
def test_a_dual_problem_beyond_the_limit_is_left_out(solver):
    model = crowded_chain(200)
    model.opt.solver = enums.SOL_PGS if solver == "PGS" else model.opt.solver
    model.opt.noslip_iterations = int(solver == "noslip")
    data = kinetree.Data(model)
    kinetree.step(model, data)
    assert data.ncon == 199 * 198 // 2
    assert data.warning[enums.WARN_CNSTRFULL].tolist() == [10 * data.ncon, 1]
    assert data.nefc == data.nisland == data.ne == data.nf == data.nl == 0
    assert (data.contact_efc_address == -1).all()
    assert np.array_equal(data.qacc, data.qacc_smooth) and not data.qfrc_constraint.any()
    (found,) = findings(model, data)
    assert "too many constraint rows" in found.text
    model.geom_contype = 0
    kinetree.step(model, data)
    assert data.ncon == 0 and data.warning[enums.WARN_CNSTRFULL, 1] == 1


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf, 1e300, 1e-300])
@pytest.mark.parametrize("field", ["body_mass", "body_inertia", "dof_armature", "geom_size", "opt_timestep"])
def test_masses_sizes_and_steps_made_bad_at_run_time(field, value):
    for text in (crowd(6), crowd(6).replace("box", "ellipsoid")):
        model = kinetree.load_string(text)
        data = kinetree.Data(model)
        kinetree.step(model, data, 3)
        setattr(model, field, value)
        with ends():
            kinetree.step(model, data, 10)
        assert np.isfinite(data.qpos).all() or data.warning[:, 1].any() or not np.isfinite(value)
        assert data.ncon <= MOST_CONTACTS


@pytest.mark.parametrize("force", [1e6, 1e12, 1e300])
def test_huge_forces(force):
    model = kinetree.load_string(crowd(12))
    data = kinetree.Data(model)
    for k in range(20):
        data.xfrc_applied[1:] = force * (-1) ** k
        data.qfrc_applied[:] = force
        kinetree.step(model, data, 3)
        assert np.isfinite(data.qpos).all()


def test_a_time_step_of_a_second():
    model = kinetree.load_string(crowd(12))
    model.opt.timestep = 1.0
    data = kinetree.Data(model)
    kinetree.step(model, data, 200)
    assert np.isfinite(data.qpos).all() and data.time > 0


@pytest.mark.parametrize("autoreset", [True, False])
def test_the_text_tells_how_often_it_happened(autoreset):
    model = kinetree.load_string(crowd(2))
    model.opt.disableflags = 0 if autoreset else 1 << 15
    data = kinetree.Data(model)
    for _ in range(3):
        kinetree.step(model, data, 2)
        data.qvel[:] = np.nan
        kinetree.step(model, data)
        data.qpos, data.qvel, data.qacc_warmstart = model.qpos0, 0.0, 0.0
    (found,) = (item for item in findings(model, data) if item.name == "BADQVEL")
    assert found.number == 3 and "3 times" in found.text
