"""The layers inside the application: what each package may import of the others, and that files import in no circle."""

import ast
import functools
from collections.abc import Iterator, Mapping

import pytest

from tests.conftest import ROOT
from tests.imports import at_run_time, lazy_uses, modules

APP = ROOT / "app"
# Rows are in order: a package imports only from rows above its own, so there is no circle.
INSIDE: dict[str, set[str]] = {
    "terminal": set(),
    "running": {"terminal"},
    "marks": set(),
    "overrides": set(),
    "crashes": set(),
    "updates": set(),
    "pictures": set(),
    "settings": set(),
    "menus": {"settings"},
    "workers": {"pictures"},
    "workspace": {"settings", "workers"},
    "widgets": {"menus", "settings", "workers"},
    "panels/live": {"settings", "widgets", "workspace"},
    "panels/writing": {"settings", "widgets", "workspace"},
    "viewport": {"menus", "pictures", "settings", "widgets", "workers", "workspace"},
    "panels/pages": {"panels/writing", "settings", "widgets", "workers", "workspace"},
    "panels/analysing": {"panels/live", "settings", "widgets", "workers", "workspace"},
    "panels/driving": {
        "menus", "panels/analysing", "panels/live", "panels/writing", "settings", "viewport", "widgets", "workers", "workspace",
    },
    "panels/dialogs": {"crashes", "menus", "updates", "panels/writing", "pictures", "settings", "widgets", "workers", "workspace"},
    "panels": {"menus", "panels/pages", "panels/writing", "settings", "widgets", "workers", "workspace"},
    "actions": {
        "crashes", "updates", "menus", "panels", "panels/dialogs", "panels/driving", "panels/pages", "panels/writing", "pictures", "running",
        "settings", "viewport", "widgets", "workers", "workspace",
    },
    "language_server": {"workers"},
    "tour": {
        "actions", "menus", "panels", "panels/analysing", "panels/writing", "settings", "viewport", "workers", "workspace",
    },
    "second_part": {
        "actions", "menus", "panels", "panels/dialogs", "panels/driving", "panels/pages", "panels/writing", "settings",
        "tour", "widgets",
    },
    "window": {
        "actions", "crashes", "menus", "panels", "panels/driving", "panels/pages", "second_part", "settings", "viewport", "widgets",
        "workers", "workspace",
    },
    "commands": {
        "crashes", "language_server", "marks", "overrides", "pictures", "running", "settings", "terminal", "viewport",
        "window", "workers", "workspace",
    },
    "main": {"commands", "running", "terminal"},
    "gui": {"main"},
}  # fmt: skip


def package_of(parts: list[str]) -> str:
    """The row of a module, given by its names below kinetree.app."""
    if parts[0] == "panels" and len(parts) > 1 and (APP / "panels" / parts[1]).is_dir():
        return f"panels/{parts[1]}"
    return parts[0]


def _modules(node: ast.AST) -> list[list[str]]:
    """The modules below kinetree.app that a statement imports, as their names."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module:
        whole = node.module in ("kinetree.app", "kinetree.app.panels")
        names = [f"{node.module}.{alias.name}" for alias in node.names] if whole else [node.module]
    else:
        names = []
    return [name.split(".")[2:] for name in names if name.startswith("kinetree.app.")]


@functools.cache
def imports() -> dict[str, dict[str, set[str]]]:
    """package -> file -> other packages that it imports, at the top or inside functions."""
    found: dict[str, dict[str, set[str]]] = {}
    for path in sorted(APP.rglob("*.py")):
        package = package_of(list(path.relative_to(APP).with_suffix("").parts))
        if package != "__init__":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            others = {package_of(names) for node in ast.walk(tree) for names in _modules(node)}
            uses = [name.split(".") for name, _ in lazy_uses(tree, modules())]
            others |= {package_of(names[2:]) for names in uses if names[1] == "app"}
            found.setdefault(package, {})[path.relative_to(ROOT).as_posix()] = others - {package}
    return found


@pytest.mark.parametrize("package", INSIDE)
def test_packages_inside_app_import_what_the_table_says(package: str) -> None:
    files = imports()[package]
    wrong = [
        f"{file}: app/{package} may not import app/{other}"
        for file, others in files.items()
        for other in sorted(others - INSIDE[package])
    ]
    assert not wrong, "\n".join(wrong)
    needed = set().union(*files.values())
    assert not INSIDE[package] - needed, "the table allows imports that nobody needs"


def test_the_table_is_complete_and_in_order() -> None:
    assert set(imports()) == set(INSIDE)
    above: set[str] = set()
    for package, others in INSIDE.items():
        assert others <= above, f"{package} imports from a row below it"
        above.add(package)


# ---- circles of files ------------------------------------------------------------------------------------------------


def _names(statement: ast.Import | ast.ImportFrom, modules: Mapping[str, object]) -> set[str]:
    """The modules of the application that a statement imports: `from package import module` is one of module."""
    if isinstance(statement, ast.Import):
        return {alias.name for alias in statement.names} & modules.keys()
    below = {f"{statement.module}.{alias.name}" for alias in statement.names}
    return (below & modules.keys()) or ({statement.module or ""} & modules.keys())


def graph(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """module -> modules that it imports when it runs."""
    found: dict[str, set[str]] = {}
    for name, text in sources.items():
        tree = ast.parse(text)
        statements = [node for node in at_run_time(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        found[name] = {each for statement in statements for each in _names(statement, sources)} - {name}
        found[name] |= {each for each, _ in lazy_uses(tree, sources)} - {name}
    return found


def in_circles(imported: Mapping[str, set[str]]) -> set[str]:
    """The modules that import themselves through others, and those between two circles."""
    left = {name: set(others) for name, others in imported.items()}
    while True:
        needed = set().union(*left.values()) if left else set()
        done = {name for name, others in left.items() if not others or name not in needed}
        if not done:
            return set(left)
        left = {name: others - done for name, others in left.items() if name not in done}


def test_no_circle_of_files() -> None:
    """Also not one that a module hides which is imported when it is used."""
    sources = {
        "kinetree." + ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path.read_text(
            "utf-8"
        )
        for path in APP.rglob("*.py")
    }
    imported = graph(sources)
    assert len(imported["kinetree.app.window"]) > 20, "imports are not found"
    circles = in_circles(imported)
    assert not circles, "\n".join(f"{name}: {', '.join(sorted(imported[name] & circles))}" for name in sorted(circles))


def test_a_circle_is_found() -> None:
    texts = {
        "app.a": "import app.b",
        "app.b": "def f():\n    from app import c",
        "app.c": "from app import p\nfrom typing import TYPE_CHECKING\ndef f():\n    p.q.x()",
        "app.p": "",
        "app.p.q": "from app.a import x",
        "app.d": "if TYPE_CHECKING:\n    import app.e\nimport app.a",
        "app.e": "import app.d",
    }
    assert in_circles(graph(texts)) == {"app.a", "app.b", "app.c", "app.p.q"}


# ---- the window --------------------------------------------------------------------------------------------------


def _trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(APP.rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def _is_window(node: ast.AST) -> bool:
    """A variable or attribute `window`, and not the module."""
    if ast.unparse(node) == "app.window":
        return False
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name.lstrip("_") == "window"


def test_nobody_asks_the_window_for_its_parts() -> None:
    """Handlers get a context, panels send signals. What is left asks a QWidget for its size or focus."""
    found = [
        f"{file}:{node.lineno}: {ast.unparse(node)}"
        for file, tree in _trees()
        if file != "app/window.py"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and _is_window(node.value)
    ]
    assert len(found) < 30, "\n".join(found)
    probes = [
        f"{file}:{node.lineno}: {ast.unparse(node)}"
        for file, tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("getattr", "hasattr")
        and (_is_window(node.args[0]) or ast.unparse(node.args[0]).endswith(("panel", "dock")))
    ]
    assert not probes, "\n".join(probes)


# ---- the size of classes ---------------------------------------------------------------------------------------------

MOST_METHODS = 35
"""A class with more is several concepts: divide it."""


def test_no_class_has_too_many_methods() -> None:
    found = set()
    for file, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                methods = [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
                if len(methods) > MOST_METHODS:
                    found.add(f"{file}:{node.name}")
    assert not found, f"these classes have more than {MOST_METHODS} methods: divide them"
