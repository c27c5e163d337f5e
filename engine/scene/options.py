"""Options of the view: the one table of visual and rendering flags, and the options object made from it.

Names, keys and starting values are those of MuJoCo's `simulate`. Menus, key bindings and help loop over `FLAGS`.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kinetree import engine
from kinetree.engine.scene.effects import EFFECTS

if TYPE_CHECKING:
    from kinetree.engine.model.kinds import ObjectId
    from kinetree.engine.scene.section import Section


@dataclass(frozen=True)
class Flag:
    """One switch. `kind` is "visual" (what is drawn) or "rendering" (how); `key` is simulate's key or ""."""

    name: str
    label: str
    key: str
    default: bool
    kind: str
    help: str


FLAGS: tuple[Flag, ...] = (
    Flag(
        "convexhull",
        "Convex Hull",
        "H",
        False,
        "visual",
        "Meshes by their convex hulls, which is what collides",
    ),
    Flag("texture", "Texture", "X", True, "visual", "Textures on geoms"),
    Flag("joint", "Joint", "J", False, "visual", "Joint axes"),
    Flag("camera", "Camera", "Q", False, "visual", "The model's cameras and their frusta"),
    Flag("actuator", "Actuator", "U", False, "visual", "Actuators, coloured by their control"),
    Flag("activation", "Activation", ",", False, "visual", "Colour actuators by activation instead of control"),
    Flag("light", "Light", "Z", False, "visual", "The model's lights"),
    Flag("tendon", "Tendon", "V", True, "visual", "Spatial tendons"),
    Flag("rangefinder", "Range Finder", "Y", True, "visual", "Rays of rangefinder sensors and plates of touch sensors"),
    Flag("equality", "Equality", "E", False, "visual", "Connect and weld constraints between bodies"),
    Flag("inertia", "Inertia", "I", False, "visual", "Boxes (or ellipsoids) of the same inertia as the bodies"),
    Flag(
        "sclinertia",
        "Scale Inertia",
        "'",
        False,
        "visual",
        "Size the inertia boxes by mass at the density of water",
    ),
    Flag("pertforce", "Perturb Force", "B", False, "visual", "The force on the selected body as an arrow"),
    Flag("pertobj", "Perturb Object", "O", True, "visual", "The spring and frame with which a body is pulled"),
    Flag("contactpoint", "Contact Point", "C", False, "visual", "Discs at contacts"),
    Flag("island", "Island", "", True, "visual", "Colour bodies by constraint island"),
    Flag("contactforce", "Contact Force", "F", False, "visual", "Contact forces as arrows"),
    Flag(
        "contactsplit",
        "Contact Split",
        "P",
        False,
        "visual",
        "Normal and friction parts of contact forces apart",
    ),
    Flag("transparent", "Transparent", "T", False, "visual", "Make moving geoms transparent"),
    Flag("autoconnect", "Auto Connect", "A", False, "visual", "Connect joints and body centres by capsules"),
    Flag("com", "Center of Mass", "M", False, "visual", "Centres of mass of kinematic trees"),
    Flag("select", "Select Point", "", False, "visual", "The selected point"),
    Flag("static", "Static Body", "D", True, "visual", "Geoms that cannot move"),
    Flag("skin", "Skin", ";", True, "visual", "Skins"),
    Flag(
        "flexvert",
        "Flex Vert",
        "",
        False,
        "visual",
        "Vertices of flexes as balls; of surfaces and solids without Flex Skin",
    ),
    Flag(
        "flexedge",
        "Flex Edge",
        "",
        True,
        "visual",
        "Edges of flexes as rods; of surfaces and solids without Flex Skin",
    ),
    Flag("flexface", "Flex Face", "", False, "visual", "Faces of flexes one by one, without Flex Skin"),
    Flag("flexskin", "Flex Skin", "", True, "visual", "Surfaces and solids by their smooth shells"),
    Flag("bodybvh", "Body Tree", "`", False, "visual", "Bounding volumes of bodies"),
    Flag("flexbvh", "Flex Tree", "", False, "visual", "Bounding volumes of flexes"),
    Flag("meshbvh", "Mesh Tree", "\\", False, "visual", "Bounding volumes of meshes"),
    Flag(
        "sdfiter",
        "SDF iters",
        "",
        False,
        "visual",
        "Descents in collisions with signed distance fields, from blue to red",
    ),
    Flag("shadow", "Shadow", "S", True, "rendering", "Shadows of the lights that cast them"),
    Flag("wireframe", "Wireframe", "W", False, "rendering", "Edges of triangles only"),
    Flag("reflection", "Reflection", "R", True, "rendering", "Mirror images in surfaces with reflectance"),
    Flag("additive", "Additive", "L", False, "rendering", "Add transparent colours instead of blending them"),
    Flag("skybox", "Skybox", "K", True, "rendering", "The model's sky, or the default background"),
    Flag("fog", "Fog", "G", False, "rendering", "Fade to the fog colour with distance"),
    Flag("haze", "Haze", "/", True, "rendering", "Blend an infinite plane into the sky at the horizon"),
    Flag("segment", "Segment", "", False, "rendering", "Flat, unlit colours, one per drawn object"),
    Flag(
        "idcolor",
        "Id Color",
        "",
        False,
        "rendering",
        "With Segment: the object's number + 1 as 24 bits in r, g, b",
    ),
    Flag("cullface", "Cull Face", "", True, "rendering", "Do not draw faces seen from behind"),
)

FLAG_BY_NAME: dict[str, Flag] = {flag.name: flag for flag in FLAGS}


class Label(IntEnum):
    """Kind of object that is labelled with its name (F7 cycles through)."""

    NONE = 0
    BODY = 1
    JOINT = 2
    GEOM = 3
    SITE = 4
    CAMERA = 5
    LIGHT = 6
    TENDON = 7
    ACTUATOR = 8
    CONSTRAINT = 9
    FLEX = 10
    SKIN = 11
    SELECTION = 12
    SELPOINT = 13
    CONTACT = 14
    CONTACTFORCE = 15
    ISLAND = 16


class Frame(IntEnum):
    """Whose coordinate frames are drawn (F6 cycles through)."""

    NONE = 0
    BODY = 1
    GEOM = 2
    SITE = 3
    CAMERA = 4
    LIGHT = 5
    CONTACT = 6
    WORLD = 7


LABELS: dict[Label, tuple[str, str]] = {
    Label.NONE: ("None", "No labels"),
    **{
        mode: (name, f"Names of {plural}")
        for mode, name, plural in (
            (Label.BODY, "Bodies", "bodies"), (Label.JOINT, "Joints", "joints"), (Label.GEOM, "Geoms", "geoms"),
            (Label.SITE, "Sites", "sites"), (Label.CAMERA, "Cameras", "cameras"), (Label.LIGHT, "Lights", "lights"),
            (Label.TENDON, "Tendons", "tendons"), (Label.ACTUATOR, "Actuators", "actuators"),
            (Label.CONSTRAINT, "Constraints", "constraints"), (Label.FLEX, "Flexes", "flexes"),
            (Label.SKIN, "Skins", "skins"),
        )
    },
    Label.SELECTION: ("Selection", "Name of the selected body"),
    Label.SELPOINT: ("Selected Point", "Coordinates of the selected point"),
    Label.CONTACT: ("Contacts", "Geoms of the contacts"),
    Label.CONTACTFORCE: ("Contact Forces", "Sizes of the contact forces, N"),
    Label.ISLAND: ("Islands", "Numbers of the constraint islands"),
}  # fmt: skip
"""Name and help of each label mode."""
FRAMES: dict[Frame, tuple[str, str]] = {
    Frame.NONE: ("None", "No coordinate frames"),
    Frame.BODY: ("Bodies", "Frames of bodies"),
    Frame.GEOM: ("Geoms", "Frames of geoms"),
    Frame.SITE: ("Sites", "Frames of sites"),
    Frame.CAMERA: ("Cameras", "Frames of cameras"),
    Frame.LIGHT: ("Lights", "Frames of lights"),
    Frame.CONTACT: ("Contacts", "Frames of contacts, x along the normal"),
    Frame.WORLD: ("World", "Frame of the world"),
}
"""Name and help of each frame mode."""


class Shapes(StrEnum):
    """By what the drawn geoms, flexes and skins are chosen."""

    GROUPS = "groups"
    COLLISION = "collision"
    BOTH = "both"
    VISUAL = "visual"


SHAPES: dict[Shapes, tuple[str, str]] = {
    Shapes.GROUPS: ("By Groups", "Geoms, flexes and skins of the groups that are shown"),
    Shapes.COLLISION: (
        "Collision",
        "Shapes that can collide (contype, conaffinity, a contact pair), whatever their group; meshes by convex hulls",
    ),
    Shapes.BOTH: ("Visual and Collision", "All shapes, whatever their group; those that only collide see-through"),
    Shapes.VISUAL: ("Visual", "Shapes to look at, whatever their group: all but those that only collide"),
}
"""Label and help of each choice, in the order of the key that switches (`engine/scene/shapes.py`)."""


class ToneMapping(StrEnum):
    """How light that is brighter than the screen's white is shown."""

    MODEL = "model"
    KNEE = "knee"
    NONE = "none"
    REINHARD = "reinhard"
    ACES = "aces"
    AGX = "agx"
    NEUTRAL = "neutral"


TONE_MAPPINGS: dict[ToneMapping, tuple[str, str]] = {
    ToneMapping.MODEL: ("As the Model Says", "The model's own tone mapping; Knee where it has none"),
    ToneMapping.KNEE: (
        "Knee",
        "Colours below four fifths of white stay as they are, brighter ones are compressed",
    ),
    ToneMapping.NONE: ("None", "Cut off what is brighter than white"),
    ToneMapping.REINHARD: (
        "Reinhard",
        "Compress luminance (Reinhard et al. 2002); white at four times the screen's",
    ),
    ToneMapping.ACES: ("ACES", "The filmic curve of ACES: strong contrast"),
    ToneMapping.AGX: ("AgX", "Soft contrast; very bright colours turn white as on film"),
    ToneMapping.NEUTRAL: ("Neutral", "Khronos PBR Neutral: base colours as their authors gave them"),
}
"""Label and help of each tone mapping."""
MOST_EXPOSURE = 16.0  # stops, up and down

GROUP_KINDS = ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")
NGROUP = 6
SOFT = ("skin", "flexvert", "flexedge", "flexface", "flexskin", "flexlayer")  # options of flexes and skins
FADED = 0.3  # separate alpha of transparent objects


def hidden_mask(options: VisOptions, kind: str, count: int) -> np.ndarray:
    """Which objects of a kind the user has hidden: (count,) bool."""
    return mask_of(options.hidden, kind, count)


def mask_of(objects: Iterable[ObjectId], kind: str, count: int) -> np.ndarray:
    """Which objects of a kind are among these: (count,) bool."""
    mask = np.zeros(count, bool)
    mask[[each.id for each in objects if each.kind == kind and each.id < count]] = True
    return mask


def in_groups(shown: Sequence[bool], groups: np.ndarray) -> np.ndarray:
    """(n,) bool: whether the groups (n,) of objects are shown; groups beyond the ends count as the first or last."""
    return np.array(shown, bool)[np.clip(np.asarray(groups).astype(int), 0, len(shown) - 1)]


class GeomChoice(NamedTuple):
    """How the geoms of a model are drawn, a bool for each.

    drawn     whether it is drawn, as far as nothing else hides it
    revealed  drawn opaque although its alpha is 0
    faded     drawn see-through, as it covers what is looked at
    hull      a mesh that is drawn by its convex hull, which is what collides
    """

    drawn: np.ndarray
    revealed: np.ndarray
    faded: np.ndarray
    hull: np.ndarray


def choose_geoms(model, options: VisOptions) -> GeomChoice:
    """The geoms that the options choose: those of the shown groups, or by their purpose (`engine/scene/shapes.py`)."""
    if options.shapes is not Shapes.GROUPS:
        return engine.scene.shapes.geoms_by_purpose(model, options)
    shown = in_groups(options.geomgroup, model.geom_group)
    none = np.zeros(len(shown), bool)
    return GeomChoice(shown, none, none, none)


class VisOptions:
    """Content and quality of a picture, for `kinetree.render`.

    Every flag of `FLAGS` as a bool attribute; every effect of `EFFECTS` with its value; `<kind>group`: list of 6 bools;
    `shapes`: Shapes, visual or collision shapes in place of the groups of geoms, flexes and skins;
    `label`, `frame`; `tonemap`: ToneMapping; `exposure`: stops, each of which doubles the light; `hidden`: frozenset of
    ObjectId, geoms, sites, flexes and skins that are not shown although their groups are; `faded`: likewise, those that
    are transparent; `framed` and `labelled`: objects whose frame or name is drawn, whatever `frame` and `label` say;
    `albedo`: with the flag `segment`, the colours of surfaces, with their textures, without light; `section`: the plane
    that cuts the model open, None for none.

    `flexlayer` is the layer of a solid flex whose faces are shown, counted from the outside.

    Source: specification, API reference, mjvOption and mjtVisFlag.

    Example:
        options = kinetree.VisOptions(contactpoint=True, shadow=False)
        options.geomgroup[3] = True
        model = kinetree.load("arm.xml")
        assert kinetree.render(model, kinetree.Data(model), 160, 120, options=options).std() > 5
    """

    if TYPE_CHECKING:  # `FLAGS`, `EFFECTS` and `GROUP_KINDS` name the attributes

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, **changes):
        for flag in FLAGS:
            setattr(self, flag.name, flag.default)
        for effect in EFFECTS:
            setattr(self, effect.name, effect.balanced)
        for kind in GROUP_KINDS:
            setattr(self, f"{kind}group", [True, True, True, False, False, False])
        self.hidden: frozenset[ObjectId] = frozenset()
        self.faded: frozenset[ObjectId] = frozenset()
        self.framed: frozenset[ObjectId] = frozenset()
        self.labelled: frozenset[ObjectId] = frozenset()
        self.section: Section | None = None
        self.shapes = Shapes.GROUPS
        self.label = Label.NONE
        self.frame = Frame.NONE
        self.albedo = False
        self.flexlayer = 0
        self.tonemap = ToneMapping.MODEL
        self.exposure = 0.0
        for name, value in changes.items():
            if not hasattr(self, name):
                raise AttributeError(f"no visual option {name!r}")
            setattr(self, name, value)

    def of_another_model(self) -> VisOptions:
        """The same options for another model: without what they say of single objects."""
        result = copy.copy(self)
        result.hidden = result.faded = result.framed = result.labelled = frozenset()
        return result
