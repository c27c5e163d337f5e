"""Adds a type of sensor that does not exist, by one row and a kernel, and uses it as one that does. Run by
test_sensors.py in a process of its own, as everything derives from the table when it is imported."""

from kinetree.engine.model import sensors
from tests.engine.model.speed_sensor import SPEED

sensors.SENSORS["speed"] = sensors.SensorType(
    "speed", SPEED, sensors.SensedKind.SITE, sensors.VEL, 1, "Site Speed", "Speed of the site ({unit}).", sensors.VELOCITY,
    sensors.POSITIVE, kernel="tests.engine.model.speed_sensor:speed", idle=sensors.Idle.STATIC,
)  # fmt: skip

import os  # noqa: E402

import pytest  # noqa: E402

import kinetree  # noqa: E402
from kinetree.engine.assist.completion import complete  # noqa: E402
from kinetree.engine.check.run import examine  # noqa: E402
from kinetree.engine.compile.compiler import compile_document  # noqa: E402
from kinetree.engine.document.document import Document  # noqa: E402
from kinetree.engine.editing.templates import choices, template  # noqa: E402
from kinetree.engine.model import enums  # noqa: E402
from kinetree.engine.run.expression import parse  # noqa: E402
from kinetree.engine.run.quantity_units import sensor_unit, units_of  # noqa: E402
from tests.engine.assist.marked import marked  # noqa: E402

TEXT = """<mujoco><worldbody><site name="fixed"/>
  <body><freejoint/><geom size=".1"/><site name="s" pos="0 0 1"/></body></worldbody>
  <sensor>{}</sensor></mujoco>"""


def written(sensors: str) -> kinetree.Model:
    return kinetree.load_string(TEXT.format(sensors))


def compiles_and_computes() -> None:
    model = written('<clock/><speed name="fall" site="s"/><speed site="s" cutoff=".1"/>')
    assert model.sensor_dim.tolist() == [1, 1, 1] and model.sensor_needstage[1] == enums.STAGE_VEL
    assert model.sensor_datatype[1] == enums.DATATYPE_POSITIVE and model.sensor_objtype[1] == enums.OBJ_SITE
    data = kinetree.Data(model)
    data.qvel = [0.3, 0, 0, 0, 0.5, 0]  # the site is 1 m above the centre: 0.3 + 0.5 m/s
    kinetree.forward(model, data)
    assert data.sensordata[1] == pytest.approx(0.8, rel=1e-12)
    assert data.sensordata[2] == 0.1
    kinetree.step(model, data, 10)
    assert data.sensordata[1] > 0.8


def is_refused_without_its_site() -> None:
    for sensor, code in (("<speed/>", "missing-attribute"), ('<speed site="no"/>', "undefined-reference")):
        with pytest.raises(kinetree.ModelError) as error:
            written(sensor)
        assert error.value.diagnostics[0].code == code


def is_saved(path: str) -> None:
    model = written('<speed site="s"/>')
    kinetree.save(model, path)
    assert kinetree.load(path).sensor_type.tolist() == [SPEED]
    model.sensor_objtype[0] = enums.OBJ_JOINT
    kinetree.save(model, path)
    with pytest.raises(kinetree.ModelError, match="sensor_objtype"):
        kinetree.load(path)
    os.remove(path)


def is_offered_and_completed() -> None:
    found = {item.label: item for item in complete(*marked(TEXT.format("<|"))).items}
    assert "Speed of the site (m/s)." in str(found["speed"])
    document = Document.from_string(TEXT.format(""))
    sensor = document.root.find("sensor")
    assert [choice.why for choice in choices(document, sensor) if choice.row.tag == "speed"] == [None]
    assert 'site="fixed"' in template(document, sensor, "speed")


def is_warned_of() -> None:
    document = Document.from_string(TEXT.format('<speed site="fixed"/>'))
    found = examine(compile_document(document), document)
    assert "idle-sensor" in {item.code for item in found}


def is_plotted() -> None:
    from kinetree.app.panels.analysing.sensors import sensed, type_title

    model = written('<speed name="fall" site="s"/>')
    assert sensor_unit(model, 0) == "m/s" and units_of(model, parse(model, 'sensor("fall")')) == ["m/s"]
    assert (type_title(model, 0), sensed(model, 0)) == ("Site Speed", "site s")


if __name__ == "__main__":
    compiles_and_computes()
    is_refused_without_its_site()
    is_saved("made_up.kmodel")
    is_offered_and_completed()
    is_warned_of()
    is_plotted()
    print("all is well")
