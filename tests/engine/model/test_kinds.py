"""The table of object kinds against the table of fields, against MuJoCo and against the schema."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.mjcf import schema
from kinetree.engine.model import enums
from kinetree.engine.model.fields import TABLES, by_name
from kinetree.engine.model.kinds import (
    BY_OBJECT,
    BY_PREFIX,
    KINDS,
    NAMED,
    ON_BODIES,
    REFERENCES,
    TYPED_REFERENCES,
    body_of,
    name_of,
    on_bodies,
    owner,
    parts,
)

EVERY_KIND = """
<mujoco model="every kind">
 <extension><plugin plugin="mujoco.elasticity.cable"><instance name="plugin">
 <config key="twist" value="1"/></instance>
  </plugin></extension>
 <asset>
  <texture name="texture" type="2d" builtin="flat" width="4" height="3"/>
  <material name="material" texture="texture"/>
  <mesh name="mesh" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh name="other" vertex="0 0 0 2 0 0 0 1 0 0 0 1"/>
  <hfield name="hfield" size="1 1 1 1" nrow="2" ncol="3" elevation="0 1 0 1 0 1"/>
  <skin name="skin" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">
  <bone body="body" bindpos="0 0 0" bindquat="1 0 0 0"
   vertid="0 1 2" vertweight="1 1 1"/></skin></asset>
 <worldbody><light name="light"/><camera name="camera"/><geom name="floor" type="plane" size="1 1 1"/>
  <body name="body"><freejoint name="free"/><geom name="geom" size="1" material="material"/>
  <site name="site"/>
   <body name="inner"><joint name="ball" type="ball"/><geom type="mesh" mesh="mesh"/>
    <body name="leaf"><joint name="hinge"/><geom size="1"/></body></body></body>
  <body name="mocap" mocap="true"><geom type="hfield" hfield="hfield"/></body></worldbody>
 <deformable><flex name="flex" dim="1" body="body inner mocap" element="0 1 1 2"/></deformable>
 <contact><pair name="pair" geom1="geom" geom2="floor"/>
 <exclude name="exclude" body1="body" body2="mocap"/></contact>
 <equality><connect name="equality" body1="body" anchor="0 0 0"/><joint joint1="hinge"/></equality>
 <tendon><fixed name="tendon"><joint joint="hinge" coef="1"/></fixed></tendon>
 <actuator><motor name="motor" joint="hinge"/><intvelocity name="actuator" joint="hinge" actrange="-1 1"/>
 </actuator>
 <sensor><framepos name="sensor" objtype="geom" objname="geom"/><jointpos joint="hinge"/></sensor>
 <custom><numeric name="numeric" data="1 2 3"/><text name="text" data="words"/>
  <tuple name="tuple"><element objtype="geom" objname="geom"/></tuple></custom>
 <keyframe><key name="key"/></keyframe>
</mujoco>"""
"""A model with at least one object of each kind that MuJoCo has; the first named like its kind, where it can
be."""
WITHOUT_OBJECTS = {"probe"}


@pytest.fixture(scope="module")
def model() -> kinetree.Model:
    return kinetree.load_string(EVERY_KIND)


@pytest.fixture(scope="module")
def reference():
    return mujoco.MjModel.from_xml_string(EVERY_KIND)


def first_size(field) -> str | int | None:
    return field.shape[0] if field.shape else None


# ---- against the table of fields ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_field_of_the_table_is_there_and_has_the_shape(kind):
    fields, sizes = by_name("Model"), {f.name for f in TABLES["Model"] if f.kind == "size"}
    assert kind.size in sizes
    if kind.owner:
        assert kind.owner in KINDS
        assert fields[kind.owner_field].shape == (kind.size,)
        assert REFERENCES[kind.owner_field] == (kind.owner, False)
    for part in kind.ranges:
        assert part.size in sizes
        for name in (part.address, *part.fields):
            assert fields[name].shape == (kind.size,), name
            assert np.issubdtype(np.dtype(fields[name].dtype), np.integer), name


def test_every_array_belongs_to_a_kind_by_its_prefix():
    """A field whose rows are the objects of a kind is called like it, and the other way round."""
    by_size = {kind.size: kind for kind in KINDS.values()}
    elsewhere = {"qpos0", "qpos_spring"}
    for field in TABLES["Model"]:
        if field.kind != "array" or field.name.startswith(("opt_", "stat_")) or field.name in elsewhere:
            continue
        prefix = field.name.removeprefix("mpex_").partition("_")[0]
        kind = by_size.get(first_size(field))
        if kind is not None and kind.name != "dof":
            assert prefix in (kind.prefix, "ten"), field.name
        elif prefix in BY_PREFIX and kind is None:
            within = {part.size for part in BY_PREFIX[prefix].ranges} | {
                "nmeshpolyvert",
                "nmeshpolymap",
                "nskinbonevert",
            }
            assert first_size(field) in within, field.name


def test_every_address_and_every_id_is_in_the_table():
    sizes = {kind.size for kind in KINDS.values()}
    addresses = {part.address for kind in KINDS.values() for part in kind.ranges}
    ids = REFERENCES.keys() | TYPED_REFERENCES.keys()
    # what they point to depends on a type, or is no object
    typed = {"geom_dataid", "eq_obj1id", "eq_obj2id", "actuator_trnid", "wrap_objid"}
    no_object = {
        "body_treeid", "dof_treeid", "dof_blockid", "block_parentid", "block_dofadr", "dof_Madr", "M_rowadr",
        "ten_J_rowadr", "actuator_momentadr", "skin_bonevertid",
    }  # fmt: skip
    for field in TABLES["Model"]:
        if first_size(field) in sizes and field.name.endswith("adr"):
            assert field.name in addresses | no_object, field.name
        if field.dtype == "i4" and field.name.endswith("id") and field.name != "body_mocapid":
            assert field.name in ids | typed | no_object, field.name


def test_every_size_counts_objects_or_what_belongs_to_them():
    counted = {kind.size for kind in KINDS.values()} | {part.size for kind in KINDS.values() for part in kind.ranges}
    others = {
        "nmeshpolyvert", "nmeshpolymap", "nskinbonevert",  # below what belongs to an object
        "nM", "nC", "nJmom", "nJten", "ntree", "ngravcomp", "nemax", "njmax", "nconmax", "nmpos", "nmquat",
        "nuserdata", "noctcoeff", "nJfe", "ncable",
    }  # fmt: skip
    sizes = {f.name for f in TABLES["Model"] if f.kind == "size"}
    assert {name for name in sizes if not name.startswith("nuser_")} == counted | others


@pytest.mark.parametrize("field", REFERENCES)
def test_references_are_ids(model, field):
    kind, optional = REFERENCES[field]
    values = getattr(model, field)
    assert (values >= -int(optional)).all()
    assert (values < KINDS[kind].count(model)).all()


# ---- against MuJoCo ----------------------------------------------------------------------------------------


def test_objects_are_numbered_as_in_mujoco():
    theirs = {name.removeprefix("mjOBJ_"): int(value) for name, value in mujoco.mjtObj.__members__.items()}
    for name, number in theirs.items():
        if name != "mjNOBJECT":
            assert getattr(enums, f"OBJ_{name}") == number
    numbered = {kind.obj for kind in KINDS.values()} | {enums.OBJ_XBODY}
    assert numbered == set(range(theirs["mjNOBJECT"]))
    assert {number: kind.name for number, kind in BY_OBJECT.items()} == {
        number: "body" if name == "XBODY" else name.lower()
        for name, number in theirs.items()
        if 0 < number < theirs["mjNOBJECT"]
    }


@pytest.mark.parametrize("kind", [k for k in KINDS.values() if k.obj], ids=lambda kind: kind.name)
def test_names_and_counts_are_those_of_mujoco(model, reference, kind):
    count = kind.count(model)
    assert count == getattr(reference, kind.size) > 0
    if kind.name == "dof":
        return
    assert len(getattr(reference, f"name_{kind.prefix}adr")) == count
    names = [mujoco.mj_id2name(reference, kind.obj, i) or "" for i in range(count)]
    assert model.names[kind.name] == names
    for i, name in enumerate(names):
        if name:
            assert mujoco.mj_name2id(reference, kind.obj, name) == i == kinetree.name2id(model, kind.name, name)
            assert name_of(model, kind.name, i) == name
        else:
            assert name_of(model, kind.name, i) == f"{kind.name} {i}"


def test_owners_are_those_of_mujoco(model, reference):
    for kind in KINDS.values():
        if kind.owner:
            assert getattr(reference, kind.owner_field).tolist() == getattr(model, kind.owner_field).tolist()


# ---- against the schema ------------------------------------------------------------------------------------


def test_the_schema_declares_the_kinds_that_have_names():
    declared = {space for id in schema.ELEMENTS for space in schema.declares(id)}
    no_objects = {"class", "frame", "model"}
    assert declared - no_objects == set(NAMED) - {"probe"}
    assert schema.declaring("joint") == ("body.joint", "body.freejoint")


# ---- one object --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", NAMED)
def test_models_have_names_of_every_kind(model, kind):
    assert len(model.names[kind]) == KINDS[kind].count(model)
    assert (len(model.names[kind]) > 0) is (kind not in WITHOUT_OBJECTS)


def test_what_belongs_to_a_joint_is_its_part_of_the_state(model):
    data = kinetree.Data(model)
    data.qpos[...], data.qvel[...] = np.arange(model.nq), np.arange(model.nv)
    for joint, (positions, velocities) in enumerate(((7, 6), (4, 3), (1, 1))):
        own = parts(model, "joint", joint)
        assert data.qpos[own["nq"]].tolist() == list(
            range(model.jnt_qposadr[joint], model.jnt_qposadr[joint] + positions)
        )
        assert data.qvel[own["nv"]].tolist() == list(
            range(model.jnt_dofadr[joint], model.jnt_dofadr[joint] + velocities)
        )


@pytest.mark.parametrize("kind", KINDS)
def test_parts_divide_every_array_among_the_objects(model, kind):
    """The parts of all objects do not overlap; of a size that one range alone leads to they leave nothing
    out."""
    seen: dict[str, list[int]] = {}
    for id in range(KINDS[kind].count(model)):
        for size, rows in parts(model, kind, id).items():
            seen.setdefault(size, []).extend(range(rows.start, rows.stop))
    for size, rows in seen.items():
        assert len(set(rows)) == len(rows), size
        assert sorted(rows) == list(range(model.sizes[size])), size


def test_owners_lead_to_a_body(model):
    assert owner(model, "body", 0) is None
    assert owner(model, "dof", 6) == ("joint", 1)
    assert body_of(model, "dof", 6) == body_of(model, "joint", 1) == 2
    assert body_of(model, "body", 2) == 2
    assert body_of(model, "sensor", 0) == -1
    for kind in ON_BODIES:
        found = on_bodies(model, kind)
        for body, ids in found.items():
            assert all(owner(model, kind, id) == ("body", body) for id in ids)
        assert sum(map(len, found.values())) == KINDS[kind].count(model) - (kind == "body")
