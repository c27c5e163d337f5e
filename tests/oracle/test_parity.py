"""Every model that we accept is the model that the reference makes of it, and moves as there; or it is a known gap.

Of what the reference takes we refuse only what we name as not supported yet. `known_gaps.csv` lists the exceptions: path (below the clone or shared/corpus), part, reason. A gap that is there no
longer fails its test: take it off the list.
"""

from __future__ import annotations

import csv
from pathlib import Path

import mujoco
import pytest

import engine
from engine.diagnostics import Severity
from tests.conftest import ROOT, SHARED
from tests.corpus import listed
from tests.oracle import parity

CORPUS = SHARED / "corpus"
BUNDLED = sorted((ROOT / "resources" / "models").glob("*.xml"))
TINY = sorted((ROOT / "tests" / "data" / "models").glob("*.xml"))
FIRST_LIGHT = [
    CORPUS / "mujoco" / "model" / name
    for name in ("humanoid/humanoid.xml", "replicate/stonehenge.xml", "car/car.xml")
]
GAPS = Path(__file__).with_name("known_gaps.csv")


def _known_gaps() -> dict[tuple[str, str], str]:
    with GAPS.open(newline="") as file:
        return {(row["model"], row["part"]): row["reason"] for row in csv.DictReader(file)}


KNOWN = _known_gaps()


def _place(path: Path) -> str:
    base = CORPUS if CORPUS in path.parents else ROOT
    return path.relative_to(base).as_posix()


def _corpus() -> list[Path]:
    """Models that stand alone: those of the two indexes."""
    return [row.path for row in listed(CORPUS) if row.path not in FIRST_LIGHT]


@pytest.fixture(autouse=True)
def quiet_reference():
    """A model that goes bad warns in both; the reference would also write a log file beside us."""
    mujoco.set_mju_user_warning(lambda message: None)
    yield
    mujoco.set_mju_user_warning(None)


def _ours(path: Path) -> tuple[engine.Model | None, list]:
    try:
        return engine.load(path), []
    except engine.ModelError as error:
        return None, [item for item in error.diagnostics if item.severity is Severity.ERROR]


def _theirs(path: Path) -> tuple[mujoco.MjModel | None, str]:
    try:
        return mujoco.MjModel.from_xml_path(str(path)), ""
    except ValueError as error:
        return None, str(error).splitlines()[0]


def _check(path: Path, parts: tuple[str, ...]) -> None:
    place = _place(path)
    ours, errors = _ours(path)
    theirs, reason = _theirs(path)
    verdicts = {
        "accepted": ours is not None and theirs is None,
        "refused": ours is None and theirs is not None and {e.code for e in errors} != {"not-supported"},
    }
    for verdict, holds in verdicts.items():
        assert holds == ((place, verdict) in KNOWN), (verdict, reason, errors[:3])
    if ours is None or theirs is None:
        return
    wrong = {}
    for part in parts if not ours.unsimulated else ("compile",):
        bad = parity.differences(parity.PARTS[part](ours, theirs))
        if (place, part) in KNOWN:
            assert bad, f"{part} agrees now: remove it from known_gaps.csv"
        elif bad:
            wrong[part] = bad[:6]
    assert not wrong


def _id(path: Path) -> str:
    return _place(path).removesuffix(".xml")


@pytest.mark.parametrize("path", BUNDLED, ids=_id)
def test_bundled(path):
    _check(path, ("compile", "forward", "rollout"))


@pytest.mark.parametrize("path", FIRST_LIGHT, ids=lambda path: path.stem)
def test_first_light(path, shared):
    engine.load(path)
    _check(path, ("compile", "forward", "rollout"))


@pytest.mark.parametrize("path", TINY, ids=_id)
def test_tiny(path):
    _check(path, ("compile", "forward", "rollout"))


@pytest.mark.slow
@pytest.mark.parametrize("path", _corpus(), ids=_id)
def test_corpus(path):
    _check(path, ("compile", "forward"))


def test_gaps_are_of_models_that_exist():
    for (model, part), reason in KNOWN.items():
        assert part in {*parity.PARTS, "accepted", "refused"}
        assert reason.strip()
        if not (ROOT / model).exists() and CORPUS.is_dir():
            assert (CORPUS / model).exists(), model


def test_a_difference_shows():
    """The comparison is no rubber stamp: another mass, gravity or name is a difference."""
    text = (
        "<mujoco><option gravity='0 0 {g}'/><worldbody><body name='{name}'><joint axis='0 1 0'/>"
        "<geom size='.1' pos='.2 0 0' mass='{mass}'/></body></worldbody></mujoco>"
    )
    theirs = mujoco.MjModel.from_xml_string(text.format(g=-9.81, name="a", mass=1))
    same = engine.load_string(text.format(g=-9.81, name="a", mass=1))
    for part in parity.PARTS.values():
        assert not parity.differences(part(same, theirs))
    heavier = engine.load_string(text.format(g=-9.81, name="a", mass=1.001))
    assert "body_mass" in " ".join(parity.differences(parity.compiled(heavier, theirs)))
    assert "M" in " ".join(parity.differences(parity.forward(heavier, theirs)))
    renamed = engine.load_string(text.format(g=-9.81, name="b", mass=1))
    assert parity.differences(parity.compiled(renamed, theirs)) == ["names.body xinf"]
    weaker = engine.load_string(text.format(g=-9, name="a", mass=1))
    assert parity.differences(parity.rollout(weaker, theirs))
