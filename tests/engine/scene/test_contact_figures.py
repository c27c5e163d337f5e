"""Figures of selected contacts: points, normals, forces and cones, in the world."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.query.contact_force import contact_force, contact_keys, contact_sides
from kinetree.engine.scene.camera import initial, view_of
from kinetree.engine.scene.contact_figures import LONGEST, SHORTEST, chosen, contact_figures, usage

TEXT = """<mujoco><option cone="CONE" gravity="GRAVITY"/>
<worldbody><geom name="floor" type="plane" size="5 5 .1" friction=".3"/>
  <body pos="0 0 .11"><freejoint/><geom name="box" type="box" size=".1 .1 .1" friction=".2"/></body>
  <body pos="1 0 .2"><freejoint/><geom name="ball" size=".1" condim="1" margin="1" gap=".95"/></body>
</worldbody></mujoco>"""


def state(cone, tilt, steps=60):
    model = kinetree.load_string(
        TEXT.replace("CONE", cone).replace("GRAVITY", f"{9 * np.sin(tilt)} 0 {-9 * np.cos(tilt)}")
    )
    data = kinetree.Data(model)
    kinetree.step(model, data, steps)
    return model, data, view_of(initial(model), model, data, 1.6)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_the_force_stands_on_the_point_within_the_cone(cone):
    model, data, view = state(cone, 0)
    found = contact_figures(model, data, {(0, 1, -1)}, view)
    assert len(found) == sum(tuple(pair) == (0, 1) for pair in data.contact.geom.tolist()) >= 4
    for figure in found:
        assert figure.force is not None and figure.text.endswith("N")
        height = view.height_at(view.depth(figure.pos))
        length = np.linalg.norm(figure.force - figure.pos)
        assert SHORTEST * height * 0.999 <= length <= LONGEST * height * 1.001
        assert (figure.force - figure.pos)[2] > 0, "on the box, upwards"
        top = (figure.force - figure.pos)[2]
        radius = np.linalg.norm(figure.rim - figure.pos - [0, 0, top], axis=1)
        assert radius == pytest.approx(np.full(len(radius), 0.3 * top), rel=1e-6)
        assert len(figure.edges) == (4 if cone == "pyramidal" else 0)
        assert not figure.slips


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_what_slides_is_at_the_edge_of_its_cone(cone):
    model, data, view = state(cone, 0.5, 200)
    figures = contact_figures(model, data, {(0, 1, -1)}, view)
    assert figures and all(figure.slips for figure in figures)


def test_a_contact_without_force_has_a_point_and_a_normal():
    model, data, view = state("elliptic", 0, 1)
    keys = contact_keys(contact_sides(data))
    (only,) = contact_figures(model, data, {(0, 2, 0)}, view)
    number = chosen(keys, {(0, 2, 0)})[0]
    assert data.contact.efc_address[number] < 0
    assert only.force is None and not len(only.rim) and only.text == ""
    assert np.linalg.norm(only.normal - only.pos) > 0


def test_usage_is_the_share_of_the_friction_that_is_there():
    model, data, _ = state("elliptic", 0.1)
    from kinetree.engine.dynamics.query.contact_force import contact_forces

    used = usage(data, contact_forces(data))
    for i in range(data.ncon):
        normal, first, second = contact_force(model, data, i)[:3]
        if data.contact.dim[i] == 1 or normal <= 0:
            assert np.isnan(used[i])
        else:
            assert used[i] == pytest.approx(np.hypot(first, second) / data.contact.friction[i][0] / normal)


def test_nothing_is_drawn_of_contacts_that_are_gone():
    model, data, view = state("elliptic", 0)
    assert contact_figures(model, data, {(5, 6, 0)}, view) == []
    assert contact_figures(model, data, (), view) == []
