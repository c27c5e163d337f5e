"""Times frames of moving flexes and skins beside those of a still mesh with as many triangles.

    python -m tests.benchmark.bench_soft [--triangles 20000] [--frames 20] [--size 640x480] [MODEL.xml ...]

For each kind of surface it prints the processor time of a frame (scene and picture) before which all vertices moved, and
of one before which nothing did; then what of the former is `follow` (positions and normals) and `upload`. Beside it a mesh
asset with the very triangles of the cloth, whose body moves. With MODEL: frames of models after 0.2 s. Moved and still
frames take turns, so that a busy machine slows both alike.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import initial
from kinetree.engine.scene.options import VisOptions
from kinetree.renderer.offscreen import Offscreen

LIGHT = '<light pos="0 0 3" dir="0 0 -1"/><geom type="plane" size="3 3 .1"/>'


def flex_text(kind: str, triangles: int) -> str:
    """A model with a flex that has about so many elements or faces: cloth or a solid."""
    if kind == "cloth":
        side = round(np.sqrt(triangles / 2)) + 1
        grid, spacing = f'dim="2" count="{side} {side} 1"', 1.5 / side
    else:
        side = round(np.sqrt(triangles / 12)) + 1
        grid, spacing = f'dim="3" count="{side} {side} {side}" dof="trilinear"', 1.0 / side
    return (
        f'<mujoco><worldbody>{LIGHT}<flexcomp name="f" type="grid" {grid} spacing="{spacing} {spacing} {spacing}" '
        f'radius=".002" pos="0 0 1"><contact selfcollide="none" internal="false"/></flexcomp></worldbody></mujoco>'
    )


def mesh_text(vertices: np.ndarray, faces: np.ndarray) -> str:
    """A model with a mesh of these triangles, where the flex of `flex_text` is."""
    vertex, face = (" ".join(f"{value:.7g}" for value in array.ravel()) for array in (vertices, faces))
    return (
        f'<mujoco><asset><mesh name="m" inertia="shell" vertex="{vertex}" face="{face}"/></asset><worldbody>{LIGHT}'
        f'<body pos="0 0 1"><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    )


def skin_text(triangles: int) -> str:
    """A model with a skin of so many triangles on twenty bones."""
    along, around, bones = triangles // 80, 40, 20
    u, phi = np.meshgrid(
        np.linspace(-1, 1, along + 1), np.linspace(0, 2 * np.pi, around, endpoint=False), indexing="ij"
    )
    vertex = np.stack([u, 0.1 * np.cos(phi), 1 + 0.1 * np.sin(phi)], 2).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(along), np.arange(around), indexing="ij")
    a, b = (i * around + j).ravel(), (i * around + (j + 1) % around).ravel()
    faces = np.concatenate([np.stack([a, b, a + around], 1), np.stack([b, b + around, a + around], 1)])
    places = np.linspace(-1, 1, bones)
    bone = []
    for number, place in enumerate(places):
        near = np.flatnonzero(np.abs(vertex[:, 0] - place) < 2.1 / bones)
        weight = 1.01 - np.abs(vertex[near, 0] - place) * bones / 2.1
        bone.append(
            f'<bone body="b{number}" bindpos="{place} 0 1" bindquat="1 0 0 0" vertid="{" ".join(map(str, near))}" '
            f'vertweight="{" ".join(f"{value:.4g}" for value in weight)}"/>'
        )
    bodies = "".join(
        f'<body name="b{n}" pos="{place} 0 1"><freejoint/><geom size=".02" group="4"/></body>'
        for n, place in enumerate(places)
    )
    numbers = " ".join(f"{value:.5g}" for value in vertex.ravel())
    return (
        f'<mujoco><worldbody>{LIGHT}{bodies}</worldbody><deformable><skin name="s" vertex="{numbers}" '
        f'face="{" ".join(map(str, faces.ravel()))}">{"".join(bone)}</skin></deformable></mujoco>'
    )


class Case:
    """One model that is drawn, and what its frames cost."""

    def __init__(self, model, offscreen: Offscreen, size: tuple[int, int]):
        self.model, self.offscreen, self.size = model, offscreen, size
        self.data = kinetree.Data(model)
        kinetree.kinematics(model, self.data)
        self.camera, self.options, self.scene = initial(model), VisOptions(), None
        self.turn = 0

    def move(self) -> None:
        """Another pose: vertices and bodies a little up or down."""
        self.turn += 1
        up = 1e-3 * (-1) ** self.turn
        self.data.xpos[1:, 2] += up
        self.data.geom_xpos[np.asarray(self.model.geom_bodyid) > 0, 2] += up
        self.data.flexvert_xpos[:, 2] += up * np.cos(40 * self.data.flexvert_xpos[:, 0])

    def frame(self) -> None:
        """Build the scene and draw it."""
        with self.offscreen.renderer.device.context:
            self.scene = build(self.model, self.data, self.options, self.camera, None, self.scene, self.size)
            self.offscreen.renderer.read(self.scene, *self.size)

    def follow(self) -> None:
        """Positions and normals of the moving surfaces."""
        for surface in self.scene.surfaces.values():
            surface.follow(self.data)

    def upload(self) -> None:
        """Vertices to the graphics card."""
        renderer = self.offscreen.renderer
        with renderer.device.context as context:
            for number, surface in self.scene.surfaces.items():
                renderer.device.assets.geometry(number).write(surface.vertices)
            context.finish()

    @property
    def triangles(self) -> int:
        """Drawn triangles of the moving surfaces."""
        return sum(len(surface.faces) for surface in self.scene.surfaces.values())

    def times(self) -> dict[str, float]:
        """Processor seconds of each part, once."""
        self.move()
        found = {"moved": _took(self.frame), "still": _took(self.frame)}
        self.move()
        return found | {"follow": _took(self.follow), "upload": _took(self.upload)}


def _took(act: Callable[[], None]) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--triangles", type=int, default=20_000, help="of each flex, skin and mesh")
    parser.add_argument("--frames", type=int, default=20)
    parser.add_argument("--size", default="640x480")
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    offscreen, count = Offscreen(), arguments.triangles
    texts = {"cloth": flex_text("cloth", count // 2), "solid": flex_text("solid", count), "skin": skin_text(count)}
    cases = {name: Case(kinetree.load_string(text), offscreen, (width, height)) for name, text in texts.items()}
    cases["cloth"].frame()
    (shell,) = cases["cloth"].scene.surfaces.values()
    still = mesh_text(shell.vertices[:, :3] + shell.centre - [0, 0, 1], shell.faces)
    cases["mesh of the cloth"] = Case(kinetree.load_string(still), offscreen, (width, height))
    for case in cases.values():
        case.camera = cases["cloth"].camera
    loaded = {path.stem: Case(kinetree.load(path), offscreen, (width, height)) for path in arguments.models}
    cases |= loaded
    for name, case in cases.items():
        if name in loaded:
            kinetree.step(case.model, case.data, round(0.2 / case.model.opt.timestep))
            kinetree.forward(case.model, case.data)
        case.frame()  # another model than the last: its assets are uploaded
        found = [case.times() for _ in range(arguments.frames)]
        part = {key: 1e3 * statistics.median(each[key] for each in found[2:]) for key in found[0]}
        print(
            f"{name}, {case.triangles} moving triangles: frame {part['moved']:.1f} ms when moved, {part['still']:.1f} still; "
            f"follow {part['follow']:.2f}, upload {part['upload']:.2f} ms of processor time",
            flush=True,
        )


if __name__ == "__main__":
    main()
