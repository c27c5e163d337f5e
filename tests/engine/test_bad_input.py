"""Whatever a file holds: a model or a ModelError that says where, soon, and nothing else."""

from __future__ import annotations

import os
import re
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from engine.diagnostics import Severity
from tests import bad
from tests.conftest import ROOT, SHARED
from tests.corpus import listed

MODELS = sorted((ROOT / "resources" / "models").glob("*.xml")) + sorted(
    (ROOT / "tests/data/models").glob("*.xml")
)
LONGEST = 10.0


def refusal(path) -> list:
    """The errors of a model that must be refused; each with a place."""
    start = time.perf_counter()
    with pytest.raises(engine.ModelError) as caught:
        engine.load(path)
    assert time.perf_counter() - start < LONGEST
    errors = [item for item in caught.value.diagnostics if item.severity is Severity.ERROR]
    assert errors
    for item in errors:
        assert item.file and item.line >= 1 and item.column >= 1
        assert item.message and item.code and "\n" not in item.message
        assert re.fullmatch(r".+:\d+:\d+: error: .+ \[[a-z-]+\]", str(item), re.DOTALL)
    return errors


def attempt(text: str, base=None) -> tuple[engine.Model | None, list]:
    """The model of a text, or what is wrong with it: there is nothing else."""
    try:
        return engine.load_string(text, base=base), []
    except engine.ModelError as error:
        return None, error.diagnostics


def unreadable_to_us(name: str) -> bool:
    return name != "no permission" or os.geteuid() != 0


@pytest.mark.parametrize("name", bad.FILES)
def test_bad_file(name, tmp_path):
    if not unreadable_to_us(name):
        pytest.skip("root may read everything")
    refusal(bad.FILES[name](tmp_path))


def test_secrets_of_other_files_are_not_shown(tmp_path):
    """An include or an asset outside is refused without its content in the message."""
    secret = tmp_path / "secret.txt"
    secret.write_text("password: hunter2\n" * 3)
    (tmp_path / "a").mkdir()
    for text in (
        '<mujoco><include file="../secret.txt"/></mujoco>',
        bad.world('<geom type="mesh" mesh="m"/>', '<asset><mesh name="m" file="../secret.txt"/></asset>'),
        f'<!DOCTYPE m [<!ENTITY x SYSTEM "file://{secret}">]><mujoco model="&x;"/>',
    ):
        path = tmp_path / "a" / "model.xml"
        path.write_text(text)
        for item in refusal(path):
            assert "hunter2" not in str(item)


@pytest.mark.parametrize("place", bad.NUMBERS)
@pytest.mark.parametrize("number", bad.BAD_NUMBERS)
def test_bad_number(place, number):
    model, errors = attempt(bad.world(bad.NUMBERS[place].format(number)))
    if model is None:
        assert errors[0].line == 2
        return
    assert number.lstrip("-") not in ("nan", "inf"), "accepted"
    for name in ("geom_size", "geom_pos", "body_quat", "body_mass", "body_inertia", "jnt_axis", "qpos0"):
        assert np.isfinite(getattr(model, name)).all(), name


def test_huge_numbers_make_a_model_that_steps_or_an_error():
    for place, text in bad.NUMBERS.items():
        for number in ("1e300", "-1e300", "1e-300", "1e154", "2147483648", "-2147483649", "4294967296"):
            model, errors = attempt(bad.world(text.format(number)))
            assert model is not None or errors, (place, number)
            if model is not None:
                engine.step(model, engine.Data(model), 3)


def _refused_by_the_reference() -> list:
    return [row.path for row in listed(SHARED / "corpus") if row.family == "files" and row.loads != "yes"]


@pytest.mark.parametrize("path", _refused_by_the_reference(), ids=lambda path: path.stem)
def test_malformed_models_of_the_corpus(path):
    refusal(path)


# ---- mutations -------------------------------------------------------------------------------------------------------

TEXTS = {path: path.read_text(encoding="utf-8") for path in MODELS}
VALUES = [
    "", "0", "-1", "nan", "inf", "1e308", "1e-320", "99999999999", "0 0 0", "1 2 3 4 5 6 7 8 9", "true", "auto",
    "box", "mesh", "free", "a b c", "&#0;", "&undefined;", "<", "../..", "world", "\u0661", "\x00", "1 nan 1",
]  # fmt: skip
PIECES = [
    "<", ">", "/>", "</", "\"", "'", "&", "=", " ", "\n", "<!--", "-->", "<![CDATA[", "]]>", "<?xml?>",
    "<body>", "</body>", "<worldbody>", "<freejoint/>", "<joint type='ball'/>", "<geom size='.1'/>", "<default>",
    "<frame>", "<replicate count='3'>", "<include file='model.xml'/>", "\ud7ff", "\ufeff", "<!DOCTYPE x>",
]  # fmt: skip
ATTRIBUTE = re.compile(r"""([\w:]+)\s*=\s*("[^"]*"|'[^']*')""")
ELEMENT = re.compile(r"<[^<>]*>")


@st.composite
def mutated(draw):
    """A model's folder and its text with a few wounds."""
    path = draw(st.sampled_from(MODELS))
    text = TEXTS[path]
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["value", "cut", "insert", "remove", "repeat", "swap", "name", "number"]))
        where = draw(st.floats(0, 1))
        attributes, elements = list(ATTRIBUTE.finditer(text)), list(ELEMENT.finditer(text))
        at = int(where * len(text))
        if kind == "cut":
            text = text[:at]
        elif kind == "insert":
            text = text[:at] + draw(st.sampled_from(PIECES)) + text[at:]
        elif kind in ("remove", "repeat") and elements:
            span = elements[min(int(where * len(elements)), len(elements) - 1)]
            text = text[: span.start()] + span.group() * (2 * (kind == "repeat")) + text[span.end() :]
        elif attributes:
            one = attributes[min(int(where * len(attributes)), len(attributes) - 1)]
            other = draw(st.sampled_from(attributes))
            start, end = one.span(2)
            if kind == "value":
                text = text[: start + 1] + draw(st.sampled_from(VALUES)) + text[end - 1 :]
            elif kind == "number":
                text = (
                    text[: start + 1]
                    + str(draw(st.floats() | st.integers(-(2**40), 2**40)))
                    + text[end - 1 :]
                )
            elif kind == "swap":
                text = text[: start + 1] + other.group(2)[1:-1] + text[end - 1 :]
            else:
                text = text[: one.start(1)] + other.group(1) + text[one.end(1) :]
    return path.parent, text


def check_mutation(case) -> None:
    folder, text = case
    start = time.perf_counter()
    model, errors = attempt(text, folder)
    for item in errors:
        assert item.line >= 1 and item.column >= 1 and item.message
    if model is not None:
        engine.Data(model)
    assert time.perf_counter() - start < LONGEST


QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


@settings(max_examples=150, suppress_health_check=QUIET)
@given(mutated())
def test_mutations(case):
    check_mutation(case)


@pytest.mark.slow
@settings(max_examples=2500, suppress_health_check=QUIET)
@given(mutated())
def test_many_mutations(case):
    check_mutation(case)
