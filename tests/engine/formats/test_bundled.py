"""The bundled examples of other formats: they load without a warning, move, and are saved byte by byte."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import engine
from engine.compile.compiler import compile_document
from engine.document.change import set_attribute
from engine.document.document import Document
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
    data = engine.Data(model)
    engine.step(model, data, round(8 / model.opt.timestep))
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
    assert engine.load_string(after.source.text).body_mass.sum() != engine.load(path).body_mass.sum()


def test_the_mobile_is_the_reference_s_but_for_its_gears():
    ours, theirs = (
        engine.load(FOLDER / "mobile.urdf"),
        mujoco.MjModel.from_xml_path(str(FOLDER / "mobile.urdf")),
    )
    assert ours.neq == 1
    text = (
        (FOLDER / "mobile.urdf")
        .read_text(encoding="utf-8")
        .replace('<mimic joint="left" multiplier="-1"/>', "")
    )
    assert not differences(engine.load_string(text), theirs)
