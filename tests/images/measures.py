"""Measurements of `points.py` in a picture. Each function gives one number; colours are those of the screen, 0 to 255,
unless a function says that it takes linear light.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.stats import theilslopes

import kinetree
from tests.images.seen import SCENES, Seen, reference

SUN = np.array([-0.4, 0.5, -0.9])
"""Direction of the sun of most scenes."""
HUES = np.array([[1.0, -0.5, -0.5], [0.0, 3**0.5 / 2, -(3**0.5) / 2]])


# ---- colours -----------------------------------------------------------------------------------------------------------


def brightness(colors) -> np.ndarray:
    """Mean of the channels."""
    return np.asarray(colors, float).mean(axis=-1)


def warmth(colors) -> np.ndarray:
    """Red minus blue."""
    colors = np.asarray(colors, float)
    return colors[..., 0] - colors[..., 2]


def hue_error(colors, expected) -> float:
    """Largest angle between the hues of colours and the expected ones, degrees."""
    found, wanted = np.asarray(colors, float) @ HUES.T, np.asarray(expected, float) @ HUES.T
    angle = np.arctan2(found[..., 1], found[..., 0]) - np.arctan2(wanted[..., 1], wanted[..., 0])
    return float(np.abs(np.degrees((angle + np.pi) % (2 * np.pi) - np.pi)).max())


def falling(values) -> float:
    """The smallest factor between neighbours of a row that is to fall."""
    return float(min(a / max(b, 1e-9) for a, b in pairwise(values)))


def pulled(before, after, toward) -> float:
    """Which part of the way from one colour to another a third one went."""
    way = np.asarray(toward, float) - before
    return float((np.asarray(after, float) - before) @ way / (way @ way))


def steps(colors) -> np.ndarray:
    """Differences between neighbouring colours of a line."""
    return np.abs(np.diff(np.asarray(colors, float), axis=0)).max(axis=-1)


def white_share(pixels: np.ndarray) -> float:
    """Share of a part of a picture that is white."""
    return float((pixels.min(axis=-1) > 200).mean())


def line(start, end, count: int = 60) -> np.ndarray:
    """(count, n) points between two points."""
    return np.linspace(np.asarray(start, float), np.asarray(end, float), count)


def disc(count: int = 24, reach: float = 0.9) -> np.ndarray:
    """Places all over a disc."""
    x, y = np.meshgrid(*[np.linspace(-reach, reach, count)] * 2)
    inside = x**2 + y**2 < reach**2
    return np.stack([x[inside], y[inside]], axis=-1)


def landed(point, direction, height: float = 0.0) -> np.ndarray:
    """Where a ray from a point meets the plane z = height."""
    point, direction = np.asarray(point, float), np.asarray(direction, float)
    return point + direction * (height - point[..., 2:]) / direction[2]


# ---- 01, 02: materials -------------------------------------------------------------------------------------------------


def row(number: int, letters: str = "mr") -> list[str]:
    """Names of the balls of a row."""
    return [f"ball_{letters[0]}{number}{letters[1]}{column}" for column in range(6)]


def sharpness(seen: Seen, name: str) -> float:
    """The steepest step up a ball, beside its highlights."""
    return float(steps(seen.ball(name, line((0.5, -0.85), (0.5, 0.6)), size=0)).max())


def peak(seen: Seen, name: str) -> np.ndarray:
    """The brightest colour on a ball."""
    colors = seen.ball(name, disc(), size=0)
    return colors[np.argmax(colors.sum(axis=-1))]


def shine(seen: Seen, name: str) -> np.ndarray:
    """Linear light of a ball's highlight, without what the ball shows around it."""
    places = seen.disc(name, disc())
    light = seen.around(places, 0, seen.light)
    return light[np.argmax(light.sum(axis=-1))] - np.median(light, axis=0)


def spread(seen: Seen, name: str) -> float:
    """Share of a ball on which its highlight has more than half of its height, in blue: the ball itself has little."""
    places = seen.disc(name, disc(40))
    blue = seen.around(places, 0, seen.light)[:, 2]
    return float((blue > 0.5 * (blue.max() + np.median(blue))).mean())


def pale_share(seen: Seen, name: str) -> float:
    """Share of a blue ball that a highlight makes paler than its own colour (0.2, 0.45, 0.8)."""
    colors = seen.ball(name, disc(40), size=0)
    return float((colors[:, 0] / np.maximum(colors[:, 2], 1) > 0.25 + 0.1).mean())


# ---- 03: textures ------------------------------------------------------------------------------------------------------


def cells(seen: Seen, name: str, half: tuple[float, float], count: int, place: float = 0.5) -> np.ndarray:
    """(count, count, 3) colours in the cells of a tile, rows from +y, columns from -x. `place`: where in the cell."""
    along = (np.arange(count) + place) / count * 2 - 1
    x, y = np.meshgrid(along * half[0], -along * half[1])
    return seen.at(seen.on(name, np.stack([x, y, 0 * x], -1)))


def checkered(colors) -> float:
    """How much paler the light squares of a checker are than its dark ones, at least; the first one is dark."""
    pale = np.asarray(colors)[..., 2]
    rows, columns = np.indices(pale.shape)
    dark = (rows + columns) % 2 == 0
    return float(pale[~dark].min() - pale[dark].max())


def cell_colors(file: str = "uv.png", count: int = 4) -> np.ndarray:
    """(count, count, 3) colours of the cells of a picture file, beside their letters."""
    from PIL import Image

    image = np.asarray(Image.open(SCENES / "assets" / file).convert("RGB"), float)
    side = image.shape[0] // count
    start = side // 8
    return np.array(
        [
            [image[r * side + start : r * side + start + 4, c * side + start : c * side + start + 4].mean(axis=(0, 1)) for c in range(count)]
            for r in range(count)
        ]
    )  # fmt: skip


def bare(seen: Seen) -> Seen:
    """The colours of the surfaces, without light."""
    return seen.with_(segment=True, albedo=True)


def recognised(colors, expected) -> float:
    """Share of colours (n, 3) that are nearest to the expected cell (n,) of `uv.png`."""
    known = cell_colors().reshape(-1, 3)
    away = np.abs(np.asarray(colors, float).reshape(-1, 1, 3) - known).sum(axis=-1)
    return float((np.argmin(away, axis=-1) == np.asarray(expected).reshape(-1)).mean())


def stretched(seen: Seen, name: str, half: tuple[float, float, float]) -> float:
    """How much a pattern changes down the front of a box, in parts of how much it changes along it."""
    x, z = np.meshgrid(np.linspace(-0.85, 0.85, 40) * half[0], np.linspace(-0.6, 0.6, 9) * half[2])
    colors = brightness(seen.at(seen.on(name, np.stack([x, np.full_like(x, -half[1]), z], -1)), 0))
    return float(colors.std(axis=0).mean() / colors.mean(axis=0).std())


def face_tile(letter: str) -> np.ndarray:
    """(n, n) brightness of a face of `sixfaces.png`."""
    from PIL import Image

    image = np.asarray(Image.open(SCENES / "assets" / "sixfaces.png").convert("L"), float)
    side = image.shape[1] // 4
    row, column = divmod(".U..LFRB.D..".index(letter), 4)
    return image[row * side : (row + 1) * side, column * side : (column + 1) * side]


def upright(seen: Seen) -> float:
    """Correlation of the top of the six-face box with the letter F, less that of the best turned or mirrored one."""
    tile = face_tile("F")
    along = np.linspace(-0.9, 0.9, 15)
    x, y = np.meshgrid(0.25 * along, -0.25 * along)
    found = brightness(seen.at(seen.on("back_box_six", np.stack([x, y, np.full_like(x, 0.25)], -1)), 0))
    places = ((along + 1) / 2 * (len(tile) - 1)).astype(int)
    sample = tile[np.ix_(places, places)]
    turned = [np.rot90(sample, k) for k in range(4)]
    every = [*turned, *(each[:, ::-1] for each in turned)]
    scores = [float(np.corrcoef(found.ravel(), each.ravel())[0, 1]) for each in every]
    return scores[0] - max(scores[1:])


def edge_line(seen: Seen) -> float:
    """How much darker the line between two faces of the cube is than both sides of it, inside a face of the oblong
    box.
    """
    around = [seen.at(seen.on("mid_box_ccu", [(x, -0.15, 0.05)]), 0)[0].mean() for x in (0.10, 0.15, 0.20)]
    return float(min(around[0], around[2]) - around[1])


def floor_cells(seen: Seen) -> float:
    """Share of places of the floor, in its first two metres, that show their cell of the image."""
    x, y = np.meshgrid(np.arange(-2.25, 2.3, 0.5), [-1.75, -1.25])
    points = np.stack([x - 0.17, y + 0.17, 0 * x], -1).reshape(-1, 3)  # beside the letters
    points = points[seen.sees(points, "floor")]
    u, v = (0.5 * points[:, 0] - 0.5) % 1, (-0.5 * points[:, 1] - 0.5) % 1
    return recognised(bare(seen).at(points), (v * 4).astype(int) * 4 + (u * 4).astype(int))


def close(seen: Seen, name: str) -> Seen:
    """The same scene seen from near a geom, so that a cell of its image has many pixels."""
    return seen.with_((tuple(float(x) for x in seen.geom(name)[0]), 1.3, 90.0, -35.0))


def mesh_cells(seen: Seen, name: str, mesh: str) -> float:
    """Share of a mesh's vertices, where they are seen from the front, that show their cell of the image."""
    model = seen.model
    index = kinetree.name2id(model, "mesh", mesh)
    geom = kinetree.name2id(model, "geom", name)
    first, count = int(model.mesh_faceadr[index]), int(model.mesh_facenum[index])
    face = np.asarray(model.mesh_face)[first : first + count]
    which = np.asarray(model.mesh_facetexcoord)[first : first + count]
    vert = np.asarray(model.mesh_vert, float)[model.mesh_vertadr[index] :][face]
    uv = np.asarray(model.mesh_texcoord, float)[model.mesh_texcoordadr[index] :][which]
    spread = np.ptp(uv, axis=1).max(axis=-1) < 0.5  # not across the seam
    pos, mat = seen.geom(name)
    points = pos + vert.mean(axis=1) @ mat.T
    uv = uv.mean(axis=1) % 1
    normal = np.cross(vert[:, 1] - vert[:, 0], vert[:, 2] - vert[:, 0]) @ seen.geom(name)[1].T
    toward = np.einsum("ij,ij->i", normal, seen.view.pos - points) / np.linalg.norm(normal, axis=1)
    toward /= np.linalg.norm(seen.view.pos - points, axis=1)
    inside = (np.abs(uv * 4 % 1 - 0.5) > 0.2).any(axis=1) & (np.abs(uv * 4 % 1 - 0.5) < 0.35).all(axis=1)
    use = (toward > 0.5) & inside & spread & seen.sees(points, name)
    assert use.sum() > 20, (model.geom_type[geom], use.sum())
    cell = (uv[use] * 4).astype(int)
    return recognised(seen.at(points[use], 0), cell[:, 1] * 4 + cell[:, 0])


# ---- 04: sky and cameras -----------------------------------------------------------------------------------------------


def mirror_order(seen: Seen, name: str) -> float:
    """Largest error of hue of the five faces of the sky on a ball, degrees: front, left, right, up, down."""
    places = [(-0.17, -0.17), (-0.72, 0.0), (0.72, 0.0), (0.0, 0.75), (0.05, -0.72)]
    faces = [face_color(letter) for letter in "FLRUD"]
    return hue_error(seen.ball(name, places, 2), faces)


def letter_lean(seen: Seen, name: str) -> float:
    """How much brighter the left half of the front face on a ball is than its right half: F has its stem there."""
    x, y = np.meshgrid(np.linspace(0.02, 0.14, 7), np.linspace(-0.2, 0.05, 11))
    sides = [brightness(seen.ball(name, np.stack([sign * x - 0.0, y], -1), 0)).mean(axis=0).max() for sign in (-1, 1)]
    return float(sides[0] - sides[1])


def face_color(letter: str) -> np.ndarray:
    """(3,) colour of a face of `sixfaces.png`, beside its letter."""
    from PIL import Image

    image = np.asarray(Image.open(SCENES / "assets" / "sixfaces.png").convert("RGB"), float)
    side = image.shape[1] // 4
    row, column = divmod(".U..LFRB.D..".index(letter), 4)
    tile = image[row * side : (row + 1) * side, column * side : (column + 1) * side]
    return np.median(tile.reshape(-1, 3), axis=0)


def red_centroid(image: np.ndarray) -> np.ndarray:
    """(2,) column and row of the centroid of dark red pixels: the x axis."""
    rows, columns = np.nonzero(
        (image[..., 0] > 60) & (image[..., 0] > 3 * image[..., 1]) & (image[..., 0] > 3 * image[..., 2])
    )
    inner = (columns > 0.3 * image.shape[1]) & (columns < 0.75 * image.shape[1])
    return np.array([columns[inner].mean(), rows[inner].mean()])


def shifted(seen: Seen) -> float:
    """Distance in pixels of the x axis from where the classic renderer draws it."""
    return float(
        np.linalg.norm(red_centroid(seen.pixels) - red_centroid(reference("04_skybox_cameras.intrinsic.classic")))
    )


def parallel(seen: Seen) -> float:
    """Largest difference of the slopes of edges of the floor that are parallel in the world."""
    mask = seen.mask("floor", "x", "y", "z", "mirror", "satin")
    corner = seen.pixel([(-2, 2, 0), (2, 2, 0), (2, -2, 0), (-2, -2, 0)])
    found = []
    for start, end in ((0, 1), (3, 2), (0, 3), (1, 2)):
        edge = line(corner[start], corner[end], 41)[8:-8]
        inside = (
            (edge[:, 0] > 4) & (edge[:, 0] < mask.shape[1] - 4) & (edge[:, 1] > 4) & (edge[:, 1] < mask.shape[0] - 4)
        )
        rows = []
        for column, row in edge[inside]:
            around = mask[max(int(row) - 12, 0) : int(row) + 13, int(column)]
            change = np.flatnonzero(np.diff(around.astype(int)))
            if len(change) == 1:
                rows.append((column, int(row) - 12 + change[0] + 0.5))
        found.append(theilslopes(*np.array(rows).T[::-1])[0] if len(rows) > 3 else np.nan)
    pairs = np.array([found[0] - found[1], found[2] - found[3]])
    assert np.isfinite(pairs).any(), found
    return float(np.nanmax(np.abs(pairs)))


# ---- 05, 06: lamps -----------------------------------------------------------------------------------------------------


SPOTS = (("cut15", -2.6), ("cut30", -1.3), ("cut45e0", 0.0), ("cut45e40", 1.3), ("att", 2.6))
"""Names and places of the spots of scene 05."""


def lamp(seen: Seen, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Position and direction of a light."""
    index = kinetree.name2id(seen.model, "light", name)
    return np.array(seen.data.light_xpos[index]), np.array(seen.data.light_xdir[index])


def rim_error(seen: Seen, name: str, cutoff: float) -> float:
    """Largest distance in metres of a pool's edge on the floor from the cone of its lamp, over directions in which the
    floor is open."""
    pos, along = lamp(seen, name)
    side = np.cross(along, [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    other = np.cross(along, side)
    worst = 0.0
    for turn in np.radians(np.arange(0, 360, 12)):
        across = np.cos(turn) * side + np.sin(turn) * other
        degrees = np.radians(np.linspace(0.8 * cutoff, 1.15 * cutoff, 71))
        rays = np.cos(degrees)[:, None] * along + np.sin(degrees)[:, None] * across
        points = pos + rays * (-pos[2] / rays[:, 2:])
        if not seen.sees(points, "floor").all() or (seen.shade(points, 0).min() < 0.97):
            continue
        light = seen.of_light(name, points, 0).sum(axis=-1)
        edge = np.degrees(degrees[np.flatnonzero(light > 0.5 * np.median(light[:15]))[-1]])
        here = points[np.argmin(np.abs(np.degrees(degrees) - edge))]
        there = points[np.argmin(np.abs(np.degrees(degrees) - cutoff))]
        worst = max(worst, float(np.linalg.norm(here - there)))
    return worst


def in_shadow(seen: Seen, name: str, point) -> float:
    """Share of a lamp's light that is left on the floor behind a point."""
    pos, _ = lamp(seen, name)
    behind = landed(np.asarray(point, float), np.asarray(point, float) - pos)
    open_ = seen.with_(shadow=False)
    return float(seen.of_light(name, behind).sum() / max(open_.of_light(name, behind).sum(), 1e-6))


def lamp_names(seen: Seen) -> list[str]:
    return [f"p{i}" for i in range(1, 25)]


def pool_hues(seen: Seen) -> float:
    """Largest error of hue under the lamps, degrees."""
    indices = [kinetree.name2id(seen.model, "light", name) for name in lamp_names(seen)]
    points = np.array(seen.data.light_xpos)[indices] * [1, 1, 0]
    use = seen.sees(points, "floor")
    assert use.sum() >= 20
    return hue_error(seen.at(points, 3)[use], np.array(seen.model.light_diffuse)[indices][use])


def lamp_shares(seen: Seen) -> np.ndarray:
    """Part of the linear light under each lamp that is its own or that of its neighbours but one."""
    names = lamp_names(seen)
    found = []
    for first in (0, 1):
        rest = seen.with_(dark=tuple(names[first::2]))
        for name in names[first::2]:
            point = lamp(seen, name)[0] * [1, 1, 0]
            if seen.sees(point[None], "floor")[0]:
                place = seen.pixel(point)
                found.append(1 - rest.around(place, 2, rest.light).sum() / seen.around(place, 2, seen.light).sum())
    return np.array(found)


def highlights(seen: Seen, pos) -> int:
    """Bright spots on a ball of scene 06."""
    index = next(i for i in range(seen.model.ngeom) if np.allclose(seen.data.geom_xpos[i], pos))
    mask = seen.geoms == index
    light = seen.light.sum(axis=-1) * mask
    rows, columns = np.nonzero(mask)
    found = []
    for row, column in zip(rows, columns):
        window = light[row - 3 : row + 4, column - 3 : column + 4]
        if light[row, column] == window.max() and light[row, column] > 2.5 * np.median(light[mask]):
            if all(np.hypot(row - r, column - c) > 4 for r, c in found):
                found.append((row, column))
    return len(found)


# ---- 07, 08: shadows and mirrors ---------------------------------------------------------------------------------------


def rod_shadow(seen: Seen, number: int) -> float:
    """The palest part of a thin rod's sun shadow, as a share of the open floor."""
    x, reach = -1.6 + 0.22 * number, 0.03
    worst = 0.0
    for height in np.linspace(0.1, 1.1, 21):
        end = landed(np.array([x, 0.9, height]), np.array([-0.7, 0.35, -0.8]))
        across = end + np.linspace(-reach, reach, 25)[:, None] * np.array([0.447, 0.894, 0.0])
        if seen.sees(across, "floor").all():
            worst = max(worst, float(seen.shade(across, 0).mean(axis=-1).min()))
    return worst


TOPS = ((-0.3, -1.3, 0.28), (-1.0, -0.2, 0.55))
"""Points inside the boxes on the floor of scene 07, near their tops, whose sun shadows are seen."""
CORNERS = ((-0.2, -1.3, 0.28), (-0.75, -0.45, 0.55), (0.1, -0.6, 0.77))
"""Likewise points of things in the cone of the spot, whose shadows from it are seen."""
SPOT = np.array([-1.8, -1.6, 2.6])


def grid(x: tuple[float, float], y: tuple[float, float], count: int = 25) -> np.ndarray:
    """(count, count, 3) points of the floor."""
    columns, rows = np.meshgrid(np.linspace(x[0], x[1], count), np.linspace(y[0], y[1], count))
    return np.stack([columns, rows, 0 * columns], -1)


def foot(seen: Seen) -> float:
    """The brightest place on the floor next to the box, on the side of its sun shadow."""
    points = seen.on(
        "box", [(-0.3 - away, y, -0.3) for away in (0.01, 0.02, 0.03, 0.05) for y in (-0.2, -0.1, 0.0, 0.1)]
    )
    return float(seen.shade(points[seen.sees(points, "floor")], 0).max())


def lit_sides() -> tuple[tuple[str, np.ndarray], ...]:
    """Points on the sides of the boxes that the sun shines on."""
    u, v = np.meshgrid(np.linspace(-0.8, 0.8, 15), np.linspace(-0.8, 0.8, 15))
    top = np.stack([u, v, np.ones_like(u)], -1)
    return ("touch", 0.15 * top), ("hover", np.array([0.3, 0.3, 0.03]) * top)


def glass_shadow(seen: Seen) -> np.ndarray:
    """(3,) the middle of the glass plate's shadow on the floor."""
    return landed(seen.on("glass", (0.0, 0.0, 0.15)), [-0.7, 0.35, -0.8])


def difference(seen: Seen, other: Seen) -> np.ndarray:
    """(height, width) largest difference of two pictures."""
    return np.abs(seen.pixels - other.pixels).max(axis=-1)


def mirrored(point) -> np.ndarray:
    """A point as the floor z = 0 mirrors it."""
    return np.asarray(point, float) * [1, 1, -1]


def added_by_mirror(seen: Seen, points) -> np.ndarray:
    """(..., 3) what reflection adds to the shown colour."""
    return seen.at(points) - seen.with_(reflection=False).at(points)


ABOVE = (
    ((-1.2, 0.2, 0.55), (0.85, 0.15, 0.12)), ((-0.3, 0.3, 0.5), (0.2, 0.7, 0.25)), ((0.45, -0.2, 0.4), (0.3, 0.5, 0.95)),
)  # fmt: skip
"""Middles and colours of things above the floor of scene 08 whose mirror images are seen."""


def mirror_offset(seen: Seen, name: str) -> float:
    """Distance in pixels of the ends of a green capsule's mirror image on a grey floor from where they are to be."""
    index = kinetree.name2id(seen.model, "geom", name)
    radius, half = (float(value) for value in seen.model.geom_size[index][:2])
    turns = np.radians(np.arange(0, 360, 10))
    around = np.stack([np.cos(turns), np.sin(turns), 0 * turns], -1)
    ends = [radius * np.array([np.cos(t) * np.cos(p), np.sin(p), np.sin(t) * np.cos(p)]) for t in turns for p in turns]
    points = np.concatenate(
        [radius * around + [0, 0, z] for z in np.linspace(-half, half, 9)]
        + [np.array(ends) + [0, 0, z] for z in (-half, half)]
    )
    wanted = seen.pixel(mirrored(seen.on(name, points)))
    low, high = wanted.min(axis=0), wanted.max(axis=0)
    left, top, right, bottom = int(low[0]) - 12, int(low[1]) - 12, int(high[0]) + 12, int(high[1]) + 12
    part = seen.pixels[top:bottom, left:right]
    green = part[..., 1] - 0.5 * (part[..., 0] + part[..., 2])
    rows, columns = np.nonzero((green > 0.06 * green.max()) & seen.mask("floor")[top:bottom, left:right])
    found = np.array([columns.min() + left, rows.min() + top, columns.max() + 1 + left, rows.max() + 1 + top])
    return float(np.abs(found - [*low, *high]).max())


def dimmed(seen: Seen) -> float:
    """Light that the floor adds for the red box, in parts of the box's own colour there."""
    points = [(-1.25, 0.02, 0.45), (-1.2, 0.02, 0.55), (-1.15, 0.02, 0.65)]
    image = added_by_mirror(seen, [mirrored(p) for p in points])[:, 0]
    return float(np.median(image) / np.median(seen.at(points)[:, 0]))


def apart(seen: Seen) -> float:
    """Share of the light on the floor between the hovering plate and its shadow from the spot."""
    points = line((0.1, -0.95, 0.0), (0.5, -0.8, 0.0), 20)
    return float(seen.shade(points[seen.sees(points, "floor")]).min())
