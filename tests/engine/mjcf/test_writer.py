"""Canonical MJCF: what it looks like, what it keeps and what it leaves out."""

from __future__ import annotations

import os
import stat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kinetree
from kinetree.engine.diagnostics import CannotSave
from kinetree.engine.mjcf import schema, values
from kinetree.engine.model.compare import differing
from kinetree.engine.storage.saving import write

BOX = '<geom size=".1"/>'


def written(text, folder=None):
    return kinetree.to_xml(kinetree.load_string(text), folder)


def inside(text, start, end):
    return text[text.index(start) : text.index(end)].strip()


def test_the_whole():
    text = """<mujoco model="arm &amp; hand">
      <option timestep="0.0020" gravity="0 0 -1.0e1"/><option solver="CG"/>
      <default><geom rgba="1 0 0 1"/><default class="grip"><joint damping="2" range="-10 10"/></default></default>
      <worldbody>
        <!-- gone -->
        <frame pos="3 .1 0" euler="0 0 180"><body name="a" childclass="grip" pos="1 0 0">
          <geom friction="1 .005 .0002" size=".1" rgba="1 0 0 1"/>
          <joint name="j" axis="0 1 0" damping="2.0"/>
          <replicate count="2" offset="0 0 1"><site name="s"/></replicate>
        </body></frame>
      </worldbody>
      <sensor><touch site="s0"/></sensor>
      <actuator><position joint="j" kp="5"/></actuator>
    </mujoco>"""
    assert (
        written(text)
        == """<mujoco model="arm &amp; hand">
  <compiler angle="degree"/>

  <option gravity="0 0 -10" solver="CG"/>

  <default>
    <geom rgba="1 0 0 1"/>
    <default class="grip">
      <joint range="-10 10" damping="2"/>
    </default>
  </default>

  <worldbody>
    <body name="a" childclass="grip" pos="2 0.1 0" quat="0 0 0 1">
      <joint name="j" axis="0 1 0"/>
      <geom size="0.1" friction="1 0.005 0.0002"/>
      <site name="s0"/>
      <site name="s1" pos="0 0 1"/>
    </body>
  </worldbody>

  <actuator>
    <position joint="j" kp="5"/>
  </actuator>

  <sensor>
    <touch site="s0"/>
  </sensor>
</mujoco>
"""
    )


def test_nothing():
    assert written("<mujoco/>") == '<mujoco>\n  <compiler angle="degree"/>\n</mujoco>\n'


# ---- values ------------------------------------------------------------------------------------------------


@given(st.floats(allow_nan=False, allow_infinity=False).filter(lambda v: v == 0 or abs(v) > 3e-308))
def test_numbers_come_back_exactly(value):
    assert float(values.number(value)) == value


def test_numbers_are_short():
    shown = [values.number(v) for v in (1.0, -0.0, 0.1, 1e-5, 1e16, 1.5e-7, 100000.0, 3, np.float32(0.5).item())]
    assert shown == ["1", "0", "0.1", "1e-5", "1e16", "1.5e-7", "100000", "3", "0.5"]


ROWS = {f"{element}-{name}": row for element, e in schema.ELEMENTS.items() for name, row in e.attributes.items()}


@pytest.mark.parametrize("row", list(ROWS.values())[::3], ids=list(ROWS)[::3])
def test_defaults_of_the_table_are_read_again(row):
    value = values.default(row)
    if value is not None:
        again, problem = values.read(values.write(value, row), row)
        assert problem is None and values.equal(again, value)


@pytest.mark.parametrize(("value", "text"), [(64 << 20, "64M"), (1000, "1000"), (1024, "1K"), (-1, "-1"), (0, "0")])
def test_memory(value, text):
    row = schema.ELEMENTS["size"].attributes["memory"]
    assert values.write(value, row) == text and values.read(text, row)[0] == value


# ---- classes -----------------------------------------------------------------------------------------------


def test_a_second_default_section_does_not_reach_classes_before_it():
    text = (
        '<mujoco><default><default class="a"><geom group="1"/></default></default><default><geom mass="3"/></default>'
        f'<worldbody><body>{BOX}<geom class="a" size=".2"/></body></worldbody></mujoco>'
    )
    model = kinetree.load_string(text)
    out = kinetree.to_xml(model)
    assert np.allclose(kinetree.load_string(out).body_mass, model.body_mass)
    assert '<default class="model">' in out and 'class="a"' in out


def test_what_a_class_sets_back_is_said():
    text = (
        '<mujoco><default><default class="a"><geom group="1"/></default></default><default><geom group="3"/></default>'
        f'<worldbody>{BOX}<geom class="a" size=".2" group="0"/></worldbody></mujoco>'
    )
    model = kinetree.load_string(text)
    assert model.geom_group.tolist() == [3, 0]
    assert kinetree.load_string(kinetree.to_xml(model)).geom_group.tolist() == [3, 0]


def test_shortcuts_in_classes_keep_their_order():
    text = (
        '<mujoco><default><general ctrlrange="-1 1"/><position kp="5"/><default class="a"><velocity kv="2"/></default>'
        f'</default><worldbody><body><joint name="j"/>{BOX}</body></worldbody>'
        '<actuator><position joint="j" kv="1"/><general class="a" joint="j"/></actuator></mujoco>'
    )
    model = kinetree.load_string(text)
    again = kinetree.load_string(kinetree.to_xml(model))
    assert np.array_equal(again.actuator_biasprm, model.actuator_biasprm)
    assert np.array_equal(again.actuator_gainprm, model.actuator_gainprm)


def test_a_frame_gives_its_class_to_the_body():
    text = (
        '<mujoco><default><default class="a"><geom size=".3"/></default></default>'
        '<worldbody><frame childclass="a"><body><geom/><body><geom/></body></body></frame></worldbody></mujoco>'
    )
    assert written(text).count("class=") == 2


def test_an_orientation_of_the_class_gives_way():
    text = (
        '<mujoco><default><geom euler="0 90 0"/></default>'
        '<worldbody><frame euler="0 0 90"><geom type="box" size="1 2 3"/><geom size="1" quat="1 0 0 1"/></frame>'
        '<geom type="capsule" size=".1" fromto="0 0 0 1 0 0"/></worldbody></mujoco>'
    )
    model = kinetree.load_string(text)
    assert np.allclose(kinetree.load_string(kinetree.to_xml(model)).geom_quat, model.geom_quat)


def test_ends_in_a_frame_become_a_pose():
    text = (
        '<mujoco><default><default class="rod"><geom type="box" size=".1" fromto="0 0 0 1 1 1" rgba="1 0 0 1"/></default>'
        '</default><worldbody><frame euler="30 50 70"><geom class="rod"/><geom type="box" size=".2" fromto="0 0 0 1 2 3"/>'
        '</frame><geom class="rod"/></worldbody></mujoco>'
    )
    model = kinetree.load_string(text)
    again = kinetree.load_string(kinetree.to_xml(model))
    for name in ("geom_pos", "geom_quat", "geom_size", "geom_rgba"):
        assert np.allclose(getattr(again, name), getattr(model, name)), name


@pytest.mark.parametrize("dialect", ["mpex", "mujoco"])
def test_both_dialects_keep_their_defaults(dialect):
    text = (
        f'<mujoco><compiler dialect="{dialect}"/><visual><global azimuth="90" fovy="45"/><map fogstart="3" zfar="0"/>'
        '<ssgi active="true" raycount="0"/></visual><default><material metallic="-1"/><default class="a">'
        '<material metallic="0" castshadow="true"/></default></default><asset><material name="m" roughness="-1"/>'
        '<material name="n" class="a" roughness="0" emission="0"/></asset><worldbody><light innerangle="35"/>'
        '<geom size=".1" hard="false"/></worldbody></mujoco>'
    )
    model = kinetree.load_string(text)
    again = kinetree.load_string(kinetree.to_xml(model))
    assert model.mat_metallic.tolist() == again.mat_metallic.tolist() == [-1, 0]
    assert not differing(model, again)


def test_other_formats_are_written_as_mjcf():
    model = kinetree.load_string(
        '<x_xy model="p"><options gravity="0 0 9.81" dt="0.01"/><worldbody><body joint="rx" name="a" pos="0 0 1">'
        '<geom type="box" dim="1 .2 .1" mass="1" color="self"/></body></worldbody></x_xy>'
    )
    out = kinetree.to_xml(model)
    assert out.startswith('<mujoco model="p">') and not differing(model, kinetree.load_string(out))


# ---- files -------------------------------------------------------------------------------------------------

TETRAHEDRON = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.mark.parametrize(
    ("compiler", "file", "place"),
    [
        ("", "part.obj", "part.obj"),
        ("", "meshes/part.obj", "meshes/part.obj"),
        ('meshdir="meshes"', "part.obj", "meshes/part.obj"),
        ('assetdir="meshes/in"', "../part.obj", "meshes/part.obj"),
        ('strippath="true" meshdir="meshes"', "nowhere/part.obj", "meshes/part.obj"),
    ],
)
def test_files_are_found_from_another_folder(tmp_path, compiler, file, place):
    home, other = tmp_path / "home", tmp_path / "far" / "away"
    (home / place).parent.mkdir(parents=True)
    (home / "meshes" / "in").mkdir(parents=True, exist_ok=True)
    other.mkdir(parents=True)
    (home / place).write_bytes(TETRAHEDRON)
    path = home / "model.xml"
    path.write_text(
        f'<mujoco><compiler {compiler}/><asset><mesh file="{file}"/></asset>'
        '<worldbody><geom type="mesh" mesh="part"/></worldbody></mujoco>'
    )
    model = kinetree.load(path)
    for folder in (home, other):
        kinetree.save(model, folder / "copy.xml")
        text = (folder / "copy.xml").read_text()
        assert str(tmp_path) not in text and "strippath" not in text
        assert np.array_equal(kinetree.load(folder / "copy.xml").mesh_vert, model.mesh_vert)
    assert 'name="part"' not in text


def test_absolute_names_stay(tmp_path):
    (tmp_path / "part.obj").write_bytes(TETRAHEDRON)
    name = f"{tmp_path}/part.obj"
    text = f'<mujoco><asset><mesh name="p" file="{name}"/></asset></mujoco>'
    assert f'file="{name}"' in written(text, "/")


def test_saving_is_all_or_nothing(tmp_path):
    path = tmp_path / "out.xml"
    model = kinetree.load_string("<mujoco/>")
    kinetree.save(model, path)
    assert kinetree.load(path).nbody == 1 and os.listdir(tmp_path) == ["out.xml"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~_umask()
    path.chmod(0o600)
    link = tmp_path / "link.xml"
    link.symlink_to(path)
    kinetree.save(model, link)
    assert link.is_symlink() and stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(OSError):
        write(str(tmp_path / "no" / "folder.xml"), b"")
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(OSError):
        write(str(folder), b"")
    assert sorted(os.listdir(tmp_path)) == ["folder", "link.xml", "out.xml"]


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_model_without_a_text_cannot_be_written():
    model = kinetree.load_string("<mujoco/>")
    model.spec = None
    with pytest.raises(CannotSave, match="convert the file"):
        kinetree.to_xml(model)


# ---- odd texts ---------------------------------------------------------------------------------------------


def test_names_of_all_kinds():
    name = "a \"b\" <c> & 'd' ü 😀"
    escaped = name.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    text = f'<mujoco model="{escaped}"><worldbody><body name="{escaped}"/></worldbody></mujoco>'
    again = kinetree.load_string(written(text))
    assert again.name == name and again.names["body"][1] == name
    model = kinetree.load_string('<mujoco><custom><text name="t" data="one&#10;two&#9;three"/></custom></mujoco>')
    assert kinetree.load_string(kinetree.to_xml(model)).texts == ["one\ntwo\tthree"]


def test_long_lines_are_broken():
    vertex = " ".join(str(i * 0.123) for i in range(300))
    text = f'<mujoco><asset><mesh name="m" vertex="{vertex}"/></asset></mujoco>'
    out = written(text)
    assert max(map(len, out.splitlines())) <= 120
    assert np.array_equal(kinetree.load_string(out).mesh_vert, kinetree.load_string(text).mesh_vert)


def test_found_inertias_are_saved_where_asked_for():
    text = (
        '<mujoco><compiler saveinertial="true" alignfree="{}"/><worldbody><body pos="1 2 3" euler="10 20 30"><freejoint/>'
        '<geom type="box" size=".1 .2 .3" pos="1 0 0" euler="0 40 0"/><geom size=".2"/></body></worldbody></mujoco>'
    )
    for align in ("false", "true"):
        model = kinetree.load_string(text.format(align))
        out = kinetree.to_xml(model)
        assert '<inertial pos="' in out and "diaginertia" in out
        again = kinetree.load_string(out)
        for name in ("body_pos", "body_quat", "body_ipos", "body_mass", "body_inertia", "geom_pos"):
            assert np.allclose(getattr(again, name), getattr(model, name), atol=1e-12), name
