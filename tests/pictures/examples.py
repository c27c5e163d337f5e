"""Each model of resources/models as the start page shows it."""

from __future__ import annotations

from PIL import Image

import kinetree
from kinetree.engine.scene.effects import Preset, with_preset
from kinetree.engine.scene.options import VisOptions
from kinetree.renderer.offscreen import Offscreen
from tests.pictures.saving import ROOT, save

MODELS = ROOT / "resources" / "models"
SIZE = 384, 240  # pixels
TIMES = {"arm": 0.6, "boxes": 1.3, "car": 0.6, "hand": 0.6, "walker": 1.5}
"""When the examples are seen, s."""


def examples() -> None:
    """Write resources/models/pictures."""
    offscreen = Offscreen()
    for path in sorted(MODELS.glob("*.xml")):
        model = kinetree.load(path)
        data = kinetree.Data(model)
        kinetree.step(model, data, round(TIMES.get(path.stem, 0.6) / model.opt.timestep))
        kinetree.forward(model, data)
        pixels = offscreen.render(
            model, data, 4 * SIZE[0], 4 * SIZE[1], None, with_preset(VisOptions(), Preset.QUALITY)
        )
        small = Image.fromarray(pixels).resize(SIZE, Image.Resampling.BOX)
        written = save(small, path.stem, quality=88, folder=MODELS / "pictures")
        print(f"examples: {path.stem} {'written' if written else 'as before'}", flush=True)
