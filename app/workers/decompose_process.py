"""The process that decomposes one mesh.

    python -m kinetree.app.workers.decompose_process MESH PARTS threshold hulls vertices

MESH is an npz file with `vertices` and `faces`; PARTS is written with `vertices0`, `faces0`, `vertices1` and so on.
What the library coacd says of its progress goes to standard output. A process of its own can be stopped at any moment,
and an error in the library ends only it.
"""

from __future__ import annotations

import sys

from kinetree.engine import extras

NO_LIBRARY = 3
"""Exit status where coacd is not installed or cannot be loaded on this machine."""


def main(mesh: str, parts: str, threshold: str, hulls: str, vertices: str) -> int:
    try:
        extras.places.activate("decompose")
        import coacd
    except (ImportError, OSError, extras.places.MissingExtra) as error:
        print(error, file=sys.stderr)
        return NO_LIBRARY
    import numpy as np

    with np.load(mesh) as given:
        surface = coacd.Mesh(given["vertices"], given["faces"])
    coacd.set_log_level("info")
    found = coacd.run_coacd(
        surface,
        threshold=float(threshold),
        max_convex_hull=int(hulls),
        decimate=True,
        max_ch_vertex=int(vertices),
        seed=0,
    )
    arrays = {}
    for i, (points, faces) in enumerate(found):
        arrays[f"vertices{i}"], arrays[f"faces{i}"] = points, faces
    np.savez(parts, **arrays)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
