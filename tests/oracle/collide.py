"""Two geoms in chosen poses, collided by mujoco and by the engine."""

from __future__ import annotations

import mujoco
import numpy as np

import kinetree
from kinetree.engine.collision import broadphase, driver, flex_broad, flex_self
from kinetree.engine.collision.table import addresses, needed_pairs
from kinetree.engine.dynamics.position import flex
from kinetree.engine.jit.compiler import compiled
from tests.oracle.bridge import model_from

IDENTITY = (1.0, 0.0, 0.0, 0.0)
# Turns by multiples of 90 and 120 degrees: edges and faces coincide.
ALIGNED = [
    np.array(q, float) / np.linalg.norm(q)
    for q in (
        (1, 0, 0, 0), (1, 1, 0, 0), (1, 0, 1, 0), (1, 0, 0, 1), (0, 1, 0, 0), (0, 0, 1, 0), (1, 1, 1, 1), (1, -1, 1, 1),
        (0, 1, 1, 0),
    )
]  # fmt: skip
POISONED = ("dist", "pos", "frame", "includemargin", "friction", "solref", "solreffriction", "solimp")

STAGES = (broadphase.broad_phase, flex_broad.flex_candidates, driver.collision, flex_self.flex_self_collision)


class Contacts:
    """Contacts as a sorted list of (geom1, geom2, dist, pos, frame)."""

    def __init__(self, ncon, contact):
        rows = [
            (
                *map(int, contact.geom[i]),
                float(contact.dist[i]),
                np.array(contact.pos[i]),
                np.ravel(contact.frame[i]).copy(),
            )
            for i in range(ncon)
        ]
        self.unsorted = rows
        self.rows = sorted(rows, key=lambda r: (r[0], r[1], *np.round(r[3], 6), round(r[2], 7)))

    def __len__(self):
        return len(self.rows)

    def difference(self, other, tolerance=1e-6) -> str:
        """The first difference, "" if there is none."""
        if len(self) != len(other):
            return f"number {len(self)} {len(other)}"
        for a, b in zip(self.rows, other.rows, strict=True):
            if a[:2] != b[:2]:
                return f"geoms {a[:2]} {b[:2]}"
            if not abs(a[2] - b[2]) <= tolerance:
                return f"dist {a[2]} {b[2]}"
            if not np.abs(a[3] - b[3]).max() <= tolerance:
                return f"pos {a[3]} {b[3]}"
            if not np.abs(a[4] - b[4]).max() <= 10 * tolerance:
                return f"frame {a[4]} {b[4]}"
        return ""


def detect(model, data) -> None:
    """The stages of collision detection, with contacts and scratch poisoned before; grows the data as needed."""
    stages = STAGES if model.nflex else STAGES[::2]
    while True:
        for name in POISONED:
            data._arrays["contact_" + name][...] = np.nan
        for name in (
            "near_dist",
            "near_pos",
            "near_frame",
            "ccd_point",
            "ccd_plane",
            "ccd_mat",
            "ccd_pos",
            "ccd_size",
            "ccd_half",
            "ccd_witness",
            "ccd_weight",
            "geom_bounds",
            "body_bounds",
            "flex_bounds",
            "flextree_aabb",
            "flex_key",
        ):
            data._arrays[name][...] = np.nan
        for stage in stages:
            if not data.needs_memory:
                compiled(stage)(model, data)
        if not data.needs_memory:
            return
        data.grow()


class Twin:
    """One model in mujoco and in the engine."""

    def __init__(self, m: mujoco.MjModel):
        self.m, self.d = m, mujoco.MjData(m)
        self.model = model_from(m)
        self.data = kinetree.Data(self.model)
        self.data.collision_function[...] = addresses(needed_pairs(self.model))

    def reference(self) -> Contacts:
        mujoco.mj_kinematics(self.m, self.d)
        mujoco.mj_comPos(self.m, self.d)
        mujoco.mj_flex(self.m, self.d)
        mujoco.mj_collision(self.m, self.d)
        return Contacts(self.d.ncon, self.d.contact)

    def ours(self) -> Contacts:
        """From the poses that the reference computed last."""
        self.data.geom_xpos = self.d.geom_xpos
        self.data.geom_xmat = self.d.geom_xmat
        self.data.flexvert_xpos = self.d.flexvert_xpos
        if self.m.nflex:
            self.data.flexrun_aabb[...] = np.nan
            compiled(flex.flex_boxes)(self.model, self.data)
        self.data.flexelem_aabb = self.d.flexelem_aabb
        detect(self.model, self.data)
        return Contacts(self.data.ncon, self.data.contact)


class Pair(Twin):
    """Two geoms on bodies of their own: a plane is held, others are free."""

    def __init__(self, first: str, second: str, asset: str = "", option: str = "", extra: str = ""):
        bodies = ""
        for geom in (first, second):
            held = "plane" in geom
            joint = "" if held else "<freejoint/>"
            bodies += f'<body mocap="{str(held).lower()}">{joint}<geom mass="1" {geom} {extra}/></body>'
        super().__init__(
            mujoco.MjModel.from_xml_string(
                f"<mujoco>{option}<asset>{asset}</asset><worldbody>{bodies}</worldbody></mujoco>"
            )
        )

    @property
    def reach(self) -> float:
        return float(self.m.geom_rbound.sum())

    def place(self, p1, q1, p2, q2) -> None:
        adr = 0
        for body, (p, q) in enumerate(((p1, q1), (p2, q2)), 1):
            q = np.asarray(q, float) / np.linalg.norm(q)
            if self.m.body_mocapid[body] >= 0:
                self.d.mocap_pos[0], self.d.mocap_quat[0] = p, q
            else:
                self.d.qpos[adr : adr + 7] = [*p, *q]
                adr += 7


def poses(rng, reach: float, mode: str, number: int):
    """Pairs of poses: random, aligned with each other, or nearly so."""
    for _ in range(number):
        if mode == "random":
            direction = rng.normal(size=3)
            p = direction * reach * rng.uniform() / np.linalg.norm(direction)
            p1 = rng.normal(size=3)
            yield p1, rng.normal(size=4), p1 + p, rng.normal(size=4)
            continue
        q1, q2 = ALIGNED[rng.integers(9)], ALIGNED[rng.integers(9)]
        p = rng.uniform(-reach, reach, 3)
        if mode == "aligned" or rng.integers(2):
            p = np.round(p, 1)
        if mode == "near":
            size = 10.0 ** rng.uniform(-9, -1)
            q1 = q1 + size * rng.normal(size=4) * rng.integers(2)
            q2 = q2 + size * rng.normal(size=4)
        elif mode == "resting":  # neither aligned nor round, but with coincidences of directions
            p = p + rng.normal(size=3) * 1e-3
        yield np.zeros(3), q1, p, q2
