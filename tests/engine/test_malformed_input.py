"""Malformed files: each is refused in bounded time, with a ModelError that names file, line and column.

Random damage: test_mutations.py.
"""

from __future__ import annotations

import os
import re

import numpy as np
import pytest

import kinetree
from kinetree.engine.diagnostics import Severity
from tests import malformed
from tests.conftest import ROOT, SHARED
from tests.corpus import listed
from tests.patience import ends

MODELS = sorted((ROOT / "resources" / "models").glob("*.xml")) + sorted((ROOT / "tests/data/models").glob("*.xml"))


def refusal(path) -> list:
    """The errors of a model that must be refused; each with a place."""
    with ends(), pytest.raises(kinetree.ModelError) as caught:
        kinetree.load(path)
    errors = [item for item in caught.value.diagnostics if item.severity is Severity.ERROR]
    assert errors
    for item in errors:
        assert item.file and item.line >= 1 and item.column >= 1
        assert item.message and item.code and "\n" not in item.message
        assert re.fullmatch(r".+:\d+:\d+: error: .+ \[[a-z-]+\]", str(item), re.DOTALL)
    return errors


def attempt(text: str, base=None) -> tuple[kinetree.Model | None, list]:
    """The model of a text, or what is wrong with it: there is nothing else."""
    try:
        return kinetree.load_string(text, base=base), []
    except kinetree.ModelError as error:
        return None, error.diagnostics


def unreadable_to_us(name: str) -> bool:
    return name != "no permission" or os.geteuid() != 0


@pytest.mark.parametrize("name", malformed.FILES)
def test_malformed_file(name, tmp_path):
    if not unreadable_to_us(name):
        pytest.skip("root may read everything")
    refusal(malformed.FILES[name](tmp_path))


def test_secrets_of_other_files_are_not_shown(tmp_path):
    """An include or an asset outside is refused without its content in the message."""
    secret = tmp_path / "secret.txt"
    secret.write_text("password: hunter2\n" * 3)
    (tmp_path / "a").mkdir()
    for text in (
        '<mujoco><include file="../secret.txt"/></mujoco>',
        malformed.world('<geom type="mesh" mesh="m"/>', '<asset><mesh name="m" file="../secret.txt"/></asset>'),
        f'<!DOCTYPE m [<!ENTITY x SYSTEM "file://{secret}">]><mujoco model="&x;"/>',
    ):
        path = tmp_path / "a" / "model.xml"
        path.write_text(text)
        for item in refusal(path):
            assert "hunter2" not in str(item)


@pytest.mark.parametrize("place", malformed.NUMBERS)
@pytest.mark.parametrize("number", malformed.MALFORMED_NUMBERS)
def test_bad_number(place, number):
    model, errors = attempt(malformed.world(malformed.NUMBERS[place].format(number)))
    if model is None:
        assert errors[0].line == 2
        return
    assert number.lstrip("-") not in ("nan", "inf"), "accepted"
    for name in ("geom_size", "geom_pos", "body_quat", "body_mass", "body_inertia", "jnt_axis", "qpos0"):
        assert np.isfinite(getattr(model, name)).all(), name


def test_huge_numbers_make_a_model_that_steps_or_an_error():
    for place, text in malformed.NUMBERS.items():
        for number in ("1e300", "-1e300", "1e-300", "1e154", "2147483648", "-2147483649", "4294967296"):
            model, errors = attempt(malformed.world(text.format(number)))
            assert model is not None or errors, (place, number)
            if model is not None:
                kinetree.step(model, kinetree.Data(model), 3)


def _refused_by_the_reference() -> list:
    return [row.path for row in listed(SHARED / "corpus") if row.family == "files" and row.loads != "yes"]


@pytest.mark.parametrize("path", _refused_by_the_reference(), ids=lambda path: path.stem)
def test_malformed_models_of_the_corpus(path):
    refusal(path)
