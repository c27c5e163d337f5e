"""The tutorial: its steps in order, its code runs, its pictures are made by a command."""

import re
import shutil
from pathlib import Path

import pytest

from kinetree.app.commands.parsers import command_parser
from kinetree.engine.run.expression import parse
from tests.documentation.links import links
from tests.documentation.pages import ROOT
from tests.pictures import gallery

STEPS = sorted((ROOT / "docs" / "tutorial").glob("[0-9]*.md"))
ARM = ROOT / "resources" / "models" / "arm.xml"


def test_ten_steps_lead_from_one_to_the_next() -> None:
    assert [step.name[:2] for step in STEPS] == [f"{number:02}" for number in range(1, 11)]
    index = (ROOT / "docs" / "tutorial" / "index.md").read_text(encoding="utf-8")
    assert [name for name in links(index) if name[0].isdigit()] == [step.name for step in STEPS]
    for number, step in enumerate(STEPS, 1):
        text = step.read_text(encoding="utf-8")
        assert text.startswith(f"# {number}. ")
        if number < len(STEPS):
            assert f"]({STEPS[number].name})" in text.rstrip().splitlines()[-1], "its last line leads to the next step"


def test_the_code_of_the_last_step_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    shutil.copytree(ARM.parent, tmp_path / "models")
    monkeypatch.chdir(tmp_path / "models")
    blocks = re.findall(r"^```python\n(.*?)^```", STEPS[-1].read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    exec(compile("\n".join(blocks), STEPS[-1].name, "exec"), {})
    told = capsys.readouterr().out
    assert "hand at [" in told and "not a number: 'a'" in told and "normal force" in told
    assert (tmp_path / "models" / "arm.png").stat().st_size > 1000


def test_expressions_of_the_plots_are_those_of_the_model() -> None:
    import kinetree

    model = kinetree.load(ARM)
    text = (ROOT / "docs" / "tutorial" / "06-plots.md").read_text(encoding="utf-8")
    found = re.findall(r"^    (\S.*)$", text, re.MULTILINE) + ['joint("elbow").qpos']
    assert len(found) == 3
    for expression in found:
        parse(model, expression)


def test_the_edit_of_the_joint_is_in_the_model() -> None:
    text = (ROOT / "docs" / "tutorial" / "04-joint.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^    (<joint.*/>)$", text, re.MULTILINE)
    assert line.replace(' 20"', ' 100"') in ARM.read_text(encoding="utf-8")


def test_commands_of_the_gallery_and_the_tutorial_are_understood() -> None:
    parser = command_parser("render")
    commands = list(gallery.commands().values())
    assert len(commands) >= 8
    for arguments in commands:
        options = parser.parse_args(arguments[1:])
        assert (ARM.parent / options.model).exists()
        assert (ROOT / "docs" / "images" / "gallery" / options.output).exists(), "run python -m tests.pictures gallery"
    film = (ROOT / "docs" / "tutorial" / "09-film.md").read_text(encoding="utf-8")
    lines = re.findall(r"^    kinetree render (.*)$", film, re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        assert (ARM.parent / parser.parse_args(line.split()).model).exists()
