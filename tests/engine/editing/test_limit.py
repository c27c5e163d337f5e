"""The range of a joint, written in the words of its document."""

import math

import pytest

import kinetree
from kinetree.engine.document.project import Project
from kinetree.engine.editing.limit import limits_of, write_range
from kinetree.engine.editing.pose import NotPlaced

MJCF = """<mujoco>
  <compiler{compiler}/>
  <default><default class="c"><joint range="-10 10"{default}/></default></default>
  <worldbody><body><joint name="j"{joint} axis="0 1 0"/><geom size="1"/></body></worldbody>
</mujoco>"""
URDF = """<robot name="r">
  <link name="a"/>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="{type}"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>{limit}</joint>
</robot>"""


def written(text: str, low: float, high: float, name: str = "m.xml", precision: float = 1e-4) -> tuple[str, object]:
    """The text with another range for its joint, and the model that it compiles to."""
    project = Project()
    key = project.create(name, text)
    document = project.document_of(key)
    node = next(each for each in document.merged.iter("joint") if each.get("name") == "j")
    project.apply("Range", write_range(document, node, low, high, precision))
    after = project.text(key)
    again = project.document_of(key)
    found = limits_of(again, next(each for each in again.merged.iter("joint") if each.get("name") == "j"))
    assert (found.low, found.high) == pytest.approx((low, high), abs=precision)
    assert project.undo_names == ["Range"]
    return after, kinetree.load_string(after)


def mjcf(compiler: str = "", joint: str = "", default: str = "") -> str:
    return MJCF.format(compiler=compiler, joint=joint, default=default)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (mjcf(joint=' range="-1 2"'), 'range="-30 45"'),
        (mjcf(), 'range="-30 45"'),
        (mjcf(joint=' class="c"'), 'range="-30 45"'),
        (mjcf(joint=' limited="false"'), 'limited="true"'),
        (mjcf(compiler=' autolimits="false"'), 'limited="true"'),
        (mjcf(joint=' class="c"', default=' limited="false"'), 'limited="true"'),
    ],
)
def test_a_hinge_gets_a_range_that_holds(text, expected):
    after, model = written(text, math.radians(-30), math.radians(45))
    assert expected in after
    assert model.jnt_limited[0]
    assert model.jnt_range[0] == pytest.approx([math.radians(-30), math.radians(45)], abs=1e-4)


def test_a_range_in_radians_and_of_a_slide():
    after, model = written(mjcf(compiler=' angle="radian"'), -0.5, 0.25)
    assert 'range="-0.5 0.25"' in after and model.jnt_limited[0]
    after, model = written(mjcf(joint=' type="slide"'), -0.02, 0.1)
    assert 'range="-0.02 0.1"' in after and model.jnt_range[0] == pytest.approx([-0.02, 0.1])


def test_the_limits_of_a_urdf_joint():
    text = URDF.format(type="revolute", limit='<limit lower="-1" upper="1" effort="1" velocity="1"/>')
    after, model = written(text, -0.25, 0.75, "r.urdf")
    assert 'lower="-0.25" upper="0.75"' in after and model.jnt_range[0] == pytest.approx([-0.25, 0.75])
    with pytest.raises(NotPlaced):
        written(URDF.format(type="continuous", limit=""), -0.25, 0.75, "r.urdf")


def test_what_is_no_range_is_refused():
    with pytest.raises(NotPlaced, match="below"):
        written(mjcf(), 0.5, 0.5)
    with pytest.raises(NotPlaced):
        written(mjcf(joint=' type="ball"'), 0.0, 0.5)
