"""One table tells everything about the types of sensors."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics import forward
from kinetree.engine.jit.kernel import find
from kinetree.engine.model import enums
from kinetree.engine.model.sensors import SENSORS, SensedKind, by_type
from tests.conftest import ROOT
from tests.patience import LIMIT


def test_a_made_up_sensor_needs_one_row_and_a_kernel(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "tests.engine.model.made_up_sensor"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=LIMIT)
    assert (done.returncode, done.stdout) == (0, "all is well\n"), done.stderr


def test_every_number_of_a_type_has_one_row() -> None:
    numbers = {value: name for name, value in vars(enums).items() if name.startswith("SENS_")}
    assert set(by_type()) == set(numbers) and len(SENSORS) == len(numbers)


def test_every_kernel_exists_and_runs_after_its_stage() -> None:
    stages = {"POS": forward.POSITION, "VEL": forward.VELOCITY, "ACC": forward.ACCELERATION}
    for row in SENSORS.values():
        if row.kernel:
            assert callable(find(row.kernel))
            name = next(name for name in stages if getattr(enums, f"STAGE_{name}") == row.stage)
            assert sum(getattr(stage, "where", "") == row.kernel for stage in stages[name]) == 1, row.tag


def test_help_names_the_unit() -> None:
    for row in SENSORS.values():
        assert row.help_text == row.help or "({unit})" in row.help
        assert "()" not in row.help_text
    assert SENSORS["jointpos"].help_text == "Position of a hinge or slide (rad or m)."
    assert SENSORS["framelinacc"].help_text.endswith("(m/s^2).")


@pytest.mark.parametrize("slides", [False, True])
def test_units_follow_the_joint(slides: bool) -> None:
    assert SENSORS["jointlimitfrc"].unit_of(slides) == ("N" if slides else "N m")
    assert SENSORS["clock"].unit_of(slides) == "s"


def test_every_target_is_used_or_accepted_by_the_schema() -> None:
    from kinetree.engine.mjcf.schema_table_mechanism import _SENSORS

    assert set(_SENSORS) == set(SensedKind)


def test_energy_is_still_there_for_all_sensors_of_its_stage() -> None:
    """Stages that only sensors read come before the energies are cleared."""
    names = [row.name for row in forward.POSITION]
    assert names.index("clear_energy") > max(i for i, name in enumerate(names) if name.startswith(("sensor_", "range")))
    text = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody><sensor><e_kinetic/></sensor></mujoco>"
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    data.qvel[0] = 1
    kinetree.forward(model, data)
    assert data.sensordata[0] == pytest.approx(model.body_mass[1] / 2) and not np.any(data.energy)
