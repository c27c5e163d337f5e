"""Measurements of `points.py` for glass, air, shapes, contacts, decorations and effects in a picture (scenes 09 to
14).
"""

from __future__ import annotations

import numpy as np

import kinetree
from tests.images.measures import brightness, grid, hue_error, line, pulled, steps
from tests.images.seen import Seen, reference

# ---- 09, 10: glass and air ---------------------------------------------------------------------------------------------


def contrast_through(seen: Seen, name: str, points: np.ndarray) -> float:
    """Part of the floor's contrast that is left in front of the floor, in linear light."""
    bare = seen.with_(without=(name,))
    places = seen.pixel(points[seen.sees(points, name)])
    with_it, without = (each.around(places, 1, each.light).mean(axis=-1) for each in (seen, bare))
    return float(np.polyfit(without, with_it, 1)[0])


PANES = ((0.95, 0.15, 0.1), (0.1, 0.85, 0.2), (0.15, 0.3, 0.95), (0.95, 0.85, 0.1))
"""Colours of the panes of scene 09, from behind to before."""


def panes(seen: Seen) -> list[float]:
    """Which part of the way to its own colour each pane pulls what is behind it, where all those lie behind it."""
    found = []
    for number, color in enumerate(PANES):
        hidden = tuple(f"pane{i}" for i in range(number + 1, 4))
        with_it = seen.with_(without=hidden)
        without = seen.with_(without=(f"pane{number}", *hidden))
        place = seen.pixel(seen.on(f"pane{number}", (0.15, -0.016, 0.25)))
        found.append(pulled(without.around(place, 2), with_it.around(place, 2), 255 * np.array(color)))
    return found


def patch(seen: Seen, name: str, half: float) -> np.ndarray:
    """(n, 3) points all over a plane."""
    return seen.on(name, (grid((-half, half), (-half, half)) * 0.8).reshape(-1, 3))


def ramp(seen: Seen) -> list[float]:
    """Change of the light of each cube's front but the last's where the floor is taken away: what shines through."""
    bare = seen.with_(without=("floor",))
    return [float(np.abs(seen.light - bare.light)[seen.inner(f"alpha{i}")].mean()) for i in range(6)]


def pillars(seen: Seen) -> tuple[np.ndarray, np.ndarray]:
    """Fog before each pillar that is in view, from its colours with and without fog, and the expected fog: linear from
    1 to 8 extents.
    """
    clear = seen.with_(fog=False)
    found, wanted = [], []
    for index in range(1, seen.model.ngeom):
        half = np.array(seen.model.geom_size[index], float)
        x, z = np.meshgrid(np.linspace(-0.8, 0.8, 17) * half[0], np.linspace(-0.95, 0.95, 33) * half[2])
        points = np.array(seen.data.geom_xpos[index]) + np.stack([x, np.full_like(x, -half[1]), z], -1).reshape(-1, 3)
        column, row = np.floor(seen.pixel(points)).astype(int).T
        same = [(seen.geoms[row + i, column + j] == index) for i in (-2, 0, 2) for j in (-2, 0, 2)]
        points = points[np.all(same, axis=0)]
        if len(points):
            point = points[len(points) // 2]
            found.append(pulled(clear.at(point), seen.at(point), 255 * np.array([0.7, 0.75, 0.82])))
            wanted.append(float(np.clip((seen.view.depth(point) - 4) / 28, 0, 1)))
    assert len(found) >= 12
    return np.array(found), np.array(wanted)


def roundness(seen: Seen, name: str) -> float:
    """Largest distance in pixels of a silhouette's outer edge from an ellipse."""
    rows, columns = np.nonzero(seen.mask(name))
    edge = []
    for turn in np.radians(np.arange(0, 360, 3)):
        best = np.argmax(columns * np.cos(turn) + rows * np.sin(turn))
        edge.append((columns[best], rows[best]))
    x, y = np.array(edge, float).T
    x, y = x - x.mean(), y - y.mean()
    design = np.stack([x * x, x * y, y * y, x, y], axis=-1)
    solution, *_ = np.linalg.lstsq(design, np.ones_like(x), rcond=None)
    radius = np.sqrt(np.abs(design @ solution))
    return float(np.abs(radius - 1).max() * np.hypot(x, y).mean())


def fixed_checker(seen: Seen) -> float:
    """Share of the cells of the floor that are as pale or dark from three places."""
    x, y = np.meshgrid(np.arange(-2.5, 2.6, 1.0), np.arange(-2.5, 2.6, 1.0))
    points = np.stack([x, y, 0 * x], -1).reshape(-1, 3)
    pale = []
    for lookat, azimuth in (((0.0, 0.0, 0.0), 90.0), ((0.37, -0.81, 0.0), 125.0), ((-2.13, 1.4, 0.0), 30.0)):
        there = seen.with_((lookat, 9.0, azimuth, -70.0), fog=False, shadow=False)
        level = brightness(there.at(points))
        use = there.sees(points, "floor")
        pale.append(np.where(use, level > np.median(level[use]), np.nan))
    known = np.isfinite(pale).all(axis=0)
    assert known.sum() > 15
    return float(np.mean([(each[known] == pale[0][known]).mean() for each in pale[1:]]))


def ring_step(seen: Seen, name: str) -> float:
    """The largest step of brightness round a torus, on its front."""
    turns = np.radians(np.linspace(200, 340, 140))
    points = np.stack([0.3 * np.cos(turns), 0.3 * np.sin(turns), np.full_like(turns, 0.12)], -1)
    return float(steps(seen.at(seen.on(name, points), 0)).max())


def beside_classic(seen: Seen, name: str) -> float:
    """Mean difference of the colours of a shape from the classic renderer's."""
    return float(np.abs(seen.pixels - reference(f"{seen.scene}.classic"))[seen.inner(name)].mean())


def edge_step(seen: Seen) -> float:
    """The least step of brightness across the three edges of the cube that are seen, within 3 pixels."""
    corner, ends = (-0.2, -0.2, 0.2), ((0.2, -0.2, 0.2), (-0.2, 0.2, 0.2), (-0.2, -0.2, -0.2))
    found = []
    for end in ends:
        middle, far = seen.pixel(seen.on("cubesmooth", [(np.array(corner) + end) / 2, end]))
        along = (far - middle) / np.linalg.norm(far - middle)
        walk = middle + line((-3.0,), (3.0,), 7) * np.array([-along[1], along[0]])
        found.append(np.ptp(brightness(seen.around(walk, 0))))
    return float(min(found))


def skirt(seen: Seen) -> float:
    """Share of the front of the height field's base that is drawn, where nothing stands before it."""
    points = seen.on("hills", line((-0.58, -0.6, -0.06), (0.58, -0.6, -0.06), 60))
    hidden = seen.sees(points, "ellipsoid", "cylinder", "box")
    assert (~hidden).sum() > 5
    return float(seen.sees(points, "hills")[~hidden].mean())


def height_error(seen: Seen) -> float:
    """Median error of the distance of places of the height field, m."""
    model = seen.model
    rows, columns = int(model.hfield_nrow[0]), int(model.hfield_ncol[0])
    size = np.array(model.hfield_size[0], float)
    height = np.array(model.hfield_data, float)[: rows * columns].reshape(rows, columns) * size[2]
    x, y = np.meshgrid(np.linspace(-1, 1, columns) * size[0], np.linspace(-1, 1, rows) * size[1])
    points = seen.on("hills", np.stack([x, y, height], -1)[2:-2, 2:-2]).reshape(-1, 3)
    assert float(np.ptp(height)) > 0.2
    points = points[seen.sees(points, "hills")]
    column, row = np.floor(seen.pixel(points)).astype(int).T
    error = seen.distance[row, column] - [seen.view.depth(point) for point in points]
    return float(np.median(np.abs(error)))


def cap_error(seen: Seen, name: str, radius: float, half: float) -> float:
    """Largest distance in pixels of the end of a capsule's outline from a circle."""
    mask = seen.mask(name)
    end = seen.pixel(seen.on(name, (0.0, 0.0, half)))
    along = end - seen.pixel(seen.on(name, (0.0, 0.0, 0.0)))
    along /= np.linalg.norm(along)
    reach = radius * mask.shape[0] / seen.view.height_at(seen.view.depth(seen.on(name, (0.0, 0.0, half))))
    worst = 0.0
    for turn in np.radians(np.arange(-70, 71, 10)):
        way = np.array(
            [along[0] * np.cos(turn) - along[1] * np.sin(turn), along[0] * np.sin(turn) + along[1] * np.cos(turn)]
        )
        walk = end + line((0.0,), (1.4 * reach,), 200) * way
        inside = mask[walk[:, 1].astype(int), walk[:, 0].astype(int)]
        worst = max(worst, abs(1.4 * reach * float(inside.mean()) - reach))
    return worst


# ---- 12, 13: contacts and decorations ----------------------------------------------------------------------------------


def contacts(seen: Seen) -> tuple[np.ndarray, np.ndarray]:
    """Positions and geoms of the contacts that press."""
    contact, count = seen.data.contact, int(seen.data.ncon)
    use = np.asarray(contact.efc_address)[:count] >= 0
    return np.asarray(contact.pos, float)[:count][use], np.asarray(contact.geom)[:count][use]


def discs(seen: Seen) -> tuple[np.ndarray, np.ndarray]:
    """Change of the picture by the discs, by pixel, and their places."""
    bare = seen.with_(contactpoint=False, contactforce=False)
    shown = seen.with_(contactforce=False)
    return np.abs(shown.pixels - bare.pixels).max(axis=-1), shown.pixels


def disc_hue(seen: Seen) -> float:
    """Largest error of hue of the discs, degrees; of those behind bodies, the bodies mix in."""
    change, pixels = discs(seen)
    found = []
    for column, row in np.floor(seen.pixel(contacts(seen)[0])).astype(int):
        part = np.s_[row - 5 : row + 6, column - 9 : column + 10]
        if change[part].max() < 40:
            return 180.0
        found.append(pixels[part].reshape(-1, 3)[change[part].argmax()])
    return hue_error(found, [0.9, 0.6, 0.2])


def floor_discs(seen: Seen) -> float:
    """Fewest discs under a box on the floor, that is fewest places of contact that are apart in the picture."""
    change, _ = discs(seen)
    positions, geoms = contacts(seen)
    counts = []
    for geom in (1, 4, 5):
        places = seen.pixel(positions[(geoms[:, 0] == 0) & (geoms[:, 1] == geom)])
        counts.append(sum(change[int(r) - 4 : int(r) + 5, int(c) - 6 : int(c) + 7].max() > 40 for c, r in places))
    return float(min(counts))


def disc_shape(seen: Seen) -> float:
    """Height in parts of the width of the discs at the front of the stack."""
    change, _ = discs(seen)
    column, row = np.floor(seen.pixel((-0.6, -0.2, 0.0))).astype(int)
    rows, columns = np.nonzero(change[row - 20 : row + 21, column - 20 : column + 21] > 30)
    return float(np.ptp(rows) / np.ptp(columns))


def arrows(seen: Seen) -> np.ndarray:
    """(height, width, 3) what the arrows change."""
    return seen.pixels - seen.with_(contactforce=False).pixels


def _around(seen: Seen, image: np.ndarray, point, half: int = 12, up: int = 90) -> np.ndarray:
    column, row = np.floor(seen.pixel(point)).astype(int)
    return image[row - up : row + 3, column - half : column + half + 1]


def arrow_angle(seen: Seen) -> float:
    """Angle between the arrow of the ball and the upright in the picture, degrees."""
    change = np.abs(arrows(seen)).max(axis=-1)
    positions, geoms = contacts(seen)
    where = positions[(geoms == 7).any(axis=1)][0]
    part = _around(seen, change, where, 25) > 25
    rows, columns = np.nonzero(part)
    slope = np.polyfit(rows, columns, 1)[0]
    ends = seen.pixel([where, where + [0, 0, 0.3]])
    wanted = (ends[1, 0] - ends[0, 0]) / (ends[1, 1] - ends[0, 1])
    return float(np.degrees(abs(np.arctan(slope) - np.arctan(wanted))))


def arrow_color(seen: Seen) -> float:
    """How much more blue than red the arrows at the front of the stack are."""
    change = np.abs(arrows(seen)).max(axis=-1)
    part = _around(seen, change, (-0.6, -0.2, 0.0), 6, 60)
    colors = _around(seen, seen.pixels, (-0.6, -0.2, 0.0), 6, 60)[part > 0.7 * part.max()]
    return float(np.median(colors[:, 2] - colors[:, 0]))


def arrow_heights(seen: Seen) -> list[float]:
    """Lengths in pixels of the arrows at the front right edge of the stack, from below."""
    change = np.abs(arrows(seen)).max(axis=-1)
    found = []
    positions, geoms = contacts(seen)
    for pair in ((0, 1), (1, 2), (2, 3)):
        points = positions[(np.sort(geoms, axis=1) == pair).all(axis=1)]
        where = points[np.argmax(points[:, 0] - points[:, 1])]
        rows = np.flatnonzero((_around(seen, change, where, 6, 80) > 30).any(axis=1))[::-1]
        gap = np.flatnonzero(np.diff(rows) < -2)
        found.append(float(rows[0] - rows[gap[0] if len(gap) else -1]))
    return found


def hidden_discs(seen: Seen) -> float:
    """Share of the discs behind bodies that are seen through them."""
    change, _ = discs(seen)
    positions, _ = contacts(seen)
    behind = [point for point in positions if not seen.sees(point[None], "floor")[0]]
    assert len(behind) > 8
    return float(np.mean([_around(seen, change, point, 5, 5).max() > 25 for point in behind]))


def rope_error(seen: Seen) -> float:
    """Largest distance of the drawn rope from the catenary of its length, m."""
    model = seen.model
    ends = np.array([seen.data.site_xpos[kinetree.name2id(model, "site", name)] for name in ("rope_a", "rope_b")])
    span, drop, length = np.linalg.norm((ends[1] - ends[0])[:2]), ends[1, 2] - ends[0, 2], 1.7
    flat = np.sqrt(length**2 - drop**2)
    low, high = 1e-3, 50.0
    for _ in range(100):  # 2 a sinh(span / 2a) = flat
        a = 0.5 * (low + high)
        low, high = (a, high) if 2 * a * np.sinh(min(span / (2 * a), 300)) > flat else (low, a)
    shift = 0.5 * span - a * np.arctanh(drop / length)
    share = np.linspace(0.03, 0.97, 40)
    z = a * np.cosh((share * span - shift) / a)
    points = ends[0] + share[:, None] * (ends[1] - ends[0])
    points[:, 2] = ends[0, 2] + z - a * np.cosh(shift / a)
    change = np.abs(seen.pixels - seen.with_(tendon=False).pixels).max(axis=-1) > 25
    worst = 0.0
    for point in points:
        column, row = seen.pixel(point)
        rows = np.argwhere(change[int(row) - 15 : int(row) + 16, int(column) - 15 : int(column) + 16])
        if not len(rows):
            return 1.0
        pixels = np.abs(rows - 15).max(axis=1).min()
        worst = max(worst, pixels * seen.view.height_at(seen.view.depth(point)) / change.shape[0])
    return worst


def tendon_seen(seen: Seen, name: str) -> float:
    """Share of a tendon's way round its cylinder that is drawn in front of the picture without it."""
    index = kinetree.name2id(seen.model, "tendon", name)
    first, count = int(seen.data.ten_wrapadr[index]), int(seen.data.ten_wrapnum[index])
    way = np.asarray(seen.data.wrap_xpos, float).reshape(-1, 3)[first : first + count]
    points = np.concatenate([line(a, b, 40)[6:-4] for a, b in ((way[0], way[1]), (way[2], way[3]))])
    change = np.abs(seen.pixels - seen.with_(tendon=False).pixels).max(axis=-1)
    column, row = np.floor(seen.pixel(points)).astype(int).T
    return float((change[row, column] > 20).mean())


def thinner(seen: Seen) -> float:
    """Visible width of the red tendon above the cylinder that it touches, in parts of its width where it is free, less
    what half the radius leaves there: a straight capsule between the ends of its arc. Seen along the cylinder, from
    near by.
    """
    index = kinetree.name2id(seen.model, "tendon", "wrapped")
    first = int(seen.data.ten_wrapadr[index])
    way = np.asarray(seen.data.wrap_xpos, float).reshape(-1, 3)[first : first + 4].copy()
    width, around = (
        float(seen.model.tendon_width[index]),
        float(seen.model.geom_size[kinetree.name2id(seen.model, "geom", "wrap")][0]),
    )
    half_chord = 0.5 * np.linalg.norm(way[2] - way[1])
    wanted = (0.5 * width - (around - np.sqrt(around**2 - half_chord**2))) / (2 * width)
    near = seen.with_((tuple(0.5 * (way[1] + way[2])), 0.5, 90.0, 0.0), texture=False)
    change = np.abs(near.pixels - near.with_(tendon=False).pixels).max(axis=-1)
    widths = []
    for middle, along in (
        (0.5 * (way[1] + way[2]), way[2] - way[1]),
        (way[2] + 0.15 * (way[3] - way[2]), way[3] - way[2]),
    ):
        place, ahead = near.pixel([middle, middle + 0.01 * along / np.linalg.norm(along)])
        ahead = (ahead - place) / np.linalg.norm(ahead - place)
        walk = place + line((-60.0,), (60.0,), 601) * np.array([-ahead[1], ahead[0]])
        values = change[walk[:, 1].astype(int), walk[:, 0].astype(int)]
        widths.append(float((values > 25).sum()))
    return abs(widths[0] / widths[1] - wanted)


def frustum(seen: Seen) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Colour that the frustum adds, yellow, the part of the floor's contrast that it leaves, and how much brighter its
    edges are than its faces."""
    bare = seen.shown(camera=False)
    index = kinetree.name2id(seen.model, "camera", "shown")
    pos, mat = np.array(seen.data.cam_xpos[index]), np.array(seen.data.cam_xmat[index]).reshape(3, 3)
    depth = float(seen.model.vis.scale.frustum) * float(seen.model.stat.meansize)
    corners = (
        pos + np.array([(x * 0.6, y * 0.375, -1.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * depth @ mat.T
    )
    weights = np.random.default_rng(1).dirichlet(np.ones(3), 400)
    inside = np.concatenate([weights @ [pos, corners[i], corners[(i + 1) % 4]] for i in range(4)])
    places = seen.pixel(inside)
    after, before = seen.around(places, 0, seen.light), bare.around(places, 0, bare.light)
    left = float(np.polyfit(before.sum(axis=-1), after.sum(axis=-1), 1)[0])
    edges = seen.around(seen.pixel(np.concatenate([line(pos, corner, 40)[8:-3] for corner in corners])), 0)
    faces = seen.around(places, 0)
    added = np.median(faces - bare.around(places, 0), axis=0)
    return (
        added,
        np.array([1.0, 1.0, 0.0]),
        left,
        float(np.quantile(brightness(edges), 0.75) - np.median(brightness(faces))),
    )


def marks_seen(seen: Seen) -> float:
    """Share of the model's cameras, their lenses and its lights in view that are drawn."""
    bare = seen.shown(camera=False, light=False)
    change = np.abs(seen.pixels - bare.pixels).max(axis=-1)
    model, size = seen.model, float(seen.model.vis.scale.camera) * float(seen.model.stat.meansize)
    points = []
    for name in ("shown", "plain"):
        index = kinetree.name2id(model, "camera", name)
        pos, mat = np.array(seen.data.cam_xpos[index]), np.array(seen.data.cam_xmat[index]).reshape(3, 3)
        points += [pos, pos - 0.75 * size * mat[:, 2]]
    points.append(np.array(seen.data.light_xpos[kinetree.name2id(model, "light", "lamp")]))
    return float(np.mean([_around(seen, change, point, 3, 4).max() > 20 for point in points]))


def sites(seen: Seen, *names: str) -> np.ndarray:
    """(n, 3) positions of sites."""
    return np.array([seen.data.site_xpos[kinetree.name2id(seen.model, "site", name)] for name in names])


def light_angle(seen: Seen) -> float:
    """Angle between the lamp's drawn body and its direction in the picture, degrees."""
    change = np.abs(seen.pixels - seen.shown(light=False).pixels).max(axis=-1)
    index = kinetree.name2id(seen.model, "light", "lamp")
    pos, way = np.array(seen.data.light_xpos[index]), np.array(seen.data.light_xdir[index])
    column, row = np.floor(seen.pixel(pos)).astype(int)
    rows, columns = np.nonzero(change[row - 40 : row + 41, column - 40 : column + 41] > 20)
    axis = np.linalg.eigh(np.cov(np.stack([columns, rows])))[1][:, -1]
    ends = seen.pixel([pos, pos + 0.1 * way])
    wanted = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    return float(np.degrees(np.arccos(min(abs(axis @ wanted), 1.0))))


def axis_hue(seen: Seen) -> float:
    """Least error of hue along each axis of the world's frame, degrees, of the worst axis."""
    from kinetree.engine.scene.options import Frame

    shown = seen.with_(frame=Frame.WORLD)
    change = np.abs(shown.pixels - seen.pixels).max(axis=-1)
    found = []
    for axis in np.eye(3):
        errors = [180.0]
        for column, row in np.floor(seen.pixel(line(0.04 * axis, 0.16 * axis, 30))).astype(int):
            for beside in range(-3, 4):  # y ends behind z
                if change[row, column + beside] > 100:
                    errors.append(hue_error(shown.pixels[row, column + beside], axis))
        found.append(min(errors))
    return max(found)


def letters(seen: Seen) -> tuple[float, float, float]:
    """The brightest pixel of the sites' names, the darkest one, and the height of the letters."""
    written = seen.written
    change = np.abs(written - seen.pixels).max(axis=-1) > 12
    white = change & (written.min(axis=-1) > 200)
    rows = np.flatnonzero(white[:, :].any(axis=1))
    column, row = np.floor(seen.pixel(seen.data.site_xpos[kinetree.name2id(seen.model, "site", "rope_b")])).astype(int)
    part = white[row - 25 : row + 26, column : column + 90]
    rows = np.flatnonzero(part.any(axis=1))
    return float(written[change].max()), float(written[change].min()), float(np.ptp(rows) + 1) if len(rows) else 0.0


# ---- 14: effects -------------------------------------------------------------------------------------------------------

CORNERS_14 = np.array(
    [
        (-1.3, 0.675, 0.655),
        (-1.3, 0.435, 0.505),
        (-1.3, 0.195, 0.355),
        (0.95, 0.94, 0.005),
        (-0.505, -1.08, 0.003),
        (-0.125, -1.08, 0.003),
    ]
)
"""Inner edges of the stairs, the joint of wall and floor, and the floor between pebbles of scene 14."""
OPEN_14 = np.array([(1.2, -1.6, 0.0), (-0.4, -1.7, 0.0), (0.6, -2.0, 0.0)])


def occluded(seen: Seen, points) -> np.ndarray:
    """Share of the shown colour that ambient occlusion leaves."""
    return brightness(seen.at(points, 1)) / brightness(seen.with_(occlusion="off").at(points, 1))


def corner_shade(seen: Seen) -> np.ndarray:
    """Brightness of the inner edges of the stairs, in parts of that of the treads 6 cm before them."""
    edges = CORNERS_14[:3]
    return brightness(seen.at(edges, 1)) / brightness(seen.at(edges - [0.0, 0.06, 0.0], 1))


def occlusion_error(seen: Seen) -> float:
    """How far that is from Filament's picture. The classic one, without occlusion, is at least 0.12 away."""
    ours, filament, classic = (corner_shade(each) for each in (seen, seen.as_in("filament"), seen.as_in("classic")))
    assert np.abs(classic - filament).min() > 0.12
    return float(np.abs(ours - filament).max())


def bumps(seen: Seen) -> float:
    """Fine contrast of the torus in parts of that of its bare colours."""
    flat = seen.with_(segment=True, albedo=True)
    mask = seen.inner("bumpy", 3)

    def fine(image: np.ndarray) -> float:
        grey = brightness(image)
        blurred = sum(np.roll(grey, (i, j), (0, 1)) for i in range(-2, 3) for j in range(-2, 3)) / 25
        return float((np.abs(grey - blurred) / np.maximum(blurred, 10))[mask].mean())

    return fine(seen.pixels) / fine(flat.pixels)


def checkered_gloss(seen: Seen) -> float:
    """Steps in the sharpest quarter of small parts of the ball, in parts of those in the dullest quarter."""
    mask = seen.inner("roughmap", 4)
    grey = brightness(seen.pixels)
    change = np.hypot(np.diff(grey, axis=0)[:, :-1], np.diff(grey, axis=1)[:-1]) * mask[:-1, :-1]
    rows, columns = np.nonzero(mask)
    found = []
    for row in range(rows.min(), rows.max() - 8, 8):
        for column in range(columns.min(), columns.max() - 8, 8):
            if mask[row : row + 8, column : column + 8].all():
                found.append(change[row : row + 8, column : column + 8].max())
    return float(np.quantile(found, 0.85) / max(np.quantile(found, 0.25), 0.5))


def hue_spread(seen: Seen, name: str) -> float:
    """Range of hues on a ball, degrees, between its middle and four places around."""
    from tests.images.measures import HUES

    colors = seen.ball(name, [(-0.15, -0.15), (-0.7, 0.0), (0.7, 0.0), (0.0, 0.7), (0.0, -0.75)], 2) @ HUES.T
    return float(np.ptp(np.unwrap(np.arctan2(colors[:, 1], colors[:, 0]))) * 180 / np.pi)
