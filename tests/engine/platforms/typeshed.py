"""Which names of the standard library only some systems have: read from typeshed, whose stubs say it in conditions like
`if sys.platform != "win32":`. The stubs come with basedpyright.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import operator
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

PLATFORMS = ("linux", "darwin", "win32")
PYTHON = (3, 11)
"""The oldest version that Kinetree runs on."""
_COMPARE: dict[type[ast.cmpop], Callable] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
}


@functools.cache
def folder() -> Path:
    """The stubs of the standard library."""
    found = importlib.util.find_spec("basedpyright")
    assert found is not None and found.origin is not None, "pip install basedpyright"
    return Path(found.origin).parent / "dist" / "typeshed-fallback" / "stdlib"


def _holds(test: ast.expr, platform: str) -> bool:
    """Whether a condition of a stub holds."""
    if isinstance(test, ast.BoolOp):
        results = [_holds(value, platform) for value in test.values]
        return all(results) if isinstance(test.op, ast.And) else any(results)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return not _holds(test.operand, platform)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = ast.unparse(test.left), ast.literal_eval(test.comparators[0])
        known = {"sys.platform": platform, "sys.version_info": PYTHON}
        if left in known:
            return _COMPARE[type(test.ops[0])](known[left], right)
    if isinstance(test, ast.Call) and ast.unparse(test.func) == "sys.platform.startswith":
        return platform.startswith(ast.literal_eval(test.args[0]))
    return ast.unparse(test) != "TYPE_CHECKING"


def _defined(body: list[ast.stmt], platform: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.If):
            yield from _defined(node.body if _holds(node.test, platform) else node.orelse, platform)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname for alias in node.names if alias.asname)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))


@functools.cache
def names(module: str, platform: str) -> frozenset[str]:
    """The names of a module on a system."""
    place = folder().joinpath(*module.split("."))
    path = place / "__init__.pyi" if place.is_dir() else place.with_suffix(".pyi")
    if not path.is_file():
        return frozenset()
    return frozenset(_defined(ast.parse(path.read_text(encoding="utf-8")).body, platform))


@functools.cache
def of_some_systems(module: str) -> frozenset[str]:
    """The names of a module that not every system has; "" among them where there is a system without the module."""
    everywhere = [names(module, platform) for platform in PLATFORMS]
    found = frozenset.union(*everywhere) - frozenset.intersection(*everywhere)
    return found | {""} if any(everywhere) and not all(everywhere) else found


def uses(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """(name, line) of each use of a name of the standard library that only some systems have: "os.fork", "fcntl"."""
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] in sys.stdlib_module_names:
                    modules[alias.asname or alias.name] = alias.name
                    if "" in of_some_systems(alias.name):
                        yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if node.module.partition(".")[0] in sys.stdlib_module_names:
                there = of_some_systems(node.module)
                yield from (
                    (f"{node.module}.{alias.name}", node.lineno)
                    for alias in node.names
                    if alias.name in there or "" in there
                )
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            module = modules.get(ast.unparse(node.value))
            if module is not None and node.attr in of_some_systems(module):
                yield f"{module}.{node.attr}", node.lineno
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "hasattr") and len(node.args) > 1:
            module, name = modules.get(ast.unparse(node.args[0])), node.args[1]
            if module is not None and isinstance(name, ast.Constant) and name.value in of_some_systems(module):
                yield f"{module}.{name.value}", node.lineno
