"""Inertia that is written out is that which the compiler computed."""

from __future__ import annotations

import numpy as np
import pytest

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Node
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.editing.tools.inertia import from_geoms, write_inertia
from tests.conftest import ROOT, SHARED
from tests.corpus import listed
from tests.engine.editing.structural import Edited

OWN = sorted((ROOT / "resources" / "models").glob("*.xml"))
CORPUS = [each.path for each in listed(SHARED / "corpus") if each.loads == "yes"][::17]

TEXT = """<mujoco>
  <compiler SETTINGS/>
  <worldbody>
    <body name="a" pos="0 0 1" euler="10 20 30">
      <FREE/>
      <geom type="box" size=".1 .2 .3" pos=".1 .2 0" euler="10 0 40"/>
      <geom size=".1" pos="0 0 .5" group="3"/>
      BODY
    </body>
  </worldbody>
</mujoco>
"""
BODY = '<body name="b"><joint/><geom type="capsule" size=".1 .3" axisangle="1 1 0 33"/></body>'


def document_with(settings: str = "", free: str = "freejoint", body: str = BODY) -> Edited:
    return Edited(text=TEXT.replace("SETTINGS", settings).replace("FREE", free).replace("BODY", body))


def bodies(document: Document, *names: str) -> list[Node]:
    return [node for node in document.merged.iter("body") if node.get("name") in names]


def inertia_of(model) -> dict[str, np.ndarray]:
    """Mass, centre and inertia matrix of each body."""
    from kinetree.engine.geometry.orientation import matrix

    turns = [np.array(matrix(tuple(quat))) for quat in model.body_iquat.tolist()]
    full = [turn @ np.diag(moments) @ turn.T for turn, moments in zip(turns, model.body_inertia, strict=True)]
    return {
        "mass": model.body_mass.copy(),
        "ipos": model.body_ipos.copy(),
        "full": np.array(full),
        "pos": model.body_pos,
    }


def assert_near(one, two) -> None:
    before, after = inertia_of(one), inertia_of(two)
    for name, value in before.items():
        scale = 1e-9 * np.abs(value).max(initial=1e-12)
        np.testing.assert_allclose(value, after[name], rtol=1e-9, atol=scale, err_msg=name)


@pytest.mark.parametrize(
    "settings",
    ["", 'balanceinertia="true"', 'boundmass="9" boundinertia="0.5"', 'alignfree="true"', 'settotalmass="7"'],
)
@pytest.mark.parametrize("body", ["", BODY])
def test_the_compiled_inertia_stays(settings, body):
    edited = document_with(settings, body=body)
    model = compile_document(edited.document).model
    edited.project.apply("Write", write_inertia(edited.document, bodies(edited.document, "a", "b"), model))
    assert edited.project.text(edited.path).count("<inertial") == 1 + bool(body)
    assert_near(model, compile_document(edited.document).model)
    with pytest.raises(CannotEdit, match="already"):
        write_inertia(edited.document, bodies(edited.document, "a"), model)
    edited.project.apply("Back", from_geoms(edited.document, bodies(edited.document, "a", "b")))
    assert edited.data() == edited.before


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ('inertiafromgeom="true"', "no <inertial> is used"),
        ('settotalmass="7"', "scales all masses"),
        ('fusestatic="true"', "added other bodies"),
    ],
)
def test_what_would_change_the_model_is_refused(settings, why):
    static = '<body name="s"><geom size=".1"/></body>'
    edited = document_with(settings, body=static + BODY)
    model = compile_document(edited.document).model
    with pytest.raises(CannotEdit, match=why):
        write_inertia(edited.document, bodies(edited.document, "a"), model)


def test_a_body_keeps_a_mass():
    inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    edited = document_with(body=f'<body name="b">{inertial}<joint/><geom size=".1" density="0"/></body>')
    with pytest.raises(CannotEdit, match="no geom with mass"):
        from_geoms(edited.document, bodies(edited.document, "b"))
    with pytest.raises(CannotEdit, match="no <inertial>"):
        from_geoms(edited.document, bodies(edited.document, "a"))
    edited = document_with('inertiafromgeom="false"', body=BODY.replace("<joint/>", inertial + "<joint/>"))
    with pytest.raises(CannotEdit, match="geoms have no mass"):
        from_geoms(edited.document, bodies(edited.document, "b"))


@pytest.mark.parametrize("path", [*OWN, *CORPUS], ids=lambda path: path.stem)
def test_the_inertia_of_models_stays(path):
    try:
        edited = Edited(str(path))
        if edited.document.root.tag != "mujoco" or path.stat().st_size > 60_000:
            return
        model = compile_document(edited.document).model
    except (ModelError, ValueError):
        return
    for node in list(edited.document.merged.iter("body"))[:4]:
        try:
            edits = write_inertia(edited.document, [node], model)
        except CannotEdit:
            continue
        edited.project.apply("Write", edits)
        assert_near(model, compile_document(edited.document).model)
        edited.project.undo()
