"""Sensors: what each measures, resolved and checked; their types are rows of `engine/model/sensors.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinetree.engine.compile.indexing import ObjectIndex, users
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.model import enums
from kinetree.engine.model import enums as e
from kinetree.engine.model.kinds import BY_OBJECT
from kinetree.engine.model.sensors import SENSORS, SensedKind, SensorType
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.model.model import Model

OBJECTS = {kind.name: kind.obj for kind in BY_OBJECT.values()} | {"xbody": e.OBJ_XBODY}
"""Allowed values of objtype and reftype -> OBJ_."""


STAGES = {"pos": enums.STAGE_POS, "vel": enums.STAGE_VEL, "acc": enums.STAGE_ACC}
DATATYPES = {
    "real": enums.DATATYPE_REAL,
    "positive": enums.DATATYPE_POSITIVE,
    "axis": enums.DATATYPE_AXIS,
    "quaternion": enums.DATATYPE_QUATERNION,
}
LARGEST = 10_000_000
"""Most values of all sensors."""
CONTACT_DATA = {"found": 1, "force": 3, "torque": 3, "dist": 1, "pos": 3, "normal": 3, "tangent": 3}
"""Values that a contact sensor can report of a contact, and their dimensions."""
REDUCE = ("none", "mindist", "maxforce", "netforce")
_SIDES = {"geom": e.OBJ_GEOM, "body": e.OBJ_BODY, "subtree": e.OBJ_XBODY}


def size(index: ObjectIndex, diagnostics: Diagnostics) -> int:
    """Length of sensordata."""
    total = 0
    for sensor in index.objects["sensor"]:
        total += _dim(index, sensor)
        if total > LARGEST:
            message = tr("the sensors have {total} values; {most} is the most", total=total, most=LARGEST)
            diagnostics.error(sensor.at("dim", "num"), "out-of-range", message)
            return 0
    return total


def _dim(index: ObjectIndex, sensor: Element) -> int:
    """How many numbers a sensor gives. Of contacts: all that is asked for of each; of the net force there is one."""
    if sensor.tag == "plugin":
        return index.plugins.dim(sensor)
    if sensor.tag == "user":
        return max(sensor["dim"], 0)
    if sensor.tag != "contact":
        return SENSORS[sensor.tag].dim
    contacts = 1 if sensor["reduce"] == "netforce" else max(sensor["num"], 0)
    return contacts * sum(CONTACT_DATA[word] for word in sensor["data"])


def fill(model: Model, index: ObjectIndex, diagnostics: Diagnostics) -> None:
    adr = 0
    sensors = index.objects["sensor"]
    for i, sensor in enumerate(sensors):
        row = SENSORS[sensor.tag]
        kind, obj, ref_kind, ref = _objects(index, diagnostics, sensor, row)
        datatype, stage = row.datatype, row.stage
        if sensor.tag == "user":
            datatype, stage = DATATYPES[sensor["datatype"]], STAGES[sensor["needstage"]]
        model.sensor_type[i], model.sensor_datatype[i], model.sensor_needstage[i] = row.type, datatype, stage
        model.sensor_objtype[i], model.sensor_objid[i] = kind, obj
        model.sensor_reftype[i], model.sensor_refid[i] = ref_kind, ref
        model.sensor_dim[i], model.sensor_adr[i] = _dim(index, sensor), adr
        adr += _dim(index, sensor)
        cutoff = model.sensor_cutoff[i] = sensor.get("cutoff", 0.0)
        model.sensor_noise[i] = sensor.get("noise", 0.0)
        for name in ("cutoff", "noise"):
            if sensor.get(name, 0.0) < 0:
                diagnostics.error(sensor.at(name), "bad-value", tr("{name} cannot be negative", name=name))
        if (
            cutoff > 0
            and datatype in (enums.DATATYPE_AXIS, enums.DATATYPE_QUATERNION)
            and row.target is not SensedKind.TWO_GEOMS
        ):
            diagnostics.error(
                sensor.at("cutoff"),
                "bad-value",
                tr("directions and orientations cannot be cut off; remove cutoff"),
            )
        _check(model, diagnostics, sensor, row.target, obj)
        if sensor.tag == "plugin" and obj >= 0:
            _check_stress(model, index, diagnostics, sensor, obj)
    users(model, "sensor_user", sensors)


def _objects(
    index: ObjectIndex, diagnostics: Diagnostics, sensor: Element, row: SensorType
) -> tuple[int, int, int, int]:
    """(objtype, objid, reftype, refid)"""
    if sensor.tag == "plugin" and sensor.get("objtype") != "site":
        diagnostics.error(sensor.at("objtype"), "bad-reference", tr("a touch sensor needs a site; name one"))
        return e.OBJ_UNKNOWN, -1, e.OBJ_UNKNOWN, -1
    if row.target in (SensedKind.FRAME, SensedKind.FRAME_IN_WORLD, SensedKind.PLUGIN):
        obj = _named(index, sensor, "objtype", "objname")
        ref = (e.OBJ_UNKNOWN, -1)
        if sensor.get("refname") or sensor.get("reftype"):
            if not (sensor.get("refname") and sensor.get("reftype")):
                diagnostics.error(
                    sensor.at("refname", "reftype"),
                    "missing-attribute",
                    tr("reftype and refname go together; give both or none"),
                )
            else:
                ref = _named(index, sensor, "reftype", "refname")
        return obj[0], obj[1], ref[0], ref[1]
    if row.target is SensedKind.CONTACTS:
        return _sides(index, diagnostics, sensor)
    if row.target is SensedKind.TWO_GEOMS:
        ends = []
        for i in ("1", "2"):
            given = [kind for kind in ("geom", "body") if sensor.get(kind + i)]
            if len(given) != 1:
                diagnostics.error(
                    sensor.at(*(kind + i for kind in given)),
                    "exclusive-attributes" if given else "missing-attribute",
                    tr("give either geom{i} or body{i}", i=i),
                )
                ends += [e.OBJ_UNKNOWN, -1]
            else:
                ends += [OBJECTS[given[0]], index.reference(sensor, given[0] + i, given[0])]
        if ends[:2] == ends[2:] and ends[1] >= 0:
            diagnostics.error(
                sensor.at("geom2", "body2"), "bad-reference", tr("both sides are the same; name another one")
            )
        return ends[0], ends[1], ends[2], ends[3]
    if row.target is SensedKind.ANY and sensor.get("objtype") and sensor.get("objname"):
        return *_named(index, sensor, "objtype", "objname"), e.OBJ_UNKNOWN, -1
    if not row.target.kind:
        return e.OBJ_UNKNOWN, -1, e.OBJ_UNKNOWN, -1
    obj = index.reference(sensor, row.target.kind, row.target.kind)
    ref = (e.OBJ_UNKNOWN, -1)
    if row.target is SensedKind.SITE_IN_CAMERA:
        ref = (e.OBJ_CAMERA, index.reference(sensor, "camera", "camera"))
    return OBJECTS[row.target.kind], obj, ref[0], ref[1]


def _sides(index: ObjectIndex, diagnostics: Diagnostics, sensor: Element) -> tuple[int, int, int, int]:
    """The two sides of a contact sensor: geoms, bodies or subtrees, or a site."""
    groups = [(f"{side}1", f"{side}2") for side in _SIDES] + [("site",)]
    given = [group for group in groups if any(sensor.get(name) for name in group)]
    nothing = (e.OBJ_UNKNOWN, -1, e.OBJ_UNKNOWN, -1)
    if len(given) != 1:
        code = "exclusive-attributes" if given else "missing-attribute"
        message = tr("say whose contacts: two geoms, two bodies, two subtrees or a site, and only one of these")
        diagnostics.error(sensor.at(*(given[-1] if given else ())), code, message)
        return nothing
    (group,) = given
    missing = [name for name in group if not sensor.get(name)]
    if missing:
        diagnostics.error(
            sensor.at(*group), "missing-attribute", tr("{missing} goes with this; give it too", missing=missing[0])
        )
        return nothing
    if group == ("site",):
        return e.OBJ_SITE, index.reference(sensor, "site", "site"), e.OBJ_UNKNOWN, -1
    side = group[0][:-1]
    first, second = (index.reference(sensor, name, "geom" if side == "geom" else "body") for name in group)
    return _SIDES[side], first, _SIDES[side], second


def _named(index: ObjectIndex, sensor: Element, kind: str, name: str) -> tuple[int, int]:
    of = sensor[kind]
    return OBJECTS[of], index.find("body" if of == "xbody" else of, sensor[name], sensor, name)


def _check_stress(model: Model, index: ObjectIndex, diagnostics: Diagnostics, sensor: Element, site: int) -> None:
    """Check that the body of a touch_stress sensor has a geom that can collide: it gives the sensor its size."""
    body = model.site_bodyid[site]
    geoms = slice(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body])
    if index.plugins.name(sensor) == "mujoco.sensor.touch_stress":
        if not (model.geom_contype[geoms] | model.geom_conaffinity[geoms]).any():
            diagnostics.error(
                sensor.at("objname"),
                "bad-reference",
                tr(
                    "the body of this site has no geom that collides, whose size the sensor takes; add one, or name a "
                    "site of another body"
                ),
            )


def _check(model: Model, diagnostics: Diagnostics, sensor: Element, target: SensedKind, obj: int) -> None:
    """Report an object that the sensor cannot measure."""
    tag = sensor.tag
    if tag == "user":
        needed = {enums.DATATYPE_AXIS: 3, enums.DATATYPE_QUATERNION: 4}.get(int(model.sensor_datatype[sensor.id]))
        if sensor["dim"] < 0:
            message = tr("dim cannot be negative; it is the number of values")
            diagnostics.error(sensor.at("dim"), "bad-value", message)
        elif needed not in (None, sensor["dim"]):
            message = tr(
                "dim is {dim}, but a value of datatype {datatype} has {needed} numbers",
                dim=sensor["dim"],
                datatype=sensor["datatype"],
                needed=needed,
            )
            diagnostics.error(sensor.at("dim"), "bad-value", message)
        return
    if obj < 0:
        return
    if target is SensedKind.TWO_GEOMS:
        for side in ("geom1", "geom2"):
            geom = model.sensor_objid[sensor.id] if side == "geom1" else model.sensor_refid[sensor.id]
            if sensor.get(side) and geom >= 0 and model.geom_type[geom] == e.GEOM_HFIELD:
                message = tr("distances to height fields are not measured; name another geom")
                diagnostics.error(sensor.at(side), "bad-reference", message)
    camera = model.sensor_refid[sensor.id]
    if target is SensedKind.SITE_IN_CAMERA and camera >= 0 and (model.cam_resolution[camera] <= 0).any():
        message = tr("the camera has no resolution, so that there are no pixels; set its resolution")
        diagnostics.error(sensor.at("camera"), "bad-reference", message)
    if target is SensedKind.SCALAR_JOINT and model.jnt_type[obj] not in (e.JNT_HINGE, e.JNT_SLIDE):
        diagnostics.error(sensor.at("joint"), "bad-reference", tr("{tag} needs a hinge or slide joint", tag=tag))
    elif target is SensedKind.BALL_JOINT and model.jnt_type[obj] != e.JNT_BALL:
        diagnostics.error(sensor.at("joint"), "bad-reference", tr("{tag} needs a ball joint", tag=tag))
    elif target in (SensedKind.LIMITED_JOINT, SensedKind.LIMITED_TENDON):
        kind = target.kind
        if not (model.jnt_limited if kind == "joint" else model.tendon_limited)[obj]:
            diagnostics.error(
                sensor.at(kind),
                "bad-reference",
                tr("{tag} needs a {kind} with a limit; give it a range", tag=tag, kind=kind),
            )
