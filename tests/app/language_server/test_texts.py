"""The open texts and the models that they are part of."""

import os
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kinetree.app.language_server.texts import Texts
from kinetree.engine.document.edit import Edit, apply

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


NAMES = ("a", "b", "c", "d")
STEPS = st.tuples(
    st.sampled_from(("open", "close", "change", "disk", "delete")),
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(NAMES), max_size=2),
)


@given(st.lists(STEPS, max_size=12))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_known_of_the_models_is_that_of_a_fresh_start(tmp_path: Path, steps: list) -> None:
    """Files that include each other are opened, changed, closed, written and deleted."""
    folder = tmp_path / str(uuid4())
    folder.mkdir()
    texts, paths = Texts(), {name: folder / f"{name}.xml" for name in NAMES}
    for number, (action, name, included) in enumerate(steps):
        includes = "".join(f'<include file="{each}.xml"/>' for each in included)
        text = f"<mujoco>{includes}<worldbody/></mujoco>"
        key = str(paths[name])
        if action in ("open", "change") and not texts.is_open(key):
            texts.open(key, text)
        elif action == "change":
            texts.replace(key, text)
        elif action == "close" and texts.is_open(key):
            texts.close(key)
        elif action == "disk":
            paths[name].write_text(text)
            os.utime(paths[name], ns=(number, number))  # a file that is written twice at one moment looks the same
            texts.changed_on_disk()
        elif action == "delete":
            paths[name].unlink(missing_ok=True)
            texts.changed_on_disk()
        if texts.is_outdated:
            texts.take(texts.survey()())
        fresh = Texts()
        for each in texts.paths:
            fresh.open(each, texts.parsed(each).source.text)
        fresh.take(fresh.survey()())
        for each in texts.paths:
            assert list(texts.mains_of(each)) == list(fresh.mains_of(each))
            document, expected = texts.document(each), fresh.document(each)
            assert {path: source.text for path, source in document.sources.items()} == {
                path: source.text for path, source in expected.sources.items()
            }
            assert list(map(str, document.diagnostics)) == list(map(str, expected.diagnostics))
