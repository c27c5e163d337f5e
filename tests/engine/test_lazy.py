"""Modules that are imported when they are first used."""

import ast
import importlib
import sys
import threading
from pathlib import Path

import pytest

from tests.imports import ROOT, at_run_time, is_for_types, lazy_uses, modules, tree_of

KERNELS = ("kinetree.engine.dynamics", "kinetree.engine.collision", "kinetree.engine.jit")
"""The cache of compiled kernels follows import statements: here they stay inside functions, so that numba is imported
only where something is compiled."""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package `lazy_package` with the modules a and b."""
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "lazy_package"
    folder.mkdir()
    head = "from kinetree.engine.lazy import lazy_modules\n"
    (folder / "__init__.py").write_text(f"{head}__getattr__ = lazy_modules(__name__)\n")
    (folder / "a.py").write_text("import time\ntime.sleep(0.05)\nclass Found: size = 3\n")
    (folder / "b.py").write_text("import a_module_that_nobody_has\n")
    yield folder.name
    for name in [each for each in sys.modules if each.partition(".")[0] == folder.name]:
        del sys.modules[name]


def test_a_module_is_imported_when_it_is_used(package: str) -> None:
    lazy = importlib.import_module(package)
    assert f"{package}.a" not in sys.modules
    assert lazy.a.Found.size == 3
    assert lazy.a is sys.modules[f"{package}.a"], "the real module"
    assert "a" in vars(lazy), "the second use does not ask again"


def test_a_missing_module_is_an_attribute_error_and_one_that_fails_says_why(package: str) -> None:
    lazy = importlib.import_module(package)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'other'"):
        lazy.other  # noqa: B018
    assert not hasattr(lazy, "__wrapped__")
    with pytest.raises(ModuleNotFoundError, match="a_module_that_nobody_has"):
        lazy.b  # noqa: B018
    with pytest.raises(ImportError, match="other"):
        exec(f"from {package} import other")


def test_threads_that_use_it_first_get_the_whole_module(package: str) -> None:
    lazy, found, start = importlib.import_module(package), [], threading.Barrier(8)

    def use() -> None:
        start.wait()
        found.append(lazy.a.Found)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert set(found) == {sys.modules[f"{package}.a"].Found}


def listed(package: str) -> set[str]:
    """The modules that a package names for type checkers and packagers."""
    return {
        alias.name
        for node in tree_of(modules()[package]).body
        if isinstance(node, ast.If) and is_for_types(node)
        for each in node.body
        if isinstance(each, ast.ImportFrom) and each.module == package
        for alias in each.names
    }


def imported(package: str) -> set[str]:
    """The names that a package imports at once."""
    return {
        alias.asname or alias.name
        for node in tree_of(modules()[package]).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_packages_name_the_modules_that_are_used_so() -> None:
    known = modules()
    used: dict[str, str] = {}
    for path in known.values():
        statements = {
            f"{n.module}.{a.name}" for n in ast.walk(tree_of(path)) if isinstance(n, ast.ImportFrom) for a in n.names
        }
        for module, line in lazy_uses(tree_of(path), known):
            while module not in statements:
                used.setdefault(module, f"{path.relative_to(ROOT)}:{line}")
                module = module.rpartition(".")[0]
    assert used, "uses are not found"
    missing = {
        place: f"{module.rpartition('.')[0]} does not name {module.rpartition('.')[2]}"
        for module, place in used.items()
        if module.rpartition(".")[2] not in listed(module.rpartition(".")[0]) | imported(module.rpartition(".")[0])
    }
    assert not missing
    packages = [name for name, path in known.items() if path.name == "__init__.py"]
    unused = {f"{each}.{name}" for each in packages for name in listed(each)} - used.keys()
    assert not unused, "named, but not used so"


def test_uses_are_found() -> None:
    known = {"kinetree", "kinetree.app", "kinetree.app.pages", "kinetree.app.pages.start"}
    text = "from kinetree import app\nfrom kinetree.app import pages as p\napp.pages.start.Start(p.start, p.other, x.pages)"
    assert lazy_uses(ast.parse(text), known) == [("kinetree.app.pages.start", 3)] * 2


def inside_functions(path: Path) -> list[str]:
    """Import statements of ours that are run inside functions."""
    return [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for function in ast.walk(tree_of(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom) and "kinetree" in ast.unparse(node)
    ]


def test_nothing_of_ours_is_imported_inside_functions() -> None:
    found = [
        place for name, path in modules().items() if not name.startswith(KERNELS) for place in inside_functions(path)
    ]
    assert not found, "\n".join(
        ["import the package at the top, and use package.module.Name (engine/lazy.py):", *found]
    )


def test_kernels_are_reached_by_import_statements() -> None:
    """Else a change of a module that is used so would not make kernels compile again."""
    known = modules()
    reached = {name for name in known if name.startswith(KERNELS)}
    todo = list(reached)
    while todo:
        for node in at_run_time(tree_of(known[todo.pop()])):
            if isinstance(node, ast.Import):
                names = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names = {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
            else:
                continue
            new = {each for each in names & known.keys() if each.startswith("kinetree.engine.")} - reached
            reached |= new
            todo += new
    assert len(reached) > 100
    wrong = [
        f"{known[name].relative_to(ROOT)}:{line}: import {module} by a statement"
        for name in sorted(reached)
        for module, line in lazy_uses(tree_of(known[name]), known)
    ]
    assert not wrong, "\n".join(wrong)
