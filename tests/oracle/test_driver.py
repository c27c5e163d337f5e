"""The collision driver against mujoco: which pairs of geoms, in which order, with which parameters of contacts.

Models are random: bodies with several geoms, welded, moving and mocap bodies, planes, masks, priorities, margins, named
pairs and excludes, and the options that matter. Only spheres and capsules, whose contacts are equal to rounding.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from tests.oracle.bridge import copy_state

FIELDS = (
    "geom", "dim", "exclude", "includemargin", "friction", "solref", "solreffriction", "solimp", "efc_address", "dist",
    "pos", "frame",
)  # fmt: skip
SHAPES = ('type="sphere" size=".12"', 'type="capsule" size=".05 .1"')
INERTIA = '<inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>'
REFERENCES = (".03 .9", "-100 -10", ".02 1.2", "-50 -3")


def words(values) -> str:
    return " ".join(f"{float(x):.6g}" for x in values)


class RandomModel:
    """The text of a random model: `xml`."""

    def __init__(self, rng: np.random.Generator):
        self.rng, self.geoms, self.bodies = rng, [], []
        world = "".join(self.geom() for _ in range(rng.integers(0, 4)))
        if self.often(0.7):
            world += self.plane()
        world += "".join(self.body(0) for _ in range(rng.integers(1, 7)))
        flags = "".join(f'{name}="disable" ' for name in ("filterparent", "midphase", "refsafe") if self.often(0.3))
        if self.often(0.3):
            flags += 'override="enable" '
        option = (
            f'<option jacobian="sparse" cone="{rng.choice(["pyramidal", "elliptic"])}" o_margin="{rng.uniform(0, 0.1)}" '
            f'o_solref=".03 .7" o_solimp=".8 .9 .01 .5 2" o_friction="1 0 .1 0 .2"><flag {flags}/></option>'
        )
        self.xml = (
            f'<mujoco><size memory="100M"/>{option}<worldbody>{world}</worldbody>'
            f"<contact>{self.excludes()}{self.pairs()}</contact></mujoco>"
        )

    def often(self, share: float) -> bool:
        return self.rng.random() < share

    def name(self) -> str:
        self.geoms.append(f"g{len(self.geoms)}")
        return self.geoms[-1]

    def geom(self) -> str:
        rng = self.rng
        text = f'<geom name="{self.name()}" {rng.choice(SHAPES)} pos="{words(rng.uniform(-0.15, 0.15, 3))}" '
        if self.often(0.5):
            text += f'contype="{rng.integers(0, 4)}" conaffinity="{rng.integers(0, 4)}" '
        if self.often(0.3):
            text += f'priority="{rng.integers(-1, 2)}" '
        if self.often(0.4):
            text += f'solmix="{rng.choice([0, 0.3, 1, 2])}" '
        if self.often(0.4):
            text += f'solref="{rng.choice(REFERENCES)}" '
        if self.often(0.4):
            text += f'solimp="{words(rng.uniform([0.5, 0.8, 0.001], [0.8, 0.95, 0.01]))} .5 2" '
        if self.often(0.5):
            text += f'margin="{rng.uniform(0, 0.1)}" gap="{rng.uniform(0, 0.1)}" '
        if self.often(0.5):
            friction = rng.uniform(0, 1, 3) * rng.choice([0, 1, 1e-6])
            text += f'condim="{rng.choice([1, 3, 4, 6])}" friction="{words(friction)}" '
        return text + "/>"

    def plane(self) -> str:
        return f'<geom name="{self.name()}" type="plane" size="1 1 1" pos="0 0 -.2" euler="5 3 0"/>'

    def body(self, depth: int) -> str:
        rng, top = self.rng, depth == 0
        self.bodies.append(f"b{len(self.bodies)}")
        reach = 0.4 if top else 0.1
        text = f'<body name="{self.bodies[-1]}" pos="{words(rng.uniform(-reach, reach, 3))}" '
        kind = rng.random()
        if kind < 0.3:  # fixed
            text += 'mocap="true">' if top and kind < 0.15 else ">"
        else:
            text += f"><{'freejoint' if top else 'joint'}/>{INERTIA}"
        text += "".join(self.geom() for _ in range(rng.integers(0, 4)))
        if top and kind < 0.3 and self.often(0.5):
            text += self.plane()
        if depth < 3:
            text += "".join(self.body(depth + 1) for _ in range(rng.integers(0, 3)))
        return text + "</body>"

    def excludes(self) -> str:
        if len(self.bodies) < 2:
            return ""
        pairs = [self.rng.choice(self.bodies, 2, replace=False) for _ in range(self.rng.integers(0, 4))]
        return "".join(f'<exclude body1="{a}" body2="{b}"/>' for a, b in pairs)

    def pairs(self) -> str:
        rng, text = self.rng, ""
        for _ in range(rng.integers(0, 6) if len(self.geoms) > 1 else 0):
            a, b = rng.choice(self.geoms, 2, replace=False)
            text += f'<pair geom1="{a}" geom2="{b}" '
            if self.often(0.5):
                text += (
                    f'condim="{rng.choice([1, 3, 4, 6])}" margin="{rng.uniform(0, 0.2)}" gap="{rng.uniform(0, 0.1)}" '
                    f'friction="{words(rng.uniform(0, 1, 5))}" solref=".03 1.1" solreffriction=".05 .8" '
                )
            text += "/>"
        return text


def compare(xml: str, rng: np.random.Generator) -> int:
    """Contacts that were equal in three random states; -1 where the reference itself refuses or gives up."""
    try:
        m = mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        return -1
    model = kinetree.load_string(xml)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    found = 0
    for k in range(3):
        d.qpos[:] += rng.normal(size=m.nq) * 0.15 * (k > 0)
        try:
            mujoco.mj_forward(m, d)
        except mujoco.FatalError:
            return -1
        copy_state(m, d, data)
        for name in FIELDS:
            data._arrays["contact_" + name][...] = -7 if name in ("geom", "dim", "exclude", "efc_address") else np.nan
        kinetree.forward(model, data)
        assert data.ncon == d.ncon
        for name in FIELDS:
            theirs = getattr(d.contact, name)
            ours = data._arrays["contact_" + name][: d.ncon].reshape(theirs.shape)
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9, err_msg=name)
        assert data.nefc == d.nefc
        found += d.ncon
    return found


@pytest.mark.parametrize("seed", range(4))
def test_random_models_have_the_same_contacts_in_the_same_order(seed):
    rng = np.random.default_rng(seed)
    counts = [compare(RandomModel(rng).xml, rng) for _ in range(30)]
    assert sum(count > 0 for count in counts) > 10
    assert sum(counts) > 200


BOXES = """<mujoco><option><flag midphase="{midphase}"/></option><worldbody><geom size=".1" contype="0" conaffinity="0"/>
<body><freejoint/><geom type="box" size=".1 .1 .1"/><geom size=".1"/></body>
<body pos="0 0 .15"><freejoint/><geom size=".1"/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("midphase", ["enable", "disable"])
def test_pairs_of_types_are_ordered_as_in_the_reference(midphase):
    """With the mid phase contacts are sorted after the geoms have changed places by type."""
    m, model = (
        load(BOXES.format(midphase=midphase)) for load in (mujoco.MjModel.from_xml_string, kinetree.load_string)
    )
    d, data = mujoco.MjData(m), kinetree.Data(model)
    mujoco.mj_forward(m, d)
    kinetree.forward(model, data)
    pairs = [tuple(pair) for pair in data.contact.geom[: data.ncon].tolist()]
    assert pairs == [tuple(pair) for pair in d.contact.geom.tolist()]
    assert (3, 1) in pairs or (2, 4) in pairs
