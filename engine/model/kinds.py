"""One table of the kinds of objects in a Model: their counts, their owners, and the numbers that are theirs.

Whoever goes over the objects of a model loops over this table: names and ids, live reload, binary files, the
selection, the tree in the window, sensors. Which elements of MJCF make objects of a kind is told by the names
that they declare, in the schema (`kinetree.engine.mjcf.schema.declaring`).

    KINDS["joint"].count(model)            number of joints
    owner(model, "geom", 3)                ObjectId("body", 2)
    body_of(model, "joint", 0)             the body that an object belongs to
    parts(model, "joint", 0)               {"njnt": slice(0, 1), "nq": slice(0, 7), "nv": slice(0, 6)}
    name_of(model, "geom", 3)              its name, or "geom 3"
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.fields import TABLES

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

JOINT_NQ = (7, 4, 1, 1)
"""Numbers in qpos of a joint, by JNT_: free, ball, slide, hinge."""
JOINT_NV = (6, 3, 1, 1)
"""Numbers in qvel of a joint, its degrees of freedom, by JNT_."""

# name      as in model.names, in references of MJCF and in sensors' objtype object    OBJ_ (MuJoCo's mjtObj); "-" for
# kinds that MuJoCo lacks size      the size of the model that counts them prefix    of the names of their arrays:
# jnt_range, and name_jntadr in MuJoCo plural owner     kind of object that each belongs to, and the array with the
# owners' ids; empty: the whole model
_KINDS = """
body      | BODY     | nbody    | body     | bodies     | body body_parentid
joint     | JOINT    | njnt     | jnt      | joints     | body jnt_bodyid
dof       | DOF      | nv       | dof      | dofs       | joint dof_jntid
geom      | GEOM     | ngeom    | geom     | geoms      | body geom_bodyid
site      | SITE     | nsite    | site     | sites      | body site_bodyid
camera    | CAMERA   | ncam     | cam      | cameras    | body cam_bodyid
light     | LIGHT    | nlight   | light    | lights     | body light_bodyid
flex      | FLEX     | nflex    | flex     | flexes     |
mesh      | MESH     | nmesh    | mesh     | meshes     |
hfield    | HFIELD   | nhfield  | hfield   | hfields    |
skin      | SKIN     | nskin    | skin     | skins      |
texture   | TEXTURE  | ntex     | tex      | textures   |
material  | MATERIAL | nmat     | mat      | materials  |
pair      | PAIR     | npair    | pair     | pairs      |
exclude   | EXCLUDE  | nexclude | exclude  | excludes   |
equality  | EQUALITY | neq      | eq       | equalities |
tendon    | TENDON   | ntendon  | tendon   | tendons    |
actuator  | ACTUATOR | nu       | actuator | actuators  |
sensor    | SENSOR   | nsensor  | sensor   | sensors    |
numeric   | NUMERIC  | nnumeric | numeric  | numerics   |
text      | TEXT     | ntext    | text     | texts      |
tuple     | TUPLE    | ntuple   | tuple    | tuples     |
key       | KEY      | nkey     | key      | keys       |
plugin    | PLUGIN   | nplugin  | plugin   | plugins    |
probe     | -        | nprobe   | probe    | probes     |
"""

# Consecutive numbers that belong to one object: kind | array of first addresses | how many | size of the
# arrays that hold them. How many: an array, a number, the product of arrays, or a function below; "-": up to
# the next object's. An address of -1 says that the object has none.
_RANGES = """
body     | body_jntadr         | body_jntnum             | njnt
body     | body_dofadr         | body_dofnum             | nv
body     | body_geomadr        | body_geomnum            | ngeom
body     | body_mocapid        | 1                       | nmocap
joint    | jnt_qposadr         | joint_nq                | nq
joint    | jnt_dofadr          | joint_nv                | nv
flex     | flex_nodeadr        | flex_nodenum            | nflexnode
flex     | flex_vertadr        | flex_vertnum            | nflexvert
flex     | flex_edgeadr        | flex_edgenum            | nflexedge
flex     | flex_elemadr        | flex_elemnum            | nflexelem
flex     | flex_elemdataadr    | flex_corners            | nflexelemdata
flex     | flex_elemedgeadr    | flex_elemedges          | nflexelemedge
flex     | flex_shelldataadr   | flex_shellnum*flex_dim  | nflexshelldata
flex     | flex_evpairadr      | flex_evpairnum          | nflexevpair
flex     | flex_texcoordadr    | -                       | nflextexcoord
flex     | flex_treeadr         | flex_treenum             | nflextree
mesh     | mesh_vertadr        | mesh_vertnum            | nmeshvert
mesh     | mesh_normaladr      | mesh_normalnum          | nmeshnormal
mesh     | mesh_texcoordadr    | mesh_texcoordnum        | nmeshtexcoord
mesh     | mesh_faceadr        | mesh_facenum            | nmeshface
mesh     | mesh_graphadr       | -                       | nmeshgraph
mesh     | mesh_polyadr        | mesh_polynum            | nmeshpoly
mesh     | mesh_octadr         | mesh_octnum             | noct
mesh     | mesh_boxadr         | -                       | nmeshbox
skin     | skin_vertadr        | skin_vertnum            | nskinvert
skin     | skin_texcoordadr    | skin_vertnum            | nskintexvert
skin     | skin_faceadr        | skin_facenum            | nskinface
skin     | skin_boneadr        | skin_bonenum            | nskinbone
hfield   | hfield_adr          | hfield_nrow*hfield_ncol | nhfielddata
texture  | tex_adr             | tex_height*tex_width*tex_nchannel | ntexdata
tendon   | tendon_adr          | tendon_num              | nwrap
actuator | actuator_actadr     | actuator_actnum         | na
sensor   | sensor_adr          | sensor_dim              | nsensordata
numeric  | numeric_adr         | numeric_size            | nnumericdata
text     | text_adr            | text_size               | ntextdata
tuple    | tuple_adr           | tuple_size              | ntupledata
plugin   | plugin_stateadr     | plugin_statenum         | npluginstate
plugin   | plugin_attradr      | -                       | npluginattr
"""

KEY_FIELDS = {
    "qpos": "qpos", "qvel": "qvel", "act": "act", "ctrl": "ctrl", "mpos": "mocap_pos", "mquat": "mocap_quat",
}  # fmt: skip
"""Array of keyframes, as the text has it -> field of Data."""


class ObjectId(NamedTuple):
    """An object of a model: its kind as in KINDS, and its id."""

    kind: str
    id: int


class NumberRange(NamedTuple):
    """Consecutive numbers that belong to one object of a kind.

    address  array of the first; -1 where the object has none
    number   how many: (Model, id or slice of ids) -> integers; None: up to the next object's
    fields   the arrays that say how many
    size     the size of the arrays that they lie in
    """

    address: str
    number: Callable[[Model, Any], Any] | None
    fields: tuple[str, ...]
    size: str


@dataclass(frozen=True)
class ObjectKind:
    """A kind of object.

    name, plural  as text; `name` as in model.names
    obj           OBJ_, OBJ_UNKNOWN for kinds that MuJoCo lacks
    size          the size of the model that counts its objects
    prefix        of the names of its arrays
    owner         kind of object that its objects belong to, "" for the model as a whole
    owner_field   the array with the owners' ids
    ranges        the numbers in other arrays that belong to its objects
    """

    name: str
    plural: str
    obj: int
    size: str
    prefix: str
    owner: str
    owner_field: str
    ranges: tuple[NumberRange, ...]

    def count(self, model: Model) -> int:
        """How many objects of the kind a model has."""
        return getattr(model, self.size)


# ---- how many numbers belong to an object ------------------------------------------------------------------


def _joint_nq(model: Model, i: Any) -> Any:
    return _JOINT_NQ[model.jnt_type[i]]


def _joint_nv(model: Model, i: Any) -> Any:
    return _JOINT_NV[model.jnt_type[i]]


def _flex_corners(model: Model, i: Any) -> Any:
    return model.flex_elemnum[i] * (model.flex_dim[i] + 1)


def _flex_elemedges(model: Model, i: Any) -> Any:
    return model.flex_elemnum[i] * (model.flex_dim[i] * (model.flex_dim[i] + 1) // 2)


_JOINT_NQ, _JOINT_NV = np.array(JOINT_NQ), np.array(JOINT_NV)
_NUMBERS: dict[str, tuple[Callable[[Model, Any], Any], tuple[str, ...]]] = {
    "joint_nq": (_joint_nq, ("jnt_type",)),
    "joint_nv": (_joint_nv, ("jnt_type",)),
    "flex_corners": (_flex_corners, ("flex_elemnum", "flex_dim")),
    "flex_elemedges": (_flex_elemedges, ("flex_elemnum", "flex_dim")),
}


def _product(fields: tuple[str, ...]) -> Callable[[Model, Any], Any]:
    def number(model: Model, i: Any) -> Any:
        found = getattr(model, fields[0])[i].astype(np.int64)
        for name in fields[1:]:
            found = found * getattr(model, name)[i]
        return found

    return number


def _one(model: Model, i: Any) -> Any:
    return 1


def _range(address: str, number: str, size: str) -> NumberRange:
    if number == "-":
        return NumberRange(address, None, (), size)
    if number == "1":
        return NumberRange(address, _one, (), size)
    if number in _NUMBERS:
        return NumberRange(address, *_NUMBERS[number], size)
    fields = tuple(number.split("*"))
    return NumberRange(address, _product(fields), fields, size)


def _read() -> dict[str, ObjectKind]:
    ranges: dict[str, list[NumberRange]] = {}
    for line in _RANGES.strip().splitlines():
        kind, *words = (word.strip() for word in line.split("|"))
        ranges.setdefault(kind, []).append(_range(*words))
    kinds = {}
    for line in _KINDS.strip().splitlines():
        name, obj, size, prefix, plural, belongs = (word.strip() for word in line.split("|"))
        owner, _, field = belongs.partition(" ")
        number = enums.OBJ_UNKNOWN if obj == "-" else getattr(enums, f"OBJ_{obj}")
        kinds[name] = ObjectKind(name, plural, number, size, prefix, owner, field, tuple(ranges.get(name, ())))
    return kinds


KINDS: dict[str, ObjectKind] = _read()
"""Every kind by name. Bodies, joints, geoms, sites, cameras and lights come first."""

NAMED: tuple[str, ...] = tuple(name for name in KINDS if name != "dof")
"""The kinds whose objects have names: the keys of model.names."""

ON_BODIES: tuple[str, ...] = tuple(kind.name for kind in KINDS.values() if kind.owner == "body")
"""The kinds whose objects belong to a body, bodies themselves included."""

BY_PREFIX: dict[str, ObjectKind] = {kind.prefix: kind for kind in KINDS.values()}

BY_OBJECT: dict[int, ObjectKind] = {kind.obj: kind for kind in KINDS.values() if kind.obj != enums.OBJ_UNKNOWN}
"""OBJ_ -> the kind; OBJ_XBODY is a body too."""
BY_OBJECT[enums.OBJ_XBODY] = KINDS["body"]

_REFERENCES = [row for row in TABLES["Model"] if row.refers]
REFERENCES: dict[str, tuple[str, bool]] = {
    row.name: (row.refers.rstrip("?"), row.refers.endswith("?"))
    for row in _REFERENCES
    if row.refers.rstrip("?") in KINDS
}
"""Arrays of ids -> (the kind that they are ids of, whether -1 stands for none)."""

TYPED_REFERENCES: dict[str, tuple[str, bool]] = {
    row.name: (row.refers.rstrip("?"), row.refers.endswith("?")) for row in _REFERENCES if row.name not in REFERENCES
}
"""Arrays of ids -> (array of their kinds, as OBJ_; whether -1 is none). With OBJ_UNKNOWN the id is always -1."""


# ---- one object --------------------------------------------------------------------------------------------


def owner(model: Model, kind: str, id: int) -> ObjectId | None:
    """The object that an object belongs to. None for one that belongs to the model as a whole."""
    row = KINDS[kind]
    if not row.owner or (kind == "body" and id == 0):
        return None
    return ObjectId(row.owner, int(getattr(model, row.owner_field)[id]))


def body_of(model: Model, kind: str, id: int) -> int:
    """The body that an object belongs to (of a body: itself); -1 for one that belongs to the model as a whole."""
    while kind != "body":
        above = owner(model, kind, id)
        if above is None:
            return -1
        kind, id = above
    return id


def on_bodies(model: Model, kind: str) -> dict[int, list[int]]:
    """Body -> the objects of a kind of ON_BODIES that belong to it (of bodies: its children), by id."""
    found: dict[int, list[int]] = {}
    for id, body in enumerate(getattr(model, KINDS[kind].owner_field).tolist()):
        if kind != "body" or id > 0:
            found.setdefault(body, []).append(id)
    return found


def parts(model: Model, kind: str, id: int) -> dict[str, slice]:
    """Rows of an object: size -> its rows in arrays whose first dimension has that size.

    A joint has its row of njnt, its positions of nq and its degrees of freedom of nv, so that `data.qvel[parts(model,
    "joint", 0)["nv"]]` is its velocity. Sizes without rows are left out.
    """
    row = KINDS[kind]
    found = {row.size: slice(id, id + 1)}
    for part in row.ranges:
        start = int(getattr(model, part.address)[id])
        if start < 0 or part.number is None:
            continue
        count = int(part.number(model, id))
        if count > 0:
            found[part.size] = slice(start, start + count)
    return found


def name_of(model: Model, kind: str, id: int) -> str:
    """The name of an object, or its kind and id where it has none."""
    names = model.names.get(kind, ())
    name = names[id] if 0 <= id < len(names) else ""
    return name or ("world" if kind == "body" and id == 0 else f"{kind} {id}")
