"""The models near a file that include or attach it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kinetree.engine.assist import surroundings
from kinetree.engine.assist.surroundings import ModelFinder, SurveyResult
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.source import overlay_source

PART = '<mujoco><worldbody><body name="arm"/></worldbody></mujoco>'


def including(name: str) -> str:
    return f'<mujoco><include file="{name}"/><worldbody/></mujoco>'


def write(folder: Path, **texts: str) -> None:
    """Write files; a name has "__" for "/"."""
    for name, text in texts.items():
        path = folder / f"{name.replace('__', '/')}.xml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def opened(folder: Path, **texts: str) -> dict[str, ParsedSource]:
    paths = {str(folder / f"{name}.xml"): text for name, text in texts.items()}
    return {path: ParsedSource.parse(overlay_source(path, text)) for path, text in paths.items()}


def names(models: SurveyResult, folder: Path) -> list[str]:
    return [os.path.relpath(each.main_file, folder).removesuffix(".xml") for each in models.documents]


def look(folder: Path, path: str, **texts: str) -> SurveyResult:
    return ModelFinder().survey(opened(folder, **texts)).models(str(folder / f"{path}.xml"))


@pytest.mark.parametrize(
    ("model", "part", "name"),
    [
        ("scene", "arm", "arm.xml"),
        ("scene", "parts/arm", "parts/arm.xml"),
        ("scene", "parts/arm", r"parts\arm.xml"),
        ("scenes/scene", "parts/arm", "../parts/arm.xml"),
        ("scenes/scene", "parts/deep/arm", "./../parts/deep//arm.xml"),
    ],
)
def test_a_part_is_a_part_whatever_its_root(tmp_path: Path, model: str, part: str, name: str) -> None:
    write(tmp_path, **{part.replace("/", "__"): PART, model.replace("/", "__"): including(name), "other": PART})
    assert look(tmp_path, part).unknown == []
    assert names(look(tmp_path, part), tmp_path) == [model]
    assert names(look(tmp_path, model), tmp_path) == [model]
    assert names(look(tmp_path, "other"), tmp_path) == ["other"]


def test_parts_of_parts(tmp_path: Path) -> None:
    """The name in an included file starts from the folder of the model."""
    write(tmp_path, a__hand=PART, a__b__arm=including("a/hand.xml"), scene=including("a/b/arm.xml"))
    assert names(look(tmp_path, "a/hand"), tmp_path) == ["scene"]
    assert names(look(tmp_path, "a/b/arm"), tmp_path) == ["scene"]


def test_all_models_and_those_that_are_open_first(tmp_path: Path) -> None:
    write(tmp_path, arm=PART, a=including("arm.xml"), b=including("arm.xml"), c=including("other/arm.xml"))
    assert names(look(tmp_path, "arm"), tmp_path) == ["a", "b"]
    assert names(look(tmp_path, "arm", b=including("arm.xml")), tmp_path) == ["b", "a"]
    assert names(look(tmp_path, "arm", a=PART, new=including("arm.xml")), tmp_path) == ["new", "b"]


def test_what_only_looks_like_an_include(tmp_path: Path) -> None:
    write(
        tmp_path,
        arm=PART,
        comment=f"<mujoco><!-- {including('arm.xml')} --><worldbody/></mujoco>",
        elsewhere=including("parts/arm.xml"),
        parts__arm=PART,
        text=including("arm.xml").replace("<include", "<custom><text").replace("/>", "/></custom>", 1),
    )
    assert names(look(tmp_path, "arm"), tmp_path) == ["arm"]


def test_files_that_include_each_other(tmp_path: Path) -> None:
    write(tmp_path, a=including("b.xml"), b=including("a.xml"), own=including("own.xml"))
    assert names(look(tmp_path, "a"), tmp_path) == ["b"]
    assert names(look(tmp_path, "own"), tmp_path) == ["own"]


def test_changes_on_the_disk_are_seen(tmp_path: Path) -> None:
    write(tmp_path, arm=PART, scene=including("arm.xml"))
    around, path = ModelFinder(), str(tmp_path / "arm.xml")
    assert names(around.survey({}).models(path), tmp_path) == ["scene"]
    write(tmp_path, scene=including("something_else.xml"), more=including("arm.xml"))
    assert names(around.survey({}).models(path), tmp_path) == ["more"]
    (tmp_path / "more.xml").unlink()
    assert names(around.survey({}).models(path), tmp_path) == ["arm"]


def test_other_encodings(tmp_path: Path) -> None:
    write(tmp_path, é=PART)
    (tmp_path / "wide.xml").write_text(including("é.xml"), "utf-16")
    (tmp_path / "latin.xml").write_text('<?xml version="1.0" encoding="iso-8859-1"?>' + including("é.xml"), "latin-1")
    write(tmp_path, entity=including("&#233;.xml"))
    assert names(look(tmp_path, "é"), tmp_path) == ["entity", "latin", "wide"]


def test_models_that_attach(tmp_path: Path) -> None:
    attaching = '<mujoco><asset><model name="m" file="{}"/></asset><worldbody/></mujoco>'
    write(
        tmp_path,
        arm=PART,
        a=attaching.format("arm.xml"),
        b=attaching.format("other.xml"),
        assets='<mujocoinclude><model name="m" file="arm.xml"/></mujocoinclude>',
        c='<mujoco><asset><include file="assets.xml"/></asset><worldbody/></mujoco>',
    )
    survey = ModelFinder().survey({})
    assert sorted(names(survey.attaching(str(tmp_path / "arm.xml")), tmp_path)) == ["a", "c"]


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("MAX_FILES", 2, "more than 2 XML files"),
        ("MAX_BYTES", 100, "or too large ones"),
        ("MAX_MODELS", 1, "more than 1 files may include 'arm.xml'"),
    ],
)
def test_limits_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, reason: str) -> None:
    write(tmp_path, arm=PART, a=including("arm.xml"), b=including("arm.xml"))
    assert look(tmp_path, "arm").unknown == []
    monkeypatch.setattr(surroundings, limit, value)
    assert any(reason in each for each in look(tmp_path, "arm").unknown)


def test_a_model_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    write(tmp_path, arm=PART, broken='<mujoco><worldbody></mujoco><include file="arm.xml"/>')
    (reason,) = look(tmp_path, "arm").unknown
    assert "broken.xml' seems to include" in reason and "line 1" in reason
