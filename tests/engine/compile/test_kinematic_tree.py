"""Arrays derived from parents and joints, against the reference for random trees."""

from __future__ import annotations

import mujoco
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.engine.compile.tree.kinematic_tree import addresses, kinematic_tree

JOINTS = (
    "",
    "<freejoint/>",
    "<joint type='ball'/>",
    "<joint/>",
    "<joint type='slide'/><joint axis='1 0 0'/>",
)


@st.composite
def trees(draw) -> str:
    """A random tree of bodies as text; free joints only in children of the world."""

    def bodies(depth: int) -> str:
        found = ""
        for _ in range(draw(st.integers(0, 3 if depth < 3 else 0))):
            joint = draw(st.sampled_from(JOINTS if depth == 0 else ("", *JOINTS[2:])))
            found += f"<body>{joint}<geom size='.1' mass='1'/>{bodies(depth + 1)}</body>"
        return found

    return f"<mujoco><worldbody>{bodies(0)}</worldbody></mujoco>"


@given(trees())
@settings(max_examples=60, deadline=None)
def test_columns_are_those_of_the_reference(text):
    model = mujoco.MjModel.from_xml_string(text)
    tree = kinematic_tree(model.body_parentid.tolist(), model.jnt_bodyid.tolist(), model.jnt_type.tolist())
    for name, values in (tree.bodies | tree.joints | tree.dofs).items():
        assert values == getattr(model, name).tolist(), name
    assert tree.sizes["nC"] == tree.sizes["nM"]  # the reference's nC leaves out what is zero in simple bodies
    for name in ("nq", "nv", "nM", "ntree"):
        assert tree.sizes[name] == getattr(model, name), name


def test_addresses_of_nothing_are_not_there():
    assert addresses([2, 0, 3, 0]) == [0, -1, 2, -1]
    assert addresses([]) == []
