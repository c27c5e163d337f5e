"""The points that a faithful picture of the reference scenes must show, each measured: the table.

A row: the point's number in the reference's README (scene and point), what is measured, the measure of a picture, and the
bounds between which it must lie. One line adds a measure; a point may have several.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from kinetree.engine.scene.options import ToneMapping
from tests.images import measures as m
from tests.images import measures_of_scenes as o
from tests.images.seen import Seen, reference

SCENES = (
    "01_pbr_grid", "02_legacy_grid", "03_textures", "04_skybox_cameras", "05_lights", "06_many_lights", "07_shadows",
    "08_reflection", "09_transparency", "10_fog_haze", "11_geoms", "12_contacts", "13_decor", "14_motphys_post",
)  # fmt: skip


@dataclass(frozen=True)
class Point:
    """One measure of one point."""

    number: str
    what: str
    measure: Callable[[Seen], Any]  # a number
    least: float = -inf
    most: float = inf


def scene_of(number: str) -> str:
    """The scene of a point."""
    return SCENES[int(number[:2]) - 1]


POINTS: tuple[Point, ...] = (
    Point("01.1", "the reflection of a metal ball blurs to the right", lambda s: m.falling([m.sharpness(s, n) for n in m.row(2)[:5]]), 1.0),
    Point("01.1", "sharp at the left, none at the right", lambda s: m.sharpness(s, "ball_m2r0") / m.sharpness(s, "ball_m2r5"), 4),
    Point("01.2", "the base colour of plastic stays: hue, degrees", lambda s: max(m.hue_error(s.ball(n, (0.2, -0.3), 2), [0.85, 0.45, 0.25]) for n in m.row(0)), most=6),
    Point("01.2", "its highlight spreads", lambda s: m.falling([m.spread(s, n) for n in m.row(0)[4::-1]]), 1.1),
    Point("01.3", "highlights of metal are tinted: blue in parts of red", lambda s: max(v[2] / v[0] for v in (m.shine(s, n) for n in m.row(2)[3:5])), most=0.5),
    Point("01.3", "highlights of plastic are white", lambda s: (lambda v: v[2] / v[1])(m.shine(s, "ball_m0r1")), 0.8, 1.25),
    Point("01.4", "chrome shows the sky above", lambda s: m.warmth(s.ball("front_chrome", (-0.5, 0.4), 2)), most=-30),
    Point("01.4", "and the floor below, darker", lambda s: m.brightness(s.ball("front_chrome", (-0.4, -0.4), 4)) / m.brightness(s.ball("front_chrome", (-0.5, 0.4), 2)), most=0.6),
    Point("01.4", "the black ball has a small highlight", lambda s: m.peak(s, "front_black").min(), 200),
    Point("01.4", "and a faint reflection at its edge", lambda s: m.brightness(s.ball("front_black", (0.0, 0.95), 1)) - m.brightness(s.ball("front_black", (-0.3, -0.2), 2)), 15, 130),
    Point("01.5", "no metal ball is black", lambda s: min(s.pixels[s.inner(n)].mean() for n in m.row(2)), 45),
    Point("02.1", "no highlight where specular is 0", lambda s: max(m.pale_share(s.with_(bloom=False), n) for n in m.row(0, "sh")), most=0.0),
    Point("02.2", "highlights shrink in the middle row", lambda s: m.falling([m.pale_share(s, n) for n in m.row(1, "sh")]), 1.0),
    Point("02.2", "highlights shrink in the top row", lambda s: m.falling([m.pale_share(s, n) for n in m.row(2, "sh")]), 1.0),
    Point("02.2", "from the whole lit side", lambda s: m.pale_share(s, "ball_s2h0"), 0.6),
    Point("02.2", "to a point", lambda s: m.pale_share(s, "ball_s2h5"), 0.001, 0.05),
    Point("02.3", "emission makes balls brighter", lambda s: m.falling([m.brightness(s.pixels[s.inner(f"emit_{i}")].mean(axis=0)) for i in (3, 2, 1, 0)]), 1.05),
    Point("02.3", "and flatter", lambda s: m.falling([(lambda p: p.std(axis=0).mean() / p.mean())(s.pixels[s.inner(f"emit_{i}")]) for i in range(4)]), 1.1),
    Point("02.3", "the dark side of the fourth has its colour's hue", lambda s: m.hue_error(s.ball("emit_3", (-0.6, -0.65), 2), [0.8, 0.5, 0.2]), most=6),
    Point("02.3", "and is at least as bright", lambda s: (s.ball("emit_3", (-0.6, -0.65), 2) - 255 * np.array([0.8, 0.5, 0.2])).min(), -2),
    Point("03.1", "tile 1: 4 x 4 squares", lambda s: m.checkered(m.cells(s, "tile_c2d", (0.26, 0.2), 4)), 60),
    Point("03.1", "tile 2: 2 x 2 squares", lambda s: m.checkered(m.cells(s, "tile_c2du", (0.26, 0.2), 2)), 60),
    Point("03.2", "rows of the image from +y, columns from -x", lambda s: m.recognised(m.cells(m.bare(s), "tile_uv", (0.26, 0.2), 4, 0.16), np.arange(16)), 1.0),
    Point("03.3", "the top of a box shows a checker", lambda s: m.brightness(np.ptp(s.at(s.on("back_box_c2d", [(0.12, y, 0.25) for y in (-0.17, -0.06, 0.06, 0.17)])), axis=0)), 40),
    Point("03.3", "its sides show stripes", lambda s: m.stretched(s, "box_long_uv", (0.7, 0.12, 0.12)), most=0.25),
    Point("03.4", "F is upright and not mirrored", m.upright, 0.25),
    Point("03.4", "D faces the camera: hue of its face", lambda s: m.hue_error(s.at(s.on("back_box_six", (0.17, -0.25, 0.14))), m.face_color("D")), most=15),
    Point("03.5", "edges of the cube lie inside the faces of the oblong box", m.edge_line, 40),
    Point("03.6", "one image of 4 x 4 tiles in 2 m of floor", m.floor_cells, 0.95),
    Point("03.7", "labels follow u and v round the torus", lambda s: m.mesh_cells(m.bare(m.close(s, "torus_uv")), "torus_uv", "torus"), 0.95),
    Point("03.7", "and are as easily told as in the classic picture", lambda s: m.mesh_cells(s, "torus_uv", "torus") / m.mesh_cells(s.as_in("classic"), "torus_uv", "torus"), 1.0),
    Point("04.1", "the wall ahead is B: hue", lambda s: m.hue_error(s.around((480.0, 20.0), 3), m.face_color("B")), most=5),
    Point("04.1", "the wall at the left is L, at the right R: hues", lambda s: m.hue_error(s.around([(8.0, 300.0), (952.0, 300.0)], 3), [m.face_color("L"), m.face_color("R")]), most=5),
    Point("04.1", "B is mirrored: its stem is at the right", lambda s: m.white_share(s.pixels[90:250, 553:573]) - m.white_share(s.pixels[90:250, 370:390]), 0.3),
    Point("04.2", "the mirror ball shows the faces around: hue", lambda s: m.mirror_order(s, "mirror"), most=12),
    Point("04.2", "F is not mirrored: its stem is at the left", lambda s: m.letter_lean(s, "mirror"), 15),
    Point("04.3", "the satin ball shows the same: hue", lambda s: m.mirror_order(s, "satin"), most=20),
    Point("04.3", "but blurred", lambda s: m.steps(s.ball("mirror", m.line((-0.8, -0.2), (0.6, -0.2)), 0)).max() / m.steps(s.ball("satin", m.line((-0.8, -0.2), (0.6, -0.2)), 0)).max(), 2.5),
    Point("04.4", "the principal point shifts the picture: pixels away from the classic one", lambda s: m.shifted(s.with_("intrinsic")), most=1.5),
    Point("04.5", "parallel edges stay parallel: difference of slopes", lambda s: m.parallel(s.with_("ortho")), most=0.005),
    Point("04.5", "the sky is no smear: it changes down the picture", lambda s: s.with_("ortho").pixels[:, 60].std(axis=0).max(), 25),
    Point("04.6", "the balls cast shadows", lambda s: s.shade([(-0.7, -0.1, 0.0), (0.7, -0.1, 0.0)]).max(), most=0.75),
    Point("04.6", "that are not black: the image light reaches them", lambda s: s.at([(-0.7, -0.1, 0.0), (0.7, -0.1, 0.0)]).min(), 15),
    Point("05.1", "pools are as large as their cones: pool of cutoff 15, metres off", lambda s: m.rim_error(s, "cut15", 15), most=0.03),
    Point("05.1", "pool of cutoff 30", lambda s: m.rim_error(s, "cut30", 30), most=0.04),
    Point("05.1", "pool of cutoff 45", lambda s: m.rim_error(s, "cut45e0", 45), most=0.07),
    Point("05.2", "the fourth pool fades early: at 0.35 m against 0.9 m from its middle", lambda s: m.falling(s.of_light("cut45e40", [(1.02, 0.02, 0.0), (0.7, -0.3, 0.0)], 2).sum(axis=-1)), 3),
    Point("05.2", "and is as bright as the third in the middle", lambda s: s.of_light("cut45e40", (1.3, 0.0, 0.0), 2).sum() / s.of_light("cut45e0", (0.0, 0.0, 0.0), 2).sum(), 0.4),
    Point("05.3", "the fifth is weaker than the third", lambda s: s.of_light("att", (2.6, -0.2, 0.0), 2).sum() / s.of_light("cut45e0", (0.0, -0.2, 0.0), 2).sum(), most=0.8),
    Point("05.3", "and yellow: blue in parts of red", lambda s: (lambda v: v[2] / v[0])(s.of_light("att", (2.6, -0.2, 0.0), 2)), most=0.8),
    Point("05.4", "edges are smooth circles: the pool of the fifth, metres off its cone", lambda s: m.rim_error(s, "att", 45), most=0.07),
    Point("05.5", "every spot shadows its ball", lambda s: max(m.in_shadow(s, n, (x + 0.0, 0.3, 0.12)) for n, x in m.SPOTS), most=0.1),
    Point("05.5", "and its capsule", lambda s: max(m.in_shadow(s, n, (x + 0.35, -0.1, 0.3)) for n, x in m.SPOTS[1:]), most=0.1),
    Point("05.6", "the orange pool has no edge: steepest step in parts of its peak", lambda s: (lambda v: np.abs(np.diff(v)).max() / v.max())(s.with_(texture=False).of_light("point", m.line((-2, -1.9, 0), (-0.2, -1.2, 0), 90), 1)[:, 0]), most=0.06),
    Point("06.1", "24 pools in the colours of their lamps: hue", m.pool_hues, most=25),
    Point("06.2", "metal balls show a highlight for each near lamp", lambda s: min(m.highlights(s, p) for p in ((-1, -1, 0.18), (0, 0, 0.18), (1, 1, 0.18))), 4),
    Point("06.3", "no dead lights: part of the light under each that is its own", lambda s: m.lamp_shares(s).min(), 0.3),
    Point("07.1", "rod 0 casts a continuous shadow: its palest part", lambda s: m.rod_shadow(s, 0), most=0.85),
    Point("07.1", "the other rods", lambda s: max(m.rod_shadow(s, i) for i in range(1, 9)), most=0.75),
    Point("07.2", "the shadow of the torus has its hole", lambda s: s.shade(m.landed(np.array([0.9, -0.2, 0.55]), [-0.7, 0.35, -0.8])).min(), 0.85),
    Point("07.2", "within a ring", lambda s: s.shade(m.landed(s.on("torus", [(0.3, 0, 0), (-0.3, 0, 0)]), [-0.7, 0.35, -0.8])).max(), most=0.75),
    Point("07.3", "the shadow of the plate lies apart from it: the floor between them", lambda s: m.apart(s), 0.9),
    Point("07.3", "the box's shadow begins at its foot: brightest of 1 to 5 cm from it", lambda s: m.foot(s), most=0.85),
    Point("07.4", "two shadows of each object in the cone: the sun's", lambda s: s.shade([m.landed(np.array(p), [-0.7, 0.35, -0.8]) for p in m.TOPS]).max(), most=0.85),
    Point("07.4", "the spot's", lambda s: s.shade([m.landed(np.array(p), p - m.SPOT) for p in m.CORNERS]).max(), most=0.9),
    Point("07.5", "no acne on the open floor", lambda s: np.abs(1 - s.shade(m.grid((-0.1, 0.9), (-2.2, -1.5)), 0)).max(), most=0.03),
    Point("07.5", "nor on lit sides of boxes", lambda s: max(np.abs(1 - s.shade(s.on(n, p), 0)).max() for n, p in m.lit_sides()), most=0.03),
    Point("07.5", "no hard end of the shadow region: steps far away", lambda s: m.steps(s.shade(m.line((3, 2, 0), (14, 18, 0), 160), 0)).max(), most=0.05),
    Point("07.6", "glass casts a shadow, a light one", lambda s: s.shade(m.glass_shadow(s)).mean(), 0.4, 0.97),
    Point("07.6", "tinted: red kept in parts of blue", lambda s: (lambda v: v[0] / v[2])(s.shade(m.glass_shadow(s))), most=0.97),
    Point("08.1", "the floor mirrors things in their colours: hue of the added light", lambda s: m.hue_error(m.added_by_mirror(s, [m.mirrored(p) for p, _ in m.ABOVE]), [c for _, c in m.ABOVE]), most=6),
    Point("08.1", "upside down, as far below as they are above: pixels that the mirror image of the capsule is off", lambda s: m.mirror_offset(s.with_(mirrordetail="full"), "green"), most=1.0),
    Point("08.2", "the table mirrors the cylinder", lambda s: m.brightness(m.added_by_mirror(s, (1.4, -0.53, 0.14))), 15),
    Point("08.3", "the magenta ball below the floor is not seen: pixels", lambda s: ((s.pixels[..., 0] > 2 * s.pixels[..., 1]) & (s.pixels[..., 2] > 2 * s.pixels[..., 1]) & (s.pixels[..., 0] > 60)).sum(), most=0),
    Point("08.4", "reflectance dims the image: added light in parts of the thing's own", lambda s: m.dimmed(s), 0.45, 0.75),
    Point("08.4", "and it carries the checker", lambda s: np.ptp(m.brightness(s.at(m.line((-1.25, -0.9, 0), (-0.75, -1.15, 0), 40)))), 10),
    Point("08.5", "the sky lifts the floor at a grazing angle", lambda s: m.brightness(m.added_by_mirror(s, (-0.05, 0.9, 0.0))), 15, 90),
    Point("08.5", "and hardly from above", lambda s: np.max(m.added_by_mirror(s, (0.0, -2.3, 0.0))), most=10),
    Point("09.1", "each pane pulls what is behind it toward its colour: least part", lambda s: min(o.panes(s)), 0.25),
    Point("09.1", "at most", lambda s: max(o.panes(s)), most=0.75),
    Point("09.2", "the ball inside two shells is seen", lambda s: np.abs(s.ball("inner", (-0.3, -0.3), 2) - s.with_(without=("inner",)).ball("inner", (-0.3, -0.3), 2)).max(), 20),
    Point("09.3", "the plane from behind lets 70 % of the floor's contrast through", lambda s: o.contrast_through(s, "backplane", o.patch(s, "backplane", 0.35)), 0.6, 0.8),
    Point("09.4", "the ramp of alpha is monotonic: light of the floor through 5, 4, 3, 2 and 1 sixths of transparency: least factor, 5 / 4 less 4 %", lambda s: m.falling(o.ramp(s)), 1.2),
    Point("09.4", "the last cube is opaque", lambda s: np.abs(s.with_(without=("floor",)).at(s.on("alpha5", (0.02, -0.1, 0.02))) - s.at(s.on("alpha5", (0.02, -0.1, 0.02)))).max(), most=1.5),
    Point("09.5", "textured glass shows its pattern: range of its cells", lambda s: np.ptp(m.cells(s, "uvglass", (0.4, 0.4), 4, 0.16).reshape(-1, 3), axis=0)[:2].min(), 60),
    Point("09.5", "and the floor: change without it", lambda s: np.abs(s.pixels - s.with_(without=("floor",)).pixels)[s.inner("uvglass")].mean(), 10),
    Point("10.1", "pillars fade linearly: largest error of the fog's share", lambda s: np.abs(np.subtract(*o.pillars(s))).max(), most=0.04),
    Point("10.1", "the last pair is almost gone", lambda s: o.pillars(s)[0].max(), 0.9),
    Point("10.2", "the sky has the colour of the fog", lambda s: np.abs(s.pixels[:120] - 255 * np.array([0.7, 0.75, 0.82])).max(), most=3),
    Point("10.3", "haze joins plane and sky without a seam: steepest step across the horizon against the classic picture", lambda s: m.steps(s.with_(fog=False).pixels[170:300, 470:490].mean(axis=1)).max() / m.steps(reference("10_fog_haze.nofog.classic")[170:300, 470:490].mean(axis=1)).max(), most=1.1),
    Point("10.2", "down to the horizon, without a line: steepest step", lambda s: m.steps(s.pixels[100:260, 470:490].mean(axis=1)).max(), most=6),
    Point("10.3", "in its own colour", lambda s: np.abs(s.with_(fog=False).pixels[170:300, 470:490].mean(axis=1) - 255 * np.array([0.75, 0.8, 0.88])).max(axis=-1).min(), most=12),
    Point("10.4", "the checker stays where it is when the camera moves: agreement", lambda s: o.fixed_checker(s), 1.0),
    Point("11.1", "the left torus is round: pixels off an ellipse", lambda s: o.roundness(s, "torus_smooth"), most=1.0),
    Point("11.1", "the right one has a faceted outline", lambda s: o.roundness(s, "torus_flat") / o.roundness(s, "torus_smooth"), 1.5),
    Point("11.1", "and nearly smooth shading: steps round it against the left one's", lambda s: o.ring_step(s, "torus_flat") / o.ring_step(s, "torus_smooth"), most=3.0),
    Point("11.2", "the tetrahedron is flat-shaded", lambda s: s.pixels[s.inner("tetra", 4)].std(axis=0).max(), most=6),
    Point("11.3", "the faces of the cube look as in the classic picture", lambda s: o.beside_classic(s, "cubesmooth"), most=6),
    Point("11.3", "with edges between them", o.edge_step, 15),
    Point("11.4", "the height field has its heights: metres off", o.height_error, most=0.01),
    Point("11.4", "and a skirt down to its base", o.skirt, 1.0),
    Point("11.5", "the ends of the capsule are round: pixels off", lambda s: o.cap_error(s, "capsule", 0.16, 0.25), most=1.5),
    Point("12.1", "every contact that is in view has an orange disc: hue", o.disc_hue, most=15),
    Point("12.1", "four of them under each box on the floor", lambda s: o.floor_discs(s), 4, 4),
    Point("12.1", "flat in the contact plane: height in parts of width", o.disc_shape, most=0.6),
    Point("12.2", "force arrows stand along the normal: degrees off", lambda s: o.arrow_angle(s), most=8),
    Point("12.2", "they are light blue", lambda s: o.arrow_color(s), 10),
    Point("12.2", "and longer lower in the stack", lambda s: m.falling(o.arrow_heights(s)), 1.2),
    Point("12.3", "discs behind transparent bodies are seen", lambda s: o.hidden_discs(s), 1.0),
    Point("13.1", "the slack rope hangs as a catenary: metres off", o.rope_error, most=0.02),
    Point("13.1", "the red one bends over the cylinder", lambda s: o.tendon_seen(s, "wrapped"), 0.95),
    Point("13.1", "half as thick where it touches: error of the part above the cylinder", lambda s: o.thinner(s), most=0.04),
    Point("13.2", "the frustum is yellow", lambda s: m.hue_error(*o.frustum(s)[:2]), most=15),
    Point("13.2", "see-through: floor contrast left", lambda s: o.frustum(s)[2], 0.3, 0.9),
    Point("13.2", "with edges", lambda s: o.frustum(s)[3], 20),
    Point("13.3", "cameras are a box and a lens, lights cylinders along their direction: seen", o.marks_seen, 1.0),
    Point("13.3", "lights: degrees off", o.light_angle, most=12),
    Point("13.3", "sites cast shadows, as in the classic picture", lambda s: s.shade(m.landed(o.sites(s, "sbox", "scyl"), m.SUN)).max(), most=0.6),
    Point("13.4", "the world's frame: x red, y green, z blue: hue, half a step of a wheel of twelve", o.axis_hue, most=15),
    Point("13.5", "labels are white", lambda s: o.letters(s)[0], 235),
    Point("13.5", "with a dark shadow", lambda s: o.letters(s)[1], most=60),
    Point("13.5", "as high as text of a window: pixels", lambda s: o.letters(s)[2], 7, 22),
    Point("14.1", "corners of the stairs, of wall and floor, and pebbles are darkened", lambda s: o.occluded(s, o.CORNERS_14).max(), most=0.98),
    Point("14.1", "the stairs as much as in Filament's picture: difference of the shade, less than an eye tells", o.occlusion_error, most=0.02),
    Point("14.1", "the open floor is not", lambda s: o.occluded(s, o.OPEN_14).min(), 0.993),
    Point("14.2", "the yellow box casts no shadow", lambda s: s.shade(m.landed(s.on("ghost", [(0, 0, 0)]), [-0.5, 0.6, -0.8])).min(), 0.97),
    Point("14.3", "the spot's pool rolls off: brightest of the floor", lambda s: s.pixels[s.inner("floor")].max(), most=250),
    Point("14.3", "blacks are deeper than with the other curve", lambda s: np.quantile(s.pixels, 0.003) - np.quantile(s.with_(tonemap=ToneMapping.KNEE).pixels, 0.003), most=0),
    Point("14.4", "the torus shows bumps: fine contrast against the bare colours", o.bumps, 1.5),
    Point("14.5", "the ball shows sharp and blurred reflections: ratio of their steps", o.checkered_gloss, 2.5),
    Point("14.6", "copper reflects the faces of the probe", lambda s: o.hue_spread(s, "copper"), 20),
    Point("14.6", "tinted: blue in parts of red", lambda s: (lambda v: v[2] / v[0])(s.pixels[s.inner("copper")].mean(axis=0)), most=0.7),
    Point("14.7", "the neon capsule has one colour on all sides", lambda s: s.pixels[s.inner("neon")].std(axis=0).max(), most=8),
    Point("14.7", "its own: hue", lambda s: m.hue_error(s.pixels[s.inner("neon")].mean(axis=0), [0.2, 0.9, 1.0]), most=8),
)  # fmt: skip
