"""Side-by-side sheets for a person to judge: pictures of Kinetree beside those of other renderers, at equal states.

    python -m tests.benchmark.sheets FOLDER [NAME ...] [--quality balanced] [--size 960x600] [--contact]

Writes into FOLDER one PNG for each reference scene (ours, MuJoCo's renderer, Filament, MotrixSim) and for each model of the
corpus (ours, MuJoCo's renderer), with the mean brightness of each, and `index.html`, which shows them all. Names choose
scenes and models by a part of their name. Pictures of the scenes by other renderers are beside the scenes; those of the
corpus are drawn here. With --contact instead: every model below the corpus in one small picture each, ours left, MuJoCo's
right, in sheets of 48, those that differ most in brightness first.
"""

from __future__ import annotations

import argparse
import html
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

import mujoco
import numpy as np
from PIL import Image, ImageDraw, ImageFont

import kinetree
from kinetree.app.pictures.lettering import write
from kinetree.engine.scene.camera import initial
from kinetree.engine.scene.effects import Preset, with_preset
from kinetree.engine.scene.options import Frame, Label, VisOptions
from kinetree.renderer.offscreen import Offscreen

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared"
SCENES, IMAGES = SHARED / "reference" / "scenes", SHARED / "reference" / "images"
CORPUS = SHARED / "corpus" / "mujoco" / "model"
OTHERS = ("classic", "filament", "motrix")
MODELS = (
    "humanoid/humanoid", "humanoid/22_humanoids", "car/car", "cards/cards", "mug/mug", "cube/cube_3x3x3",
    "adhesion/active_adhesion", "balloons/balloons", "hammock/hammock", "slider_crank/slider_crank",
    "tendon_arm/arm26", "replicate/particle", "replicate/stonehenge", "replicate/leaves", "replicate/helix",
    "replicate/newton_cradle", "flex/bunny", "flex/flag", "plugin/elasticity/cable", "plugin/sdf/gear",
)  # fmt: skip
"""Models of the corpus that a sheet is made of."""
DECOR = dict.fromkeys(("joint", "actuator", "camera", "light", "com"), True)
CAPTION = 22  # height of the line above each picture, pixels
SMALL, ROWS = (240, 180), 12  # pictures of a contact sheet, pixels; rows of four pairs


@dataclass(frozen=True)
class Case:
    """One sheet of a reference scene: which picture of it, the camera, steps before it, and options."""

    picture: str
    scene: str
    camera: str = "ref"
    steps: int = 0
    flags: dict = field(default_factory=dict)


CASES = (
    *(Case(name, name) for name in ("01_pbr_grid", "02_legacy_grid", "03_textures", "04_skybox_cameras")),
    *(Case(f"04_skybox_cameras.{name}", "04_skybox_cameras", name) for name in ("intrinsic", "narrow", "ortho")),
    *(Case(name, name) for name in ("05_lights", "06_many_lights", "07_shadows", "08_reflection", "09_transparency")),
    Case("10_fog_haze", "10_fog_haze", flags={"fog": True}),
    Case("10_fog_haze.nofog", "10_fog_haze"),
    Case("11_geoms", "11_geoms"),
    Case(
        "12_contacts", "12_contacts", "ref", 150, dict.fromkeys(("contactpoint", "contactforce", "transparent"), True)
    ),
    Case("13_decor", "13_decor", "ref", 300, DECOR | {"frame": Frame.WORLD, "label": Label.SITE}),
    Case("14_motphys_post", "14_motphys_post"),
)


def scene_sheet(case: Case, offscreen: Offscreen, preset: Preset) -> list[tuple[str, np.ndarray]]:
    """(title, picture) of our renderer and of the others for which there is a picture."""
    model = kinetree.load(SCENES / f"{case.scene}.xml")
    data = kinetree.Data(model)
    if case.steps:
        data.ctrl[:1] = 0.8 if case.scene == "13_decor" else 0.0
        kinetree.step(model, data, case.steps)
        kinetree.forward(model, data)
    else:
        kinetree.kinematics(model, data)
    pictures = [(name, IMAGES / f"{case.picture}.{name}.png") for name in OTHERS]
    found = [(name, np.asarray(Image.open(path).convert("RGB"))) for name, path in pictures if path.exists()]
    height, width = found[0][1].shape[:2]
    look = with_preset(VisOptions(island=False, **case.flags), preset)
    ours = offscreen.render(model, data, width, height, case.camera, look)
    if offscreen.scene.labels:
        ours = write(ours, offscreen.scene.labels, offscreen.scene.view, 1.0)
    return [("Kinetree", ours), *found]


def model_sheet(name: str, offscreen: Offscreen, preset: Preset, size: tuple[int, int]) -> list[tuple[str, np.ndarray]]:
    """(title, picture) of our renderer and MuJoCo's, of the model as it is loaded, seen by the free camera."""
    width, height = size
    path = CORPUS / f"{name}.xml"
    model = kinetree.load(path)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    look = with_preset(VisOptions(), preset)
    ours = offscreen.render(model, data, width, height, initial(model), look)
    theirs = mujoco.MjModel.from_xml_path(str(path))  # pyright: ignore[reportAttributeAccessIssue]: mujoco carries no types
    theirs.vis.global_.offwidth, theirs.vis.global_.offheight = width, height
    state = mujoco.MjData(theirs)  # pyright: ignore[reportAttributeAccessIssue]: mujoco carries no types
    mujoco.mj_forward(theirs, state)  # pyright: ignore[reportAttributeAccessIssue]: mujoco carries no types
    renderer = mujoco.Renderer(theirs, height, width)
    try:
        renderer.update_scene(state)
        return [("Kinetree", ours), ("classic", renderer.render())]
    finally:
        renderer.close()


def joined(pictures: list[tuple[str, np.ndarray]]) -> Image.Image:
    """The pictures side by side, each with its title and mean brightness above it."""
    height, width = pictures[0][1].shape[:2]
    sheet = Image.new("RGB", (width * len(pictures), height + CAPTION), "black")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(15)
    for place, (title, pixels) in enumerate(pictures):
        sheet.paste(Image.fromarray(pixels).resize((width, height)), (place * width, CAPTION))
        draw.text((place * width + 6, 2), f"{title}, mean {pixels.mean():.0f}", "white", font)
    return sheet


def contact_sheets(folder: Path, names: list[str], offscreen: Offscreen, preset: Preset) -> None:
    """Pairs of small pictures of every model below the corpus that MuJoCo and we read, in sheets."""
    found = []
    for path in sorted(CORPUS.parent.rglob("*.xml")):
        name = str(path.relative_to(CORPUS.parent).with_suffix(""))
        if names and not any(part in name for part in names):
            continue
        try:
            pictures = model_sheet(str(Path("..") / name), offscreen, preset, SMALL)
        except (kinetree.ModelError, OSError, ValueError, RuntimeError) as error:
            print(f"{name}: {str(error).splitlines()[0]}")
            continue
        ours, theirs = (pixels.astype(float) for _, pixels in pictures)
        seen = theirs.max(axis=-1) > 0  # an empty background is black there
        found.append((abs(float((ours - theirs)[seen].mean())) if seen.any() else 0.0, name, pictures))
        print(f"{name}: {found[-1][0]:.0f}", flush=True)
    found.sort(key=lambda each: -each[0])
    for first in range(0, len(found), 4 * ROWS):
        part = found[first : first + 4 * ROWS]
        sheet = Image.new("RGB", (4 * 2 * SMALL[0], -(-len(part) // 4) * (SMALL[1] + CAPTION)))
        for place, (difference, name, pictures) in enumerate(part):
            pair = joined([(f"{name[-16:]}: {difference:.0f}", pictures[0][1]), pictures[1]])
            sheet.paste(pair, (place % 4 * pair.width, place // 4 * pair.height))
        sheet.save(folder / f"contact_{first // (4 * ROWS) + 1}.png")


def page(folder: Path, names: list[str]) -> None:
    """A page with every sheet."""
    rows = [f'<h2>{html.escape(name)}</h2><img src="{html.escape(name)}.png" style="width:100%">' for name in names]
    head = '<!doctype html><meta charset="utf-8"><title>Sheets</title><body style="background:#222;color:#eee">'
    (folder / "index.html").write_text("\n".join([head, *rows]), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="parts of names of scenes and models; none: all")
    parser.add_argument("--quality", choices=list(Preset), default=Preset.BALANCED)
    parser.add_argument("--size", default="960x600", help="of the pictures of the corpus")
    parser.add_argument("--contact", action="store_true", help="small pictures of every model below the corpus")
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    preset = Preset(arguments.quality)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    offscreen, written = Offscreen(), []
    if arguments.contact:
        contact_sheets(arguments.folder, arguments.names, offscreen, preset)
        return
    jobs = [(case.picture, lambda case=case: scene_sheet(case, offscreen, preset)) for case in CASES]
    jobs += [(name, lambda name=name: model_sheet(name, offscreen, preset, (width, height))) for name in MODELS]
    for name, draw in jobs:
        if arguments.names and not any(part in name for part in arguments.names):
            continue
        file = re.sub(r"\W+", "_", name)
        try:
            pictures = draw()
        except (kinetree.ModelError, OSError, ValueError) as error:
            print(f"{name}: no sheet: {error}")
            continue
        joined(pictures).save(arguments.folder / f"{file}.png")
        written.append(file)
        print(f"{name}: " + ", ".join(f"{title} {pixels.mean():.0f}" for title, pixels in pictures), flush=True)
    page(arguments.folder, written)


if __name__ == "__main__":
    main()
