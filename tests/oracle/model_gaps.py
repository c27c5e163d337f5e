"""All that is compared of a model file: what both compile, write, compute and move. Gaps by part and field.

The parts: "accepted" and "refused" (by us alone), "compiled", "written" (and read again), "kinematics", "forward" and
"rollout". What is not simulated yet ends with "kinematics".
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from pathlib import Path

import mujoco

import kinetree
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.model import unsupported
from tests.conftest import ROOT, SHARED
from tests.corpus import listed
from tests.oracle import compiled, parity
from tests.oracle.written import round_trip

CORPUS = SHARED / "corpus"
BUNDLED = sorted((ROOT / "resources" / "models").glob("*.xml"))
TINY = sorted((ROOT / "tests" / "data" / "models").glob("*.xml"))
CORPUS_MODELS = [row.path for row in listed(CORPUS)]
MOVED = {
    "mujoco/model/humanoid/humanoid.xml",
    "mujoco/model/replicate/stonehenge.xml",
    "mujoco/model/car/car.xml",
}
"""Models of the corpus whose motion is compared too; of the bundled and the tiny ones it always is."""
DENSE = {"mujoco/model/flex/gripper.xml"}
"""Models whose dynamics are compared with dense Jacobians: with sparse ones the reference computes torques of contacts of
condim 4 and 6 with flexes from memory that nothing was written to (test_flex_contacts.py: test_spinning_and_rolling).
A step takes the reference a second then: fewer states are compared."""
DENSE_STATES = 3


@dataclass(frozen=True)
class Pair:
    """A file as both compile it: a model, or what was said against it."""

    ours: kinetree.Model | None
    errors: list[Diagnostic]
    theirs: mujoco.MjModel | None
    refusal: str


def place(path: Path) -> str:
    """The path below the clone or the shared corpus."""
    return path.relative_to(CORPUS if CORPUS in path.parents else ROOT).as_posix()


def load(path: Path) -> Pair:
    ours, errors, theirs, refusal = None, [], None, ""
    try:
        ours = kinetree.load(path)
    except kinetree.ModelError as error:
        errors = [item for item in error.diagnostics if item.severity is Severity.ERROR]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            theirs = mujoco.MjModel.from_xml_path(str(path))
        except ValueError as error:
            refusal = str(error).splitlines()[0]
    return Pair(ours, errors, theirs, refusal)


def gaps_of(path: Path, folder: Path) -> dict[str, dict[str, float]]:
    """Part -> field -> gap. The folder is for written files."""
    pair = load(path)
    ours, theirs = pair.ours, pair.theirs
    unsupported_yet = {item.code for item in pair.errors} == {unsupported.REFUSED}
    gaps = {
        "accepted": {"": math.inf if ours is not None and theirs is None else 0.0},
        "refused": {"": math.inf if ours is None and theirs is not None and not unsupported_yet else 0.0},
    }
    if ours is not None:
        gaps["written"] = round_trip(ours, folder, theirs)
    if ours is None or theirs is None:
        return gaps
    gaps["compiled"] = compiled.gaps(ours, theirs)
    gaps["kinematics"] = parity.kinematics(ours, theirs)
    is_dense = place(path) in DENSE
    if is_dense:
        ours.opt.jacobian = theirs.opt.jacobian = int(mujoco.mjtJacobian.mjJAC_DENSE)
    if not ours.unsimulated:
        gaps["forward"] = parity.forward(ours, theirs, DENSE_STATES) if is_dense else parity.forward(ours, theirs)
        if CORPUS not in path.parents or place(path) in MOVED:
            gaps["rollout"] = parity.rollout(ours, theirs)
    return gaps
