"""A scene of a model that our compiler made is the scene of the same model made by mujoco."""

from __future__ import annotations

from dataclasses import astuple, replace
from pathlib import Path

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import default_free
from kinetree.engine.scene.options import Frame, Label, VisOptions
from kinetree.engine.scene.scene import Scene
from tests.conftest import ROOT

MODELS = sorted(
    [
        *(ROOT / "resources" / "models").glob("*.xml"),
        *(ROOT / "tests" / "data" / "models").glob("*.xml"),
        *(ROOT / "tests" / "images" / "models").glob("*.xml"),
    ]
)
ALL = [True] * 6
OPTIONS = {
    "as it opens": {},
    "decorations": {
        "joint": True, "actuator": True, "com": True, "inertia": True, "camera": True, "light": True, "tendon": True,
        "rangefinder": True, "equality": True, "label": Label.BODY, "frame": Frame.GEOM, "sitegroup": ALL,
        "jointgroup": ALL, "tendongroup": ALL, "actuatorgroup": ALL, "geomgroup": ALL,
    },
    "hulls and flexes": {"convexhull": True, "flexvert": True, "flexskin": False, "label": Label.JOINT},
}  # fmt: skip


def scenes(path: Path, options: VisOptions) -> list[Scene]:
    """The scene of our model, and of mujoco's, both where the first keyframe (or qpos0) puts them."""
    m = mujoco.MjModel.from_xml_path(str(path))
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    mujoco.mj_forward(m, d)
    model = kinetree.load(path)
    data = kinetree.Data(model)
    if model.nkey:
        kinetree.reset(model, data, 0)
    kinetree.kinematics(model, data) if model.unsimulated else kinetree.forward(model, data)
    return [build(*world, options, default_free(m)) for world in ((model, data), (m, d))]


def batches(scene: Scene) -> list[tuple]:
    """Drawing batches: shape, kind, texture, material, instances; without shadows."""
    return [astuple(replace(batch, shadow_rect=None)) for batch in (*scene.opaque, *scene.transparent)]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_same_scene(path, options):
    ours, theirs = scenes(path, VisOptions(**OPTIONS[options]))
    assert ours.ninstance == theirs.ninstance
    assert batches(ours) == batches(theirs)
    count = ours.ninstance
    np.testing.assert_allclose(ours.instances[:count], theirs.instances[:count], rtol=1e-5, atol=2e-6)
    assert ours.nlight == theirs.nlight
    np.testing.assert_allclose(ours.lights[: ours.nlight], theirs.lights[: theirs.nlight], rtol=1e-5, atol=1e-6)
    assert len(ours.shadows) == len(theirs.shadows)
    for mine, other in zip(ours.shadows, theirs.shadows, strict=True):
        np.testing.assert_allclose(mine.matrix, other.matrix, rtol=1e-5, atol=1e-6)
    assert [label.text for label in ours.labels] == [label.text for label in theirs.labels]
    np.testing.assert_array_equal(ours.segments, theirs.segments)
