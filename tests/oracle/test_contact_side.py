"""Contacts whose sides are geoms, elements or vertices of flexes: their Jacobians and masses against
mujoco's.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.constraint import constraint, post_constraint
from kinetree.engine.dynamics.constraint import contact as constraint_contact
from kinetree.engine.dynamics.constraint import rows as constraint_rows
from kinetree.engine.dynamics.position import contact_side, flex, kinematics
from kinetree.engine.dynamics.position.jacobian import last_dof
from kinetree.engine.dynamics.query.inspect import efc_J
from kinetree.engine.jit.compiler import compiled
from tests.oracle.bridge import copy_contacts, copy_state, model_from
from tests.oracle.constrained import reference_J

WORLD = """<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".15 .15 .1"/></body>
  <body name="b" pos="0 0 .24"><freejoint/><geom size=".02" pos="0 0 .5"/>{flex}</body>
  </worldbody></mujoco>"""


def flexcomp(name: str, dim: int, count: str, place: str = "0 0 0", more: str = "", inside: str = "") -> str:
    """A grid of vertices as a flex."""
    return (
        f'<flexcomp name="{name}" type="grid" dim="{dim}" count="{count}" spacing=".1 .1 .1" radius=".03" '
        f'pos="{place}" {more}>{inside}</flexcomp>'
    )


FLEXES = {
    "cloth": flexcomp("f", 2, "5 5 1"),
    "rope": flexcomp("f", 1, "6 1 1"),
    "solid": flexcomp("f", 3, "3 3 3", "0 0 .08"),
    "two": flexcomp("f", 2, "5 5 1") + flexcomp("g", 2, "4 4 1", ".02 .01 .05"),
    "trilinear": flexcomp("f", 3, "3 3 3", "0 0 .05", 'dof="trilinear"', '<contact selfcollide="none"/>'),
}
STAGES = (
    kinematics.kinematics, kinematics.com_pos, flex.flex_positions, constraint.begin_constraint,
    constraint_contact.contact_constraint,
)  # fmt: skip


def touching(name: str, cone: str = "pyramidal"):
    """A model in which the flex touches something, in mujoco, and ours with its contacts and their rows."""
    m = mujoco.MjModel.from_xml_string(WORLD.format(cone=cone, flex=FLEXES[name]))
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, 40)
    while (d.contact.geom < 0).sum() < 8:
        mujoco.mj_step(m, d)
    mujoco.mj_forward(m, d)
    model = model_from(m)
    data = kinetree.Data(model)
    copy_state(m, d, data)
    copy_contacts(d, data)
    for stage in STAGES:
        compiled(stage)(model, data)
        while data.needs_memory:
            data.grow()
            compiled(stage)(model, data)
    return m, d, model, data


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("name", FLEXES)
def test_rows_of_contacts(name, cone):
    m, d, model, data = touching(name, cone)
    wanted, found = reference_J(m, d), efc_J(model, data)
    flexes = 0
    for c in range(d.ncon):
        theirs, ours = d.contact.efc_address[c], data.contact.efc_address[c]
        assert (theirs < 0) == (ours < 0)
        if theirs < 0:
            continue
        dim = d.contact.dim[c]
        rows = dim if cone == "elliptic" or dim == 1 else 2 * dim - 2
        for k in range(rows):
            assert np.abs(found[ours + k] - wanted[theirs + k]).max() < 1e-9
            assert data.efc_D[ours + k] == pytest.approx(d.efc_D[theirs + k], rel=1e-6)
        flexes += (d.contact.geom[c] < 0).any()
    assert flexes > 3


def test_the_sides_of_a_contact():
    """Accessor: the body of a geom, the vertices of an element with shares of length one, the sign of the
    side.
    """
    _, _, model, data = touching("cloth")
    kinds = set()
    for c in range(data.ncon):
        n = contact_side.contact_bodies(model, data, c)
        bodies, shares = data.side_body[:n], data.side_weight[:n]
        for side, sign in ((0, -1), (1, 1)):
            mine = np.sign(shares) == sign
            geom = data.contact.geom[c, side]
            assert contact_side.side_body(model, data, c, side) == (model.geom_bodyid[geom] if geom >= 0 else -1)
            assert np.linalg.norm(shares[mine]) == pytest.approx(1.0)
            if geom >= 0:
                assert bodies[mine].tolist() == [model.geom_bodyid[geom]]
                kinds.add("geom")
            elif data.contact.elem[c, side] >= 0:
                first = 3 * data.contact.elem[c, side]
                assert bodies[mine].tolist() == model.flex_vertbodyid[model.flex_elem[first : first + 3]].tolist()
                kinds.add("element")
            else:
                assert bodies[mine].tolist() == [model.flex_vertbodyid[data.contact.vert[c, side]]]
                kinds.add("vertex")
    assert {"geom", "element"} <= kinds or {"geom", "vertex"} <= kinds


def test_a_vertex_as_a_side():
    """The same contact on a vertex of the flex instead of an element: only that vertex's body moves it."""
    _, _, model, data = touching("cloth")
    c = int(np.flatnonzero(data.contact.flex[:, 1] >= 0)[0])
    data.contact.elem[c], data.contact.vert[c, 1] = -1, 7
    n = contact_side.contact_bodies(model, data, c)
    assert data.side_body[1:n].tolist() == [model.flex_vertbodyid[7]] and data.side_weight[n - 1] == 1.0


def test_chains_of_many_bodies_are_those_of_two():
    """Segments of a contact of two geoms, found by the way for two bodies and by the way for many."""
    text = """<mujoco><worldbody><body><freejoint/><geom size=".1"/>
      <body><joint/><geom size=".1"/></body></body>
      <body><joint type="ball"/><geom size=".1"/></body></worldbody></mujoco>"""
    model = kinetree.load_string(text)
    two, many = kinetree.Data(model), kinetree.Data(model)
    for one, other in ((2, 3), (2, 1), (0, 2), (3, 0)):
        a, b = (last_dof(model, body) for body in (one, other))
        for data in (two, many):
            data.nseg = data.nJ = 0
        constraint_rows.add_chains(model, two, a, b, -1, 3)
        many.side_body[:3] = one, other, 0
        constraint_rows.add_many_chains(model, many, 3, 3)
        assert two.nseg == many.nseg
        for name in ("seg_block", "seg_dof", "seg_num", "seg_adr"):
            assert getattr(two, name)[: two.nseg].tolist() == getattr(many, name)[: many.nseg].tolist()


def test_forces_of_flex_contacts_reach_their_bodies():
    """The external forces of a contact sum up to nothing: what one side gets, the other gives, in the shares
    of its bodies.
    """
    _, _, model, data = touching("rope")
    data.efc_force = 1.0
    data.cfrc_ext = 0.0
    post_constraint.rne_post_constraint(model, data)
    moved = set(np.flatnonzero(np.abs(data.cfrc_ext[:, 3:]).sum(1)).tolist())
    bodies = {int(b) for c in range(data.ncon) for b in data.side_body[: contact_side.contact_bodies(model, data, c)]}
    assert moved == bodies - {0}
