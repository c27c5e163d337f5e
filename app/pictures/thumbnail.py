"""The process that draws the thumbnail of a model: python -m kinetree.app.pictures.thumbnail FILE SIZE

It reads a file that nobody has looked at, so it confines itself first: 300 MB, 5 s, no file written. It writes a PNG to
its standard output. Without one `kinetree thumbnail`, which started it, draws a card that names the file instead.

The model is drawn by Mesa's software renderer, on every machine: a driver of a graphics card takes memory that cannot
be counted. No physics is compiled: the poses are computed by Python.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Any

from kinetree.engine.platforms import confinement

MEMORY = 300_000_000
"""Bytes."""
SECONDS = 5.0
LARGEST = 512
"""Largest side of a thumbnail, pixels."""
OVERSAMPLED = 2
"""Each pixel is the mean of so many, squared."""
MARGIN = 0.06
"""Free space around the model, in sides of the picture."""
SCENERY = 2.0
"""Largest size of a framed scene, in sizes of its moving bodies; in a larger one the bodies are framed."""
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
        data = png(path, size)
    except Exception as error:
        print(f"{type(error).__name__}: {error}"[:500].encode("ascii", "backslashreplace").decode(), file=sys.stderr)
        return 1
    with open(output, "wb") as file:
        file.write(data)
    return 0


def png(path: str, size: int) -> bytes:
    """The picture of a model as PNG, with its longer side of so many pixels. Raises an exception for a file without a
    model, and for a model that shows nothing."""
    from PIL import Image

    from kinetree.engine.storage.loading import load

    pixels = _cut_out(load(path), OVERSAMPLED * size)
    picture = framed(Image.fromarray(pixels, "RGBA"), size)
    packed = io.BytesIO()
    picture.save(packed, "PNG", optimize=True)
    return packed.getvalue()


def framed(drawn: Any, size: int) -> Any:
    """The part of a picture (of Pillow) that shows something, in the middle of a square of so many pixels."""
    from PIL import Image

    box = drawn.getchannel("A").point(lambda alpha: 255 * (alpha > 8)).getbbox()
    if box is None:
        raise ValueError("nothing to see")
    part = drawn.crop(box).convert("RGBa")  # multiplied by alpha: no dark edges
    room = round(size * (1 - 2 * MARGIN))
    scale = min(room / part.width, room / part.height)
    part = part.resize(
        (max(1, round(part.width * scale)), max(1, round(part.height * scale))), Image.Resampling.LANCZOS
    )
    square = Image.new("RGBA", (size, size))
    square.paste(part.convert("RGBA"), ((size - part.width) // 2, (size - part.height) // 2))
    return square


def _cut_out(model: Any, side: int) -> Any:
    """The bodies of a model without a background and without floors: (side, side, 4) uint8."""
    import numpy as np

    import kinetree
    from kinetree.engine.model import enums
    from kinetree.engine.model.kinds import ObjectId
    from kinetree.engine.scene import bounds, effects
    from kinetree.engine.scene.build import build
    from kinetree.engine.scene.camera import default_free, fitted
    from kinetree.engine.scene.options import VisOptions
    from kinetree.renderer.offscreen import Offscreen

    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    floors = [ObjectId("geom", int(each)) for each in np.flatnonzero(model.geom_type == enums.GEOM_PLANE)]
    look = effects.with_preset(VisOptions(shadow=False, reflection=False, skybox=False), effects.Preset.PERFORMANCE)
    look.samples, look.fxaa, look.occlusion = 1, False, "off"
    look.hidden = frozenset(floors)
    camera = default_free(model)
    solid = [ObjectId("geom", int(each)) for each in np.flatnonzero(model.geom_type != enums.GEOM_PLANE)]
    bodies = [ObjectId("body", each) for each in range(1, int(model.nbody))]
    whole, moving = bounds.sphere(model, data, solid), bounds.sphere(model, data, bodies)
    ball = whole if moving is None or (whole is not None and whole[1] < SCENERY * moving[1]) else moving
    if ball is not None:
        camera = fitted(camera, *ball, model, 1.0)
    offscreen = Offscreen()
    try:
        with offscreen.renderer.device.context:
            scene = build(model, data, look, camera, None, offscreen.scene, (side, side))
            return offscreen.renderer.read(scene, side, side, ("cutout",))[0]
    finally:
        offscreen.release()


if __name__ == "__main__":
    sys.exit(main())
