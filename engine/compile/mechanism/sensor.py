"""Sensors: one row for each type, with its XML tag, enumeration, stage, dimension and data type."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kinetree.engine.compile.indexing import Index, users
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.model import enums
from kinetree.engine.model import enums as e
from kinetree.engine.model.kinds import BY_OBJECT
from kinetree.engine.progress import give_way
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.model.model import Model

OBJECTS = {kind.name: kind.obj for kind in BY_OBJECT.values()} | {"xbody": e.OBJ_XBODY}
"""What objtype and reftype can be -> OBJ_."""


class Row(NamedTuple):
    """target: the attribute that names the object, which is also its kind; "" for frames, None for no object."""

    type: int
    target: str | None
    stage: int
    dim: int
    datatype: int = enums.DATATYPE_REAL


SENSORS: dict[str, Row] = {
    "plugin": Row(e.SENS_PLUGIN, "", enums.STAGE_ACC, 0),
    "touch": Row(e.SENS_TOUCH, "site", enums.STAGE_ACC, 1, enums.DATATYPE_POSITIVE),
    "accelerometer": Row(e.SENS_ACCELEROMETER, "site", enums.STAGE_ACC, 3),
    "velocimeter": Row(e.SENS_VELOCIMETER, "site", enums.STAGE_VEL, 3),
    "gyro": Row(e.SENS_GYRO, "site", enums.STAGE_VEL, 3),
    "force": Row(e.SENS_FORCE, "site", enums.STAGE_ACC, 3),
    "torque": Row(e.SENS_TORQUE, "site", enums.STAGE_ACC, 3),
    "magnetometer": Row(e.SENS_MAGNETOMETER, "site", enums.STAGE_POS, 3),
    "rangefinder": Row(e.SENS_RANGEFINDER, "site", enums.STAGE_POS, 1, enums.DATATYPE_POSITIVE),
    "camprojection": Row(e.SENS_CAMPROJECTION, "site", enums.STAGE_POS, 2),
    "jointpos": Row(e.SENS_JOINTPOS, "joint", enums.STAGE_POS, 1),
    "jointvel": Row(e.SENS_JOINTVEL, "joint", enums.STAGE_VEL, 1),
    "tendonpos": Row(e.SENS_TENDONPOS, "tendon", enums.STAGE_POS, 1),
    "tendonvel": Row(e.SENS_TENDONVEL, "tendon", enums.STAGE_VEL, 1),
    "actuatorpos": Row(e.SENS_ACTUATORPOS, "actuator", enums.STAGE_POS, 1),
    "actuatorvel": Row(e.SENS_ACTUATORVEL, "actuator", enums.STAGE_VEL, 1),
    "actuatorfrc": Row(e.SENS_ACTUATORFRC, "actuator", enums.STAGE_ACC, 1),
    "jointactuatorfrc": Row(e.SENS_JOINTACTFRC, "joint", enums.STAGE_ACC, 1),
    "tendonactuatorfrc": Row(e.SENS_TENDONACTFRC, "tendon", enums.STAGE_ACC, 1),
    "ballquat": Row(e.SENS_BALLQUAT, "joint", enums.STAGE_POS, 4, enums.DATATYPE_QUATERNION),
    "ballangvel": Row(e.SENS_BALLANGVEL, "joint", enums.STAGE_VEL, 3),
    "jointlimitpos": Row(e.SENS_JOINTLIMITPOS, "joint", enums.STAGE_POS, 1),
    "jointlimitvel": Row(e.SENS_JOINTLIMITVEL, "joint", enums.STAGE_VEL, 1),
    "jointlimitfrc": Row(e.SENS_JOINTLIMITFRC, "joint", enums.STAGE_ACC, 1),
    "tendonlimitpos": Row(e.SENS_TENDONLIMITPOS, "tendon", enums.STAGE_POS, 1),
    "tendonlimitvel": Row(e.SENS_TENDONLIMITVEL, "tendon", enums.STAGE_VEL, 1),
    "tendonlimitfrc": Row(e.SENS_TENDONLIMITFRC, "tendon", enums.STAGE_ACC, 1),
    "framepos": Row(e.SENS_FRAMEPOS, "", enums.STAGE_POS, 3),
    "framequat": Row(e.SENS_FRAMEQUAT, "", enums.STAGE_POS, 4, enums.DATATYPE_QUATERNION),
    "framexaxis": Row(e.SENS_FRAMEXAXIS, "", enums.STAGE_POS, 3, enums.DATATYPE_AXIS),
    "frameyaxis": Row(e.SENS_FRAMEYAXIS, "", enums.STAGE_POS, 3, enums.DATATYPE_AXIS),
    "framezaxis": Row(e.SENS_FRAMEZAXIS, "", enums.STAGE_POS, 3, enums.DATATYPE_AXIS),
    "framelinvel": Row(e.SENS_FRAMELINVEL, "", enums.STAGE_VEL, 3),
    "frameangvel": Row(e.SENS_FRAMEANGVEL, "", enums.STAGE_VEL, 3),
    "framelinacc": Row(e.SENS_FRAMELINACC, "", enums.STAGE_ACC, 3),
    "frameangacc": Row(e.SENS_FRAMEANGACC, "", enums.STAGE_ACC, 3),
    "subtreecom": Row(e.SENS_SUBTREECOM, "body", enums.STAGE_POS, 3),
    "subtreelinvel": Row(e.SENS_SUBTREELINVEL, "body", enums.STAGE_VEL, 3),
    "subtreeangmom": Row(e.SENS_SUBTREEANGMOM, "body", enums.STAGE_VEL, 3),
    "distance": Row(e.SENS_GEOMDIST, None, enums.STAGE_POS, 1, enums.DATATYPE_POSITIVE),
    "normal": Row(e.SENS_GEOMNORMAL, None, enums.STAGE_POS, 3, enums.DATATYPE_AXIS),
    "fromto": Row(e.SENS_GEOMFROMTO, None, enums.STAGE_POS, 6),
    "contact": Row(e.SENS_CONTACT, None, enums.STAGE_ACC, 0),
    "e_potential": Row(e.SENS_E_POTENTIAL, None, enums.STAGE_POS, 1),
    "e_kinetic": Row(e.SENS_E_KINETIC, None, enums.STAGE_POS, 1),
    "clock": Row(e.SENS_CLOCK, None, enums.STAGE_POS, 1),
    "user": Row(e.SENS_USER, None, enums.STAGE_ACC, 0),
}
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
"""What a contact sensor can report of a contact, and how many numbers it is."""
REDUCE = ("none", "mindist", "maxforce", "netforce")
_SIDES = {"geom": e.OBJ_GEOM, "body": e.OBJ_BODY, "subtree": e.OBJ_XBODY}
_SCALAR = ("jointpos", "jointvel", "jointactuatorfrc")
_LIMIT = (
    "jointlimitpos",
    "jointlimitvel",
    "jointlimitfrc",
    "tendonlimitpos",
    "tendonlimitvel",
    "tendonlimitfrc",
)
_BETWEEN = ("distance", "normal", "fromto")


def size(index: Index, diagnostics: Diagnostics) -> int:
    """Length of sensordata."""
    total = 0
    for sensor in index.objects["sensor"]:
        total += _dim(index, sensor)
        if total > LARGEST:
            message = tr("the sensors have {total} values; {most} is the most", total=total, most=LARGEST)
            diagnostics.error(sensor.at("dim", "num"), "out-of-range", message)
            return 0
    return total


def _dim(index: Index, sensor: Element) -> int:
    """How many numbers a sensor gives. Of contacts: all that is asked for of each; of the net force there is one."""
    if sensor.tag == "plugin":
        return index.plugins.dim(sensor)
    if sensor.tag == "user":
        return max(sensor["dim"], 0)
    if sensor.tag != "contact":
        return SENSORS[sensor.tag].dim
    contacts = 1 if sensor["reduce"] == "netforce" else max(sensor["num"], 0)
    return contacts * sum(CONTACT_DATA[word] for word in sensor["data"])


def fill(model: Model, index: Index, diagnostics: Diagnostics) -> None:
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
        if cutoff > 0 and datatype in (enums.DATATYPE_AXIS, enums.DATATYPE_QUATERNION) and sensor.tag not in _BETWEEN:
            diagnostics.error(
                sensor.at("cutoff"),
                "bad-value",
                tr("directions and orientations cannot be cut off; remove cutoff"),
            )
        _check(model, diagnostics, sensor, obj)
        if sensor.tag == "plugin" and obj >= 0:
            _check_stress(model, index, diagnostics, sensor, obj)
    users(model, "sensor_user", sensors)


def _objects(index: Index, diagnostics: Diagnostics, sensor: Element, row: Row) -> tuple[int, int, int, int]:
    """(objtype, objid, reftype, refid)"""
    give_way()
    if sensor.tag == "plugin" and sensor.get("objtype") != "site":
        diagnostics.error(sensor.at("objtype"), "bad-reference", tr("a touch sensor needs a site; name one"))
        return e.OBJ_UNKNOWN, -1, e.OBJ_UNKNOWN, -1
    if row.target == "":
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
    if sensor.tag == "contact":
        return _sides(index, diagnostics, sensor)
    if sensor.tag in _BETWEEN:
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
    if sensor.tag == "user" and sensor.get("objtype") and sensor.get("objname"):
        return *_named(index, sensor, "objtype", "objname"), e.OBJ_UNKNOWN, -1
    if row.target is None:
        return e.OBJ_UNKNOWN, -1, e.OBJ_UNKNOWN, -1
    obj = index.reference(sensor, row.target, row.target)
    ref = (e.OBJ_UNKNOWN, -1)
    if sensor.tag == "camprojection":
        ref = (e.OBJ_CAMERA, index.reference(sensor, "camera", "camera"))
    return OBJECTS[row.target], obj, ref[0], ref[1]


def _sides(index: Index, diagnostics: Diagnostics, sensor: Element) -> tuple[int, int, int, int]:
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


def _named(index: Index, sensor: Element, kind: str, name: str) -> tuple[int, int]:
    of = sensor[kind]
    return OBJECTS[of], index.find("body" if of == "xbody" else of, sensor[name], sensor, name)


def _check_stress(model: Model, index: Index, diagnostics: Diagnostics, sensor: Element, site: int) -> None:
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


def _check(model: Model, diagnostics: Diagnostics, sensor: Element, obj: int) -> None:
    """Whether the object is of a kind that the sensor can measure."""
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
    if tag in _BETWEEN:
        for side in ("geom1", "geom2"):
            geom = model.sensor_objid[sensor.id] if side == "geom1" else model.sensor_refid[sensor.id]
            if sensor.get(side) and geom >= 0 and model.geom_type[geom] == e.GEOM_HFIELD:
                message = tr("distances to height fields are not measured; name another geom")
                diagnostics.error(sensor.at(side), "bad-reference", message)
    camera = model.sensor_refid[sensor.id]
    if tag == "camprojection" and camera >= 0 and (model.cam_resolution[camera] <= 0).any():
        message = tr("the camera has no resolution, so that there are no pixels; set its resolution")
        diagnostics.error(sensor.at("camera"), "bad-reference", message)
    if tag in _SCALAR and model.jnt_type[obj] not in (e.JNT_HINGE, e.JNT_SLIDE):
        diagnostics.error(sensor.at("joint"), "bad-reference", tr("{tag} needs a hinge or slide joint", tag=tag))
    elif tag.startswith("ball") and model.jnt_type[obj] != e.JNT_BALL:
        diagnostics.error(sensor.at("joint"), "bad-reference", tr("{tag} needs a ball joint", tag=tag))
    elif tag in _LIMIT:
        kind = "joint" if tag.startswith("joint") else "tendon"
        if not (model.jnt_limited if kind == "joint" else model.tendon_limited)[obj]:
            diagnostics.error(
                sensor.at(kind),
                "bad-reference",
                tr("{tag} needs a {kind} with a limit; give it a range", tag=tag, kind=kind),
            )
