"""Makes the pictures of the README and of the start page.

    python -m tests.benchmark.illustrations [window] [examples]

`window` writes docs/window.png, `examples` the pictures of the models in resources/models. Look at them before you
commit them.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from kinetree.app.workers.simulation import requests
from tests.benchmark.window import display, opened, wait_until

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "resources" / "models"
PICTURES = MODELS / "pictures"
SIZE = 1440, 900  # of the window, pixels
SMALL = 384, 240  # of an example, pixels
SHOWN = "walker"
SECONDS = 4.0  # how long it has been running
CAMERA = 58.0, -13.0, 3.9  # azimuth, elevation, distance
JOINTS = "knee_left", "knee_right"
"""Whose positions are plotted; the first one is selected."""
TIMES = {"arm": 0.6, "boxes": 1.3, "car": 0.6, "hand": 0.6, "walker": 1.5}
"""When the examples are seen, s."""


def window() -> None:
    """A model that ran, with a joint selected and two curves."""
    from kinetree.engine.scene.effects import Preset, set_preset

    folder = Path(tempfile.mkdtemp(prefix="kinetree"))
    shutil.copytree(MODELS, folder / "models")
    with display(), opened(folder / "models" / f"{SHOWN}.xml", SIZE) as (shown, failures):
        _arrange(shown)
        _settle()
        shown.simulation.post(requests.Reset())
        wait_until(lambda: shown.simulation.snapshot.time < 0.5)
        wait_until(lambda: shown.simulation.snapshot.time >= SECONDS)
        shown.simulation.post(requests.Pause())
        set_preset(shown.workspace.view.options, Preset.QUALITY)
        shown.viewports.active.viewport.set_may_reduce(False)
        shown.statusBar().hide()  # names the folder
        _settle()
        shown.grab().save(str(ROOT / "docs" / "window.png"))
        assert not failures, failures
    shutil.rmtree(folder)


def _arrange(shown) -> None:
    from kinetree.app.workspace.selection import select_object

    model = shown.simulation.model
    joint = model.names["joint"].index(JOINTS[0])
    shown.selection.select(select_object(model, "joint", joint))
    camera = shown.workspace.view.camera
    camera.azimuth, camera.elevation, camera.distance = CAMERA
    shown.docks["plots"].bring_up()
    addresses = [int(model.jnt_qposadr[model.names["joint"].index(name)]) for name in JOINTS]
    shown.docks["plots"].panel.add_quantities([f"qpos[{address}]" for address in addresses])


def _settle(milliseconds: int = 1500) -> None:
    from PySide6.QtTest import QTest

    QTest.qWait(milliseconds)


def examples() -> None:
    """Each example as the start page shows it."""
    from PIL import Image

    import kinetree
    from kinetree.engine.scene.effects import Preset, with_preset
    from kinetree.engine.scene.options import VisOptions
    from kinetree.renderer.offscreen import Offscreen

    offscreen = Offscreen()
    for path in sorted(MODELS.glob("*.xml")):
        model = kinetree.load(path)
        data = kinetree.Data(model)
        kinetree.step(model, data, round(TIMES.get(path.stem, 0.6) / model.opt.timestep))
        kinetree.forward(model, data)
        pixels = offscreen.render(
            model, data, 4 * SMALL[0], 4 * SMALL[1], None, with_preset(VisOptions(), Preset.QUALITY)
        )
        small = Image.fromarray(pixels).resize(SMALL, Image.Resampling.BOX)
        small.save(PICTURES / f"{path.stem}.webp", quality=88, method=6)
        print(path.stem, (PICTURES / f"{path.stem}.webp").stat().st_size, "bytes")


WHICH = {"window": window, "examples": examples}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", nargs="*", choices=list(WHICH), default=list(WHICH))
    for name in parser.parse_args().which:
        WHICH[name]()


if __name__ == "__main__":
    main()
