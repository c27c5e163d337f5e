"""Deformable objects in copies of replicate and attach: each copy has its own bodies, names and equalities."""

from __future__ import annotations

import pytest

import kinetree

CLOTH = (
    '<body name="b"><flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1"><edge equality="true"/>'
    '<pin id="0"/></flexcomp></body>'
)


def test_replicate():
    model = kinetree.load_string(
        f'<mujoco><worldbody><replicate count="3" offset="0 0 1">{CLOTH}</replicate></worldbody></mujoco>'
    )
    assert model.names["flex"] == ["f0", "f1", "f2"]
    assert model.eq_obj1id.tolist() == [0, 1, 2]
    of = [model.names["body"][body] for body in model.flex_vertbodyid.tolist()]
    assert of[:3] == ["b0", "f_10", "f_20"]
    assert of[9:12] == ["b1", "f_11", "f_21"]
    assert model.body_pos[model.names["body"].index("b2")].tolist() == [0, 0, 2]


def test_attach_twice(tmp_path):
    (tmp_path / "kid.xml").write_text(f"<mujoco><worldbody>{CLOTH}</worldbody></mujoco>")
    model = kinetree.load_string(
        '<mujoco><asset><model name="kid" file="kid.xml"/></asset><worldbody><attach model="kid" body="b" prefix="p_"/>'
        '<attach model="kid" body="b" prefix="q_"/></worldbody></mujoco>',
        tmp_path,
    )
    assert model.names["flex"] == ["p_f", "q_f"]
    assert model.neq == 2
    assert model.nbody == 19


@pytest.mark.parametrize("count", [10, 1000])
def test_copies_of_large_ones_are_limited(count):
    with pytest.raises(kinetree.ModelError, match="copies of"):
        kinetree.load_string(
            f'<mujoco><worldbody><replicate count="{count}" offset="1 0 0"><body name="b"><flexcomp name="f" type="grid" dim="3" '
            'count="60 60 60" spacing=".1 .1 .1" dof="trilinear"><contact selfcollide="none"/></flexcomp></body></replicate>'
            "</worldbody></mujoco>"
        )
