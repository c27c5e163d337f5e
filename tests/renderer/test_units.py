"""How many textures a program reads, and drivers that have few."""

import numpy as np
import pytest

from kinetree.renderer import context as gl
from kinetree.renderer.resources import GpuAssets
from kinetree.renderer.shader import SAMPLERS, Programs
from kinetree.renderer.units import DISPENSABLE, TEXTURES, affordable, textures
from tests.renderer.test_bad_input import fresh
from tests.renderer.test_render import FRONT, world

LAYERS = tuple(feature for feature in TEXTURES if feature.startswith("LAYER_"))
LIT = ("SHADOWS", "SOFT_SHADOWS", "TINTED_SHADOWS", "OCCLUSION", "INDIRECT", "LOCAL_LIGHTS", "CLUSTERS")
GLOSSY = ("PBR", "CAPTURED", "SCREEN_REFLECTIONS", "PROBE", "GROUND", "GROUND_TEXTURE")
COMBINED = (
    (),
    ("TEXTURE_2D", "IMAGE_LIGHT"),
    ("TEXTURE_CUBE", "PBR"),
    ("INFINITE", "PBR", "MIRROR"),
    ("SECTION", "SOLID 5", "NUMBERED"),
    ("PBR", "BLEND", "SHADOWS"),
    ("TEXTURE_2D", "LAYERS", *LAYERS, *LIT, *GLOSSY),
)


@pytest.mark.parametrize("features", COMBINED, ids="-".join)
def test_the_table_counts_what_a_program_reads(features):
    with gl.headless() as context:
        program = Programs(context).get("instance.vert", "surface.frag", features)
        names = [name for name in SAMPLERS if name in program and name != "instances"]  # those the vertex shader reads
        assert len(names) == textures(features)


def test_every_feature_of_the_table_is_counted_once_at_least():
    assert {feature for features in COMBINED for feature in features} >= set(TEXTURES)
    assert set(TEXTURES) >= set(DISPENSABLE)


def test_a_driver_with_what_opengl_promises_draws_everything_but_what_can_be_missed():
    whole = COMBINED[-1]
    assert textures(whole) > 16 >= textures(affordable(whole, 16))
    assert affordable(whole, 32) == whole
    assert [*affordable(whole, 1)] == [feature for feature in whole if feature not in DISPENSABLE]


def test_what_a_driver_cannot_draw_is_said(monkeypatch):
    text = world(
        FRONT + '<light pos="0 -2 3"/><geom type="box" size="0.5 0.5 0.5" euler="20 30 10"/>',
        '<visual><quality shadowsize="256"/></visual>',
    )
    plain, nothing = fresh(text, softshadows=True)
    limit = GpuAssets.limit
    monkeypatch.setattr(
        GpuAssets, "limit", lambda assets, name: 1 if name == "GL_MAX_TEXTURE_IMAGE_UNITS" else limit(assets, name)
    )
    image, remarks = fresh(text, softshadows=True)
    assert nothing == [] and len(remarks) == 1 and "without" in remarks[0], remarks
    assert image.shape == plain.shape and np.ptp(image) > 50
