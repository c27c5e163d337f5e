"""The bundled examples of other formats: they load without a warning, move, and are saved byte by byte."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import CannotSave
from kinetree.engine.document.change import set_attribute
from kinetree.engine.document.document import Document
from kinetree.engine.storage.saving import save
from tests.oracle.compiled import differences

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "models" / "formats"
PATHS = sorted(path for path in FOLDER.iterdir() if path.is_file())


def test_these_are_all():
    assert [path.name for path in PATHS] == ["carousel.xml", "mobile.urdf"]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_loads_and_moves(path):
    compiled = compile_document(Document.load(path))
    assert not [item for item in compiled.diagnostics if item.severity != "info"]
    model = compiled.model
    data = kinetree.Data(model)
    kinetree.step(model, data, round(8 / model.opt.timestep))
    assert np.isfinite(data.qpos).all()
    assert 1e-3 < np.abs(data.qvel).max() < 50


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_bytes_survive(path):
    document = Document.load(path)
    assert document.save_bytes() == path.read_bytes()
    node = next(node for node in document.root.iter() if node.get("mass") or node.tag == "mass")
    name = "mass" if node.get("mass") else "value"
    old = node.attribute(name).value_span
    after = document.with_edits(set_attribute(node, name, "0.125"))
    text = document.source.text
    assert after.source.text == text[: old.start] + "0.125" + text[old.end :]
    assert kinetree.load_string(after.source.text).body_mass.sum() != kinetree.load(path).body_mass.sum()


def test_the_mobile_is_the_reference_s_but_for_its_gears():
    ours, theirs = (
        kinetree.load(FOLDER / "mobile.urdf"),
        mujoco.MjModel.from_xml_path(str(FOLDER / "mobile.urdf")),
    )
    assert ours.neq == 1
    text = (FOLDER / "mobile.urdf").read_text(encoding="utf-8").replace('<mimic joint="left" multiplier="-1"/>', "")
    assert not differences(kinetree.load_string(text), theirs)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_converted_to_mjcf_it_is_the_same_model(path, tmp_path):
    model = kinetree.load(path)
    save(model, str(tmp_path / "out.xml"))
    assert not differences(model, mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml")))
    assert not differences(kinetree.load(tmp_path / "out.xml"), mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml")))


def test_what_mjcf_cannot_say_is_not_converted(tmp_path):
    text = (
        '<x_xy name="m"><worldbody><body name="b" joint="spherical" damping="1 2 3"><geom type="sphere" dim="1" mass="1"/>'
        "</body></worldbody></x_xy>"
    )
    model = kinetree.load_string(text)
    assert model.dof_damping.tolist() == [1, 2, 3]
    with pytest.raises(CannotSave, match="one number for damping"):
        save(model, str(tmp_path / "out.xml"))
