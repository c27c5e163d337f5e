"""Random actuators of every shortcut, and length ranges of random mechanisms, compiled as the reference compiles them.

Left out is what differs on purpose (deliberate.py): the bias of a cylinder, `uselimit` beyond the first actuator,
force limits of tendons, `tausmooth` in default classes.
"""

from __future__ import annotations

import re

import mujoco
import numpy as np
import pytest

import kinetree
from tests.oracle.compiled import agree, reference

Rng = np.random.Generator

WORLD = """<worldbody><site name="w" pos=".1 .2 .3" euler="10 0 20"/><geom name="post" type="cylinder" size=".1 .2"
 pos=".6 .2 .2" euler="80 0 10"/>
 <body name="a" pos="1 0 0"><joint name="h" range="-30 40" damping=".2" armature=".1"/><geom size=".1"/>
  <site name="sa" pos=".3 .2 .1"/><body name="b" pos=".4 0 0"><joint name="s" type="slide" axis="1 0 2" range="-.2 .1"/>
  <geom type="box" size=".1 .2 .1" pos="0 .2 0"/><site name="sb" pos=".3 .4 .1" euler="0 40 0"/>
  <body pos=".2 0 .1"><joint name="ball" type="ball"/><geom type="capsule" size=".03 .1" pos=".1 0 0"/></body></body></body>
 <body name="c" pos="0 2 0"><freejoint name="free"/><geom type="ellipsoid" size=".1 .2 .3" density="500"/></body></worldbody>
<tendon><fixed name="f" range="-.2 .3"><joint joint="h" coef="1"/><joint joint="s" coef=".5"/></fixed>
 <spatial name="t" range="0 2"><site site="w"/><geom geom="post"/><site site="sa"/><site site="sb"/></spatial></tendon>"""

TARGETS = (
    'joint="h"', 'joint="s"', 'joint="ball"', 'joint="free"', 'jointinparent="ball"', 'jointinparent="h"', 'tendon="f"',
    'tendon="t"', 'site="sb"', 'site="sb" refsite="w"', 'cranksite="sa" slidersite="w" cranklength=".7"', 'body="c"',
)  # fmt: skip
SHORTCUTS = {
    "motor": (),
    "position": ('kp="{p}"', 'kv="{p}"', 'dampratio="{p}"', 'timeconst="{p}"', 'timeconst="0"', 'inheritrange="{p}"'),
    "velocity": ('kv="{p}"',),
    "intvelocity": ('kp="{p}"', 'kv="{p}"', 'dampratio="{p}"', 'inheritrange="{p}"', 'actrange="-{p} 1"'),
    "damper": ('kv="{p}"', 'ctrlrange="0 {p}"'),
    "cylinder": ('timeconst="{p}"', 'area="{p}"', 'diameter="{p}"'),
    "muscle": ('timeconst="{p} .2"', 'tausmooth="{p}"', 'range=".7 1.{d}"', 'force="{p}"', 'scale="{p}"', 'lmin=".{d}"',
               'lmax="1.{d}"', 'vmax="{p}"', 'fpmax="{p}"', 'fvmax="{p}"'),
    "adhesion": ('gain="{p}"', 'ctrlrange="0 {p}"'),
    "general": ('gainprm="{p} 1 {p}"', 'biasprm="{n} {n} {p}"', 'gaintype="affine"', 'biastype="affine"', 'gainprm="{p}"',
                'dyntype="filter"', 'dyntype="filterexact"', 'dyntype="integrator"', 'dynprm="{p}"', 'biasprm="0 -{q} {p}"',
                'dyntype="user" actdim="{d}"', 'actearly="true"', 'gaintype="muscle"', 'biastype="muscle"', 'dyntype="muscle"',
                'gainprm="{q}"', 'biastype="user"', 'gaintype="user"'),
}  # fmt: skip
COMMON = (
    'gear="{n} {p} {n}"', 'gear="-2"', 'group="{d}"', 'forcerange="-{p} {p}"', 'ctrlrange="-{p} {p}"', 'ctrllimited="false"',
    'lengthrange="0 {p}"', 'forcelimited="false" forcerange="-1 1"',
)  # fmt: skip


def _filled(rng: Rng, text: str) -> str:
    p, n = round(float(rng.uniform(0.05, 3)), 3), round(float(rng.normal()), 3)
    return text.format(p=p, n=n, d=int(rng.integers(1, 5)), q=2.5)


def _attributes(rng: Rng, shortcut: str, common: bool = True) -> str:
    """A few attributes, no two of them with one name."""
    chosen: dict[str, str] = {}
    for words in (SHORTCUTS[shortcut], COMMON if common else ()):
        for text in words:
            names = [word.split("=")[0] for word in text.split() if "=" in word]
            if rng.random() < 0.3 and not chosen.keys() & set(names):
                chosen |= dict.fromkeys(names, "")
                chosen[names[0]] = _filled(rng, text)
    if shortcut in ("damper", "adhesion"):
        chosen.pop("ctrllimited", None)
        chosen.setdefault("ctrlrange", 'ctrlrange="0 1"')
    if shortcut == "adhesion":
        for name in ("gear", "lengthrange"):
            chosen.pop(name, None)
    return " ".join(text for text in chosen.values() if text)


def _actuators(rng: Rng) -> str:
    found = ""
    for used in ('class="x"', ""):
        shortcut = rng.choice(list(SHORTCUTS))
        target = (
            'body="c"' if shortcut == "adhesion" else rng.choice(TARGETS[:-1] if shortcut != "general" else TARGETS)
        )
        found += f"<{shortcut} {target} {_attributes(rng, shortcut)} {used}/>"
    return found


@pytest.mark.parametrize("first", range(0, 300, 30))
def test_shortcuts(first):
    taken = 0
    for seed in range(first, first + 30):
        rng = np.random.default_rng(seed)
        shortcuts = rng.choice([s for s in SHORTCUTS if s != "adhesion"], 2, replace=False)
        own = "".join(f"<{shortcut} {_attributes(rng, shortcut, False)}/>" for shortcut in shortcuts)
        own = re.sub('tausmooth="[^"]*"', "", own)
        text = (
            f'<mujoco><compiler><lengthrange mode="none"/></compiler><default><default class="x">{own}</default></default>'
            f"{WORLD}<actuator>{_actuators(rng)}</actuator></mujoco>"
        )
        agree(text)
        taken += isinstance(reference(text), mujoco.MjModel)
    assert taken > 8


@pytest.mark.parametrize("seed", range(8))
def test_length_ranges_of_random_settings(seed):
    rng = np.random.default_rng(seed)
    settings = [
        text
        for text in (
            'accel="{p}"',
            'maxforce="{p}"',
            'timeconst="{t}"',
            'timestep=".004"',
            'inttotal="8"',
            'interval="1"',
        )
        if rng.random() < 0.5
    ]
    inside = " ".join(settings).format(p=round(rng.uniform(5, 30), 2), t=rng.choice([0.001, 0.5, 2.0]))
    integrator = rng.choice(["Euler", "implicitfast", "implicit", "RK4"])
    flag = rng.choice(["eulerdamp", "limit", "warmstart", "refsafe", "filterparent"])
    text = f"""<mujoco><compiler><lengthrange {inside} tolrange=".2"/></compiler>
<option integrator="{integrator}"><flag {flag}="disable"/></option>{WORLD}
<actuator><muscle tendon="t"/><muscle tendon="f" gear="2"/><muscle joint="s" gear="-3"/></actuator></mujoco>"""
    theirs = mujoco.MjModel.from_xml_string(text)
    ours = kinetree.load_string(text)
    np.testing.assert_allclose(ours.actuator_lengthrange, theirs.actuator_lengthrange, rtol=1e-4, atol=1e-4)
