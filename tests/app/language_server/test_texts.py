"""The open texts and the models that they are part of."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.language_server.texts import Texts
from engine.document.edit import Edit, apply

MAIN = '<mujoco><asset><material name="m"/></asset><worldbody><include file="{}"/></worldbody></mujoco>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "main.xml").write_text(MAIN.format("parts/arm.xml"))
    (tmp_path / "parts" / "arm.xml").write_text('<part><geom material="m"/></part>')
    (tmp_path / "other.xml").write_text("<mujoco/>")
    return tmp_path


def test_a_part_is_understood_within_a_model_of_its_folder_or_the_one_above(folder: Path) -> None:
    texts = Texts()
    arm = str(folder / "parts" / "arm.xml")
    texts.open(arm, "<part><geom/></part>")
    texts.take(texts.survey()())
    assert texts.main_of(arm) == str(folder / "main.xml")
    document = texts.document(arm)
    assert document.main_file == str(folder / "main.xml")
    assert document.source_of(arm).text == "<part><geom/></part>"  # as it is open, not as it is on the disk


def test_an_open_model_comes_first(folder: Path) -> None:
    texts = Texts()
    arm, model = str(folder / "parts" / "arm.xml"), str(folder / "mine.xml")
    texts.open(model, MAIN.format("parts/arm.xml"))
    texts.open(arm, "<part/>")
    texts.take(texts.survey()())
    assert texts.main_of(arm) == model


def test_a_part_of_no_model_stands_alone(tmp_path: Path) -> None:
    texts = Texts()
    part = str(tmp_path / "part.xml")
    texts.open(part, "<part><geom/></part>")
    texts.take(texts.survey()())
    assert texts.main_of(part) == part
    assert texts.document(part).root.tag == "part"


def test_a_closed_file_is_that_of_the_disk_again_and_changes_there_are_seen(folder: Path) -> None:
    texts = Texts()
    main, arm = str(folder / "main.xml"), str(folder / "parts" / "arm.xml")
    texts.open(main, MAIN.format("parts/arm.xml"))
    texts.open(arm, "<part><body/></part>")
    assert texts.document(main).merged.find("worldbody").children[0].tag == "body"
    texts.close(arm)
    assert texts.document(main).merged.find("worldbody").children[0].tag == "geom"
    Path(arm).write_text("<part><site/><site/></part>")
    texts.changed_on_disk()
    assert [child.tag for child in texts.document(main).merged.find("worldbody").children] == ["site", "site"]
    Path(arm).unlink()
    texts.changed_on_disk()
    assert texts.document(main).diagnostics.has_errors
    with pytest.raises(KeyError):
        texts.document(arm)


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 6), st.text("<a/> \n\"'", max_size=5)), max_size=8))
def test_changes_give_the_text_of_the_client(changes: list[tuple[int, int, str]]) -> None:
    texts = Texts()
    text = MAIN.format("a.xml")
    texts.open("/nowhere/a.xml", text)
    for start, length, new in changes:
        start = min(start, len(text))
        edit = Edit(start, min(start + length, len(text)), new)
        texts.change("/nowhere/a.xml", [edit])
        text = apply(text, [edit])
        assert texts.document("/nowhere/a.xml").source_of("/nowhere/a.xml").text == text
