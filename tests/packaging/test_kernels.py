"""Kernels compiled ahead: which files there are, when a wheel takes them as they are, what ./run installs first."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from kinetree.engine.jit.targets import here

ROOT = Path(__file__).resolve().parents[2]


def load(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of packaging/, which is no package."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    spec = importlib.util.spec_from_file_location(f"tested_{name}", ROOT / "packaging" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """packaging/kernels.py, for few kernels, which writes to a folder of the test."""
    from kinetree.engine.jit import shipped
    from kinetree.engine.run import kernels as every

    few = ["kinetree.engine.dynamics.position.kinematics:kinematics"]
    monkeypatch.setattr(every, "kernels", lambda: few)
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "kernels")
    return load("kernels", monkeypatch)


@pytest.mark.slow("starts a process that compiles a kernel for three targets")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems compile for themselves alone")
def test_all_levels_are_compiled_the_same_each_time_and_old_files_go(kernels: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    names = {"linux-x86-64-v3.kernels", "linux-x86-64-v2.kernels", "linux-aarch64.kernels"}
    first = {path.name: path.read_bytes() for path in kernels.make("all")}
    assert set(first) == names == {path.name for path in folder.iterdir()}
    assert {path.name: path.read_bytes() for path in kernels.make("all")} == first
    assert [path.name for path in kernels.make("here")] == [f"{here().label}.kernels"]
    assert len(list(folder.iterdir())) == 1
    assert kernels.make("none") == [] and not list(folder.iterdir())


def test_a_kernel_that_does_not_compile_is_named(kernels: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    from kinetree.engine.jit import compiler
    from kinetree.engine.run import warmup

    monkeypatch.setattr(warmup, "compile_all", lambda *_: None)
    monkeypatch.setattr(compiler, "read_cached", lambda *_: None)
    with pytest.raises(RuntimeError, match="kinematics did not compile for"):
        kernels.make("here")


def test_a_wheel_takes_kernels_of_these_sources_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("setuptools")
    backend = load("build_backend", monkeypatch)
    source = tmp_path / "engine" / "one.py"
    source.parent.mkdir()
    source.write_text("x = 1\n")
    folder = tmp_path / "resources" / "kernels"
    folder.mkdir(parents=True)
    monkeypatch.setattr(backend, "PACKAGE", tmp_path)
    monkeypatch.setattr(backend, "KERNELS", folder)
    compiler = {row.partition("==")[0].partition(">")[0] for row in backend.get_requires_for_build_wheel()}
    assert {"numba", "numpy", "scipy"} <= compiler, "no kernels: they are compiled"

    import hashlib

    digest = hashlib.sha256(b"engine/one.py\0x = 1\n").hexdigest()
    head = json.dumps({"sources": {"engine/one.py": [digest, []]}}).encode()
    (folder / "linux-x86-64-v3.kernels").write_bytes(b"hash\n" + head + b"\ncode")
    assert backend.have_kernels(None)
    assert "numba" not in " ".join(backend.get_requires_for_build_wheel())
    assert not backend.have_kernels({"kernels": "all"}), "asked for"
    source.write_text("x = 2\n")
    assert not backend.have_kernels(None)
    assert "numba" not in " ".join(backend.get_requires_for_build_wheel({"kernels": "none"}))
    (folder / "linux-x86-64-v3.kernels").write_bytes(b"damaged")
    assert not backend.have_kernels(None)


def test_the_packages_of_the_compiler_are_installed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    bootstrap = load("bootstrap", monkeypatch)
    lock = (ROOT / "packaging" / "run.lock").read_text(encoding="utf-8")
    part = bootstrap.part_of(lock, bootstrap.COMPILER)
    pinned = [line.partition("==")[0] for line in part.splitlines() if not line.startswith((" ", "#"))]
    assert sorted(pinned) == sorted(bootstrap.COMPILER)
    assert part.count("--hash=sha256:") > len(pinned)
    assert all(line in lock for line in part.splitlines())


def test_what_the_compiler_imports_is_what_is_installed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the process that compiles while pip works would fail."""
    program = """
import sys
import kinetree
from kinetree.engine.run import compile_kernels, warmup
from kinetree.engine.run.kernels import kernels
kernels()
kinetree.load("resources/models/walker.xml")
import kinetree.engine.jit.translation
places = {name.partition(".")[0] for name, module in sys.modules.items()
          if "site-packages" in (getattr(module, "__file__", None) or "")}
print(*sorted(places - {"_cyutility", "_distutils_hack"}))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    optional = {"colorama"}  # numba colours its errors with it where it is there
    assert set(done.stdout.split()) - optional == set(load("bootstrap", monkeypatch).COMPILER)
