"""Contact sensors (MPEX) against the contacts themselves."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree

TEXT = """<mujoco><compiler dialect="mpex"/><option cone="{cone}"/><worldbody>
 <geom name="floor" type="plane" size="5 5 1"/>
 <site name="volume" type="box" size=".15 .3 .3" pos=".1 0 .1"/>
 <site name="away" type="sphere" size=".1" pos="0 0 5"/>
 <body name="a" pos="0 0 .099"><freejoint/><geom name="low" type="box" size=".2 .2 .1" mass="2"/>
  <body name="arm" pos=".1 0 .1"><joint axis="0 1 0" range="-5 5" limited="true"/>
   <geom name="tip" type="capsule" size=".03" fromto="0 0 .05 .5 0 .05" mass=".1"/></body></body>
 <body name="b" pos="0 0 .297" euler="0 0 30"><freejoint/><geom name="high" type="box" size=".1 .1 .1" condim="6"/></body>
 </worldbody><sensor><contact name="s" {sensor}/></sensor></mujoco>"""
ALL = "found force torque dist pos normal tangent"


def measured(sensor: str, steps: int = 60, cone: str = "elliptic"):
    model = kinetree.load_string(TEXT.format(sensor=sensor, cone=cone))
    data = kinetree.Data(model)
    data.qfrc_applied[6] = 0.01
    kinetree.step(model, data, steps)
    data.xfrc_applied[:, 0] = 0.5
    data.sensordata[:] = np.nan
    kinetree.forward(model, data)
    return model, data


def contacts(model, data, first: set, second: set):
    """(number, sign) of the contacts whose geoms are in two sets; sign -1: the other way round."""
    found = []
    for c in range(data.ncon):
        g1, g2 = data.contact.geom[c].tolist()
        if not data.contact.exclude[c] and g1 in first and g2 in second:
            found.append((c, 1))
        elif not data.contact.exclude[c] and g2 in first and g1 in second:
            found.append((c, -1))
    return found


def expected(model, data, c: int, sign: int, number: int) -> np.ndarray:
    """All that a slot can hold."""
    frame = data.contact.frame[c].reshape(3, 3)
    wrench = kinetree.contact_force(model, data, c).ravel()
    force, torque = sign * frame.T @ wrench[:3], sign * frame.T @ wrench[3:]
    axes = np.stack([sign * frame[0], sign * frame[1], frame[2]])
    return np.concatenate(
        [[number], axes @ force, axes @ torque, [data.contact.dist[c]], data.contact.pos[c], axes[0], axes[1]]
    )


SIDES = {
    'geom1="floor" geom2="low"': (["floor"], ["low"]),
    'geom1="low" geom2="floor"': (["low"], ["floor"]),
    'body1="a" body2="b"': (["low"], ["high"]),
    'body1="b" body2="a"': (["high"], ["low"]),
    'subtree1="a" subtree2="b"': (["low", "tip"], ["high"]),
    'subtree1="world" subtree2="b"': (["floor", "low", "tip", "high"], ["high"]),
}


def ids(model, names) -> set:
    return {kinetree.name2id(model, "geom", name) for name in names}


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize("reduce", ["none", "mindist", "maxforce"])
@pytest.mark.parametrize("num", [1, 3, 20])
@pytest.mark.parametrize("sides", SIDES)
def test_slots(sides, num, reduce, cone):
    model, data = measured(f'{sides} num="{num}" reduce="{reduce}" data="{ALL}"', cone=cone)
    found = contacts(model, data, *(ids(model, names) for names in SIDES[sides]))
    assert len(found) >= 2
    if reduce == "mindist":
        found.sort(key=lambda item: data.contact.dist[item[0]])
    if reduce == "maxforce":
        found.sort(key=lambda item: -np.linalg.norm(kinetree.contact_force(model, data, item[0]).ravel()[:3]))
    slots = data.sensordata.reshape(num, 17)
    for k in range(num):
        want = expected(model, data, *found[k], len(found)) if k < len(found) else np.zeros(17)
        np.testing.assert_allclose(slots[k], want, rtol=0, atol=1e-9)


@pytest.mark.parametrize("sides", SIDES)
def test_net_force(sides):
    """The sum of all forces carries what lies on it, and balances the single ones about any point."""
    model, data = measured(f'{sides} num="5" reduce="netforce" data="{ALL}"')
    found = contacts(model, data, *(ids(model, names) for names in SIDES[sides]))
    force, torque, weight, centre = np.zeros(3), np.zeros(3), 0.0, np.zeros(3)
    for c, sign in found:
        frame = data.contact.frame[c].reshape(3, 3)
        wrench = kinetree.contact_force(model, data, c).ravel()
        push = sign * frame.T @ wrench[:3]
        force += push
        torque += sign * frame.T @ wrench[3:] + np.cross(data.contact.pos[c], push)
        weight += np.linalg.norm(push)
        centre += np.linalg.norm(push) * data.contact.pos[c]
    values = data.sensordata
    assert values.size == 17 and values[0] == len(found)
    np.testing.assert_allclose(values[1:4], force, atol=1e-9)
    np.testing.assert_allclose(values[8:11], centre / weight, atol=1e-9)
    np.testing.assert_allclose(values[4:7] + np.cross(values[8:11], force), torque, atol=1e-9)
    assert values[7] == min(data.contact.dist[c] for c, _ in found)
    np.testing.assert_array_equal(values[11:], [1, 0, 0, 0, 1, 0])


def test_a_resting_body_weighs_on_the_sensor():
    model = kinetree.load_string(
        TEXT.format(sensor='geom1="floor" geom2="low" reduce="netforce" data="force found"', cone="elliptic")
    )
    data = kinetree.Data(model)
    kinetree.step(model, data, 2000)
    weight = 9.81 * model.body_mass[1:].sum()
    np.testing.assert_allclose(data.sensordata, [0, 0, weight, 4], atol=1e-2 * weight)


def test_a_site_and_the_order_of_the_data():
    _, data = measured('site="volume" num="30" data="dist found"')
    low, high = np.array([-0.05, -0.3, -0.2]), np.array([0.25, 0.3, 0.4])
    inside = [c for c in range(data.ncon) if (data.contact.pos[c] >= low).all() and (data.contact.pos[c] <= high).all()]
    assert 0 < len(inside) < data.ncon
    slots = data.sensordata.reshape(30, 2)
    np.testing.assert_array_equal(slots[: len(inside), 0], data.contact.dist[inside])
    assert (slots[: len(inside), 1] == len(inside)).all() and not slots[len(inside) :].any()
    _, data = measured('site="away" num="2"')
    assert not data.sensordata.any()


def test_cutoff_and_switches():
    model, data = measured('geom1="floor" geom2="low" data="found force"')
    model.sensor_cutoff[0] = 2.0
    kinetree.forward(model, data)
    assert np.abs(data.sensordata).max() == 2
    model.opt.disableflags = 1 << 4  # contacts
    kinetree.forward(model, data)
    assert not data.sensordata.any()
    model.opt.disableflags = 1 << 12  # sensors
    data.sensordata = 7.0
    kinetree.forward(model, data)
    assert (data.sensordata == 7).all()


def test_contacts_in_the_gap_are_not_found():
    text = TEXT.format(sensor='geom1="floor" geom2="low"', cone="elliptic")
    model = kinetree.load_string(text.replace('name="floor"', 'name="floor" margin="1" gap="1"'))
    data = kinetree.Data(model)
    data.qpos[2] = 0.3
    kinetree.forward(model, data)
    assert data.ncon > 0 and data.sensordata[0] == 0
