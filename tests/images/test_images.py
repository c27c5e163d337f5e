"""Pictures against stored ones. One line in CASES adds a test.

A picture may differ from the stored one as pictures of two drivers do: compared are averages of 4 x 4 pixels. To accept
new pictures, look at them first: KINETREE_UPDATE_IMAGES=1 writes them to `references/`, and failures leave theirs in
the test's temporary folder.
"""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image

import kinetree
from kinetree.engine.scene.options import Frame, VisOptions
from tests.conftest import SHARED

HERE = Path(__file__).parent
SCENES = SHARED / "reference" / "scenes"
REFERENCES = HERE / "references"
MODELS = HERE.parents[1] / "resources" / "models"
BUNDLED = (
    "arm.xml",
    "boxes.xml",
    "car.xml",
    "hand.xml",
    "walker.xml",
    "formats/carousel.xml",
    "formats/mobile.urdf",
)
SIZE = (320, 200)
MEAN, WORST = 2.0, 40.0  # of 255, over blocks


@dataclass(frozen=True)
class Case:
    """One picture: a model in `models/` or (with a digit first) a reference scene, a camera, steps, and options."""

    name: str
    model: str
    camera: str = "ref"
    steps: int = 0
    flags: dict = field(default_factory=dict)


DECOR = dict.fromkeys(("joint", "actuator", "camera", "light", "com", "contactpoint", "contactforce"), True)

CASES = (
    Case("materials", "materials", "wide"),
    Case("materials_low", "materials", "low"),
    Case("materials_plain", "materials", "wide", flags={"shadow": False, "reflection": False, "skybox": False}),
    Case("materials_fog", "materials", "low", flags={"fog": True}),
    Case("materials_segment", "materials", "wide", flags={"segment": True}),
    Case("materials_wireframe", "materials", "wide", flags={"wireframe": True}),
    Case("materials_hull_notexture", "materials", "wide", flags={"convexhull": True, "texture": False}),
    Case("mechanism", "mechanism", "front"),
    Case("mechanism_decor", "mechanism", "front", 3, DECOR | {"frame": Frame.BODY}),
    Case(
        "mechanism_inertia",
        "mechanism",
        "front",
        3,
        {"inertia": True, "transparent": True, "autoconnect": True},
    ),
    Case("soft", "soft", "front", 110),
    Case("soft_edges", "soft", "close", 110, {"flexskin": False, "flexvert": True, "skin": False}),
    Case(
        "soft_faces",
        "soft",
        "front",
        100,
        {"flexskin": False, "flexedge": False, "flexface": True, "flexlayer": 1},
    ),
    Case("soft_transparent", "soft", "front", 0, {"transparent": True}),
    Case("01_pbr_grid", "01_pbr_grid"),
    Case("02_legacy_grid", "02_legacy_grid"),
    Case("03_textures", "03_textures"),
    Case("04_skybox", "04_skybox_cameras"),
    Case("04_ortho", "04_skybox_cameras", "ortho"),
    Case("04_intrinsic", "04_skybox_cameras", "intrinsic"),
    Case("05_lights", "05_lights"),
    Case("06_many_lights", "06_many_lights"),
    Case("07_shadows", "07_shadows"),
    Case("08_reflection", "08_reflection"),
    Case("09_transparency", "09_transparency"),
    Case("10_fog_haze", "10_fog_haze", flags={"fog": True}),
    Case("10_haze", "10_fog_haze"),
    Case("11_geoms", "11_geoms"),
    Case(
        "12_contacts",
        "12_contacts",
        "ref",
        150,
        {"contactpoint": True, "contactforce": True, "transparent": True},
    ),
    Case("13_decor", "13_decor", "ref", 300, DECOR | {"frame": Frame.WORLD, "contactpoint": False}),
)


def text_of(name: str) -> str:
    """The model's text; reference scenes without what the reference's compiler refuses."""
    if not name[0].isdigit():
        return (HERE / "models" / f"{name}.xml").read_text()
    path = SCENES / f"{name}.xml"
    if not path.exists():
        pytest.skip("no reference scenes beside this checkout")
    text = re.sub(r'<light\b[^>]*type="image"[^>]*/>', "", path.read_text())
    return text.replace('="assets"', f'="{SCENES.resolve() / "assets"}"')


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_picture(case: Case, tmp_path):
    model = mujoco.MjModel.from_xml_string(text_of(case.model))
    data = mujoco.MjData(model)
    if model.nu:
        data.ctrl[0] = 0.8
    for _ in range(case.steps):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    image = kinetree.render(model, data, *SIZE, case.camera, VisOptions(**case.flags))
    if os.environ.get("KINETREE_UPDATE_IMAGES"):
        Image.fromarray(image).save(REFERENCES / f"{case.name}.png", optimize=True)
    compare(image, case.name, tmp_path)


@pytest.mark.parametrize("case", [case for case in CASES if case.steps == 0], ids=lambda case: case.name)
def test_picture_of_our_compiler(case: Case, tmp_path):
    """The same text, compiled and posed by Kinetree, gives the same picture."""
    model = kinetree.load_string(text_of(case.model))
    data = kinetree.Data(model)
    if model.nu:
        data.ctrl[0] = 0.8
    kinetree.kinematics(model, data)
    compare(kinetree.render(model, data, *SIZE, case.camera, VisOptions(**case.flags)), case.name, tmp_path)


@pytest.mark.parametrize("name", BUNDLED)
def test_picture_of_a_bundled_model(name: str, tmp_path):
    model = kinetree.load(MODELS / name)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    image = kinetree.render(model, data, *SIZE)
    stored = f"bundled_{Path(name).stem}"
    if os.environ.get("KINETREE_UPDATE_IMAGES"):
        Image.fromarray(image).save(REFERENCES / f"{stored}.png", optimize=True)
    compare(image, stored, tmp_path)


def compare(image: np.ndarray, name: str, folder: Path) -> None:
    """Fail if a picture differs from the stored one; the picture is left in the folder."""
    stored = REFERENCES / f"{name}.png"
    expected = np.asarray(Image.open(stored).convert("RGB"))
    difference = np.abs(blocks(image) - blocks(expected)).max(axis=2)
    if difference.mean() > MEAN or np.quantile(difference, 0.995) > WORST:
        Image.fromarray(image).save(folder / f"{name}.png")
        pytest.fail(
            f"{name}: mean difference {difference.mean():.1f}, 99.5 % below {np.quantile(difference, 0.995):.0f}; "
            f"the new picture is {folder / name}.png, the stored one {stored}"
        )


def blocks(image: np.ndarray) -> np.ndarray:
    """Averages of 4 x 4 pixels."""
    height, width = image.shape[0] // 4, image.shape[1] // 4
    return image[: 4 * height, : 4 * width].reshape(height, 4, width, 4, 3).mean(axis=(1, 3))
