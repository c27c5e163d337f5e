"""Contacts of height fields against mujoco, contact by contact in the same order."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from kinetree.engine.dynamics.position.kinematics import kinematics
from kinetree.engine.jit.compiler import compiled
from tests.oracle.collide import Contacts, Twin, detect
from tests.oracle.test_collision import GEOMS, cloud

FIELD = """<mujoco><asset>{mesh}<hfield name="h" nrow="8" ncol="6" size="1 1.2 .4 .3" elevation="{heights}"/></asset>
<worldbody><geom type="hfield" hfield="h" pos=".1 .2 .3" euler="10 20 30"/>
<body><freejoint/><geom mass="1" {geom} margin="{margin}"/></body></worldbody></mujoco>"""

KINDS = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
ROUNDING = 1e-16


def difference(ours: list, theirs: list) -> float:
    """The largest difference of distances, positions and frames; inf where the numbers of contacts differ."""
    if len(ours) != len(theirs):
        return np.inf
    gaps = [(abs(a[2] - b[2]), *np.abs(a[3] - b[3]), *np.abs(a[4] - b[4])) for a, b in zip(ours, theirs, strict=True)]
    return float(np.max(gaps, initial=0.0))


@pytest.mark.parametrize("margin", [0, 0.05])
@pytest.mark.parametrize("kind", KINDS)
def test_contacts(kind, margin):
    """Some contacts hang on the last bit. They are fewer than those that the reference itself sees elsewhere once the
    geom is moved by rounding.
    """
    rng = np.random.default_rng(0)
    heights = " ".join(map(str, rng.uniform(0, 1, 48).round(4)))
    xml = FIELD.format(mesh=cloud(40), heights=heights, geom=GEOMS[kind], margin=margin)
    twin = Twin(mujoco.MjModel.from_xml_string(xml))
    number, hits, gaps, own = 250, 0, [], []
    for _ in range(number):
        twin.d.qpos[:3] = [0.1, 0.2, 0.3] + rng.uniform([-1.2, -1.4, -0.2], [1.2, 1.4, 0.7])
        turn = rng.normal(size=4)
        twin.d.qpos[3:] = turn / np.linalg.norm(turn)
        theirs = twin.reference()
        hits += len(theirs) > 0
        gaps.append(difference(twin.ours().unsorted, theirs.unsorted))
        twin.d.qpos += ROUNDING * np.random.default_rng(len(own)).normal(size=7)
        own.append(difference(twin.reference().unsorted, theirs.unsorted))
    assert hits > 100
    assert sum(gap > 1e-6 for gap in gaps) <= sum(gap > 1e-6 for gap in own)
    assert sorted(gaps)[number // 2] < 1e-9


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "sphere"])
def test_depths_at_edges_are_those_of_the_reference(kind):
    """Where a geom touches an edge of two prisms, the last bit of a prism's centre, where the search begins, decides which
    of two depths is found: one may be twice the other. A sphere whose centre lies exactly on the surface is left out:
    there the polytope algorithm ends anywhere within some 1e-3 of the radius.
    """
    rng = np.random.default_rng(5)
    heights = " ".join(map(str, rng.integers(0, 5, 48) / 4))
    xml = FIELD.format(mesh=cloud(40), heights=heights, geom=GEOMS[kind], margin=0)
    twin = Twin(mujoco.MjModel.from_xml_string(xml))
    field = twin.m.hfield_data.reshape(8, 6) * 0.4
    mujoco.mj_kinematics(twin.m, twin.d)
    place, axes = twin.d.geom_xpos[0].copy(), twin.d.geom_xmat[0].reshape(3, 3).copy()
    hits, other = 0, []
    for _ in range(250):
        row, column, part = rng.integers(0, 7), rng.integers(0, 5), rng.integers(0, 5) / 4
        along = [(0, 1), (1, 0), (1, 1)][rng.integers(0, 3)]
        height = (1 - part) * field[row, column] + part * field[row + along[0], column + along[1]]
        point = [0.4 * (column + part * along[1]) - 1, 2.4 / 7 * (row + part * along[0]) - 1.2, height]
        twin.d.qpos[:3] = place + axes @ (point + np.array([0, 0, rng.integers(-4, 5) / 40]))
        turn = rng.normal(size=4) if rng.random() < 0.5 else np.array([1.0, 0.0, 0.0, 0.0])
        twin.d.qpos[3:] = turn / np.linalg.norm(turn)
        theirs, ours = twin.reference().unsorted, twin.ours().unsorted
        assert len(theirs) == len(ours)
        hits += len(theirs)
        other += [(a[2], b[2]) for a, b in zip(ours, theirs, strict=True) if abs(a[2] - b[2]) > 1e-12]
    assert hits > 300
    assert not other


@pytest.mark.parametrize("kind", ["capsule", "box", "mesh", "cylinder"])
def test_every_bit_of_a_tilted_field_with_our_own_poses(kind):
    """A last bit of a pose can move a contact by centimetres where two depths tie. The sphere and the ellipsoid are left
    out: normals of the ellipsoid differ in their last bits.
    """
    rng = np.random.default_rng(7)
    heights = " ".join(map(str, rng.integers(0, 5, 48) / 4))
    twin = Twin(
        mujoco.MjModel.from_xml_string(FIELD.format(mesh=cloud(40), heights=heights, geom=GEOMS[kind], margin=0))
    )
    hits = 0
    for _ in range(250):
        twin.d.qpos[:3] = [0.1, 0.2, 0.3] + rng.uniform([-1.2, -1.4, -0.2], [1.2, 1.4, 0.7])
        turn = rng.normal(size=4)
        twin.d.qpos[3:] = turn / np.linalg.norm(turn)
        theirs = twin.reference().unsorted
        twin.data.qpos = twin.d.qpos
        compiled(kinematics)(twin.model, twin.data)
        detect(twin.model, twin.data)
        hits += len(theirs)
        assert difference(Contacts(twin.data.ncon, twin.data.contact).unsorted, theirs) == 0
    assert hits > 300


def test_at_most_fifty_contacts():
    heights = " ".join(["1"] * 400)
    field = FIELD.replace('nrow="8" ncol="6"', 'nrow="20" ncol="20"')
    xml = field.format(mesh="", heights=heights, geom='type="box" size=".9 .9 .1"', margin=0)
    twin = Twin(mujoco.MjModel.from_xml_string(xml))
    twin.d.qpos[:3] = [0.1, 0.2, 0.6]
    assert len(twin.reference()) == len(twin.ours()) == 50
