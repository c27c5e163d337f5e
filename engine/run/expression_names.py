"""The words of expressions (`engine/run/expression.py`): what names an object and its numbers, and how a text that
means them is written.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from kinetree.engine.arithmetic import CONSTANTS
from kinetree.engine.model import kinds
from kinetree.engine.model.fields import by_name

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model
    from kinetree.engine.run.expression_tree import Expression
    from kinetree.engine.run.matching import Matching

PREFIXES = {"tendon": ("ten_",)}
"""Kind of object -> other beginnings of the names of its fields."""
OTHER = "other"
"""The word for the model that is compared."""
RECORDED = ("state", "input", "output")
"""Roles of the fields of Data that an expression may read."""


def kind_of(name: str) -> str | None:
    """The kind of object that a word names: joint or, as in MuJoCo's names, jnt."""
    if name in kinds.KINDS:
        return name
    row = kinds.BY_PREFIX.get(name)
    return None if row is None else row.name


def field_of(kind: str, name: str, table: str) -> str | None:
    """The field that an attribute of an object means: joint("a").range is model.jnt_range."""
    fields = by_name(table)
    sizes = _sizes(kind)
    beginnings = (*PREFIXES.get(kind, ()), f"{kinds.KINDS[kind].prefix}_", kind, "")
    for candidate in (beginning + name for beginning in beginnings):
        row = fields.get(candidate)
        if row is not None and row.shape and row.shape[0] in sizes and (table == "Model" or row.role in RECORDED):
            return candidate
    return None


def _sizes(kind: str) -> set[str]:
    """The sizes of arrays that have a part for each object of a kind."""
    row = kinds.KINDS[kind]
    return {row.size, *(part.size for part in row.ranges if part.number is not None)}


def attributes(model: Model, kind: str, table: str = "Data") -> list[str]:
    """Attributes of an object of a kind in Data, or in Model: its own first. For completion and messages."""
    row = kinds.KINDS[kind]
    sizes = _sizes(kind)
    prefixes = (f"{row.prefix}_", *PREFIXES.get(kind, ()))
    own, others, parts = [], [], []
    for name, each in by_name(table).items():
        if not each.shape or each.shape[0] not in sizes or (table == "Data" and each.role not in RECORDED):
            continue
        for prefix in prefixes:
            if name.startswith(prefix):
                own.append(name.removeprefix(prefix))
                break
        else:
            mine = each.shape[0] == row.size
            (others if mine else parts).append("data" if name == f"{kind}data" else name)
    return own + others + parts


def follow(expression: Expression, matching: Matching) -> str:
    """The text for the next version of the model, in which objects may have other names and numbers. An object that
    is gone stays as it is written, so that parsing the text says what is missing. The model that is compared stays."""
    text = expression.text
    mine = (each for each in expression.references if not each.is_other)
    for each in sorted(mine, key=lambda reference: -reference.start):
        id = matching.new_id(each.kind, each.id)
        if id >= 0:
            is_named = text[each.start] in "'\""
            names = matching.new.names.get(each.kind, [])
            name = names[id] if id < len(names) else ""
            text = text[: each.start] + (quoted(name) if is_named and name else str(id)) + text[each.end :]
    return text


def quoted(name: str) -> str:
    """A name as it stands in an expression."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def reference(model: Model, kind: str, id: int) -> str:
    """The text that names an object: joint("knee"), or joint(3) where it has no name or shares it."""
    names = model.names.get(kind, [])
    name = names[id] if id < len(names) else ""
    return f"{kind}({quoted(name)})" if name and names.index(name) == id else f"{kind}({id})"


def of_other(text: str) -> str:
    """The text that means in the model that is compared what a text means in this one."""
    try:
        node: ast.AST = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return f"{OTHER}({text})"
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    is_name = isinstance(node, ast.Name) and node.id not in CONSTANTS
    return f"{OTHER}.{text.strip()}" if is_name else f"{OTHER}({text.strip()})"
