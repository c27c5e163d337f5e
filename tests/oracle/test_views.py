"""Objects by name have MuJoCo's attributes, with its shapes and numbers (engine/model/views.py)."""

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.model.kinds import KINDS
from tests.oracle.model_gaps import BUNDLED

OTHER = {
    ("Model", "texture", "data"): "ours are bytes in a row",
    ("Model", "body", "simple"): "ours has another value where a body is a composite's",
    ("Data", "actuator", "moment"): "compressed rows",
    ("Data", "tendon", "J"): "compressed rows",
    ("Data", "tendon", "J_colind"): "a field of Model",
    ("Data", "tendon", "J_rowadr"): "a field of Model",
    ("Data", "tendon", "J_rownnz"): "a field of Model",
    ("Model", "joint", "bodyid"): "ours is one number, that of the joint; theirs has one for each dof",
    ("Model", "joint", "solref"): "ours is that of the limit",
    ("Model", "joint", "solimp"): "ours is that of the limit",
    ("Data", "joint", "cdof"): "mujoco 3.3.4 reads from the wrong place",
    ("Data", "joint", "cdof_dot"): "mujoco 3.3.4 reads from the wrong place",
    ("Data", "joint", "qLDiagInv"): "of another factor",
}
"""Attributes that differ, with the reason."""
SHAPES_ONLY = ("Madr", "simplenum", "simple", "sameframe", "invweight0")
"""The tests of the compiler compare their numbers, with tolerances of their own."""


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_views_have_the_attributes_shapes_and_numbers_of_mujoco(path):
    path = str(path)
    model, theirs = kinetree.load(path), mujoco.MjModel.from_xml_path(path)
    data, other = kinetree.Data(model), mujoco.MjData(theirs)
    kinetree.forward(model, data)
    mujoco.mj_forward(theirs, other)
    compared = 0
    for mine, its in ((model, theirs), (data, other)):
        for kind in KINDS:
            if not hasattr(its, kind) or not callable(getattr(its, kind)):
                continue
            for id in range(KINDS[kind].count(model)):
                view, reference = getattr(mine, kind)(id), getattr(its, kind)(id)
                assert view.name == reference.name
                for attribute in dir(reference):
                    if attribute.startswith("_") or (mine.kind, kind, attribute) in OTHER:
                        continue
                    expected = np.asarray(getattr(reference, attribute))
                    if expected.dtype.kind not in "biuf" or attribute == "id":
                        continue
                    found = getattr(view, attribute)
                    assert found.shape == expected.shape, (kind, attribute)
                    if attribute not in SHAPES_ONLY:
                        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8, err_msg=f"{kind}.{attribute}")
                    compared += 1
    assert compared > 300
