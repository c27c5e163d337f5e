"""Binary models: the same model again, and nothing believed that stands in a file."""

from __future__ import annotations

import contextlib
import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinetree
from kinetree.engine.diagnostics import CannotSave
from kinetree.engine.model import enums
from kinetree.engine.model.compare import differing
from kinetree.engine.model.fields import TABLES
from kinetree.engine.storage import binary
from kinetree.engine.storage.binary_rules import RULES, STRUCTURE

TEXT = """<mujoco model="all">
  <visual><global azimuth="10"/><rgba fog="1 0 0 1"/></visual>
  <asset>
    <texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="m" texture="t"/>
    <mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="h" nrow="2" ncol="3" size="1 1 1 .1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 1" material="m"/><camera name="c"/><light/>
    <body name="a"><freejoint/><geom name="g" size=".1"/><site name="s"/>
      <body name="b" pos="1 0 0"><joint name="j" range="-1 1"/><geom type="mesh" mesh="tet"/><site name="e" pos="1 0 0"/></body>
    </body>
    <body name="k" mocap="true"><geom size=".1"/></body>
  </worldbody>
  <contact><exclude body1="a" body2="b"/><pair geom1="g" geom2="g2"/></contact>
  <tendon><fixed name="f"><joint joint="j" coef="1"/></fixed><spatial name="p"><site site="s"/><site site="e"/></spatial></tendon>
  <equality><weld body1="a" body2="k"/></equality>
  <actuator><motor joint="j"/><position tendon="f"/></actuator>
  <sensor><jointpos joint="j"/><framepos objtype="body" objname="a"/></sensor>
  <custom><numeric name="n" data="1 2"/><text name="x" data="ü"/><tuple name="u"><element objtype="geom" objname="g"/></tuple></custom>
  <keyframe><key name="one"/></keyframe>
</mujoco>""".replace('geom2="g2"', 'geom2="w"').replace('<geom type="plane"', '<geom name="w" type="plane"')

PLUGINS = """<mujoco model="all">
  <extension>
    <plugin plugin="mujoco.pid"><instance name="pid"><config key="kp" value="4"/><config key="ki" value="2"/>
      <config key="imax" value="1"/></instance></plugin>
    <plugin plugin="mujoco.sensor.touch_grid"/><plugin plugin="mujoco.sensor.touch_stress"/>
    <plugin plugin="mujoco.elasticity.cable"/>
  </extension>
  <worldbody>
    <body name="a"><joint name="j" axis="0 1 0"/><geom size=".2"/><site name="s" euler="180 0 0"/></body>
    <body name="b" pos="0 0 .3"><freejoint/><geom name="g" size=".1"/></body>
    <body name="k"><plugin plugin="mujoco.elasticity.cable"/></body>
  </worldbody>
  <actuator><plugin joint="j" plugin="mujoco.pid" instance="pid" actdim="1"/>
    <plugin joint="j" plugin="mujoco.pid" actdim="2" dyntype="integrator"><config key="slewmax" value="3"/></plugin></actuator>
  <sensor>
    <plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="s">
      <config key="size" value="3 2"/><config key="fov" value="40 30"/><config key="nchannel" value="3"/></plugin>
    <plugin plugin="mujoco.sensor.touch_stress" objtype="site" objname="s">
      <config key="size" value="2 2"/><config key="fov" value="40 30"/></plugin>
  </sensor>
</mujoco>"""
FIELDS = """<mujoco>
  <extension><plugin plugin="mujoco.sdf.torus"><instance name="ring"/></plugin>
    <plugin plugin="mujoco.sdf.sdflib"><instance name="field"/></plugin></extension>
  <asset><mesh name="ring"><plugin instance="ring"/></mesh><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <body><freejoint/><geom type="sdf" mesh="ring"><plugin instance="ring"/></geom></body>
    <body><freejoint/><geom type="sdf" mesh="tet"><plugin instance="field"/></geom></body>
  </worldbody>
</mujoco>"""

SOFT = """<mujoco model="all"><extension><plugin plugin="mujoco.elasticity.cable"/></extension>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <flexcomp name="line" type="grid" count="4 1 1" spacing=".1 .1 .1" dim="1" mass="1" radius=".01"><edge stiffness="5"/>
      <contact contype="0" conaffinity="0" selfcollide="none" internal="false"/></flexcomp>
    <flexcomp name="sheet" type="grid" count="4 4 1" spacing=".1 .1 .1" dim="2" mass="1" radius=".01">
      <elasticity young="1e3" thickness=".01" elastic2d="both"/>
      <contact contype="0" conaffinity="0" selfcollide="none" internal="false"/></flexcomp>
    <flexcomp name="block" type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" mass="1" radius=".01"><edge equality="true"/>
      <contact contype="0" conaffinity="0" selfcollide="none" internal="false"/><pin id="0"/></flexcomp>
    <flexcomp name="cell" type="grid" count="4 4 4" spacing=".1 .1 .1" dim="3" mass="1" dof="trilinear">
      <elasticity young="1e3"/><contact contype="0" conaffinity="0" selfcollide="none" internal="false"/></flexcomp>
    <composite prefix="c" type="cable" curve="s 0 0" count="5 1 1" size="1" offset="0 0 1">
      <plugin plugin="mujoco.elasticity.cable"><config key="bend" value="1e6"/></plugin>
      <joint kind="main" damping=".1"/><geom type="capsule" size=".005"/></composite>
  </worldbody></mujoco>"""


@pytest.fixture(scope="module", params=[TEXT, PLUGINS, SOFT], ids=["", "plugins", "soft"])
def model(request):
    return kinetree.load_string(request.param)


@pytest.fixture(scope="module")
def data(model):
    return binary.to_bytes(model)


def opened(data, tmp_path):
    path = tmp_path / "model.kmodel"
    path.write_bytes(data)
    return kinetree.load(path)


def sealed(data):
    return data[:-4] + struct.pack("<I", zlib.crc32(data[:-4]))


def test_a_model_comes_back(model, tmp_path):
    model = model.copy()
    model.opt.timestep = 0.005  # what was changed since is kept too
    kinetree.save(model, tmp_path / "model.kmodel")
    again = kinetree.load(tmp_path / "model.kmodel")
    assert not differing(model, again)
    assert again.texts == model.texts and again.opt.timestep == 0.005 and again.spec is None
    assert [g.diagnostic.message for g in again.gaps] == [g.diagnostic.message for g in model.gaps]
    assert kinetree.Data(again).qpos.shape == (model.nq,)
    with pytest.raises(CannotSave):
        kinetree.save(again, tmp_path / "text.xml")


@pytest.mark.parametrize("text", [PLUGINS, FIELDS, SOFT], ids=["plugins", "fields", "soft"])
def test_a_model_moves_as_before(text, tmp_path):
    model = kinetree.load_string(text)
    kinetree.save(model, tmp_path / "model.kmodel")
    ends = []
    for one in (model, kinetree.load(tmp_path / "model.kmodel")):
        data = kinetree.Data(one)
        data.ctrl = [0.2, 0.3][: one.nu]
        kinetree.step(one, data, 5)
        ends.append((data.qpos.tobytes(), data.sensordata.tobytes(), data.act.tobytes()))
    assert (
        ends[0] == ends[1]
        and (data.ncon > 0) == (text is not SOFT)
        and data.act.all()
        and data.sensordata.any() == (text is PLUGINS)
    )


def test_contact_sensors_come_back(tmp_path):
    """Their type, which only the Motphys dialect has, has a number far from those of MuJoCo."""
    text = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body><freejoint/><geom name="ball" size=".1"/>
      </body></worldbody><sensor><contact geom1="floor" geom2="ball" data="found force"/></sensor></mujoco>"""
    path = tmp_path / "model.kmodel"
    model = kinetree.load_string(text)
    kinetree.save(model, path)
    back = kinetree.load(path)
    assert (back.sensor_type.tolist(), back.sensor_dim.tolist()) == ([enums.SENS_CONTACT], [4])
    model.sensor_type[0] = 99
    kinetree.save(model, path)
    with pytest.raises(kinetree.ModelError, match="sensor_type"):
        kinetree.load(path)


@pytest.mark.parametrize(
    ("field", "place", "value"),
    [
        ("plugin", 0, 3),  # the controller becomes a touch sensor
        ("plugin_prm", (0, 4), 1.0),  # another activation variable
        ("plugin_prm", (1, 1), 1.0),
        ("plugin_prm", (2, 0), 6.0),  # more channels than values
        ("plugin_prm", (2, 1), 1e300),
        ("plugin_prm", (2, 1), float("inf")),
        ("plugin_prm", (3, 2), 1.5),
        ("plugin_prm", (3, 0), 4.0),
        ("actuator_actnum", 1, 0),
        ("actuator_dyntype", 0, 1),
        ("actuator_plugin", 0, 2),
        ("sensor_objtype", 0, 1),
    ],
)
def test_plugins_of_a_file_cannot_reach_other_numbers(field, place, value, tmp_path):
    model = kinetree.load_string(PLUGINS)
    getattr(model, field)[place] = value
    assert refusal(binary.to_bytes(model), tmp_path) == "damaged-file"


def test_octrees_of_a_file_are_walked_downwards_only(tmp_path):
    fields = kinetree.load_string(FIELDS)
    for field, place, value in (
        ("oct_child", (0, 0), 0),  # a node below itself
        ("oct_child", (3, 2), 3),
        ("oct_child", (3, 2), fields.noct),
        ("oct_child", (3, 2), -2 - fields.noctcoeff),
        ("geom_plugin", 0, 1),  # a mesh without an octree
        ("mesh_octnum", 1, 0),
    ):
        model = fields.copy()
        getattr(model, field)[place] = value
        assert refusal(binary.to_bytes(model), tmp_path) == "damaged-file", (field, place, value)


def test_content_tells_not_the_name(data, tmp_path):
    path = tmp_path / "model.xml"
    path.write_bytes(data)
    assert binary.is_binary(path) and kinetree.load(path).name == "all"
    assert not binary.is_binary(tmp_path) and not binary.is_binary(tmp_path / "nothing")


def refusal(data, tmp_path):
    with pytest.raises(kinetree.ModelError) as error:
        opened(data, tmp_path)
    (found,) = error.value.diagnostics
    assert found.file.endswith("model.kmodel")
    return found.code


def test_others_are_refused_by_name(model, data, tmp_path):
    mujoco = pytest.importorskip("mujoco")
    path = tmp_path / "theirs.mjb"
    mujoco.mj_saveModel(mujoco.MjModel.from_xml_string("<mujoco/>"), str(path))
    with pytest.raises(kinetree.ModelError, match=r"of MuJoCo \(\.mjb\).*open the XML"):
        kinetree.load(path)
    assert refusal(sealed(data[:16] + struct.pack("<I", 99) + data[20:]), tmp_path) == "other-version"
    assert refusal(sealed(data[:20] + b"x" * 16 + data[36:]), tmp_path) == "other-version"


def test_damage_is_noticed(data, tmp_path):
    assert refusal(data[:-1], tmp_path) == refusal(data[:50], tmp_path) == refusal(data[:16], tmp_path)
    assert refusal(data[:5000] + b"\xff" + data[5001:], tmp_path) == "damaged-file"
    assert refusal(sealed(data + b"\0" * 8), tmp_path) == "damaged-file"


@pytest.mark.parametrize("value", [10**12, 2**31 - 1, -5, 1_500_000_000])
def test_sizes_that_lie_allocate_nothing(model, data, value, tmp_path):
    start = binary._HEAD.size
    length = struct.unpack_from("<Q", data, 36)[0]
    header = data[start : start + length]
    for name, size in model.sizes.items():
        lie = header.replace(f'"{name}":{size}'.encode(), f'"{name}":{value}'.encode(), 1)
        head = data[:36] + struct.pack("<Q", len(lie))
        assert refusal(sealed(head + lie + data[start + length :]), tmp_path) == "damaged-file", name


def test_every_index_is_checked(model, data, tmp_path):
    """Each array of indices with one number out of bounds, and each with a negative one."""
    for field in TABLES["Model"]:
        rule = RULES.get(field.name, "any").split()[0]
        if rule == "any" or field.name in STRUCTURE or field.kind != "array" or field.dtype == "u1":
            continue
        if not getattr(model, field.name).size or field.name.startswith(("mesh_poly", "tex_", "hfield_")):
            continue
        for value in (1_000_000_000, -7):
            bad = model.copy()
            getattr(bad, field.name).ravel()[0] = value
            assert refusal(binary.to_bytes(bad), tmp_path) == "damaged-file", (field.name, value)


@given(place=st.integers(0, 10**9), noise=st.binary(min_size=1, max_size=8))
@settings(max_examples=150)
def test_any_bytes_give_a_model_or_a_refusal(data, tmp_path_factory, place, noise):
    place = binary._HEAD.size + place % (len(data) - binary._HEAD.size - 4)
    folder = tmp_path_factory.mktemp("noise")
    with contextlib.suppress(kinetree.ModelError):
        found = opened(sealed(data[:place] + noise + data[place + len(noise) :]), folder)
        assert found.nbody > 0


def test_every_array_of_whole_numbers_has_a_rule():
    """A whole number that has no rule might be an index."""
    arrays = {f.name for f in TABLES["Model"] if f.kind == "array" and f.dtype not in ("f8", "f4")}
    assert arrays == arrays & RULES.keys()


@pytest.mark.parametrize(
    ("field", "place", "value"),
    [
        ("flex_elem", 0, 4),  # a vertex of the next flex
        ("flex_elemdataadr", 1, 10_000),
        ("flex_edgeflap", (3, 0), 16),
        ("flex_elemedge", 0, 3),
        ("flex_shell", 0, -1),
        ("flex_evpair", (0, 0), 3),
        ("flex_dim", 0, 4),
        ("flex_nodenum", 3, 7),
        ("flex_interp", 1, 1),
        ("flex_vertbodyid", 0, -1),
        ("cable_next", -1, 1),
    ],
)
def test_flexes_of_a_file_stay_within_themselves(field, place, value, tmp_path):
    model = kinetree.load_string(SOFT)
    getattr(model, field)[place] = value
    assert refusal(binary.to_bytes(model), tmp_path) == "damaged-file"


def test_mujoco_s_extension_is_refused_with_the_names_that_work(model, tmp_path):
    with pytest.raises(CannotSave, match=r"\.mjb is MuJoCo's.*\.kmodel"):
        kinetree.save(model, tmp_path / "model.mjb")
    with pytest.raises(CannotSave, match=r"\.xml .* or \.kmodel"):
        kinetree.save(model, tmp_path / "model.obj")
    assert not list(tmp_path.iterdir())
