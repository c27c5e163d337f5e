"""Reasons for and against contacts, against what the step does with geoms that all overlap."""

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.collision.filters import TEXTS, Filters, Reason
from kinetree.engine.model import enums

TEXT = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1" pos="0 0 .1"/><geom name="wall" type="plane" size="2 2 .1" pos="0 0 .1"/>
    <geom name="rock" size=".3"/>
    <body name="a"><freejoint/><geom name="a0" size=".3"/><geom name="a1" size=".3" contype="2" conaffinity="4"/>
      <body name="b"><joint/><geom name="b0" size=".3"/><geom name="b1" size=".3" contype="4" conaffinity="0"/>
        <body name="c"><geom name="c0" size=".3"/>
          <body name="d"><joint/><geom name="d0" size=".3"/></body></body></body>
    </body>
    <body name="bare"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
    <body name="e"><freejoint/><geom name="e0" size=".3" contype="0" conaffinity="0"/></body>
    <body name="f"><freejoint/><geom name="f0" size=".3"/></body>
  </worldbody>
  <contact><exclude body1="f" body2="d"/><pair geom1="e0" geom2="f0"/><pair geom1="a0" geom2="b0"/></contact>
</mujoco>"""


def reason(model, filters, first, second):
    ids = (model.names["geom"].index(name) for name in (first, second))
    a, b = ids
    assert filters.geoms(a)[b] == filters.geoms(b)[a]
    return Reason(int(filters.geoms(a)[b]))


def test_each_reason_is_told():
    model = kinetree.load_string(TEXT)
    filters = Filters(model)
    for first, second, expected in (
        ("floor", "rock", Reason.SAME), ("a0", "a1", Reason.SAME), ("b0", "c0", Reason.WELDED),
        ("a1", "b0", Reason.PARENT), ("c0", "d0", Reason.PARENT), ("b0", "d0", Reason.PARENT),
        ("a0", "d0", Reason.COLLIDES), ("a1", "b1", Reason.PARENT), ("d0", "f0", Reason.EXCLUDED),
        ("e0", "f0", Reason.PAIR), ("a0", "b0", Reason.PAIR), ("e0", "a0", Reason.MASKS), ("a1", "f0", Reason.MASKS),
        ("floor", "a0", Reason.COLLIDES), ("rock", "f0", Reason.COLLIDES),
    ):  # fmt: skip
        assert reason(model, filters, first, second) is expected, (first, second)
    bodies = filters.bodies(model.names["body"].index("f"))
    by_name = dict(zip(model.names["body"], bodies.tolist(), strict=True))
    assert by_name["e"] == Reason.PAIR and by_name["bare"] == Reason.NOTHING and by_name["d"] == Reason.EXCLUDED
    assert set(TEXTS) == set(Reason)


@pytest.mark.parametrize("flags", [0, enums.DSBL_FILTERPARENT, enums.DSBL_CONTACT])
def test_geoms_that_overlap_touch_exactly_where_the_filters_let_them(flags):
    model = kinetree.load_string(TEXT)
    model.opt.disableflags = flags
    data, filters = kinetree.Data(model), Filters(model)
    kinetree.forward(model, data)
    touching = {tuple(sorted(pair)) for pair in data.contact.geom.tolist()}
    theirs = mujoco.MjModel.from_xml_string(TEXT)
    theirs.opt.disableflags = flags
    their_data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, their_data)
    assert touching == {tuple(sorted(pair)) for pair in their_data.contact.geom.tolist()}
    allowed = {
        (a, b)
        for a in range(model.ngeom)
        for b in np.flatnonzero(filters.geoms(a) >= Reason.COLLIDES).tolist()
        if a < b
    }
    assert touching == allowed


def test_the_flags_of_a_simulation_count():
    model = kinetree.load_string(TEXT)
    assert reason(model, Filters(model, enums.DSBL_FILTERPARENT), "a1", "b1") is Reason.COLLIDES
    assert reason(model, Filters(model, enums.DSBL_CONTACT), "rock", "f0") is Reason.DISABLED
