"""Processor time of a frame with 1, 10 and 100 lamps that each light a small part of a hall.

    python -m tests.benchmark.lamps [--size 1280x800] [--frames 9] [--counts 1 10 100] [--shadows] [--preset PRESET]

Prints a line for each kind of lamp: spots (narrow cones without an end), points (photometric, with a range), and points
with legacy attenuation. All counts take turns, so that a busy machine slows each alike.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np

from kinetree.engine.scene.effects import Preset, with_preset

KINDS = {
    "spots": 'dir="0 0 -1" cutoff="20" exponent="2" diffuse="0.8 0.7 0.6" specular="0.2 0.2 0.2"',
    "ranged": 'type="point" intensity="20000" range="2.2" diffuse="0.9 0.8 0.7"',
    "attenuated": 'type="point" attenuation="0 0 9" diffuse="0.8 0.7 0.6" specular="0.2 0.2 0.2"',
}
HALF = 10.0  # of the hall, metres
CAMERA = '<camera pos="0 -16 9" xyaxes="1 0 0 0 0.49 0.87" fovy="50"/>'


def hall(kind: str, count: int, shadows: bool = False, material: str = 'specular="0.4" shininess="0.6"') -> str:
    """The text of a model: balls on a floor below `count` lamps."""
    places = np.random.default_rng(1).permutation([(x, y) for x in range(10) for y in range(10)])[:count]
    cast = str(shadows).lower()
    lamps = "".join(
        f'<light pos="{2 * x - 9} {2 * y - 9} 2" castshadow="{cast}" {KINDS[kind]}/>' for x, y in places.tolist()
    )
    balls = "".join(
        f'<geom size="0.4" pos="{2 * x - 9} {2 * y - 9} 0.4" material="m"/>' for x in range(10) for y in range(10)
    )
    return (
        '<mujoco><visual><headlight ambient="0.1 0.1 0.1" diffuse="0.1 0.1 0.1" specular="0 0 0"/></visual>'
        f'<asset><material name="m" rgba="0.7 0.6 0.5 1" {material}/></asset>'
        f'<worldbody>{CAMERA}<geom type="plane" size="{HALF} {HALF} 1" material="m"/>{balls}{lamps}</worldbody></mujoco>'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--frames", type=int, default=9)
    parser.add_argument("--counts", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--shadows", action="store_true")
    parser.add_argument("--preset", type=Preset, default=Preset.BALANCED)
    parser.add_argument("--pbr", action="store_true", help="physically based materials")
    arguments = parser.parse_args()
    import kinetree
    from kinetree.engine.scene.build import build
    from kinetree.engine.scene.camera import FIXED, Camera
    from kinetree.engine.scene.options import VisOptions
    from kinetree.renderer import offscreen

    width, height = (int(side) for side in arguments.size.split("x"))
    options = with_preset(VisOptions(), arguments.preset)
    material = 'metallic="0.2" roughness="0.4"' if arguments.pbr else 'specular="0.4" shininess="0.6"'
    drawer = offscreen.shared().renderer
    for kind in arguments.kinds:
        used: dict[int, list[float]] = {count: [] for count in arguments.counts}
        built: dict[int, list[float]] = {count: [] for count in arguments.counts}
        loaded = {}
        for count in arguments.counts:
            model = kinetree.load_string(hall(kind, count, arguments.shadows, material))
            data = kinetree.Data(model)
            kinetree.forward(model, data)
            loaded[count] = model, data, None
        for _ in range(arguments.frames + 2):
            for count, (model, data, scene) in loaded.items():
                start = time.process_time()
                scene = build(model, data, options, Camera(FIXED, fixedcamid=0), None, scene, (width, height))
                middle = time.process_time()
                loaded[count] = model, data, scene
                with drawer.device.context:
                    drawer.read(scene, width, height)
                used[count].append(time.process_time() - start)
                built[count].append(middle - start)
        print(
            f"{kind}, {arguments.preset}: "
            + ", ".join(
                f"{count} lamps {1e3 * statistics.median(used[count][2:]):.1f} ms "
                f"(scene {1e3 * statistics.median(built[count][2:]):.1f})"
                for count in arguments.counts
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
