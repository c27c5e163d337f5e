"""Binary models: the same model again, and nothing believed that stands in a file."""

from __future__ import annotations

import contextlib
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.diagnostics import CannotSave
from engine.model.fields import TABLES
from engine.storage import binary
from engine.storage.binary_rules import RULES, STRUCTURE
from tests.oracle.written import ours_differ

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


@pytest.fixture(scope="module")
def model():
    return engine.load_string(TEXT)


@pytest.fixture(scope="module")
def data(model):
    return binary.to_bytes(model)


def opened(data, tmp_path):
    path = tmp_path / "model.kmodel"
    path.write_bytes(data)
    return engine.load(path)


def sealed(data):
    return data[:-4] + struct.pack("<I", zlib.crc32(data[:-4]))


def test_a_model_comes_back(model, tmp_path):
    model = model.copy()
    model.opt.timestep = 0.005  # what was changed since is kept too
    engine.save(model, tmp_path / "model.kmodel")
    again = engine.load(tmp_path / "model.kmodel")
    assert not ours_differ(model, again)
    assert again.texts == ["ü"] and again.opt.timestep == 0.005 and again.spec is None
    assert [g.diagnostic.message for g in again.gaps] == [g.diagnostic.message for g in model.gaps]
    assert engine.Data(again).qpos.shape == (model.nq,)
    with pytest.raises(CannotSave):
        engine.save(again, tmp_path / "text.xml")


def test_content_tells_not_the_name(data, tmp_path):
    path = tmp_path / "model.xml"
    path.write_bytes(data)
    assert binary.is_binary(path) and engine.load(path).name == "all"
    assert not binary.is_binary(tmp_path) and not binary.is_binary(tmp_path / "nothing")


def refusal(data, tmp_path):
    with pytest.raises(engine.ModelError) as error:
        opened(data, tmp_path)
    (found,) = error.value.diagnostics
    assert found.file.endswith("model.kmodel")
    return found.code


def test_others_are_refused_by_name(model, data, tmp_path):
    mujoco = pytest.importorskip("mujoco")
    path = tmp_path / "theirs.mjb"
    mujoco.mj_saveModel(mujoco.MjModel.from_xml_string("<mujoco/>"), str(path))
    with pytest.raises(engine.ModelError, match=r"of MuJoCo \(\.mjb\).*open the XML"):
        engine.load(path)
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
    with contextlib.suppress(engine.ModelError):
        found = opened(sealed(data[:place] + noise + data[place + len(noise) :]), folder)
        assert found.nbody == 4


def test_what_is_not_kept_is_refused_by_name(model):
    """A whole number that has no rule might be an index: models that have any are not written."""
    bare = {f.name for f in TABLES["Model"] if binary._unruled(f)}
    assert bare.isdisjoint(RULES) and not any(np.size(getattr(model, name)) for name in bare)
    flex = (
        '<mujoco><worldbody><flexcomp name="f" type="grid" count="3 3 1" spacing="1 1 1" radius=".1" dim="2" mass="1"/>'
        "</worldbody></mujoco>"
    )
    with pytest.raises(CannotSave, match="flex"):
        binary.to_bytes(engine.load_string(flex))


def test_mujoco_s_extension_is_refused_with_the_names_that_work(model, tmp_path):
    with pytest.raises(CannotSave, match=r"\.mjb is MuJoCo's.*\.kmodel"):
        engine.save(model, tmp_path / "model.mjb")
    with pytest.raises(CannotSave, match=r"\.xml .* or \.kmodel"):
        engine.save(model, tmp_path / "model.obj")
    assert not list(tmp_path.iterdir())
