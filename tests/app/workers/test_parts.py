"""Files that are only part of a model, in the compile thread."""

import queue

import pytest

from kinetree.app.workers.compile_thread import CompileThread
from kinetree.app.workers.compiling import CompileRequest
from kinetree.engine.assist.surroundings import ModelFinder
from kinetree.engine.document.document import Document
from tests.patience import LIMIT

WHOLE = """<mujoco>
  <default><default class="steel"><geom density="7800"/></default></default>
  <asset><material name="red" rgba="1 0 0 1"/></asset>
  <worldbody><include file="arm.xml"/></worldbody>
</mujoco>
"""
ARM = """<mujocoinclude>
  <body name="arm"><joint/><geom class="steel" material="red" size=".1"/></body>
</mujocoinclude>
"""


@pytest.fixture
def compiled():
    """compiled(path, **request): the result of the compile thread for a file, and the findings after the checks."""
    results, checked = queue.Queue(), queue.Queue()
    thread = CompileThread(results.put, lambda *_: None, checked=lambda version, items: checked.put((version, items)))
    thread.start()
    surroundings = ModelFinder()

    def compile_(path, **request):
        version = thread.submit(CompileRequest(str(path), surroundings=lambda: surroundings, **request))
        result = results.get(timeout=LIMIT)
        assert result.version == version
        return result

    compile_.checked = checked
    yield compile_
    thread.stop()
    thread.join(LIMIT)


def errors(result):
    return [item for item in result.diagnostics if item.severity.value == "error"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "robot.xml").write_text(WHOLE)
    (tmp_path / "arm.xml").write_text(ARM)
    return tmp_path


def test_a_part_has_the_findings_of_the_model_around(folder, compiled):
    arm = folder / "arm.xml"
    result = compiled(arm, fresh=True)
    assert not errors(result) and result.model is None and result.around is None
    assert [model.main_file for model in result.models] == [str(folder / "robot.xml")]
    note = result.diagnostics[0]
    assert (note.severity.value, note.code, note.line) == ("info", "part-of-model", 1)
    assert "'robot.xml'" in note.message and str(folder / "robot.xml") in result.files
    arm.write_text(ARM.replace('"red"', '"blue"').replace('size=".1"', 'size=".1" frction="1"'))
    result = compiled(arm, fresh=True)
    assert sorted(item.code for item in errors(result)) == ["undefined-reference", "unknown-attribute"]
    assert {item.file for item in result.diagnostics} == {str(arm)}


def test_what_the_checks_find_in_a_part_comes_afterwards(folder, compiled):
    (folder / "robot.xml").write_text(WHOLE.replace('rgba="1 0 0 1"/>', 'rgba="1 0 0 1"/><material name="grey"/>'))
    (folder / "arm.xml").write_text(ARM.replace('class="steel"', 'density="3e6"'))
    result = compiled(folder / "arm.xml", fresh=True)
    assert not errors(result)
    version, items = compiled.checked.get(timeout=LIMIT)
    # Not the model's "unused-asset", which is about another file.
    assert version == result.version and [item.code for item in items] == ["part-of-model", "implausible-density"]
    assert {item.file for item in items} == {str(folder / "arm.xml")}


def test_edits_and_open_texts_count(folder, compiled):
    arm, robot = folder / "arm.xml", folder / "robot.xml"
    compiled(arm, fresh=True)
    document = Document.load(arm).with_text(ARM.replace('"red"', '"green"'))
    assert any("green" in item.message for item in errors(compiled(arm, document=document)))
    edited = Document.load(robot).with_text(WHOLE.replace('"red"', '"green"'))
    texts = {str(robot): edited.parsed_of(robot)}
    assert not errors(compiled(arm, document=document, texts=texts))
    # The model no longer includes it: what it refers to is missing.
    edited = Document.load(robot).with_text(WHOLE.replace('<include file="arm.xml"/>', ""))
    result = compiled(arm, document=document, texts={str(robot): edited.parsed_of(robot)})
    assert errors(result) and not result.models


def test_a_model_that_stands_alone_is_no_part(folder, compiled):
    (folder / "robot.xml").write_text('<mujoco><worldbody><body><geom size="1"/></body></worldbody></mujoco>')
    (folder / "scene.xml").write_text('<mujoco><include file="robot.xml"/></mujoco>')
    result = compiled(folder / "robot.xml", fresh=True)
    assert result.model is not None and not result.models and not result.diagnostics


def test_a_part_with_nothing_to_show_is_one_though_it_compiles(folder, compiled):
    (folder / "looks.xml").write_text('<mujoco><asset><material name="grey"/></asset></mujoco>')
    (folder / "scene.xml").write_text('<mujoco><include file="looks.xml"/></mujoco>')
    result = compiled(folder / "looks.xml", fresh=True)
    assert result.model is not None and [model.main_file for model in result.models] == [str(folder / "scene.xml")]


def test_errors_elsewhere_in_the_model_are_named_in_the_note(folder, compiled):
    (folder / "robot.xml").write_text(WHOLE.replace("7800", "heavy"))
    result = compiled(folder / "arm.xml", fresh=True)
    assert not errors(result) and "'robot.xml', line 2" in result.diagnostics[0].message


def test_a_file_that_nothing_includes_keeps_its_errors(tmp_path, compiled):
    (tmp_path / "arm.xml").write_text(ARM)
    result = compiled(tmp_path / "arm.xml", fresh=True)
    assert errors(result) and not result.models
