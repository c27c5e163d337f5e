"""Every default of the table that has a field in MuJoCo's specification objects, against that field."""

import mujoco
import numpy as np
import pytest

from kinetree.engine.mjcf import schema, values

#: attribute -> field, where the names differ; None: no field of its own (see the comments)
DIFFERENT = {
    "body": {"user": "userdata"},
    "body.joint": {
        "solreflimit": "solref_limit",
        "solimplimit": "solimp_limit",
        "solreffriction": "solref_friction",
        "solimpfriction": "solimp_friction",
        "actuatorfrcrange": "actfrcrange",
        "actuatorfrclimited": "actfrclimited",
        "actuatorgravcomp": "actgravcomp",
    },
    "body.geom": {"fluidcoef": "fluid_coefs", "fluidshape": "fluid_ellipsoid", "shellinertia": "typeinertia"},
    "body.camera": {
        "focal": "focal_length",
        "focalpixel": "focal_pixel",
        "principal": "principal_length",
        "principalpixel": "principal_pixel",
        "sensorsize": "sensor_size",
    },
    "body.light": {"directional": None},  # legacy: it sets the type
    "asset.texture": {"gridlayout": None},  # a fixed array of letters, compared below
    "tendon.spatial": {
        "solreflimit": "solref_limit",
        "solimplimit": "solimp_limit",
        "solreffriction": "solref_friction",
        "solimpfriction": "solimp_friction",
        "actuatorfrcrange": "actfrcrange",
        "actuatorfrclimited": None,  # "auto" by the specification; the reference's field starts at 0
    },
    "flex.edge": {"stiffness": "edgestiffness", "damping": "edgedamping"},
    "compiler": {
        "angle": "degree",
        "strippath": None,  # fields of the model, compared below
        "coordinate": None,
        "eulerseq": None,
    },
    "compiler.lengthrange": {},
    "option": {},
    "sensor.user": {},
}
#: keyword -> number in the field, where the order of the choices is not the number
KEYWORDS = {
    ("body.joint", "type"): mujoco.mjtJoint.mjJNT_HINGE,
    ("body.geom", "type"): mujoco.mjtGeom.mjGEOM_SPHERE,
    ("body.site", "type"): mujoco.mjtGeom.mjGEOM_SPHERE,
    ("compiler", "angle"): 1,  # the field says whether degrees
    ("option", "solver"): mujoco.mjtSolver.mjSOL_NEWTON,
    ("asset.mesh", "inertia"): mujoco.mjtMeshInertia.mjMESH_INERTIA_LEGACY,
    ("asset.texture", "type"): mujoco.mjtTexture.mjTEXTURE_CUBE,
    ("sensor.user", "needstage"): mujoco.mjtStage.mjSTAGE_ACC,
    ("compiler.lengthrange", "mode"): mujoco.mjtLRMode.mjLRMODE_MUSCLE,
}


@pytest.fixture(scope="module")
def objects():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body()
    flex = spec.add_flex()
    equality = spec.add_equality()
    actuator = spec.add_actuator()
    tendon = spec.add_tendon()
    found = {
        "body": body,
        "frame": body.add_frame(),
        "body.joint": body.add_joint(),
        "body.freejoint": body.add_freejoint(),
        "body.geom": body.add_geom(),
        "body.site": body.add_site(),
        "body.camera": body.add_camera(),
        "body.light": body.add_light(),
        "deformable.flex": flex,
        "flex.contact": flex,
        "flex.edge": flex,
        "flex.elasticity": flex,
        "asset.mesh": spec.add_mesh(),
        "asset.hfield": spec.add_hfield(),
        "asset.skin": spec.add_skin(),
        "asset.texture": spec.add_texture(),
        "asset.material": spec.add_material(),
        "contact.pair": spec.add_pair(),
        "equality.connect": equality,
        "equality.weld": equality,
        "equality.joint": equality,
        "equality.tendon": equality,
        "equality.flex": equality,
        "tendon.spatial": tendon,
        "tendon.fixed": tendon,
        "actuator.general": actuator,
        "actuator.motor": actuator,
        "sensor.user": spec.add_sensor(),
        "keyframe.key": spec.add_key(),
        "compiler": spec.compiler,
        "compiler.lengthrange": spec.compiler.LRopt,
        "option": spec.option,
        "visual.global": spec.visual.global_,
        "visual.quality": spec.visual.quality,
        "visual.headlight": spec.visual.headlight,
        "visual.map": spec.visual.map,
        "visual.scale": spec.visual.scale,
        "visual.rgba": spec.visual.rgba,
        "size": spec,
    }
    yield found
    del spec


KINDS = [
    "body",
    "frame",
    "body.joint",
    "body.freejoint",
    "body.geom",
    "body.site",
    "body.camera",
    "body.light",
    "deformable.flex",
    "flex.contact",
    "flex.edge",
    "flex.elasticity",
    "asset.mesh",
    "asset.hfield",
    "asset.skin",
    "asset.texture",
    "asset.material",
    "contact.pair",
    "equality.connect",
    "equality.weld",
    "equality.joint",
    "equality.tendon",
    "equality.flex",
    "tendon.spatial",
    "tendon.fixed",
    "actuator.general",
    "actuator.motor",
    "sensor.user",
    "keyframe.key",
    "compiler",
    "compiler.lengthrange",
    "option",
    "visual.global",
    "visual.quality",
    "visual.headlight",
    "visual.map",
    "visual.scale",
    "visual.rgba",
    "size",
]
#: How many defaults there are to compare, so that a renamed field does not quietly drop out.
LEAST = {
    "body.geom": 20,
    "body.joint": 20,
    "option": 25,
    "visual.rgba": 25,
    "actuator.general": 15,
    "compiler": 14,
}


@pytest.mark.parametrize("id", KINDS)
def test_defaults(id, objects):
    element, target = schema.ELEMENTS[id], objects[id]
    names = DIFFERENT.get("tendon.spatial" if id == "tendon.fixed" else id, {})
    compared = 0
    for row in element.attributes.values():
        field = names.get(row.name, row.name)
        if row.default is None or row.dialect != "mujoco" or field is None or row.type in ("name", "reference"):
            continue
        if id.startswith("equality.") and row.name not in ("active", "solref", "solimp"):
            continue  # kept in one array, compared below
        if not hasattr(target, field):
            continue
        theirs = getattr(target, field)
        ours = values.default(row)
        if row.type == "keyword":
            number = KEYWORDS.get((id, row.name))
            if number is None:
                number = row.choices.index(row.default)
            assert int(theirs) == int(number), row.name
        elif row.name in ("memory", "nstack"):
            assert ours == -1 and theirs in (-1, 2**64 - 1)
        else:
            np.testing.assert_allclose(np.asarray(theirs, float), np.asarray(ours, float), rtol=1e-6, err_msg=row.name)
        compared += 1
    assert compared >= LEAST.get(id, 1)


def test_computed_values_have_no_default():
    spec = mujoco.MjSpec()
    for name in ("meanmass", "meaninertia", "meansize", "extent"):
        assert np.isnan(getattr(spec.stat, name))
        assert schema.ELEMENTS["statistic"].attributes[name].default is None
    geom = spec.worldbody.add_geom()
    assert np.isnan(geom.mass) and schema.ELEMENTS["body.geom"].attributes["mass"].default is None
    assert np.isnan(geom.fromto[0]) and schema.ELEMENTS["body.geom"].attributes["fromto"].default is None


def test_fields_of_the_model():
    spec = mujoco.MjSpec()
    assert spec.modelname == schema.ROOT.attributes["model"].default
    assert bool(spec.strippath) is values.default(schema.ELEMENTS["compiler"].attributes["strippath"])
    texture = spec.add_texture()
    layout = schema.ELEMENTS["asset.texture"].attributes["gridlayout"].default
    assert "".join(chr(letter) if isinstance(letter, int) else letter for letter in texture.gridlayout)[:12] == layout


def test_flags():
    spec = mujoco.MjSpec()
    assert spec.option.disableflags == 0 and spec.option.enableflags == 0
    on_by_default = {row.name for row in schema.ELEMENTS["option.flag"].attributes.values() if row.default == "enable"}
    names = {name.removeprefix("mjDSBL_").lower() for name in dir(mujoco.mjtDisableBit) if name.startswith("mjDSBL_")}
    off_by_default = {
        name.removeprefix("mjENBL_").lower() for name in dir(mujoco.mjtEnableBit) if name.startswith("mjENBL_")
    }
    assert on_by_default == names
    assert set(schema.ELEMENTS["option.flag"].attributes) - on_by_default == off_by_default


SHORTCUTS = {
    # what a shortcut's own attributes start at, seen through what they do to an actuator
    "position": ({}, {"gainprm": [1], "biasprm": [0, -1, 0]}),
    "velocity": ({}, {"gainprm": [1], "biasprm": [0, 0, -1]}),
    "intvelocity": ({"actrange": "0 1"}, {"gainprm": [1], "biasprm": [0, -1, 0]}),
    "cylinder": ({}, {"gainprm": [1], "biasprm": [0, 0, 0], "dynprm": [1]}),
    "muscle": ({"lengthrange": "0 1"}, {"gainprm": [0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2], "dynprm": [0.01, 0.04, 0]}),
}  # fmt: skip


@pytest.mark.parametrize("tag", SHORTCUTS)
def test_shortcuts(tag):
    own, expected = SHORTCUTS[tag]
    row = schema.ELEMENTS[f"actuator.{tag}"]
    written = {
        name: attribute.default
        for name, attribute in row.attributes.items()
        if attribute.default is not None
        and attribute.dialect == "mujoco"
        and name not in schema.ELEMENTS["actuator.motor"].attributes
        and name not in ("actrange", "inheritrange", "dampratio")
    }
    # with all defaults written out, and with none, the actuator is the same
    for extra in ({}, written):
        text = " ".join(f'{name}="{value}"' for name, value in {**extra, **own}.items())
        model = mujoco.MjModel.from_xml_string(
            f'<mujoco><worldbody><body><joint name="J"/><geom size="1"/></body></worldbody>'
            f'<actuator><{tag} joint="J" {text}/></actuator></mujoco>'
        )
        for field, value in expected.items():
            np.testing.assert_allclose(getattr(model, f"actuator_{field}")[0][: len(value)], value, err_msg=field)


def test_damper_follows_the_specification():
    # "kv: real, 1"; mujoco 3.3.4 starts at 0, which makes a damper that does nothing
    assert schema.ELEMENTS["actuator.damper"].attributes["kv"].default == "1"
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body><joint name="J"/><geom size="1"/></body></worldbody>'
        '<actuator><damper joint="J" ctrlrange="0 1"/></actuator></mujoco>'
    )
    assert model.actuator_gainprm[0, 2] == 0


def test_defaults_of_equalities():
    spec = mujoco.MjSpec()
    data = spec.add_equality().data
    weld = schema.ELEMENTS["equality.weld"].attributes
    # one array starts as what all kinds need: a polynomial's 0 1 0 0 0, and a torque scale of 1 at the end
    np.testing.assert_allclose(data[:5], values.default(schema.ELEMENTS["equality.joint"].attributes["polycoef"]))
    assert data[10] == values.default(weld["torquescale"])


def test_every_default_can_be_read():
    for element in schema.ELEMENTS.values():
        for row in element.attributes.values():
            for mpex in (False, True):
                value = values.default(row, mpex)
                assert value is not None or row.default is None, (element.id, row.name)
