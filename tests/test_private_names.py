"""Private names of other libraries are used in one file for each of them, so that a new version is one place to look.

Three ways in are looked for: a private module that is imported, a name with an underscore that no file of ours defines,
and an assignment to an attribute of an imported object.
"""

import ast
import functools
import sys

from tests.test_layers import OURS, ROOT

FOLDERS = ("engine", "renderer", "app")
NUMBA = "engine/jit/translation.py"
PYSIDE = "app/overrides.py"
PYQTGRAPH = "app/panels/analysing/plots/axis.py"
PYGLS = "app/language_server/server.py"
DOCUMENTED = ("numba", "numba.types", "numba.extending", "numba.core", "numba.core.cgutils", "shiboken6")
"""Names of numba that files besides NUMBA may import (its guide to extensions has cgutils), and names of shiboken6."""
STANDARD = {"_replace", "_asdict", "_fields", "_fields_", "_make", "_exit", "_MEIPASS"}
"""Names of the standard library that have an underscore and are documented."""
USES = {
    NUMBA: {
        "_codegen", "_data_layout", "_final_module", "_get_module_for_linking", "_getvalue",
        "_linking_libraries", "_LowerResult",
    },
    PYQTGRAPH: {"_updateMaxTextSize"},
    PYGLS: {"_result_types", "_send_response"},
    "app/commands/arguments.py": {"_actions"},  # argparse tells the arguments of a parser by no other name
    "engine/document/xpath.py": {"_Element"},  # the type of lxml's elements, which has no other name
    "engine/mjcf/xsd.py": {"_Element"},
}  # fmt: skip
"""File -> private names of other libraries that it uses."""
ASSIGNS = {PYSIDE: {"Shiboken"}}
"""File -> imported names to whose attributes it assigns."""
OF_ALL = {"engine/model/memory.py"}
"""Files of ours whose private names others use without importing them: base classes of Model and Data."""
CTYPES_OF_GL = {"renderer/halving.py", "renderer/levels.py"}
"""Files of the renderer that call OpenGL without moderngl."""


class Facts:
    """Results of one walk through a file.

    defines  (private name, class around it or "") of each definition in the file
    uses     (private attribute, class around it or "", whether it is one of `super()`); those asked for by `getattr` too
    imports  (module, names, line) of each import
    changes  names at the start of `name.attribute = ...` and `setattr(name, ...)`
    """

    def __init__(self, file: str):
        self.defines: set[tuple[str, str]] = set()
        self.uses: set[tuple[str, str, bool]] = set()
        self.imports: list[tuple[str, set[str], int]] = []
        self.changes: set[str] = set()
        self._asked_for: set[int] = set()  # ids of the nodes of names in calls of getattr and hasattr
        todo: list[tuple[ast.AST, str]] = [(ast.parse((ROOT / file).read_text(encoding="utf-8")), "")]
        while todo:
            node, around = todo.pop()
            self._take(node, around)
            inner = node.name if isinstance(node, ast.ClassDef) else around
            todo += [(child, inner) for child in ast.iter_child_nodes(node)]

    def _take(self, node: ast.AST, around: str) -> None:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            self.defines.add((node.name, around))
        elif isinstance(node, ast.Attribute):
            if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
                self.defines.add((node.attr, around))
            if is_private(node.attr) and node.attr not in STANDARD:
                of_super = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "super"
                self.uses.add((node.attr, around, of_super))
            if isinstance(node.ctx, ast.Store):
                self.changes.add(_root(node))
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                self.defines.add((node.id, around))
        elif isinstance(node, ast.Constant):
            if not isinstance(node.value, str) or not is_private(node.value):
                return
            if id(node) in self._asked_for:
                self.uses.add((node.value, around, False))
            else:
                self.defines.add((node.value, around))  # a name in __slots__ or for setattr
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id == "setattr" and node.args:
                self.changes.add(_root(node.args[0]))
            if isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr") and len(node.args) > 1:
                self._asked_for.add(id(node.args[1]))
        elif isinstance(node, ast.Import):
            self.imports += [
                (alias.name, {alias.asname or alias.name.partition(".")[0]}, node.lineno) for alias in node.names
            ]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            self.imports.append((node.module or "", {alias.asname or alias.name for alias in node.names}, node.lineno))


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


@functools.cache
def facts() -> dict[str, Facts]:
    """File -> what is found in it."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    return {file: Facts(file) for file in (path.relative_to(ROOT).as_posix() for path in paths)}


@functools.cache
def own() -> dict[str, set[tuple[str, str]]]:
    """Private name -> (file, class around it) of each definition of ours."""
    found: dict[str, set[tuple[str, str]]] = {}
    for file, each in facts().items():
        for name, around in each.defines:
            if is_private(name):
                found.setdefault(name, set()).add((file, around))
    return found


@functools.cache
def near(file: str) -> set[str]:
    """A file and the files of ours that it imports: where the private names are defined that it may use."""
    found = {file, *OF_ALL}
    for module, names, _ in facts()[file].imports:
        for name in (module, *(f"{module}.{name}" for name in names)):
            path = name.removeprefix("kinetree.").replace(".", "/")
            found |= facts().keys() & {f"{path}.py", f"{path}/__init__.py"}
    return found


def of_others(file: str) -> set[str]:
    """Private names of other libraries in a file: those that no file of ours near it defines, and those of `super()` that
    only the class itself defines."""
    found = set()
    for name, around, of_super in facts()[file].uses:
        places = {place for place in own().get(name, ()) if place[0] in near(file)}
        if not (places - {(file, around)} if of_super else places):
            found.add(name)
    return found


def test_private_names_of_other_libraries_are_in_the_table() -> None:
    found = {file: names for file in facts() if (names := of_others(file))}
    extra = {file: more for file, names in found.items() if (more := names - USES.get(file, set()))}
    assert not extra, f"names that another library does not document; see USES: {extra}"
    unused = {file: less for file, names in USES.items() if (less := names - found.get(file, set()))}
    assert not unused, f"names in USES that nobody uses: {unused}"


def test_numba_and_shiboken_are_imported_as_documented() -> None:
    wrong = []
    for file, each in facts().items():
        for module, names, line in each.imports:
            top = module.partition(".")[0]
            if top == "numba" and file != NUMBA:
                if module not in DOCUMENTED or (module == "numba.core" and names != {"cgutils"}):
                    wrong.append(f"{file}:{line}: only {NUMBA} may import {module}")
            if top == "shiboken6" and file != PYSIDE and names != {"isValid"}:
                wrong.append(f"{file}:{line}: only {PYSIDE} may import more than isValid of shiboken6")
    assert not wrong, "\n".join(wrong)


def test_nothing_of_another_library_is_replaced() -> None:
    """No `types.Function.method = ours`: what a library has is the same for all who use it."""
    found = {}
    for file, each in facts().items():
        ours = OURS | sys.stdlib_module_names | {"kinetree"}
        foreign = {name for module, names, _ in each.imports if module.partition(".")[0] not in ours for name in names}
        if foreign & each.changes:
            found[file] = foreign & each.changes
    assert found == ASSIGNS


def test_opengl_is_called_without_moderngl_only_where_levels_are_made() -> None:
    modules = {file: {module.partition(".")[0] for module, _, _ in each.imports} for file, each in facts().items()}
    users = {file for file, found in modules.items() if file.startswith("renderer/") and "ctypes" in found}
    assert users == CTYPES_OF_GL
