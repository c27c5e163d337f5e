"""Model assets: places of errors, cycles, files, limits."""

from __future__ import annotations

import pytest

import kinetree
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from kinetree.engine.expand import models

KID = '<mujoco model="kid"><worldbody><body name="b"><geom name="g" size="1"/></body></worldbody></mujoco>'


def _main(folder, asset='<model name="kid" file="kid.xml"/>', world='<attach model="kid" prefix="p"/>'):
    path = folder / "main.xml"
    path.write_text(f"<mujoco><asset>{asset}</asset><worldbody>{world}</worldbody></mujoco>")
    return path


def _errors(path):
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load(path)
    return [item for item in caught.value.diagnostics if item.severity.value == "error"]


def test_files_are_watched(tmp_path):
    (tmp_path / "kid.xml").write_text('<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>')
    (tmp_path / "part.xml").write_text('<mujoco><geom size="1"/></mujoco>')
    compiled = compile_document(Document.load(_main(tmp_path)))
    assert {path.rpartition("/")[2] for path in map(str, compiled.files)} == {
        "main.xml",
        "kid.xml",
        "part.xml",
    }


def test_unsaved_text_counts(tmp_path):
    path = _main(tmp_path)
    (tmp_path / "kid.xml").write_text(KID)
    document = Document.load(path, {str(tmp_path / "kid.xml"): KID.replace('"b"', '"unsaved"')})
    assert compile_document(document).model.names["body"] == ["world", "punsaved"]


def test_errors_stand_where_they_are_made(tmp_path):
    (tmp_path / "kid.xml").write_text('<mujoco>\n<worldbody>\n<geom sise="1"/></worldbody></mujoco>')
    (error,) = _errors(_main(tmp_path))
    assert (error.file, error.line, error.column) == (str(tmp_path / "kid.xml"), 3, 7)


def test_a_missing_file_is_watched_and_guessed(tmp_path):
    (tmp_path / "kid.xml").write_text(KID)
    path = _main(tmp_path, '<model name="kid" file="kit.xml"/>')
    document = Document.load(path)
    with pytest.raises(kinetree.ModelError, match=r"did you mean kid\.xml"):
        compile_document(document)
    assert document.missing == [str(tmp_path / "kit.xml")]


@pytest.mark.parametrize("through", ["main.xml", "kid.xml", "./kid.xml"])
def test_cycles(tmp_path, through):
    (tmp_path / "kid.xml").write_text(
        f'<mujoco><asset><model name="again" file="{through}"/></asset><worldbody/></mujoco>'
    )
    (error, *_) = _errors(_main(tmp_path))
    assert error.code == "model-cycle"
    assert error.file == str(tmp_path / "kid.xml")


def test_many_models(tmp_path, monkeypatch):
    monkeypatch.setattr(models, "MAX_MODELS", 40)
    for i in range(30):
        twice = "".join(f'<model name="{n}" file="k{i + 1}.xml"/>' for n in "ab")
        (tmp_path / f"k{i}.xml").write_text(f"<mujoco><asset>{twice}</asset><worldbody/></mujoco>")
    (tmp_path / "k30.xml").write_text("<mujoco/>")
    assert [e.code for e in _errors(_main(tmp_path, '<model name="kid" file="k0.xml"/>'))] == ["too-many-models"]


def test_many_elements(tmp_path):
    for i in range(25):
        twice = "".join(f'<attach model="m" prefix="{n}"/>' for n in "ab")
        (tmp_path / f"k{i}.xml").write_text(
            f'<mujoco><asset><model name="m" file="k{i + 1}.xml"/></asset><worldbody>{twice}</worldbody></mujoco>'
        )
    (tmp_path / "k25.xml").write_text(KID)
    codes = [e.code for e in _errors(_main(tmp_path, '<model name="kid" file="k0.xml"/>'))]
    assert codes == ["too-many-elements"]
