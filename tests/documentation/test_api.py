"""The public interface: every name has its place on the page, its facts in the docstring, and an example that runs."""

from __future__ import annotations

import inspect
import re
import shutil
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import kinetree
from tests.documentation import api
from tests.documentation.pages import ROOT

CALLED = [name for name in kinetree.__all__ if not isinstance(getattr(kinetree, name), ModuleType)]
FUNCTIONS = [name for name in CALLED if inspect.isfunction(getattr(kinetree, name))]
IMPLIED = {"model", "data"}
"""Parameters that most functions have; the page says once what they are."""
SHAPE = re.compile(r"\((?:state_size\(model, parts\)|(?:\d|n|height)\w*(?: nv \+ na)?)(?:, ?[\w +]+)*,?\)")
UNIT = re.compile(r"\b(?:m|s|N|kg|rad|m/s|pixels|uint8|SI|lengths|1/s)\b")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with our models, in which examples may write."""
    return Path(shutil.copytree(ROOT / "resources" / "models", tmp_path_factory.mktemp("api") / "models"))


@pytest.mark.parametrize("name", CALLED)
def test_the_example_runs(name: str, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = api.example(name)
    assert f"kinetree.{name}" in code, "its docstring ends with `Example:` and code that uses it"
    monkeypatch.chdir(models)
    exec(compile(code, f"<example of {name}>", "exec"), {"kinetree": kinetree, "np": np})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_tells_arguments_errors_and_source(name: str) -> None:
    function = getattr(kinetree, name)
    text = (inspect.getdoc(function) or "").partition("\nExample:\n")[0]
    paragraphs = text.split("\n\n")
    assert any(part.startswith("Raises ") for part in paragraphs), "errors"
    assert paragraphs[-1].startswith("Source: "), "source"
    rows = set(re.findall(r"^(\w+)   *\S", text, re.MULTILINE))
    missing = set(inspect.signature(function).parameters) - IMPLIED - rows
    assert not missing, f"parameters that no row describes: {missing}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_that_gives_arrays_tells_shape_and_unit(name: str) -> None:
    function = getattr(kinetree, name)
    text = (inspect.getdoc(function) or "").partition("\nRaises ")[0]
    returned = str(inspect.signature(function).return_annotation)
    if re.search("ndarray|Pair|Transition|Derivatives", returned) or re.search(r"\bdata\.\w+ \(n", text):
        assert SHAPE.search(text), "the shape of the result, as (nv,) or (3, nv)"
        assert UNIT.search(text), "its unit"


def test_every_public_name_is_once_on_the_page() -> None:
    names = [name for group in api.GROUPS.values() for name in group]
    assert sorted(names) == sorted(kinetree.__all__)
    assert len(names) == len(set(names))


def test_constants_are_public() -> None:
    assert kinetree.enums.JNT_HINGE == 3
    assert isinstance(kinetree.enums, ModuleType)


def test_what_a_signature_and_a_list_look_like() -> None:
    assert api.signature("step") == "kinetree.step(model: Model, data: Data, nstep: int = 1)"
    assert "parts: int = kinetree.State.FULLPHYSICS) -> np.ndarray" in api.signature("get_state")
    assert api.signature("State") == "kinetree.State"
    assert "\n- `nstep`: number of steps\n" in api.page()
