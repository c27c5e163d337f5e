"""The table of extras is in step with pyproject.toml, the lock, and what the packages say of themselves."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from kinetree.engine.extras import wheels
from kinetree.engine.extras.table import EXTRAS, Extra
from kinetree.engine.platforms.system import HERE
from tests.packaging.test_lock import PROJECT, pins

ROWS = [pytest.param(row, id=name) for name, row in EXTRAS.items()]
NOT_NEEDED = {"mujoco-menagerie": {"mujoco"}}
"""Package -> dependencies that it names and the modules that Kinetree uses do not import."""


@pytest.mark.parametrize("extra", ROWS)
def test_it_is_an_optional_dependency(extra: Extra) -> None:
    optional = PROJECT["project"]["optional-dependencies"]
    (requirement,) = map(Requirement, optional[extra.name])
    (pin,) = wheels.pins(extra)
    assert canonicalize_name(requirement.name) == pin.package == extra.packages[0]
    assert requirement.specifier.contains(pin.version), "run packaging/lock.py"
    (everything,) = map(Requirement, optional["all"])
    assert everything.extras == set(EXTRAS) == set(optional) - {"all"}


@pytest.mark.parametrize("extra", ROWS)
def test_its_packages_need_no_others_but_those_of_the_core(extra: Extra) -> None:
    """An extra is installed without its dependencies: they must be there."""
    for package in extra.packages:
        for text in distribution(package).requires or []:
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                name = canonicalize_name(requirement.name)
                assert name in pins("run") or name in extra.packages or name in NOT_NEEDED[package]


def test_what_is_said_not_to_be_needed_is_not_imported() -> None:
    code = "import sys; sys.modules['mujoco'] = None; import mujoco_menagerie; print(len(mujoco_menagerie.names()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert int(done.stdout) > 50, done.stderr


@pytest.mark.parametrize("extra", ROWS)
def test_its_size_on_the_disk_is_right(extra: Extra) -> None:
    size = 0
    for package in extra.packages:
        found = distribution(package)
        size += sum(
            os.path.getsize(path)
            for file in found.files or []
            if (path := found.locate_file(file)) and os.path.exists(path) and not str(path).endswith(".pyc")
        )
    assert size / 1e6 == pytest.approx(extra.disk[HERE], rel=0.15, abs=1)


@pytest.mark.parametrize("extra", ROWS)
def test_its_sentences_are_sentences(extra: Extra) -> None:
    assert re.fullmatch(r"[A-Z].*\.", extra.purpose) and re.fullmatch(r"[A-Z].*[a-z]", extra.title)


def test_nothing_imports_an_extra_before_it_is_used() -> None:
    """The window and the command line start without them, and say so when one is needed."""
    code = (
        "import sys\n"
        "for name in ('pyarrow', 'coacd', 'imageio_ffmpeg', 'mujoco_menagerie'): sys.modules[name] = None\n"
        "import kinetree.app.window, kinetree.app.second_part, kinetree.app.pictures.process\n"
        "import kinetree.app.panels.analysing.plots.export as export, kinetree.app.workers.decompose_process\n"
        "from kinetree.engine.extras.places import MissingExtra\n"
        "try: export.WRITERS['.parquet']('x', [], [])\n"
        "except MissingExtra as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"XDG_DATA_HOME": "/nowhere", "KINETREE_COMMAND": "./run"},
    )
    assert (
        done.stdout
        == "this needs the extra 'parquet' (pyarrow, 55 MB to download): `./run extras install parquet` installs it\n"
    ), done.stderr
