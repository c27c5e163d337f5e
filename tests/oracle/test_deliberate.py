"""Both sides still do what the table of deliberate differences says of them."""

from __future__ import annotations

import subprocess
import sys

import mujoco
import numpy as np
import pytest

import kinetree
from tests.patience import LIMIT

from .compiled import differences
from .deliberate import TABLE, Difference


def _write(row: Difference, folder) -> str:
    for name, contents in row.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
    return str(folder / next(iter(row.files)))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_difference(row, tmp_path):
    path = _write(row, tmp_path)
    if row.code:
        with pytest.raises(kinetree.ModelError) as caught:
            kinetree.load(path)
        assert {item.code for item in caught.value.diagnostics if item.severity.value == "error"} == {row.code}
        assert all(item.line for item in caught.value.diagnostics)
    else:
        ours = kinetree.load(path)
    if row.endless:
        return
    if row.dies:
        ask = f"import mujoco; mujoco.MjModel.from_xml_path({path!r})"
        assert subprocess.run([sys.executable, "-c", ask], capture_output=True, timeout=LIMIT).returncode not in (0, 1)
        return
    if row.accepted:
        with pytest.raises(ValueError):
            mujoco.MjModel.from_xml_path(path)
        return
    theirs = mujoco.MjModel.from_xml_path(path)
    if row.fields or row.others:
        found = differences(ours, theirs)
        assert set(found) == {*row.fields, *row.others}
        for name, sides in row.fields.items():
            for model, numbers in zip((ours, theirs), sides, strict=True):
                first = np.ravel(getattr(model, name))[: len(numbers)]
                np.testing.assert_allclose(first, numbers, atol=1e-9, err_msg=name)
