"""How still stacks stand: ours and the reference's, side by side: python -m tests.benchmark.bench_stacks [--seconds 60].

Each scene is simulated from the same starts, which differ in the angle between neighbours: stacks are chaotic, and a
single one says little. After a sixth of the time for settling, it is measured; of the starts the medians are shown:

    drift        the longest way that any body has moved since, mm
    jitter       root mean square of the speeds of all bodies, mm/s
    depth        mean over time of the deepest contact, mm, and the deepest one of the whole run
    energy       mean kinetic energy, J
    fallen       how many bodies, of all starts, have sunk by more than half their height
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import mujoco
import numpy as np

import kinetree

SAMPLE = 0.02  # s


def _ring(radius: float, height: float, sides: int = 20) -> str:
    """Vertices of a prism."""
    angles = 2 * np.pi * np.arange(sides) / sides
    points = [(radius * np.cos(a), radius * np.sin(a), z) for z in (-height, height) for a in angles]
    return " ".join(f"{x:.6f} {y:.6f} {z:.6f}" for x, y, z in points)


def _scene(bodies: str, options: str = ">", assets: str = "") -> str:
    return f"""<mujoco><option {options}</option><asset>{assets}</asset><worldbody><geom type="plane" size="9 9 1"/>
 <body pos="0 0 .4"><geom type="box" size=".5 .5 .02" pos="0 0 -.02"/></body>{bodies}</worldbody></mujoco>"""


def _stack(geoms: str, number: int, half: float, turn: float) -> str:
    """Bodies one on the other, on the table, each turned a little."""
    return "".join(
        f'<body pos="0 0 {0.4 + half + 2 * half * i}" euler="0 0 {turn * i}"><freejoint/>{geoms}</body>'
        for i in range(number)
    )


CYLINDER = '<geom type="cylinder" size="{} {}"/>'
DIE = '<geom type="box" size=".02 .02 .02"/>'
MUG = """<geom type="mesh" mesh="cup" mass=".3"/><geom type="capsule" size=".006" fromto=".04 0 .025 .065 0 .02" mass=".01"/>
 <geom type="capsule" size=".006" fromto=".065 0 .02 .065 0 -.02" mass=".01"/>
 <geom type="capsule" size=".006" fromto=".065 0 -.02 .04 0 -.025" mass=".01"/>"""
CUP = f'<mesh name="cup" vertex="{_ring(0.04, 0.05)}"/>'
LYING = '<geom type="capsule" size=".03 .1" euler="90 0 0"/>'
ELLIPTIC = 'cone="elliptic" integrator="implicitfast">'
MULTICCD = '><flag multiccd="enable"/>'


def scenes(turn: float) -> dict[str, tuple[str, float]]:
    """Name -> model, height of a body (m). turn: angle between neighbours in a stack, degrees."""

    def cylinders(number: int, radius: float, half: float, options: str = ">") -> tuple[str, float]:
        return _scene(_stack(CYLINDER.format(radius, half), number, half, turn), options), 2 * half

    def dice(number: int, options: str = ">") -> tuple[str, float]:
        return _scene(_stack(DIE, number, 0.02, turn), options), 0.04

    def mugs(number: int, options: str = ">") -> tuple[str, float]:
        return _scene(_stack(MUG, number, 0.05, turn), options, CUP), 0.1

    capsules = "".join(
        f'<body pos="{x} {y} {0.43 + 0.06 * layer}" euler="0 0 {90 * (layer % 2) + 0.1 * turn * layer}"><freejoint/>'
        f"{LYING}</body>"
        for layer in range(3)
        for x, y in [((0, 0.07 * k) if layer % 2 else (0.07 * k, 0)) for k in (-1, 0, 1)]
    )
    ellipsoids = "".join(
        f'<body pos="{0.2 * i} 0 .43" euler="0 0 {turn * i}"><freejoint/>'
        '<geom type="ellipsoid" size=".05 .06 .03" condim="6"/></body>'
        for i in range(3)
    )
    return {
        "6 cylinders, r 3 cm": cylinders(6, 0.03, 0.04),
        "6 cylinders, r 6 cm": cylinders(6, 0.06, 0.04),
        "6 cylinders, r 6 cm, multiccd": cylinders(6, 0.06, 0.04, MULTICCD),
        "3 cylinders, r 6 cm": cylinders(3, 0.06, 0.04),
        "3 flat cylinders, elliptic": cylinders(3, 0.08, 0.02, ELLIPTIC),
        "5 dice": dice(5),
        "10 dice": dice(10),
        "5 dice, elliptic": dice(5, ELLIPTIC),
        "1 mug": mugs(1),
        "4 mugs": mugs(4),
        "4 mugs, multiccd": mugs(4, MULTICCD),
        "2 mugs, elliptic": mugs(2, ELLIPTIC),
        "9 capsules, crossed": (_scene(capsules), 0.06),
        "3 ellipsoids": (_scene(ellipsoids), 0.06),
    }


def _ours(text: str) -> Iterator:
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    while True:
        kinetree.step(model, data, round(SAMPLE / model.opt.timestep))
        yield model, data


def _theirs(text: str) -> Iterator:
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    while True:
        mujoco.mj_step(m, d, round(SAMPLE / m.opt.timestep))
        yield m, d


def measure(samples: Iterator, seconds: float, height: float) -> dict[str, float]:
    """Measure the quantities listed at the top of this module."""
    number = round(seconds / SAMPLE)
    begin = number // 6
    depths, speeds, energies, drift = [], [], [], 0.0
    deepest, seconds_used = 0.0, -time.perf_counter()
    start = first = np.zeros(0)
    for k in range(number):
        model, data = next(samples)
        depth = max(0.0, -float(np.min(data.contact.dist, initial=0.0)))
        deepest = max(deepest, depth)
        places = data.xipos[2:].copy()
        if k == 0:
            start = places
        if k < begin:
            continue
        if k == begin:
            first = places
        drift = max(drift, float(np.linalg.norm(places - first, axis=1).max()))
        speed = data.qvel.reshape(-1, 6)
        depths.append(depth)
        speeds.append(float((speed[:, :3] ** 2).sum(1).mean()))
        mass, inertia = model.body_mass[2:], model.body_inertia[2:]
        energies.append(0.5 * float(mass @ (speed[:, :3] ** 2).sum(1) + (inertia * speed[:, 3:] ** 2).sum()))
    fallen = int((start[:, 2] - places[:, 2] > 0.5 * height).sum())
    seconds_used += time.perf_counter()
    return {
        "drift": 1e3 * drift,
        "jitter": 1e3 * float(np.sqrt(np.mean(speeds))),
        "depth": 1e3 * float(np.mean(depths)),
        "deepest": 1e3 * deepest,
        "energy": float(np.mean(energies)),
        "fallen": fallen,
        "seconds": seconds_used,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--scene", default="", help="only scenes whose name contains this")
    parser.add_argument("--starts", type=int, default=5)
    options = parser.parse_args()
    starts = [scenes(15.0 + 1.3 * k) for k in range(options.starts)]
    head = f"{'scene':32s} {'':5s} {'drift mm':>10s} {'jitter mm/s':>12s} {'depth mm':>9s} {'deepest':>8s}"
    print(f"{head} {'energy J':>10s} {'fallen':>6s} {'s':>6s}")
    for name in starts[0]:
        if options.scene not in name:
            continue
        for who, simulate in (("ours", _ours), ("ref", _theirs)):
            runs = [measure(simulate(start[name][0]), options.seconds, start[name][1]) for start in starts]
            found = {key: float(np.median([run[key] for run in runs])) for key in runs[0]}
            fallen, used = sum(run["fallen"] for run in runs), sum(run["seconds"] for run in runs)
            print(
                f"{name if who == 'ours' else '':32s} {who:5s} {found['drift']:10.4f} {found['jitter']:12.3g}"
                f" {found['depth']:9.4f} {found['deepest']:8.3f} {found['energy']:10.3g} {fallen:6.0f} {used:6.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
