"""Assumptions of the engine about its compiled code: one pointer, cells, views, calls by address, the cache's key."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

import kinetree
from kinetree.engine.jit.addresses import call_int
from kinetree.engine.jit.cache import ENGINE
from kinetree.engine.jit.compiler import address_of, compiled
from kinetree.engine.jit.kernel import compiled_as, kernel, small, view
from kinetree.engine.jit.targets import LINUX, here, levels
from kinetree.engine.model.fields import CAPACITIES, TABLES


def small_model():
    model = kinetree.Model({"nq": 3, "nv": 3, "nbody": 4})
    model.body_mocapid = -1
    return model


@kernel
def _use(model, data):
    data.time = data.time + 0.5
    data.ncon = model.nbody
    data.xpos[2, 1] = data.qpos[1]
    k_view = view(data.qvel, 1, 2)
    k_view[1] = k_view.shape[0]


@kernel
def _add(a, b):
    return a + b


@kernel
def _through(address, a, b):
    return call_int(address, (a, b))


def test_python_and_kernels_share_memory():
    model = small_model()
    data = kinetree.Data(model)
    data.qpos[1] = 7.0
    compiled(_use)(model, data)
    assert (data.time, data.ncon, data.xpos[2, 1], data.qvel[2]) == (0.5, 4, 7.0, 2.0)


def test_call_through_an_address():
    address = address_of(_add, "i8", "i8")
    assert compiled(_through)(address, 20, 22) == 42


def test_sizes_are_fixed_and_unknown_fields_refused():
    model = small_model()
    with pytest.raises(AttributeError, match="nbody"):
        model.nbody = 3
    with pytest.raises(AttributeError):
        _ = model.no_such_field
    with pytest.raises(AttributeError):
        model.opt.no_such_option = 1


@pytest.mark.parametrize("kind", TABLES)
def test_rows_are_unique(kind):
    names = [field.name for field in TABLES[kind]]
    assert len(names) == len(set(names))


def test_growing_keeps_the_state():
    data = kinetree.Data(small_model())
    data.qpos[:] = [1, 2, 3]
    before = data._sizes["nconmax"]
    data.need[CAPACITIES.index("nconmax")] = before + 1
    data.grow()
    assert data._sizes["nconmax"] > before
    assert list(data.qpos) == [1, 2, 3]
    assert data._arrays["contact_pos"].shape == (data._sizes["nconmax"], 3)


PROBE = """
import pathlib, shutil, sys
root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root))
from kinetree.engine.jit import cache
print(cache.hash_of(root / "kinetree" / "engine" / "dynamics" / "force" / "energy.py"))
"""


def test_each_version_of_python_has_folders_of_its_own(monkeypatch):
    """numba compiles bytecode: what one version made is not what another one would make."""
    import types

    from kinetree.engine.jit import cache

    path = cache.ENGINE / "dynamics" / "force" / "energy.py"
    ours = cache.stamp_of(path, here())
    monkeypatch.setattr(cache, "_compiler", cache._compiler.__wrapped__)
    assert cache.stamp_of(path, here()) == ours
    assert len({cache.stamp_of(path, target) for target in levels(LINUX)}) == 3
    monkeypatch.setattr(
        cache, "sys", types.SimpleNamespace(implementation=types.SimpleNamespace(cache_tag="cpython-399"))
    )
    assert cache.stamp_of(path, here()) != ours


def test_a_change_anywhere_below_a_kernel_changes_its_folder(tmp_path):
    import shutil

    engine = tmp_path / "kinetree" / "engine"
    shutil.copytree(ENGINE, engine)
    (engine.parent / "__init__.py").touch()
    (tmp_path / "probe.py").write_text(textwrap.dedent(PROBE))

    def stamp():
        done = subprocess.run(
            [sys.executable, tmp_path / "probe.py", tmp_path],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
        )
        return done.stdout.strip()

    first = stamp()
    assert stamp() == first
    for name in ("jit/vec.py", "dynamics/position/inertia.py", "model/fields.py", "model/data_rows.py"):
        file = engine / name
        file.write_text(file.read_text() + "\n# changed\n")
        second = stamp()
        assert second != first, name
        first = second
    file = engine / "model" / "compare.py"  # engine/model/__init__.py names it for type checkers alone
    file.write_text(file.read_text() + "\n# changed\n")
    assert stamp() == first


@small
def _double(a):
    return 2 * a


@compiled_as(_double)
def _twice(a):
    return a + a + 0.25


@kernel
def _calls(a):
    return _add(_twice(a), 1.0)


def test_a_kernel_is_a_plain_function_until_it_is_compiled():
    model = small_model()
    data = kinetree.Data(model)
    data.qpos[1] = 3.0
    _use(model, data)
    assert (data.time, data.xpos[2, 1], data.qvel[2]) == (0.5, 3.0, 2.0)
    assert _calls(1.0) == 3.25
    assert compiled(_calls)(1.0) == 3.0


def test_a_plain_function_without_a_decorator_is_not_compiled_by_accident():
    from numba.core.errors import TypingError

    with pytest.raises(TypingError):
        compiled(_careless)(1.0)


def _unmarked(a):
    return a


@kernel
def _careless(a):
    return _unmarked(a)


@pytest.mark.parametrize("kind", TABLES)
def test_every_row_says_what_it_is(kind):
    assert not [field.name for field in TABLES[kind] if field.kind != "size" and not field.help]


def test_a_cache_that_cannot_be_written_is_replaced_for_the_run(tmp_path):
    """Children share the folder; it goes with the program that made it."""
    (tmp_path / "file").touch()
    program = """
        import os, subprocess, sys
        from kinetree.engine.jit.cache import cache_root
        ours = str(cache_root())
        child = subprocess.run([sys.executable, "-c", "from kinetree.engine.jit.cache import cache_root; print(cache_root())"],
                               capture_output=True, text=True, check=True)
        assert child.stdout.strip() == ours and not child.stderr, child
        print(ours)
        """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=ENGINE.parent,
        env={**os.environ, "KINETREE_CACHE": str(tmp_path / "file" / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "KINETREE_CACHE" in done.stderr and str(tmp_path) in done.stderr
    assert not os.path.exists(done.stdout.strip())
