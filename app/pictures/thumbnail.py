"""The process that draws the thumbnail of a model: python -m kinetree.app.pictures.thumbnail FILE SIZE

It reads a file that nobody has looked at, so it confines itself first: 300 MB, 5 s, no file written. It writes a PNG to
its standard output. Without one `kinetree thumbnail`, which started it, draws a card that names the file instead.

The model is drawn by Mesa's software renderer, on every machine: a driver of a graphics card takes memory that cannot
be counted. No physics is compiled: the poses are computed by Python.
"""

from __future__ import annotations

import os
import sys

from kinetree.app import pictures
from kinetree.engine.platforms import confinement

MEMORY = 300_000_000
"""Bytes."""
SECONDS = 5.0
LARGEST = 512
"""Largest side of a thumbnail, pixels."""
SOFTWARE = {
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "LP_NUM_THREADS": "2",  # each has memory of its own
    "GALLIVM_PERF": "nopt",  # a picture is drawn once: compiling its shaders takes longer
    "MESA_SHADER_CACHE_DISABLE": "true",  # no file is written
    "OPENBLAS_NUM_THREADS": "1",
}
MESA = "/usr/share/glvnd/egl_vendor.d/50_mesa.json"


def environment() -> dict[str, str]:
    """The variables of the process, for who starts it."""
    mesa = {"__EGL_VENDOR_LIBRARY_FILENAMES": MESA} if os.path.exists(MESA) else {}
    return {**os.environ, **SOFTWARE, **mesa}


def main() -> int:
    confinement.confine(MEMORY, SECONDS)
    path, size = sys.argv[1], int(sys.argv[2])
    output = os.dup(1)
    os.dup2(2, 1)  # no library's remark gets between the bytes
    try:
        data = pictures.cutout.png(path, size)  # imported now that the process is confined
    except Exception as error:
        print(f"{type(error).__name__}: {error}"[:500].encode("ascii", "backslashreplace").decode(), file=sys.stderr)
        return 1
    with open(output, "wb") as file:
        file.write(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
