"""The names in the documents for contributors exist: files, folders, modules, functions and classes."""

import ast
import builtins
import functools
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import kinetree
from kinetree.engine.model.fields import TABLES
from tests.documentation.pages import ROOT

DOCUMENTS = (
    "CONTRIBUTING.md",
    "docs/architecture.md",
    *(f"docs/howto/{name}.md" for name in ("attribute", "check", "panel", "sensor")),
)
MADE = {
    "app/panels/analysing/cameras", "tests/app/panels/analysing/test_cameras.py", "CamerasPanel", "SENS_SPEED", "engine/dynamics/sensor/speed.py", "DUST", "tiny",
    "test_a_camera_shows_its_height", "kinetree.app.panels.analysing.cameras.panel", "panel.py", "__init__.py", "body_price", "price",
}  # fmt: skip
"""The names that the reader of a how-to creates."""
FOREIGN = {"mujoco", "qtbot", "pytest", "numpy"}
FOLDERS = ("app", "engine", "renderer", "packaging", "resources", "shaders", "tests", "docs")
_PATH = re.compile(rf"(?<![\w./~-])(?:{'|'.join(FOLDERS)})/[\w./-]*\w|(?<![\w./-])[A-Z_]{{4,}}\.md")
_MODULE = re.compile(r"\bkinetree(?:\.\w+)+|(?<=-m )tests(?:\.\w+)*")
_LINK = re.compile(r"\]\(([^)#]+)")
_QUOTED = re.compile(r"`([^`\n]+)`")
_LABEL = re.compile(r"\"([^\"\n]+)\"")
_NAME = re.compile(r"\b[A-Za-z_]\w*(?:\.\w+)*\b")


@functools.cache
def names() -> set[str]:
    """Every module, function, class, method, argument of a function and assigned name in our sources; attributes
    too.
    """
    found: set[str] = {field for table in TABLES.values() for field in (row.name for row in table)}
    for folder in ("app", "engine", "renderer", "packaging", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            found.add(path.stem)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    found.add(node.name)
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    found.add(node.id)
                elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    found.add(node.attr)
    return found


def paths(text: str) -> set[str]:
    """The files and folders that a text names."""
    return {match.rstrip("/.") for match in _PATH.findall(text)}


def modules(text: str) -> set[str]:
    """The modules, or things in modules, that a text names."""
    return set(_MODULE.findall(text))


def identifiers(text: str) -> set[str]:
    """Names of code in a text: in backquotes outside of code, and in the boxes and arrows of diagrams. A word counts as
    one where it has an underscore, a dot before it, or capital letters inside."""
    found: set[str] = set()
    in_diagram = False
    for line in text.splitlines():
        if line.startswith("```"):
            in_diagram = line == "```mermaid"
        elif not line.startswith("        "):
            for part in (_LABEL if in_diagram else _QUOTED).findall(line):
                if (
                    _PATH.search(part)
                    or (ROOT / part).exists()
                    or " -m " in part
                    or part.startswith((".", "--", "kinetree", "<", "~", "$"))
                ):
                    continue
                for name in _NAME.findall(part):
                    found |= {word for word in name.split(".") if _is_code(word) or "." in name}
    return found - FOREIGN


def _is_code(word: str) -> bool:
    return "_" in word.strip("_") or word.startswith("_") or bool(re.search(r"[a-z][A-Z]", word))


def exists(module: str) -> bool:
    """Whether kinetree.engine.a.b is a module, a package, or a name in one."""
    parts = module.removeprefix("kinetree.").split(".")
    if len(parts) == 1 and module.startswith("kinetree.") and parts[0] not in FOLDERS:
        return _has((ROOT / "kinetree" / "__init__.py"), parts[0])
    for count in range(len(parts), 0, -1):
        base = ROOT.joinpath(*parts[:count])
        file = base.with_suffix(".py") if base.with_suffix(".py").is_file() else base / "__init__.py"
        if file.is_file():
            return count == len(parts) or _has(file, parts[count])
    return False


def _has(file: Path, name: str) -> bool:
    return re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")) is not None


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_a_document_names_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    wrong = [f"no file or folder {path}" for path in sorted(paths(text) - MADE) if not (ROOT / path).exists()]
    wrong += [f"no module {module}" for module in sorted(modules(text) - MADE) if not exists(module)]
    wrong += [f"no name {name}" for name in sorted(identifiers(text) - MADE - names())]
    for link in _LINK.findall(text):
        if "://" not in link and not (ROOT / document).parent.joinpath(link).exists():
            wrong.append(f"no page {link}")
    assert not wrong, f"{document} names what is not there: {'; '.join(wrong)}"


def functions(text: str) -> Iterator[ast.Module]:
    """The blocks of a how-to that are code of Python with a function or class, each parsed; rows of tables are not."""
    for block in re.findall(r"(?:^(?: {4,}.*)?\n)+", text, re.MULTILINE):
        try:
            tree = ast.parse(textwrap.dedent(block).strip())
        except SyntaxError:
            continue  # text of a model, or a row with a comma behind it
        if any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree.body):
            yield tree


def unknown(text: str) -> set[str]:
    """Names that the code of a how-to reads, and that it neither imports nor makes."""
    made, read = set(dir(builtins)), set()
    for tree in functions(text):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                made.add(node.name)
            elif isinstance(node, ast.arg):
                made.add(node.arg)
            elif isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else made).add(node.id)
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    made.add(alias.asname or alias.name)
                    if (node.module or "").startswith("kinetree") and not exists(f"{node.module}.{alias.name}"):
                        read.add(f"{node.module}.{alias.name}")
            elif isinstance(node, ast.Import):
                made |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return read - made


@pytest.mark.parametrize("document", [name for name in DOCUMENTS if "/howto/" in name])
def test_the_code_of_a_how_to_imports_what_it_uses(document: str) -> None:
    assert not unknown((ROOT / document).read_text(encoding="utf-8"))


def test_a_name_that_a_how_to_does_not_import_is_found() -> None:
    code = "    from kinetree.engine.model import enums\n\n    def f(a):\n        return [b for b in g(a, enums.JNT_BALL)]\n"
    assert unknown(f"Text\n\n{code}\nText\n") == {"g"}
    assert unknown(code.replace("model import", "modell import")) == {"g", "kinetree.engine.modell.enums"}


def test_names_that_are_not_there_are_found() -> None:
    text = 'See `engine/no_such.py`, `Project._no_such` and [this](x.md).\n```mermaid\na["NoSuch.thing"]\n```\n'
    assert paths(text) == {"engine/no_such.py"}
    assert identifiers(text) == {"Project", "_no_such", "NoSuch", "thing"}
    assert not exists("kinetree.engine.no_such") and not exists("kinetree.engine.storage.loading.no_such")
    assert exists("kinetree.engine.storage.loading.load") and exists("kinetree.renderer")


def test_the_version_has_its_changes() -> None:
    assert f"## {kinetree.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
