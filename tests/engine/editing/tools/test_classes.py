"""Default classes that are made and dissolved leave the compiled model as it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.files import read_file
from kinetree.engine.document.project import Project
from kinetree.engine.editing.tools.classes import NoClass, common, extract, inline
from kinetree.engine.model.fields import TABLES
from tests.conftest import ROOT, SHARED
from tests.corpus import listed

OWN = sorted((ROOT / "resources" / "models").glob("*.xml"))
CORPUS = [each.path for each in listed(SHARED / "corpus") if each.family == "files" and each.loads == "yes"]


def project_of(text: str, tmp_path: Path) -> Project:
    path = tmp_path / "model.xml"
    path.write_text(text)
    return opened(path)


def opened(path: Path) -> Project:
    project = Project()
    project.open(read_file(path))
    while project.wanted:
        project.provide(*map(read_file, project.wanted))
    return project


def document_of(project: Project) -> Document:
    return project.snapshot(project.documents[0]).document


def assert_same(one, two) -> None:
    for field in TABLES["Model"]:
        values = [np.asarray(getattr(model, field.name)) for model in (one, two)]
        np.testing.assert_array_equal(*values, err_msg=field.name)


TEXT = """<mujoco>
  <compiler angle="radian"/>
  <default>
    <geom friction="0.5"/>
    <default class="outer">
      <geom rgba="1 0 0 1" size="0.3 0.2 0.1"/>
      <default class="inner">
        <geom density="500"/>
        <joint damping="1"/>
      </default>
    </default>
  </default>
  <worldbody>
    <body name="a" childclass="outer">
      <geom name="one" type="box" size="0.2" condim="4"/>
      <body name="b"><joint class="inner"/><geom name="two" class="inner" type="box" condim="4"/></body>
    </body>
    <geom name="three" size="0.1"/>
  </worldbody>
</mujoco>
"""


def named(document: Document, *names: str):
    return [next(node for node in document.root.iter() if node.get("name") == name) for name in names]


def test_a_class_is_dissolved_into_what_uses_it(tmp_path):
    project = project_of(TEXT, tmp_path)
    document = document_of(project)
    before = compile_document(document).model
    outer = next(node for node in document.root.iter("default") if node.get("class") == "outer")
    project.apply("Dissolve", inline(document, outer))
    assert_same(before, compile_document(document_of(project)).model)
    text = project.text(project.documents[0])
    assert '<geom name="one" type="box" size="0.2 0.2 0.1" condim="4" rgba="1 0 0 1"/>' in text
    assert "outer" not in text and '<default class="inner">' in text
    project.undo()
    assert project.text(project.documents[0]) == TEXT


def test_what_elements_have_in_common_becomes_a_class(tmp_path):
    text = """<mujoco>
  <worldbody>
    <geom name="a" size="0.1" rgba="1 0 0 1" friction="0.2"/>
    <geom name="b" size="0.2" rgba="1 0 0 1" friction="0.2" pos="1 0 0"/>
  </worldbody>
</mujoco>
"""
    project = project_of(text, tmp_path)
    document = document_of(project)
    geoms = named(document, "a", "b")
    assert common(document, geoms) == {"rgba": "1 0 0 1", "friction": "0.2"}
    before = compile_document(document).model
    project.apply("Extract", extract(document, geoms, "red", ["rgba"]))
    assert_same(before, compile_document(document_of(project)).model)
    assert project.text(project.documents[0]).splitlines()[1:10] == [
        "  <default>",
        '    <default class="red">',
        '      <geom rgba="1 0 0 1"/>',
        "    </default>",
        "  </default>",
        "  <worldbody>",
        '    <geom name="a" size="0.1" friction="0.2" class="red"/>',
        '    <geom name="b" size="0.2" friction="0.2" pos="1 0 0" class="red"/>',
        "  </worldbody>",
    ]


def test_elements_of_several_files_get_a_class_in_common(tmp_path):
    for name, tag in (("one", "a"), ("two", "b")):
        text = f'<mujocoinclude>\n  <geom name="{tag}" size="0.1" condim="1"/>\n</mujocoinclude>\n'
        (tmp_path / f"{name}.xml").write_text(text)
    (tmp_path / "classes.xml").write_text(
        '<mujocoinclude>\n  <default><geom density="5"/></default>\n</mujocoinclude>\n'
    )
    text = """<mujoco>
  <include file="classes.xml"/>
  <worldbody><include file="one.xml"/><include file="two.xml"/></worldbody>
</mujoco>
"""
    project = project_of(text, tmp_path)
    document = document_of(project)
    before = compile_document(document).model
    geoms = [node for root in document.trees.values() for node in root.iter("geom") if node.get("name")]
    assert common(document, geoms) == {"size": "0.1", "condim": "1"}
    project.apply("Extract", extract(document, geoms, "small", ["size", "condim"]))
    assert_same(before, compile_document(document_of(project)).model)
    texts = [project.text(tmp_path / f"{name}.xml") for name in ("classes", "one", "two")]
    assert '<default class="small">\n    <geom size="0.1" condim="1"/>\n  </default></default>' in texts[0]
    assert '<geom name="a" class="small"/>' in texts[1] and '<geom name="b" class="small"/>' in texts[2]
    assert project.text(project.documents[0]) == text
    small = next(node for root in document_of(project).trees.values() for node in root.iter() if node.get("class"))
    project.apply("Dissolve", inline(document_of(project), small))
    assert_same(before, compile_document(document_of(project)).model)


@pytest.mark.parametrize(
    ("names", "name", "attributes", "message"),
    [
        (("one", "a"), "x", ["pos"], "one kind"),
        (("a", "b"), "x", ["pos"], "takes nothing"),
        (("one", "three"), "x", ["size"], "several default classes: main, outer"),
        (("one",), "inner", ["condim"], "already"),
        (("one",), " ", ["condim"], "needs a name"),
        (("one",), "x", ["rgba"], "do not have rgba in common"),
        (("one",), "x", [], "anything in common"),
    ],
)
def test_what_cannot_be_is_refused_in_words(names, name, attributes, message, tmp_path):
    document = document_of(project_of(TEXT, tmp_path))
    with pytest.raises(NoClass, match=message):
        extract(document, named(document, *names), name, attributes)


def test_the_outermost_class_stays(tmp_path):
    document = document_of(project_of(TEXT, tmp_path))
    with pytest.raises(NoClass, match="outermost"):
        inline(document, next(document.root.iter("default")))


@pytest.mark.parametrize("path", [*OWN, *CORPUS[::9]], ids=lambda path: path.name)
def test_every_class_of_a_model_can_be_dissolved(path):
    project = opened(path)
    before = compile_document(document_of(project)).model
    for _ in range(40):
        document = document_of(project)
        classes = [node for node in document.merged.iter("default") if node.parent.tag == "default"]
        if not classes:
            break
        project.apply("Dissolve", inline(document, classes[0]))
    assert_same(before, compile_document(document_of(project)).model)
    if project.undo_name is not None:
        texts = {name: Path(name).read_bytes() for name in project.files}
        while project.undo() is not None:
            pass
        assert {name: project.source(name).data for name in project.files} == texts


@pytest.mark.parametrize("path", [*OWN, *CORPUS[1::9]], ids=lambda path: path.name)
def test_what_siblings_have_in_common_can_be_extracted(path):
    project = opened(path)
    document = document_of(project)
    before = compile_document(document).model
    done = 0
    for parent in list(document.merged.iter()):
        for tag in {child.tag for child in parent.children}:
            document = document_of(project)
            now = next((node for node in document.merged.iter(parent.tag) if node.id == parent.id), None)
            nodes = [child for child in now.children if child.tag == tag] if now is not None else []
            try:
                shared = common(document, nodes) if len(nodes) > 1 else {}
            except NoClass:
                continue
            if shared and done < 5:
                done += 1
                project.apply("Extract", extract(document, nodes, f"extracted {done}", list(shared)))
    try:
        after = compile_document(document_of(project)).model
    except ModelError as error:
        pytest.fail(str(error))
    assert_same(before, after)
