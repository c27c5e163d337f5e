"""docs/api.md, the public interface of Python, from the docstrings of the names in `kinetree/__init__.py`."""

from __future__ import annotations

import inspect
import re
import textwrap
from enum import Enum
from types import ModuleType
from typing import Any

import kinetree
from kinetree.engine.scene import options

HEAD = """\
# The interface of Python

<!-- Made by `python -m tests.documentation`: change the docstrings instead. -->

`pip install .` gives `import kinetree`. Everything here is in that one name; anything else may change without notice.
While the version begins with 0, a minor version may change this page too; [CHANGELOG.md](../CHANGELOG.md) says so.

Names, shapes and conventions are MuJoCo's. Units are those of SI, angles are in radians where nothing else is said.
Objects are given by id or name. `nq`, `nv`, `nu` ... are numbers of a Model.

The examples run in a folder with the models of `resources/models`, after these two lines:

```python
import kinetree
import numpy as np
```
"""
GROUPS = {
    "Models": ("load", "load_string", "Model", "ObjectView", "name2id", "enums", "save", "to_xml"),
    "Texts": ("Document", "DocumentElement", "NoElement"),
    "Simulation": ("Data", "reset", "step", "forward", "inverse", "kinematics", "Hooks", "Threads"),
    "States": ("State", "get_state", "set_state", "state_size", "integrate_pos", "differentiate_pos"),
    "Pictures": ("render", "Camera", "VisOptions"),
    "Contacts, distances and rays": ("contact_force", "geom_distance", "ray"),
    "Motion of objects": ("object_velocity", "object_acceleration", "rne_post_constraint", "subtree_vel"),
    "Jacobians": (
        "jac", "jac_body", "jac_body_com", "jac_geom", "jac_site", "jac_subtree_com", "jac_tendon", "jac_dot", "apply_ft",
    ),
    "Inertia and derivatives": ("full_m", "mul_m", "solve_m", "transition_fd", "inverse_fd"),
    "Errors": ("ModelError", "Diagnostic", "CannotSave", "NoContext"),
}  # fmt: skip
"""Title -> public names, in the order of the page."""
MADE = ("Model", "ObjectView", "DocumentElement", "Diagnostic")
"""Classes whose objects are made by Kinetree, not by callers."""
_ROW = re.compile(r"(\w+)((?:, \w+)*) {2,}(\S.*)")


def example(name: str) -> str:
    """The code of the example in a docstring; empty where there is none."""
    _, found, code = _text(name).partition("\nExample:\n")
    return textwrap.dedent(code).strip() if found else ""


def signature(name: str) -> str:
    """Call signature, as on the page; the bare name if it is not callable."""
    value = getattr(kinetree, name)
    if (
        name in MADE
        or isinstance(value, ModuleType)
        or (inspect.isclass(value) and issubclass(value, Enum | Exception))
    ):
        return f"kinetree.{name}"
    parameters, star = [], False
    found = inspect.signature(value)
    for each in found.parameters.values():
        if each.kind is each.KEYWORD_ONLY and not star:
            parameters.append("*")
            star = True
        default = "" if each.default is each.empty else _default(each.default)
        typed = "" if each.annotation is each.empty else f": {_type(each.annotation)}"
        equals = f" = {default}" if typed else f"={default}"
        prefix = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
        parameters.append(f"{prefix}{each.name}{typed}{equals if default else ''}")
    result = found.return_annotation
    arrow = "" if inspect.isclass(value) or result in (found.empty, "None") else f" -> {_type(result)}"
    return f"kinetree.{name}({', '.join(parameters)}){arrow}"


def page() -> str:
    """The page in Markdown."""
    parts = [HEAD]
    for title, names in GROUPS.items():
        parts.append(f"\n## {title}\n")
        for name in names:
            body = _text(name).partition("\nExample:\n")[0]
            parts.append(f"\n### {name}\n\n    {signature(name)}\n\n{_markdown(body)}")
            if name in TABLES:
                parts.append(TABLES[name]())
            if example(name):
                parts.append(f"\n```python\n{example(name)}\n```\n")
    return "".join(parts)


def _flags() -> str:
    rows = "".join(f"| `{row.name}` | {row.default} | {row.help} |\n" for row in options.FLAGS)
    return f"\n| flag | default | what it shows |\n|---|---|---|\n{rows}"


def _constants() -> str:
    prefixes = sorted(
        {name.partition("_")[0] for name in vars(kinetree.enums) if re.fullmatch(r"[A-Z]+_[A-Z0-9_]+", name)}
    )
    return f"\nThey begin with {', '.join(f'`{each}_`' for each in prefixes)}.\n"


TABLES = {"VisOptions": _flags, "enums": _constants}
"""Name -> what stands below its docstring."""


def _text(name: str) -> str:
    return inspect.getdoc(getattr(kinetree, name)) or ""


def _type(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _default(value: Any) -> str:
    if isinstance(value, Enum):
        return f"kinetree.{type(value).__name__}.{value.name}"
    return "..." if type(value).__module__ != "builtins" or "factory" in repr(value) else repr(value)


def _markdown(text: str) -> str:
    """Paragraphs of a docstring; rows "name   what it is" become a list."""
    blocks = []
    for block in re.split(r"\n{2,}", text.strip()):
        lines = block.split("\n")
        rows = [match for line in lines if (match := _ROW.fullmatch(line))]
        if rows and _ROW.fullmatch(lines[0]):
            block = ""
            for line in lines:
                match = _ROW.fullmatch(line)
                if match:
                    names = ", ".join(f"`{name}`" for name in f"{match[1]}{match[2]}".split(", "))
                    block += f"\n- {names}: {match[3]}"
                else:
                    block += f"\n  {line.strip()}"
        blocks.append(re.sub(r"(?<!`)<(\w+)>", r"`<\1>`", block.strip()))
    return "\n\n".join(blocks) + "\n"
