"""The process that compiles the programs of the first frame: it compiles those that the frame needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import kinetree
from kinetree.engine.interpreter import command
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import initial
from kinetree.engine.scene.effects import Preset, with_preset
from kinetree.engine.scene.options import VisOptions
from kinetree.renderer import context as gl
from kinetree.renderer import rehearsal
from kinetree.renderer.frame import Renderer
from kinetree.renderer.offscreen import posed
from tests.conftest import ROOT

WALKER = ROOT / "resources" / "models" / "walker.xml"
SIZE = 330, 210


def _scene(path: Path, preset: Preset):
    model = kinetree.load(path)
    options = with_preset(VisOptions(), preset)
    return build(model, posed(model, kinetree.Data(model)), options, initial(model), None, None, SIZE)


def _keys(renderer: Renderer) -> list:
    return list(renderer.device.programs._programs)


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        ("walker", Preset.PERFORMANCE),
        pytest.param("car", Preset.QUALITY, marks=pytest.mark.slow("38 programs, twice")),
    ],
)
def test_a_rehearsal_compiles_the_programs_of_the_frame_from_its_end(name, preset) -> None:
    scene = _scene(WALKER.with_stem(name), preset)
    drawing, rehearsing = Renderer(), Renderer()
    with drawing.device.context:
        drawing.read(scene, *SIZE)
        drawn = _keys(drawing)
    with rehearsing.device.context:
        rehearsing.rehearse(scene, *SIZE)
        rehearsed = _keys(rehearsing)
    for renderer in (drawing, rehearsing):
        renderer.release()
    assert set(rehearsed) == set(drawn)
    assert rehearsed.index(drawn[-1]) < rehearsed.index(drawn[len(drawn) // 2])


def test_a_sparing_frame_is_the_same_picture_with_fewer_programs() -> None:
    scene = _scene(WALKER, Preset.PERFORMANCE)
    renderer = Renderer()
    with renderer.device.context as context:
        target = context.simple_framebuffer(SIZE, 4)
        pictures, counts = [], []
        for sparing in (True, False, True):
            renderer.draw(scene, target, *SIZE, sparing=sparing)
            pictures.append(target.read(components=4))
            counts.append(len(_keys(renderer)))
    renderer.release()
    assert pictures[0] == pictures[1] == pictures[2]
    assert counts[0] < counts[1] == counts[2]


def _is_mesa() -> bool:
    context = gl.headless()
    software = gl.is_software(context)
    context.release()
    return software


def _cached(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow("compiles the programs of a frame without a cache")
def test_the_driver_finds_what_the_process_compiled(tmp_path) -> None:
    if not _is_mesa():
        pytest.skip("looks into the cache of Mesa's software renderer")
    environment = os.environ | {
        "MESA_SHADER_CACHE_DIR": str(tmp_path),
        "MESA_DISK_CACHE_SINGLE_FILE": "false",
        "MESA_DISK_CACHE_DATABASE": "false",
    }
    environment.pop("MESA_SHADER_CACHE_DISABLE", None)
    scene = _scene(WALKER, Preset.PERFORMANCE)
    usual = command("kinetree.renderer.rehearsal")
    subprocess.run(usual, env=environment, stdin=subprocess.DEVNULL, check=True)
    before = _cached(tmp_path)
    assert len(before) > 10  # of the usual scene
    message = rehearsal.packed(scene, *SIZE)
    assert len(message) < 100_000
    subprocess.run(usual, env=environment, input=message, check=True)
    rehearsed = _cached(tmp_path)
    assert len(rehearsed) - len(before) > 8  # of its surfaces
    draw = """
import pickle, sys
from kinetree.renderer.frame import Renderer
from kinetree.renderer import rehearsal
renderer = Renderer()
renderer.device.assets = rehearsal.StandIns(renderer.device.context, None)
renderer.read(*pickle.load(sys.stdin.buffer))
"""
    subprocess.run([sys.executable, "-P", "-c", draw], env=environment, input=message, check=True, cwd=ROOT)
    assert not _cached(tmp_path) - rehearsed
