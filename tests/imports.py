"""The modules of ours that a file imports: by statements, and by using a module of a package (engine/lazy.py)."""

import ast
import functools
from collections.abc import Container, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("engine", "renderer", "app")


def module_of(path: Path) -> str:
    """kinetree.app.panels for app/panels/__init__.py."""
    return ".".join(("kinetree", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


@functools.cache
def modules() -> dict[str, Path]:
    """Every module and package of ours, by name."""
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    return {module_of(path): path for path in files} | {"kinetree": ROOT / "kinetree" / "__init__.py"}


@functools.cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def is_for_types(node: ast.AST) -> bool:
    """Whether a statement is `if TYPE_CHECKING:`."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below one that are not under TYPE_CHECKING."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and is_for_types(child):
            for other in child.orelse:
                yield other
                yield from at_run_time(other)
        else:
            yield child
            yield from at_run_time(child)


def lazy_uses(tree: ast.AST, known: Container[str]) -> list[tuple[str, int]]:
    """(module, line) of each `package.module` in a file, where the file imports the package or one above it."""
    names = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in at_run_time(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if f"{node.module}.{alias.name}" in known
    }
    found = []
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or id(node) in inner:
            continue
        attributes: list[str] = []
        base: ast.expr = node
        while isinstance(base, ast.Attribute):
            attributes.insert(0, base.attr)
            base = base.value
        module = names.get(base.id, "") if isinstance(base, ast.Name) else ""
        deepest = module
        for attribute in attributes:
            if not module or f"{deepest}.{attribute}" not in known:
                break
            deepest = f"{deepest}.{attribute}"
        if deepest != module:
            found.append((deepest, node.lineno))
    return found
