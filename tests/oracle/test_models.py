"""Every model that we accept is the model that the reference makes of it, moves as there, and is the same when it is
written and read again; or the difference is a known gap (known_gaps.csv).

Of what the reference accepts we refuse only what is not supported yet.
"""

from __future__ import annotations

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

import kinetree
from tests.conftest import ROOT
from tests.oracle import compiled, known_gaps, parity
from tests.oracle.model_gaps import BUNDLED, CORPUS, CORPUS_MODELS, TINY, gaps_of, place

PARTS = {"accepted", "refused", "compiled", "written", "kinematics", "forward", "rollout"}


@pytest.fixture(autouse=True)
def quiet_reference():
    """A model that diverges warns in both; the reference would also write a log file beside us."""
    mujoco.set_mju_user_warning(lambda message: None)
    yield
    mujoco.set_mju_user_warning(None)


def check(path: Path, folder: Path) -> None:
    name, gaps = place(path), gaps_of(path, folder)
    found = [line for part in gaps for line in known_gaps.problems(name, part, gaps[part])]
    unused = {part for model, part in known_gaps.KNOWN if model == name} - set(gaps)
    assert not found and not unused, "\n".join([*found, *(f"{part} is not compared" for part in unused)])


def _id(path: Path) -> str:
    return place(path).removesuffix(".xml")


@pytest.mark.parametrize("path", [*BUNDLED, *TINY], ids=_id)
def test_our_models(path, tmp_path):
    check(path, tmp_path)


@pytest.mark.slow("every model of the corpus")
@pytest.mark.parametrize("path", CORPUS_MODELS, ids=_id)
def test_corpus(path, tmp_path):
    check(path, tmp_path)


def test_known_gaps_are_of_models_that_exist():
    for (model, part), fields in known_gaps.KNOWN.items():
        assert part in PARTS
        assert fields
        for name, gap in fields.items():
            assert gap.reason in known_gaps.REASONS, (model, name)
            assert not gap.bound <= 1.0, (model, name)
        if not (ROOT / model).exists() and CORPUS.is_dir():
            assert (CORPUS / model).exists(), model
    used = {gap.reason for fields in known_gaps.KNOWN.values() for gap in fields.values()}
    assert used == set(known_gaps.REASONS)


# ---- the comparison finds differences
# ----------------------------------------------------------------------------------

ARM = (
    "<mujoco><option gravity='0 0 {g}'/><worldbody><body name='{name}'><joint axis='0 1 0'/>"
    "<geom size='.1' pos='.2 0 0' mass='{mass}'/></body></worldbody></mujoco>"
)


def _ours(g=-9.81, name="a", mass=1.0) -> kinetree.Model:
    return kinetree.load_string(ARM.format(g=g, name=name, mass=mass))


def _bad(gaps: dict[str, float]) -> set[str]:
    return {name for name, gap in gaps.items() if not gap <= 1.0}


def test_a_difference_shows():
    """Another mass, gravity or name is a difference, and nothing else is."""
    theirs = mujoco.MjModel.from_xml_string(ARM.format(g=-9.81, name="a", mass=1))
    for part in (compiled.gaps, parity.kinematics, parity.forward, parity.rollout):
        assert not _bad(part(_ours(), theirs))
    assert "body_mass" in _bad(compiled.gaps(_ours(mass=1.001), theirs))
    assert {"M", "qfrc_bias"} <= _bad(parity.forward(_ours(mass=1.001), theirs))
    assert _bad(compiled.gaps(_ours(name="b"), theirs)) == {"names[body]"}
    assert _bad(parity.rollout(_ours(g=-9), theirs)) == {"qpos", "qvel"}
    moved = _ours()
    moved.body_pos[1] = 0.1
    assert "xpos" in _bad(parity.kinematics(moved, theirs))


def test_a_small_sensor_beside_a_large_one_is_compared():
    text = """<mujoco><worldbody><body><freejoint/><geom size=".1" mass="1e6"/><site name="s"/>
 <body pos="0 0 1"><joint name="j" axis="0 1 0"/><geom size=".01" pos=".1 0 0"/></body></body></worldbody>
 <sensor><force name="large" site="s"/><jointpos name="small" joint="j"/></sensor></mujoco>"""
    m = mujoco.MjModel.from_xml_string(text)
    model, d = kinetree.load_string(text), mujoco.MjData(m)
    data = kinetree.Data(model)
    d.qpos[-1] = data.qpos[-1] = 0.05
    mujoco.mj_forward(m, d)
    kinetree.forward(model, data)
    assert not _bad(parity.sensor_gaps(data, m, d))
    data.sensordata[model.sensor_adr[1]] += 1e-4
    assert _bad(parity.sensor_gaps(data, m, d)) == {"sensor small (jointpos)"}


GAP = {
    ("model.xml", "forward"): {
        "contact.pos": known_gaps.Gap(40.0, "same-place"),
        "M": known_gaps.Gap(math.nan, "singular"),
    }
}


@pytest.mark.parametrize(
    ("gaps", "found"),
    [
        ({"contact.pos": 30.0, "M": math.nan, "qfrc_bias": 0.5}, []),
        ({"contact.pos": 30.0, "M": math.nan, "qfrc_bias": 1.5}, ["qfrc_bias x1.5"]),
        ({"contact.pos": 41.0, "M": math.nan}, ["contact.pos x41, beyond its bound in known_gaps.csv, 40"]),
        ({"contact.pos": math.nan, "M": math.nan}, ["contact.pos xnan, beyond its bound in known_gaps.csv, 40"]),
        ({"contact.pos": 30.0, "M": math.inf}, ["M xinf, beyond its bound in known_gaps.csv, nan"]),
        ({"contact.pos": 0.9, "M": math.nan}, ["contact.pos agrees now: remove it from known_gaps.csv"]),
        ({"contact.pos": 30.0}, ["M agrees now: remove it from known_gaps.csv"]),
    ],
)  # fmt: skip
def test_a_known_gap_exempts_one_field_up_to_its_bound(gaps, found, monkeypatch):
    monkeypatch.setattr(known_gaps, "KNOWN", GAP)
    assert known_gaps.problems("model.xml", "forward", gaps) == [f"forward: {line}" for line in found]


def test_distances_of_what_is_not_finite():
    nan, inf = np.nan, np.inf
    assert compiled.distance([1, nan], [1, nan]) == 0
    assert math.isnan(compiled.distance([1, 2], [1, nan]))
    assert compiled.distance([1, nan], [1, 2]) == inf
    assert compiled.distance([2, 2], [1, nan]) == 1
    assert compiled.distance([1], [1, 2]) == inf
