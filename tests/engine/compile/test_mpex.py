"""The Motphys dialect: the facts of its reference, attribute by attribute. The reference engine knows none of this."""

from __future__ import annotations

import re

import numpy as np
import pytest

import kinetree
from kinetree.engine.compile import mpex
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import Severity
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.schema_rows import MPEX
from kinetree.engine.model import unsupported

SCENE = """<mujoco>{compiler}
<visual>{visual}</visual>
<asset>{texture}<material name="m" {material}/></asset>
<worldbody>
  <light {light}/><camera {camera}/>
  <body><joint range="0 1" {joint}/><geom size="1" {geom}/></body>
  <body><freejoint/><geom size="1"/></body>
</worldbody></mujoco>"""
SLOTS = {
    "compiler": "",
    "visual": "",
    "texture": '<texture name="t" builtin="flat" width="2" height="12"/>',
    "material": "",
    "light": "",
    "camera": "",
    "joint": "",
    "geom": "",
}
DIALECT = '<compiler dialect="mpex"/>'

# field: (default of the reference, where it is written, a value as text, what is then kept)
FACTS = {
    "jnt_hardlimit": (0, "joint", 'hardlimit="true"', 1),
    "geom_hard": (0, "geom", 'hard="true"', 1),
    "cam_trackposspeed": (0, "camera", 'trackposspeed="1.5"', 1.5),
    "cam_trackrotspeed": (0, "camera", 'trackrotspeed="2.5"', 2.5),
    "cam_depth": (0, "camera", 'depth="true"', 1),
    "cam_znear": (0, "camera", 'znear="0.2"', 0.2),
    "cam_zfar": (0, "camera", 'zfar="20"', 20),
    "light_innerangle": (35, "light", 'innerangle="20"', 20),
    "light_nearz": (0.1, "light", 'nearz="0.3"', 0.3),
    "mat_emission": ([0, 0, 0, 0], "material", 'emission="1 .5 .25 1"', [1, 0.5, 0.25, 1]),
    "mat_emissionintensity": (0, "material", 'emissionintensity="3"', 3),
    "mat_detailpara": ([1, 1, 1, 1], "material", 'detailpara="2 3 .5 0"', [2, 3, 0.5, 0]),
    "mat_depthbias": (0, "material", 'depthbias="-4"', -4),
    "mat_castshadow": (1, "material", 'castshadow="false"', 0),
    "ssao_active": (0, "visual", '<ssao active="true"/>', 1),
    "ssgi_active": (0, "visual", '<ssgi active="true"/>', 1),
    "ssgi_resolutionscale": (2, "visual", '<ssgi resolutionscale="4"/>', 4),  # "other values count as 2"
    "ssgi_raycount": (0, "visual", '<ssgi raycount="5"/>', 5),
    "ssgi_stepcount": (0, "visual", '<ssgi stepcount="6"/>', 6),
    "ssgi_thickness": (0, "visual", '<ssgi thickness=".25"/>', 0.25),
    "ssgi_intensity": (0, "visual", '<ssgi intensity=".75"/>', 0.75),
    "ssgi_gidenoiseoffset": (0, "visual", '<ssgi gidenoiseoffset="7"/>', 7),
    "ssgi_rraycount": (0, "visual", '<ssgi rraycount="8"/>', 8),
    "ssgi_rdenoiseoffset": (0, "visual", '<ssgi rdenoiseoffset="9"/>', 9),
    "tonemapping_method": (0, "visual", '<tonemapping method="aces"/>', 1),
    "map_envmapintensity": (0, "visual", '<map envmapintensity=".6"/>', 0.6),
    "tex_environment": (0, "texture", '<texture name="t" type="envspec" builtin="flat" width="2"/>', 2),
    "tex_dynamic": (0, "texture", '<texture name="t" type="2d" builtin="dynamic" width="2" height="2"/>', 1),
}
PROBES = {
    "probe_texture": (-1, 0),
    "probe_position": ([0, 0, 0], [1, 2, 3]),
    "probe_scale": ([1, 1, 1], [4, 5, 6]),
}

# Defaults that differ from MuJoCo's: (element, attribute): (of MuJoCo, of Motphys)
DIFFERENT = {
    ("asset.material", "emission"): ("0", "0 0 0 0"),
    ("asset.material", "metallic"): ("-1", "0"),
    ("asset.material", "roughness"): ("-1", "0"),
    ("actuator.general", "dynprm"): ("1 0 0 0 0 0 0 0 0 0", "1 0 0 0 0 0 0 0 0 0 0"),
    ("actuator.general", "gainprm"): ("1 0 0 0 0 0 0 0 0 0", "1 0 0 0 0 0 0 0 0 0 0"),
    ("visual.global", "fovy"): ("45", "0"),
    ("visual.global", "azimuth"): ("90", "0"),
    ("visual.global", "elevation"): ("-45", "0"),
    ("visual.headlight", "active"): ("1", "0"),
    ("visual.map", "fogstart"): ("3", "0"),
    ("visual.map", "fogend"): ("10", "0"),
    ("visual.map", "znear"): ("0.01", "0"),
    ("visual.map", "zfar"): ("50", "0"),
}


def _compile(**slots):
    return compile_document(Document.from_string(SCENE.format(**SLOTS | slots)))


def _kept(model, name):
    value = getattr(model.mpex, name)
    return np.asarray(value[0] if isinstance(value, np.ndarray) else value, float)


def test_every_field_has_its_fact():
    names = {f"{prefix}_{attribute}" for prefix, attribute, _ in mpex.fields()}
    assert names == {*FACTS, *PROBES, "sensor_num", "sensor_reduce", "sensor_data"}


@pytest.mark.parametrize("name", FACTS)
def test_fact(name):
    default, slot, text, kept = FACTS[name]
    np.testing.assert_allclose(_kept(_compile(compiler=DIALECT).model, name), default, rtol=1e-6)
    unsaid = _kept(_compile().model, name)
    np.testing.assert_allclose(unsaid, mpex.UNSAID.get(name, default), rtol=1e-6)
    for compiler in (DIALECT, ""):
        compiled = _compile(compiler=compiler, **{slot: text})
        np.testing.assert_allclose(_kept(compiled.model, name), kept, rtol=1e-6)
        remarks = [item for item in compiled.diagnostics if item.code == "motphys-dialect"]
        assert len(remarks) == (not compiler)
        for item in remarks:
            assert item.severity is Severity.INFO


@pytest.mark.parametrize("compiler", ["", DIALECT])
def test_written_and_read_again(compiler):
    """With every setting of the dialect, where it differs from one default and equals the other."""
    slots = {}
    for _, slot, text, _ in FACTS.values():
        slots[slot] = text if slot in ("texture",) or "<" in text else f"{slots.get(slot, '')} {text}"
    slots["visual"] = "".join(
        [
            '<probe texture="t" position="1 2 3"/><probe/><ssao active="true"/><tonemapping method="none"/>',
            '<ssgi active="true" raycount="3"/><map envmapintensity="0" fogstart="3"/><global azimuth="90"/>',
            '<headlight active="1"/>',
        ]
    )
    slots["material"] += ' metallic="-1" roughness="0"'
    first = _compile(compiler=compiler, **slots).model
    second = kinetree.load_string(kinetree.to_xml(first))
    assert str(second.vis) == str(first.vis)
    for name in [*first._arrays, *first._cells]:
        np.testing.assert_array_equal(getattr(second, name), getattr(first, name), err_msg=name)


def test_probes():
    visual = '<probe/><probe texture="t" position="1 2 3" scale="4 5 6"/>'
    model = _compile(visual=visual).model
    assert model.nprobe == 2
    for name, pair in PROBES.items():
        np.testing.assert_array_equal(getattr(model.mpex, name), pair)


@pytest.mark.parametrize("text", ['<probe texture="x"/>', '<tonemapping method="filmic"/>', '<ssao active="1"/>'])
def test_references_and_words_are_checked(text):
    with pytest.raises(kinetree.ModelError):
        _compile(visual=text)


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        ("camera", 'znear="§-1"'),
        ("camera", 'zfar="§-1"'),
        ("camera", 'znear="2" zfar="§1"'),
        ("camera", 'trackposspeed="§-1"'),
        ("camera", 'trackrotspeed="§-1"'),
        ("light", 'nearz="§-.1"'),
        ("light", 'innerangle="§-5"'),
        ("material", 'emissionintensity="§-1"'),
        ("material", 'emission="§0 0 -1 0"'),
        ("visual", '<ssgi raycount="§-1"/>'),
        ("visual", '<ssgi thickness="§-1"/>'),
        ("visual", '<map envmapintensity="§-1"/>'),
    ],
)
def test_ranges(slot, text):
    marked = SCENE.format(**SLOTS | {slot: text})
    before = marked.split("§")[0]
    with pytest.raises(kinetree.ModelError) as caught:
        compile_document(Document.from_string(marked.replace("§", "")))
    found = [(item.code, item.line, item.column) for item in caught.value.diagnostics]
    assert ("bad-value", before.count("\n") + 1, len(before) - before.rfind("\n")) in found


@pytest.mark.parametrize(("scale", "kept"), [(1, 1), (2, 2), (3, 2), (4, 4), (8, 2), (0, 2)])
def test_resolution_scale(scale, kept):
    compiled = _compile(visual=f'<ssgi resolutionscale="{scale}"/>')
    assert compiled.model.mpex.ssgi_resolutionscale == kept
    assert ("bad-value" in {item.code for item in compiled.diagnostics}) == (scale != kept)


@pytest.mark.parametrize("text", ['emission="1 1"', 'emission="1 1 1"', 'emission="1 1 1 1 1"'])
def test_an_emission_is_a_factor_or_a_colour(text):
    with pytest.raises(kinetree.ModelError, match="1 or 4 numbers"):
        _compile(material=text)
    model = _compile(material='emission=".5"').model
    assert model.mat_emission[0] == 0.5 and not model.mpex.mat_emission.any()
    model = _compile(material='emission="1 1 1 1"').model
    assert model.mat_emission[0] == 0


def test_defaults_that_differ():
    assert DIFFERENT == {
        (row.id, name): (attribute.default, attribute.mpex_default)
        for row in schema.ELEMENTS.values()
        for name, attribute in row.attributes.items()
        if attribute.mpex_default is not None
        and not row.id.startswith("default.")
        and (row.id, name) not in (("actuator.plugin", "dynprm"),)
    }


def test_the_setting_decides_which_defaults_hold():
    ours, theirs = _compile().model, _compile(compiler=DIALECT).model
    assert (ours.mpex.dialect, theirs.mpex.dialect) == (0, 1)
    for vis, active, angles, fog in (
        (ours.vis, 1, (90, -45), (3, 10)),
        (theirs.vis, 0, (0, 0), (0, 0)),
    ):
        assert vis.headlight.active == active
        assert (vis.global_.azimuth, vis.global_.elevation) == angles
        assert (vis.map.fogstart, vis.map.fogend) == fog
        # the reference's 0 means that nothing is said
        assert vis.global_.fovy == 45
        np.testing.assert_allclose((vis.map.znear, vis.map.zfar), (0.01, 50), rtol=1e-6)
    said = _compile(compiler=DIALECT, visual='<map znear=".02" zfar="0"/><global azimuth="30"/>').model.vis
    np.testing.assert_allclose((said.map.znear, said.map.zfar, said.global_.azimuth), (0.02, 50, 30), rtol=1e-6)
    assert ours.mat_metallic[0] == ours.mat_roughness[0] == -1
    assert theirs.mat_metallic[0] == theirs.mat_roughness[0] == 0


def test_what_is_of_the_dialect_changes_nothing_else():
    """Without the setting, an element of the dialect leaves every default as it was."""
    plain, touched = _compile().model, _compile(light='innerangle="20"').model
    assert str(touched.vis) == str(plain.vis)
    for name in plain._arrays:
        if name != "mpex_light_innerangle":
            np.testing.assert_array_equal(getattr(touched, name), getattr(plain, name), err_msg=name)


def test_the_dialect_never_changes_the_physics():
    ours, theirs = _compile().model, _compile(compiler=DIALECT).model
    for name in ours._arrays:
        if not name.startswith(("mpex_", "mat_")):
            np.testing.assert_array_equal(getattr(theirs, name), getattr(ours, name), err_msg=name)
    assert _compile(compiler='<compiler dialect="mujoco"/>', light='innerangle="3"').diagnostics.items == []


def test_spellings():
    text = '<mujoco><worldbody><site {}="1 0 0"/></worldbody></mujoco>'
    one, other = (kinetree.load_string(text.format(name)) for name in ("zaxes", "zaxis"))
    np.testing.assert_array_equal(one.site_quat, other.site_quat)
    assert one.site_quat[0, 0] != 1


def test_what_is_not_done_yet_is_told():
    told = {
        (slot, re.match(r"(?:<\w+ )?.*?(\w+)=", text)[1]): _compile(**{slot: text}).diagnostics.items
        for _, slot, text, _ in FACTS.values()
    }
    silent = {key for key, items in told.items() if not {item.code for item in items} - {"motphys-dialect"}}
    drawn = {
        ("camera", "depth"),
        ("camera", "trackposspeed"),
        ("camera", "trackrotspeed"),
        ("material", "depthbias"),
        ("material", "emission"),
        ("material", "detailpara"),
        ("camera", "znear"),
        ("camera", "zfar"),
        ("light", "innerangle"),
        ("light", "nearz"),
        ("material", "castshadow"),
        ("material", "emissionintensity"),  # nothing without a colour
        ("visual", "method"),
        ("visual", "envmapintensity"),
    }
    simulated = {("joint", "hardlimit"), ("geom", "hard")}
    drawn |= {("visual", name) for name in schema.ELEMENTS["visual.ssgi"].attributes}
    assert silent == drawn | simulated
    assert not _compile(**{slot: text for _, slot, text, _ in FACTS.values() if slot == "camera"}).model.unsimulated


def test_rows_of_what_is_missing_exist():
    for row in unsupported.TABLE:
        assert row.element in schema.ELEMENTS
        if row.attribute and not row.element.startswith("actuator."):  # one rule for all of them
            assert row.attribute in schema.ELEMENTS[row.element].attributes, row


def test_every_attribute_of_the_dialect_is_kept():
    """Each is a field of its own, or part of a field of MuJoCo."""
    prefixes = {kind: prefix for prefix, kind in mpex.KINDS.items()}
    names = {f"{prefix}_{attribute}" for prefix, attribute, _ in mpex.fields()}
    elsewhere = {
        ("tendon.fixed", "width"),
        ("tendon.fixed", "rgba"),
        ("body.site", "zaxes"),
        ("actuator.adhesion", "ctrllimited"),
        ("actuator.adhesion", "gear"),
        ("actuator.adhesion", "joint"),
        ("actuator.adhesion", "tendon"),
    }
    for row in schema.ELEMENTS.values():
        if row.id.startswith("default.") or row.id == "sensor.contact":  # test_contact_sensors
            continue
        for name, attribute in row.attributes.items():
            if attribute.dialect == MPEX and (row.id, name) not in elsewhere:
                assert f"{prefixes.get(row.tag, row.tag)}_{name}" in names, (row.id, name)


def test_fixed_tendons_have_a_look():
    text = (
        '<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><tendon>'
        '<fixed {}><joint joint="j" coef="1"/></fixed></tendon></mujoco>'
    )
    plain = kinetree.load_string(text.format(""))
    assert plain.tendon_width[0] == pytest.approx(0.003)
    np.testing.assert_allclose(plain.tendon_rgba[0], [0.5, 0.5, 0.5, 1])
    model = kinetree.load_string(text.format('width=".02" rgba="1 0 0 1"'))
    assert model.tendon_width[0] == pytest.approx(0.02)
    np.testing.assert_allclose(model.tendon_rgba[0], [1, 0, 0, 1])


# ---- contact sensors
# ---------------------------------------------------------------------------------------------------

TOUCHING = """<mujoco><compiler dialect="mpex"/><worldbody><geom name="g"/><site name="s"/>
  <body name="b"><freejoint/><geom name="h" size=".1"/></body></worldbody>
  <sensor><clock/><contact {}/><clock name="after"/></sensor></mujoco>""".replace('name="g"', 'name="g" size=".1"')


@pytest.mark.parametrize(
    ("text", "objects", "dim"),
    [
        ('geom1="g" geom2="h"', (5, 0, 5, 1), 1),
        ('body1="world" body2="b" data="found force"', (1, 0, 1, 1), 4),
        ('subtree1="b" subtree2="world" num="3" data="torque dist pos normal tangent"', (2, 1, 2, 0), 39),
        ('site="s" num="5" reduce="netforce" data="force"', (6, 0, 0, -1), 3),
        ('site="s" num="5" reduce="mindist"', (6, 0, 0, -1), 5),
    ],
)
def test_contact_sensors(text, objects, dim):
    model = kinetree.load_string(TOUCHING.format(text))
    found = (model.sensor_objtype, model.sensor_objid, model.sensor_reftype, model.sensor_refid)
    assert tuple(int(array[1]) for array in found) == objects
    assert model.sensor_dim.tolist() == [1, dim, 1] and model.nsensordata == dim + 2
    assert model.sensor_adr.tolist() == [0, 1, 1 + dim]
    assert not model.unsimulated
    again = kinetree.load_string(kinetree.to_xml(model))
    for name in ("sensor_data", "sensor_num", "sensor_reduce"):
        np.testing.assert_array_equal(getattr(again.mpex, name), getattr(model.mpex, name))


def test_what_a_contact_sensor_reports():
    text = 'site="s" num="2" reduce="maxforce" data="pos found"'
    model = kinetree.load_string(TOUCHING.format(text))
    assert model.mpex.sensor_data[1].tolist() == [4, 0, -1, -1, -1, -1, -1]
    assert (model.mpex.sensor_num[1], model.mpex.sensor_reduce[1]) == (2, 2)
    assert model.mpex.sensor_data[0].tolist() == [-1] * 7
    default = kinetree.load_string(TOUCHING.format('site="s"'))
    assert (default.mpex.sensor_num[1], default.mpex.sensor_reduce[1]) == (1, 0)
    assert default.mpex.sensor_data[1].tolist() == [0] + [-1] * 6


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("missing-attribute", ""),
        ("missing-attribute", 'geom1="g"'),
        ("missing-attribute", 'body2="b"'),
        ("exclusive-attributes", 'geom1="g" geom2="h" site="s"'),
        ("exclusive-attributes", 'geom1="g" body2="b"'),
        ("undefined-reference", 'geom1="g" geom2="x"'),
        ("bad-value", 'site="s" num="0"'),
        ("bad-choice", 'site="s" data="friction"'),
        ("bad-choice", 'site="s" reduce="all"'),
    ],
)
def test_contact_sensors_that_are_wrong(code, text):
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string(TOUCHING.format(text))
    assert code in {item.code for item in caught.value.diagnostics}, caught.value


# ---- what is left
# ------------------------------------------------------------------------------------------------------

ADHESION = """<mujoco><compiler dialect="mpex"/><worldbody><body name="b"><joint name="j"/><geom size="1"/></body>
</worldbody><actuator><adhesion body="b" ctrlrange="0 1" {}/></actuator></mujoco>"""


def test_adhesion():
    assert kinetree.load_string(ADHESION.format("")).actuator_ctrllimited[0]
    assert not kinetree.load_string(ADHESION.format('ctrllimited="false"')).actuator_ctrllimited[0]
    assert kinetree.load_string(ADHESION.format('gear="2 0 0 0 0 0"')).actuator_gear[0, 0] == 2
    with pytest.raises(kinetree.ModelError, match="acts on one thing"):
        kinetree.load_string(ADHESION.format('joint="j"'))


@pytest.mark.parametrize(("last", "codes"), [("0", []), ("1", ["no-effect"])])
def test_an_eleventh_parameter(last, codes):
    text = f"""<mujoco><compiler dialect="mpex"/><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
      <actuator><general joint="j" gainprm="2 0 0 0 0 0 0 0 0 0 {last}"/></actuator></mujoco>"""
    compiled = compile_document(Document.from_string(text))
    assert [item.code for item in compiled.diagnostics] == codes
    assert compiled.model.actuator_gainprm[0, 0] == 2
