"""Completion in the real shells: the scripts are sourced, and asked what a press of Tab would offer."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kinetree.app.commands.completion_scripts import commands, script
from tests.conftest import ROOT
from tests.patience import LIMIT
from tests.test_layers import modules_after

MODEL = "<mujoco/>"

BASH = """
source {script}
line={line!r}
COMP_LINE=$line; COMP_POINT=${{#line}}
read -r -a words <<< "$(echo "$line" | sed 's/\\([=:]\\)/ \\1 /g')"  # as bash does at the letters of COMP_WORDBREAKS
case "$line" in *' ') words+=("") ;; esac
COMP_WORDS=("${{words[@]}}"); COMP_CWORD=$((${{#words[@]}} - 1))
_kinetree 2>/dev/null
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
TRIES = 20
ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1='' PS2='' ; unset zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source {script}"
zpty -w shell "bindkey '^I' list-choices; zstyle ':completion:*' list-separator '--'; setopt listrowsfirst; LISTMAX=1000"
zpty -w shell "print ready"
zpty -r shell said '*ready*ready*'
zpty -w -n shell {line!r}$'\\t'
zpty -w -n shell $'\\x15print the-end\\n'
zpty -r shell said '*the-end*the-end*'
print -r -- "$said"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with models, other files, and a command `kinetree`."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "kinetree"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -P -m kinetree "$@"\n')
    program.chmod(0o755)
    (tmp_path / "robots" / "inner").mkdir(parents=True)
    for name in ("hexapod.xml", "notes.txt", "robots/hexagon.urdf", "robots/inner/hexbot.xml"):
        (tmp_path / name).write_text(MODEL)
    return tmp_path


def ask(shell: str, folder: Path, line: str) -> set[str]:
    """The words that a shell offers for the last word of a line."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    file = folder / f".{shell}"
    if not file.exists():
        file.write_text(script(shell))
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "HOME": str(folder), "TERM": "dumb"}
    environment.pop("XDG_CONFIG_HOME", None)
    if shell == "bash":
        given = ["bash", "-c", BASH.format(script=file, line=line)]
    elif shell == "zsh":
        given = ["zsh", "-f", "-c", ZSH.format(script=file, line=line)]
    else:
        given = ["fish", "--no-config", "-c", f"source {file}; complete -C {line!r}"]
    for _ in range(TRIES if shell == "zsh" else 1):
        done = subprocess.run(
            given, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
        )
        # zsh shows no list where the next key came before it: a list after an empty line, or the bell.
        if "\a" in done.stdout or re.search(re.escape(line) + r"\s*\n\s*\n", done.stdout):
            break
    said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", " ", done.stdout)
    if shell == "fish":
        return {each.partition("\t")[0] for each in said.splitlines()}
    return set(said.split())


SHELLS = ("bash", "zsh", "fish")


@pytest.mark.parametrize("shell", SHELLS)
def test_commands_and_models_come_first(shell: str, folder: Path) -> None:
    assert {"render", "register"} <= ask(shell, folder, "kinetree re")
    found = ask(shell, folder, "kinetree hex")
    assert {"hexapod.xml", "hexapod", "hexagon", "hexbot"} <= found
    assert "walker" in ask(shell, folder, "kinetree wal")


@pytest.mark.parametrize("shell", SHELLS)
def test_models_of_a_command_are_files_and_names(shell: str, folder: Path) -> None:
    found = ask(shell, folder, "kinetree check hexapod.xml hex")
    assert {"hexapod.xml", "hexagon"} <= found
    assert not ask(shell, folder, "kinetree check no") & {"notes.txt"}
    assert not ask(shell, folder, "kinetree check re") & {"render", "register"}


@pytest.mark.parametrize("shell", SHELLS)
def test_options_and_their_words(shell: str, folder: Path) -> None:
    assert {"--content", "--camera"} <= ask(shell, folder, "kinetree render --c")
    assert {"segmentation", "depth"} <= ask(shell, folder, "kinetree render hexapod.xml --content ")
    assert not ask(shell, folder, "kinetree render --content d") & {"segmentation"}
    assert {"bash", "zsh", "fish"} <= ask(shell, folder, "kinetree completion ")
    assert "notes.txt" in ask(shell, folder, "kinetree render -o no")


@pytest.mark.parametrize("shell", SHELLS)
def test_values_with_an_equals_sign(shell: str, folder: Path) -> None:
    found = ask(shell, folder, "kinetree render hexapod.xml --content=seg")
    assert {each.removeprefix("--content=") for each in found} >= {"segmentation"}


@pytest.mark.parametrize("shell", SHELLS)
def test_words_in_a_list(shell: str, folder: Path) -> None:
    found = ask(shell, folder, "kinetree check --disable angle-unit,over")
    assert {each.removeprefix("angle-unit,") for each in found} >= {"overlap-at-rest"}


def test_bash_keeps_the_part_of_a_word_before_its_equals_sign(folder: Path) -> None:
    assert "1" in ask("bash", folder, "kinetree render hexapod.xml --effect mirrors=")
    assert "mirrors=1" in ask("bash", folder, "kinetree render hexapod.xml --effect mir")
    assert "hexapod" in ask("bash", folder, "kinetree render --effect mirrors=1 hex")


def test_bash_takes_a_value_of_an_option_for_no_model(folder: Path) -> None:
    assert not ask("bash", folder, "kinetree convert --seed 1 hexapod.xml hex") & {"hexagon"}  # OUT: a file, no name
    assert "hexagon" in ask("bash", folder, "kinetree convert --seed 1 hex")


def test_scripts_know_all_options() -> None:
    made = {shell: script(shell) for shell in SHELLS}
    for command in commands():
        for option in command.options:
            for shell, text in made.items():
                for string in option.strings:
                    assert (string if shell != "fish" else f" {string.lstrip('-')} ") in text, (shell, string)


def test_names_are_printed_without_anything_heavy() -> None:
    names = modules_after("from kinetree.app.main import main\nmain(['completion', '--names', 'zzz'])")
    assert not {each.partition(".")[0] for each in names} & {"numpy", "PySide6", "numba", "lxml", "scipy"}
    assert len([each for each in names if each.startswith("kinetree.")]) < 40
