"""Loading large mesh files, in each way to write them, against the reference.

    python -m tests.benchmark.bench_meshes [--rings N] [--repeat R] [--limit L]

A bumpy sphere of N rings (default 120; 390 makes OBJ files of about 18 MB) is written to files; each is loaded as a
model with one mesh, in a process of its own. Printed are medians of R processor seconds and their ratio; the exit code
is 1 where one is above L (default 3).
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

_CHILD = """
import sys, time, warnings
warnings.simplefilter("ignore")
way, path = sys.argv[1:]
text = f'<mujoco><asset><mesh name="m" file="{path}"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
if way == "reference":
    import mujoco
    action = lambda: mujoco.MjModel.from_xml_string(text)
else:
    import kinetree, kinetree.engine.compile.compiler, scipy.spatial
    action = lambda: kinetree.load_string(text)
start = time.process_time()
action()
print(time.process_time() - start)
"""
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("vert", "<f4", (3, 3)), ("attribute", "<u2")])


def surface(rings: int) -> tuple[np.ndarray, np.ndarray]:
    """(points, quadrilaterals), which are neither flat nor all convex."""
    wide = 2 * rings
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, wide, False), np.linspace(0.02, np.pi - 0.02, rings))
    points = np.stack([np.sin(v) * np.cos(u), np.sin(v) * np.sin(u), np.cos(v)], -1).reshape(-1, 3)
    points += np.random.default_rng(1).normal(size=points.shape) * 0.8 / rings
    i, j = (each.ravel() for each in np.meshgrid(np.arange(rings - 1), np.arange(wide), indexing="ij"))
    a, b = i * wide + j, i * wide + (j + 1) % wide
    return points, np.stack([a, a + wide, b + wide, b], 1)


def obj(points: np.ndarray, faces: np.ndarray, corner: Callable[[int], str]) -> bytes:
    """An OBJ text; `corner` writes the corner at a vertex."""
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points.tolist()]
    lines += [f"vt {x:.5f} {y:.5f}" for x, y, _ in points.tolist()]
    lines += [f"vn {x:.5f} {y:.5f} {z:.5f}" for x, y, z in points.tolist()]
    lines += ["f " + " ".join(map(corner, face)) for face in faces.tolist()]
    return "\n".join(lines).encode()


def files(rings: int) -> dict[str, tuple[str, bytes]]:
    """name -> (extension, contents)."""
    points, quads = surface(rings)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    count = len(points)
    hexagons = np.concatenate([quads[::2, :3], quads[1::2, [2, 3]], quads[::2, 3:]], 1)
    stl = np.zeros(len(triangles), _TRIANGLE)
    stl["vert"] = points[triangles]
    head = np.array([count, 0, 0, len(triangles)], "<i4").tobytes()
    msh = head + points.astype("<f4").tobytes() + triangles.astype("<i4").tobytes()
    return {
        "OBJ triangles": ("obj", obj(points, triangles, lambda k: f"{k + 1}")),
        "OBJ triangles v/vt/vn": ("obj", obj(points, triangles, lambda k: f"{k + 1}/{k + 1}/{k + 1}")),
        "OBJ counted from the end": ("obj", obj(points, triangles, lambda k: f"{k - count}//{k - count}")),
        "OBJ corners mixed": ("obj", obj(points, triangles, lambda k: f"{k + 1}/{k + 1}" if k % 2 else f"{k + 1}")),
        "OBJ uneven quadrilaterals": ("obj", obj(points, quads, lambda k: f"{k + 1}")),
        "OBJ uneven hexagons": ("obj", obj(points, hexagons, lambda k: f"{k + 1}")),
        "STL binary": ("stl", bytes(80) + len(stl).to_bytes(4, "little") + stl.tobytes()),
        "MSH": ("msh", msh),
    }


def seconds(way: str, path: Path, repeat: int) -> float:
    """The median of some new processes."""
    return statistics.median(
        float(
            subprocess.run(
                [sys.executable, "-c", _CHILD, way, str(path)], capture_output=True, text=True, check=True
            ).stdout.split()[-1]
        )
        for _ in range(repeat)
    )


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rings", type=int, default=120)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=float, default=3.0)
    options = parser.parse_args()
    good = True
    print(f"{'file':28} {'MB':>6} {'ours':>7} {'reference':>10} {'ratio':>6}   (processor seconds)")
    with tempfile.TemporaryDirectory() as folder:
        for name, (extension, data) in files(options.rings).items():
            path = Path(folder, f"mesh.{extension}")
            path.write_bytes(data)
            ours, theirs = (seconds(way, path, options.repeat) for way in ("ours", "reference"))
            print(f"{name:28} {len(data) / 1e6:6.1f} {ours:7.2f} {theirs:10.2f} {ours / theirs:6.2f}", flush=True)
            good &= ours <= options.limit * theirs
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
