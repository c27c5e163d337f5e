"""Targets of objects without a shape."""

import kinetree
from kinetree.engine.model.kinds import KINDS, ObjectId
from kinetree.engine.scene.highlight import Reached
from kinetree.engine.scene.related import closure, related

MODEL = """<mujoco><asset><material name="red"/></asset><worldbody>
  <site name="top"/>
  <body name="arm"><joint name="hinge"/><geom name="link" size=".1" material="red"/><site name="tip"/>
    <body name="hand"><joint name="wrist"/><geom name="palm" size=".1"/></body></body>
  <body name="crate"><freejoint name="free"/><geom name="box" size=".1"/></body>
</worldbody>
<contact><pair name="pair" geom1="palm" geom2="box"/><exclude name="not" body1="arm" body2="crate"/></contact>
<equality><weld name="weld" body1="hand" body2="crate"/><joint name="same" joint1="hinge" joint2="wrist"/></equality>
<tendon><fixed name="both"><joint joint="hinge" coef="1"/><joint joint="wrist" coef="2"/></fixed></tendon>
<actuator><motor name="m" joint="wrist"/><motor name="t" tendon="both"/>
  <general name="s" site="tip" refsite="top" gear="1 0 0 0 0 0"/></actuator>
<sensor><framepos name="p" objtype="site" objname="tip" reftype="body" refname="crate"/>
  <actuatorfrc name="a" actuator="m"/></sensor></mujoco>"""


def named(model, objects) -> set[tuple[str, str]]:
    return {(kind, model.names[kind][id]) for kind, id in objects}


def test_what_each_kind_acts_on():
    model = kinetree.load_string(MODEL)

    def of(kind: str, name: str) -> set[tuple[str, str]]:
        return named(model, related(model, kind, model.names[kind].index(name)))

    assert of("actuator", "m") == {("joint", "wrist")}
    assert of("actuator", "t") == {("tendon", "both")}
    assert of("actuator", "s") == {("site", "tip"), ("site", "top")}
    assert of("sensor", "p") == {("site", "tip"), ("body", "crate")}
    assert of("sensor", "a") == {("actuator", "m")}
    assert of("pair", "pair") == {("geom", "palm"), ("geom", "box")}
    assert of("exclude", "not") == {("body", "arm"), ("body", "crate")}
    assert of("equality", "weld") == {("body", "hand"), ("body", "crate")}
    assert of("equality", "same") == of("tendon", "both") == {("joint", "hinge"), ("joint", "wrist")}
    assert of("material", "red") == {("geom", "link")}
    assert of("geom", "link") == of("body", "world") == set()


def test_a_sensor_leads_to_the_geoms_of_what_its_actuator_moves():
    model = kinetree.load_string(MODEL)
    found = closure(model, [ObjectId("sensor", model.names["sensor"].index("a"))])
    assert named(model, found[1:]) == {("actuator", "m"), ("joint", "wrist"), ("body", "hand"), ("geom", "palm")}
    everything = [ObjectId(kind, id) for kind in KINDS if kind != "dof" for id in range(KINDS[kind].count(model))]
    found = closure(model, everything)
    assert len(found) == len(set(found)) == len(everything)


def test_what_the_model_does_not_have_is_not_selected():
    model = kinetree.load_string("<mujoco><worldbody><geom name='ball' size='1'/></worldbody></mujoco>")
    reached = Reached(model, (ObjectId("actuator", 2), ObjectId("geom", -1), ObjectId("geom", 0)))
    assert reached.objects == (ObjectId("geom", 0),) and reached.all == [ObjectId("geom", 0)]
