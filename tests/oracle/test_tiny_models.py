"""The small models of tests/data/models are sound: the reference takes them and no step of it warns."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

MODELS = sorted((Path(__file__).resolve().parent.parent / "data" / "models").glob("*.xml"))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_reference_runs_it(path: Path) -> None:
    model = mujoco.MjModel.from_xml_path(str(path))
    assert path.read_text().startswith("<!-- "), "say in the first line what it exercises"
    data = mujoco.MjData(model)
    for key in range(-1, model.nkey):
        if key < 0:
            mujoco.mj_resetData(model, data)
        else:
            mujoco.mj_resetDataKeyframe(model, data, key)
        mujoco.mj_step(model, data, 200)
        assert np.isfinite(data.qpos).all()
        assert not any(warning.number for warning in data.warning)
