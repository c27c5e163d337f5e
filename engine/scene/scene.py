"""The scene: numpy arrays of everything that one frame shows.

`build.build` fills a Scene and `kinetree.renderer.frame.Renderer` draws it; the Scene is all that passes between the
two. Colours are linear light (`linear`), lengths metres, matrices row-major. Instances with the same shape,
features, texture and material are neighbours and form one Batch, which is one draw call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.model.lights import MAXLIGHT
from kinetree.engine.scene.effects import Effects
from kinetree.engine.scene.options import ToneMapping

if TYPE_CHECKING:
    from kinetree.engine.scene.camera import View

MOST_MIRRORS = 4  # planes that reflect
ENDLESS = 5e8  # radii above it are of infinite planes
FILL_LIGHT = -2  # shadow of a light that stands for light from all around: ambient occlusion takes its place

# One instance is NFIELD floats, eight vec4:
#   POS    x y z, segment id
#   ROW0-2 rows of the rotation matrix, each with one component of the size (w)
#   COLOR  linear r g b, alpha
#   SURFACE emission, specular, exponent of the highlight, reflectance; of physically based materials with an emitted
#           colour of their own: -1 - red, green, blue, reflectance
#   TEXTURE scale x, scale y, offset x, offset y of the texture coordinate
#   EXTRA  half length between a capsule's ends, metallic, roughness, glow
NFIELD = 32
POS, ROW0, ROW1, ROW2, COLOR, SURFACE, TEXTURE, EXTRA = range(0, NFIELD, 4)
SIZE = (ROW0 + 3, ROW1 + 3, ROW2 + 3)
SEGMENT, CAPSULE_HALF, METALLIC, ROUGHNESS, GLOW = POS + 3, EXTRA, EXTRA + 1, EXTRA + 2, EXTRA + 3

# One light is NLIGHT_FIELD floats, seven vec4. Colours are sRGB-encoded, those of photometric lights linear:
#   position, type            (0 spot, 1 directional, 2 point)
#   direction, cosine of the cutoff angle
#   diffuse, exponent
#   specular, shadow          (index in Scene.shadows, -1: none)
#   attenuation, rim          (1 / width of a spot's edge, in cosines)
#   ambient, near             (distance from which on objects cast shadows)
#   photometric, 1 / range, radius of the source, reach  (1 or 0; 0: no limit; metres; metres, 0: no limit)
NLIGHT_FIELD = 28
L_POS, L_TYPE, L_DIR, L_COSCUT, L_DIFFUSE, L_EXPONENT = 0, 3, 4, 7, 8, 11
L_SPECULAR, L_SHADOW, L_ATTENUATION, L_RIM, L_AMBIENT, L_NEAR = 12, 15, 16, 19, 20, 23
L_PHOTOMETRIC, L_RANGE, L_BULB, L_REACH = 24, 25, 26, 27


class ShapeKind(IntEnum):
    """The kinds of shapes; a scene's shape number is (kind + 64 * asset) * LODS + level of detail."""

    PLANE = 0  # square -1..1 in x, y, normal +z
    INFINITE = 1  # disc of rings around the viewer's foot
    SPHERE = 2
    CAPSULE = 3
    CYLINDER = 4
    BOX = 5
    CONE = 6  # base radius 1 at z = -1, tip at z = 1
    MESH = 7  # asset: mesh id
    HULL = 8  # asset: mesh id, its convex hull
    HFIELD = 9  # asset: height field id
    LINES_BOX = 10  # edges of a box
    PYRAMID = 11  # base square -1..1 at z = 0, tip at z = 1
    FLEX = 12  # asset: flex id; vertices in Scene.surfaces
    SKIN = 13  # asset: skin id; likewise


SEGMENTS = 96, 64, 48, 32, 24, 16, 12, 8
"""Around a round shape, by level of detail."""
LODS = len(SEGMENTS)
ROUND = ShapeKind.SPHERE, ShapeKind.CAPSULE, ShapeKind.CYLINDER, ShapeKind.CONE  # shapes that have levels of detail
KINDS = 64


def shape_number(kind: int, asset: int = 0, lod: int = 0) -> int:
    """One number for a shape: kind, asset and level of detail (0 is the finest)."""
    return (int(kind) + KINDS * int(asset)) * LODS + int(lod)


def shape_parts(number: int) -> tuple[ShapeKind, int, int]:
    """The reverse of `shape_number`: (kind, asset, level of detail)."""
    rest, lod = divmod(int(number), LODS)
    asset, kind = divmod(rest, KINDS)
    return ShapeKind(kind), asset, lod


def coarser(number: int) -> int:
    """The shape number of the next level of detail, for images with half as many pixels across.

    Shapes with one level only keep theirs."""
    kind, _, lod = shape_parts(number)
    return number + (kind in ROUND and lod < LODS - 1)


class ShaderFeatures(IntFlag):
    """Shader features of a batch; each set bit costs time, so the renderer compiles one program for each
    combination.
    """

    NONE = 0
    TEXTURE_2D = 1
    TEXTURE_CUBE = 2
    TEXTURE_MESH = 4  # 2d, with the mesh's own coordinates
    PBR = 8
    MIRROR = 16  # shows the planar reflection
    INFINITE = 32  # haze at the horizon
    TWO_SIDED = 64
    LAYERS = 128  # PBR texture layers (normal, roughness, metallic, orm, occlusion, emissive)
    DECOR = 256  # neither casts nor receives shadows
    SHADOWLESS = 512  # casts none


@dataclass(slots=True)
class Batch:
    """Instances `first` to `first + count`, drawn by one call; the first `visible` of them are in the
    frustum.

    shadow_rect  part of the window (left, bottom, right, top; 0..1) outside which no shadow falls on a plane;
                 None if that is not known
    mirror       number in Scene.mirrors of the plane that it shows, -1: none
    """

    shape: int
    kind: ShaderFeatures
    texture: int  # texture id, -1: none
    material: int  # material id for texture layers and depth bias, -1: neither
    first: int
    count: int
    visible: int
    shadow_rect: tuple[float, float, float, float] | None = None
    mirror: int = -1


class Layer(IntEnum):
    """Where an instance is drawn."""

    PLAIN = 0  # in the scene
    OVER = 1  # over the scene in its own flat colour, fainter where it is hidden; neither mirrored nor lit
    MARK = 2  # likewise, with a dark edge
    OUTLINED = 3  # not at all: only its outline


@dataclass(slots=True)
class SceneOutline:
    """Batches to outline; only their shapes and instances matter.

    primary, others  shapes of the object that was selected last and of the others
    marks            shapes of `Scene.overlay` that get a dark edge
    bounds           part of the window that holds all of them (left, bottom, right, top; 0..1)
    color            of the line (sRGB, 0..1)
    """

    primary: list[Batch]
    others: list[Batch]
    marks: list[Batch]
    bounds: tuple[float, float, float, float]
    color: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(slots=True)
class TextLabel:
    """A text at a world position (the window draws it)."""

    pos: tuple[float, float, float]
    text: str


@dataclass
class Mirror:
    """A plane that reflects: instances above `plane` (a, b, c, d: ax + by + cz + d >= 0) are seen in it.

    instances  segment ids of the geoms whose faces lie in it
    bounds     part of the window in which they can be (left, bottom, right, top; 0..1)
    """

    plane: np.ndarray
    instances: list[int]
    bounds: tuple[float, float, float, float]


@dataclass
class ShadowView:
    """One light's view of the scene, from which its shadow map is drawn.

    matrix       (4, 4) world to clip
    light        row of Scene.lights
    directional  whether the light is directional; else it is a spot
    width        of the map in metres: everywhere (directional) or at distance 1 (spot)
    start        (3,) the lamp, or for a directional light the middle of the map's near side
    axes         (3, 3) rows: half the map's width, half its height (for spots at distance 1), direction
    bounds       (4,) left, bottom, right, top of the part that casters can cover, 0..1 of the map
    side         of the map in texels, as the picture asks; 0 if it shows no caster
    near, far    depths of the nearest and the farthest caster along the light, metres
    softness     size of the light: radius of a lamp in metres; of a directional light the tangent of half its angle
    following    how many views of the same light come after this one: coarser ones of a directional light, other
                 faces of a cube
    rank         of its light: the tiles of the most important one, 0, are the last to be made smaller
    """

    matrix: np.ndarray
    light: int
    directional: bool
    width: float
    start: np.ndarray
    axes: np.ndarray
    bounds: np.ndarray
    side: int
    near: float
    far: float
    softness: float = 0.0
    following: int = 0
    rank: int = 0


@dataclass
class Environment:
    """The surroundings of the scene: sky, reflected image, ambient light and fog."""

    sky: int = -1  # texture id of the skybox, -1: the default background
    draw_sky: bool = True
    background: float = 1.0  # brightness of the default background
    ambient: np.ndarray = field(default_factory=lambda: np.zeros(3))
    fog: bool = False
    fog_color: np.ndarray = field(default_factory=lambda: np.zeros(3))
    fog_start: float = 0.0
    fog_end: float = 1.0
    haze: float = 0.0  # slope below the horizon at which infinite planes end, as a tangent, 0: no haze
    haze_part: float = 0.0  # part of the distance to that end which the haze covers
    haze_color: np.ndarray = field(default_factory=lambda: np.zeros(3))
    source: int = -1  # texture id of the cube image that physically based materials reflect, -1: the studio
    matte: int = -1  # the one whose light matte surfaces get, -1: the same
    env_intensity: float = 1.0  # of the reflected image
    diffuse: float = 0.25  # of the light on matte surfaces
    image_light: bool = False  # whether that is the light of a lamp, which legacy materials get too
    numbers: bool = False  # whether its light on matte surfaces is that of the image's numbers, not of its colours
    probe: tuple[int, np.ndarray, np.ndarray] | None = None  # texture id, centre, half of the box that it acts in


@dataclass(frozen=True, slots=True)
class ScreenLight:
    """Settings of screen-space lighting: rays are traced through the depth of the picture itself.

    smaller    pixels of the picture for each texel, in each direction: 1, 2 or 4
    rays       lines along which a texel looks
    steps      samples along each
    thickness  assumed thickness of visible surfaces, metres: a ray that passes farther behind is not stopped
    intensity  factor on the light
    spread     pixels between the places of the filter against noise, 0: no filter
    """

    smaller: int
    rays: int
    steps: int
    thickness: float
    intensity: float
    spread: int


Ground = tuple[int, np.ndarray, np.ndarray, np.ndarray]
"""An infinite plane: texture id (-1: none), plane (4,), instance row (NFIELD,), axes (3, 3)."""


class Scene:
    """One frame. Arrays grow as needed and are reused; rows beyond the counts are of earlier frames.

    instances            (ninstance, NFIELD) float32 in drawing order
    opaque, transparent  lists of Batch; transparent ones from back to front
    tangled              part of the window with transparent shapes that may be in each other (left, bottom, right, top;
                         0..1); None where their order is known
    overlay              list of Batch that are drawn over the others
    outline              batches to outline, or None
    ghost                the scene of another model, drawn see-through in one colour where it differs from this one
    ratio                device pixels of a length of 1 on the screen
    lights               (nlight, NLIGHT_FIELD) float32, the directional ones first
    view                 camera.View; set by `build`
    segments             (n, 2) int32, object type and id of each segment id
    surfaces             moving meshes (surface.MovingSurface) by shape number
    ground               the infinite plane that metals reflect
    effects              quality settings of the picture
    occlusion            distance within which surfaces keep ambient light from each other
    reflections          screen-space reflections of glossy surfaces, None: none
    still                whether nothing moves: cached parts of the picture may be drawn again
    indirect             light that surfaces in the picture send to each other, None: not drawn
    """

    def __init__(self):
        self.model = None
        self.instances = np.zeros((0, NFIELD), np.float32)
        self.ninstance = 0
        self.radii = np.zeros(0, np.float32)  # of their bounding spheres
        self.opaque: list[Batch] = []
        self.transparent: list[Batch] = []
        self.tangled: tuple[float, float, float, float] | None = None
        self.overlay: list[Batch] = []
        self.outline: SceneOutline | None = None
        self.ratio = 1.0
        self.lights = np.zeros((MAXLIGHT, NLIGHT_FIELD), np.float32)
        self.nlight = 0
        self.ndirectional = 0
        self.photometric = False  # whether a light gives its intensity
        self.casters: list[int] = []  # lights that may cast shadows
        self.view: View
        self.depths = 0.0, 1.0  # along the view, between which all in it that is not infinite lies
        self.environment = Environment()
        self.mirrors: list[Mirror] = []  # at most MOST_MIRRORS
        self.shadows: list[ShadowView] = []
        self.labels: list[TextLabel] = []
        self.segments = np.zeros((0, 2), np.int32)
        self.surfaces: dict = {}
        self.wireframe = self.segment = self.idcolor = self.additive = False
        self.albedo = False
        self.depth_scale = 0.0  # distance that is shown as middle grey, m; 0: the picture shows colours
        self.cull = True
        self.effects = Effects()
        self.occlusion = 0.0  # metres; 0: no ambient occlusion
        self.reflections: ScreenLight | None = None
        self.indirect: ScreenLight | None = None
        self.still = True
        self.tonemap = ToneMapping.KNEE  # never MODEL
        self.exposure = 0.0  # stops
        self.glows = False  # whether something shines so much by itself that its light spreads
        self.ground: Ground | None = None
        self.ghost: Scene | None = None
        self.section: np.ndarray | None = None  # (4,) plane; what is below it is not drawn
        self.cache: Any = None  # arrays of `build` that depend on the model and the options only

    def invalidate(self) -> None:
        """Drop what was derived from the model. Call it after changing colours, sizes or textures in
        place."""
        self.cache = None
        self.model = None

    def reserve(self, count: int) -> np.ndarray:
        """The instance array, grown to at least `count` rows."""
        if count > len(self.instances):
            self.instances = np.zeros((max(64, count + count // 2), NFIELD), np.float32)
        return self.instances


def linear(color) -> np.ndarray:
    """sRGB-encoded values (any shape, 0..1) to linear light (IEC 61966-2-1)."""
    color = np.asarray(color, float)
    return np.where(color <= 0.04045, color / 12.92, ((np.maximum(color, 0.0) + 0.055) / 1.055) ** 2.4)


def encoded(color) -> np.ndarray:
    """Linear light to sRGB-encoded values (IEC 61966-2-1)."""
    color = np.clip(np.asarray(color, float), 0.0, None)
    return np.where(color <= 0.0031308, color * 12.92, 1.055 * color ** (1 / 2.4) - 0.055)
