"""The layers of the design: who may import what, how cheap `import kinetree` is, and how long a file may grow."""

import ast
import functools
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.imports import ROOT, lazy_uses, modules, tree_of

OURS = {"kinetree", "tests", "packaging"}
LINES = 850  # "about 800"; tables are free
# Allowed imports between the packages inside engine, at run time or for types. Rows are in order: a package imports
# only from rows above its own, so there is no circle.
INSIDE: dict[str, set[str]] = {
    "platforms": set(),  # every package may import it
    "atomic": set(),
    "lazy": set(),  # every package may import it
    "packaged": set(),
    "interpreter": {"packaged"},
    "translation": {"packaged"},
    "diagnostics": {"translation"},
    "progress": set(),
    "expression_syntax": {"translation"},
    "arithmetic": {"expression_syntax", "translation"},
    "model": {"diagnostics", "translation"},
    "geometry": {"model", "translation"},
    "jit": {"model", "packaged"},
    "document": {"atomic", "diagnostics", "progress", "translation"},
    "mjcf": {"diagnostics", "document", "geometry", "model", "translation"},
    "resources": {"diagnostics", "geometry", "mjcf", "translation"},
    "formats": {"diagnostics", "document", "geometry", "mjcf", "resources", "translation"},
    "expand": {"diagnostics", "document", "formats", "geometry", "mjcf", "resources", "translation"},
    "assist": {"diagnostics", "document", "formats", "mjcf", "resources", "translation"},
    "editing": {
        "arithmetic", "assist", "diagnostics", "document", "expression_syntax", "geometry", "mjcf", "model", "progress",
        "translation",
    },
    "collision": {"jit", "model"},
    "dynamics": {"collision", "diagnostics", "jit", "model"},
    "posing": {"dynamics", "geometry", "model", "translation"},
    "run": {
        "arithmetic", "atomic", "collision", "dynamics", "expression_syntax", "geometry", "interpreter", "jit", "model",
        "posing", "progress", "translation",
    },
    "compile": {
        "collision", "diagnostics", "document", "dynamics", "expand", "formats", "geometry", "jit", "mjcf", "model",
        "progress", "resources", "run", "translation",
    },
    "extras": {"packaged", "progress", "translation"},
    "library": {"extras", "interpreter", "packaged", "progress", "translation"},
    "check": {
        "compile", "diagnostics", "document", "dynamics", "geometry", "jit", "mjcf", "model", "progress", "resources",
        "translation",
    },
    "scripting": {"assist", "check", "compile", "diagnostics", "document", "editing", "mjcf", "model"},
    "storage": {"atomic", "compile", "diagnostics", "document", "dynamics", "mjcf", "model", "translation"},
    "scene": {"dynamics", "geometry", "jit", "model", "run", "translation"},
}  # fmt: skip
# Allowed imports of each package besides the standard library. lxml, PIL and the rest only where the design says.
ALLOWED = {
    "engine": {
        "engine",
        "numpy",
        "numba",
        "llvmlite",
        "lxml",
        "collada",
        "scipy",
        "PIL",
        "pyrr",
        "zstandard",
        "imageio_ffmpeg",
    },
    "renderer": {"renderer", "engine", "numpy", "moderngl", "glcontext", "pyrr", "PIL"},
    "app": {
        "kinetree",
        "app",
        "renderer",
        "engine",
        "numpy",
        "moderngl",
        "pyrr",
        "PIL",
        "PySide6",
        "shiboken6",
        "coacd",
        "pygls",
        "lsprotocol",
        "pyqtgraph",
        "mcap",
        "pyarrow",
    },
}


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> list[tuple[str, int]]:
    """(module, line) of every import in a file, also those inside functions, and of modules that are imported when they
    are used (engine/lazy.py); relative ones made absolute. Our own packages without `kinetree.` in front; `kinetree` alone is the public interface."""
    return [(name.removeprefix("kinetree."), line) for name, line in _imported(path)]


def _imported(path: Path) -> list[tuple[str, int]]:
    tree = tree_of(path)
    found = lazy_uses(tree, modules())
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, [base, node.module]))
            whole = module == "kinetree.engine" or (module == "kinetree" and node.names[0].name in ALLOWED)
            found += [(f"{module}.{alias.name}" if whole else module, node.lineno) for alias in node.names]
    return found


def modules_after(statement: str) -> list[str]:
    """sys.modules of a fresh interpreter after one statement; a warning is an error."""
    code = f"import sys, json\nsys.path.insert(0, {str(ROOT)!r})\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    quiet = ["-W", "error", "-W", "ignore::SyntaxWarning"]  # pyrr's docstrings, see pyproject.toml
    done = subprocess.run([sys.executable, "-I", *quiet, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("package", ALLOWED)
def test_imports_stay_within_the_layer(package: str) -> None:
    wrong = []
    for path in sources(package):
        for name, line in imported(path):
            top = name.partition(".")[0]
            if top not in sys.stdlib_module_names and top not in ALLOWED[package]:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {package} may not import {name}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", [*ALLOWED, "packaging", "tests"])
def test_our_packages_have_one_name(package: str) -> None:
    """A module that is imported as `engine.x` beside `kinetree.engine.x` exists twice, with classes of its own."""
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: write kinetree.{name}"
        for path in sources(package)
        for name, line in _imported(path)
        if name.partition(".")[0] in ALLOWED
    ]
    assert not wrong, "\n".join(wrong)


def test_the_package_holds_links_to_the_folders_and_nothing_else() -> None:
    files = {path.name: path for path in (ROOT / "kinetree").iterdir() if path.name != "__pycache__"}
    links = {name: os.readlink(path) for name, path in files.items() if path.is_symlink()}
    assert links == {name: f"../{name}" for name in (*ALLOWED, "docs", "resources", "shaders")}
    assert set(files) - set(links) == {"__init__.py", "__main__.py"}


@functools.cache
def imports_between_packages() -> dict[str, dict[str, str]]:
    """package inside engine -> other packages that it imports, each with one place."""
    found: dict[str, dict[str, str]] = {package: {} for package in INSIDE}
    for path in sources("engine"):
        package = path.relative_to(ROOT).with_suffix("").parts[1]
        if package == "__init__":
            continue  # the public names
        for name, line in imported(path):
            words = name.split(".")
            if words[0] == "engine" and len(words) > 1 and words[1] not in (package, "lazy", "platforms"):
                found[package].setdefault(words[1], f"{path.relative_to(ROOT)}:{line}")
    return found


@pytest.mark.parametrize("package", INSIDE)
def test_packages_inside_engine_import_what_the_table_says(package: str) -> None:
    imports = imports_between_packages()[package]
    wrong = [
        f"{place}: engine/{package} may not import {name}"
        for name, place in imports.items()
        if name not in INSIDE[package]
    ]
    assert not wrong, "\n".join(wrong)
    assert not INSIDE[package] - set(imports), "the table allows imports that nobody needs"


def test_the_table_of_packages_is_complete_and_without_circles() -> None:
    packages = {p.stem if p.suffix else p.name for p in (ROOT / "engine").iterdir() if not p.name.startswith("_")}
    assert set(INSIDE) == packages
    above: set[str] = set()
    for package, imports in INSIDE.items():
        assert imports <= above, f"{package} imports from a row below it"
        above.add(package)


def test_the_bootstrap_needs_the_standard_library_alone() -> None:
    # pip runs the backend and the kernels, mkdocs the next two, packaging/build.py the rest in an environment of its own.
    others = {"build_backend.py", "kernels.py", "hooks.py", "flow.py", "build.py"}
    files = [path for path in sources("packaging") if path.name not in others and path.parent.name != "release"]
    names = {name.partition(".")[0] for path in files for name, _ in imported(path)}
    assert names <= sys.stdlib_module_names | {"catalogues"}  # beside the bootstrap


def test_engine_loads_no_window_no_graphics_and_no_compiler() -> None:
    names = modules_after("import kinetree")
    assert [name for name in names if name.startswith("kinetree")] == ["kinetree"]
    loaded = {name.partition(".")[0] for name in names}
    assert not loaded & {"PySide6", "shiboken6", "moderngl", "glcontext", "pyrr", "mujoco"}
    assert not loaded & {"numba", "llvmlite", "scipy", "PIL", "lxml", "collada"}, "import kinetree must be cheap"


def test_every_engine_module_loads_without_window_or_graphics() -> None:
    names = [
        ".".join(("kinetree", *p.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
        for p in sources("engine")
    ]
    runnable = [name for name in names if not name.endswith("__main__")]
    names = modules_after("import " + ", ".join(runnable))
    assert not [name for name in names if name.startswith(("kinetree.renderer", "kinetree.app"))]
    assert not {name.partition(".")[0] for name in names} & {"PySide6", "shiboken6", "moderngl", "glcontext", "mujoco"}


def test_pyrr_is_for_scenes_only() -> None:
    """Never in kernels: its matrices multiply row vectors and its quaternions have another order."""
    users = [p for p in sources("engine") for name, _ in imported(p) if name.partition(".")[0] == "pyrr"]
    assert {path.relative_to(ROOT / "engine").parts[0] for path in users} == {"scene"}


def test_renderer_loads_no_window() -> None:
    names = modules_after("from kinetree import renderer")
    assert not [name for name in names if name.startswith("kinetree.app")]
    assert not {name.partition(".")[0] for name in names} & {"PySide6", "shiboken6", "mujoco"}


@pytest.mark.parametrize("package", ALLOWED)
def test_no_file_outgrows_its_concept(package: str) -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources(package)}
    long = [
        f"{path.relative_to(ROOT)}: {count} lines"
        for path, count in lengths.items()
        if count > LINES and not path.stem.endswith("_table") and path != ROOT / "engine" / "model" / "fields.py"
    ]
    assert not long, "\n".join(long)


def test_no_file_hides_behind_a_vague_name() -> None:
    vague = [p for package in ALLOWED for p in sources(package) if p.stem in ("utils", "util", "helpers", "misc")]
    managers = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for package in ALLOWED
        for path in sources(package)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and node.name.endswith("Manager")
    ]
    assert not vague
    assert not managers


def test_exceptions_from_the_line_length_are_needed() -> None:
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]
    for pattern in ruff["lint"]["per-file-ignores"]:
        files = ROOT.glob(pattern.replace("**", "**/*.py"))
        lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
        assert any(len(line) > ruff["line-length"] for line in lines), f"{pattern} has no long line any more"


def test_constants_are_read_from_their_module() -> None:
    """`enums.JNT_HINGE`: names of constants are not imported one by one."""
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for folder in ("engine", "renderer", "app", "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "kinetree.engine.model.enums"
    ]
    assert not wrong
