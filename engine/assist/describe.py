"""Describes elements, attributes and names as Markdown: for hover, completion and tooltips."""

from __future__ import annotations

import os
import re

from kinetree.engine.assist.in_force import InForce, ValueOrigin
from kinetree.engine.assist.index import NameSpot
from kinetree.engine.mjcf.schema_rows import MPEX, AttributeRow, ElementRow
from kinetree.engine.translation import all_of, tr

__all__ = [
    "attribute_text",
    "declared_text",
    "element_text",
    "number_text",
    "one",
    "plain",
    "signature",
    "source_of_value",
]

_DIALECTS = {MPEX: "Motphys", "kinetree": "Kinetree"}


def element_text(row: ElementRow) -> str:
    """Help of an element."""
    lines = [f"**<{row.tag}>** {_dialect(row.dialect)}".rstrip(), tr(row.help)]
    required = [known.name for known in row.attributes.values() if known.required]
    if required:
        lines.append(tr("Needs {names}.", names=all_of(required)))
    return "\n\n".join(lines)


def attribute_text(row: AttributeRow, value: InForce | None = None) -> str:
    """Help of an attribute: type, unit, range, default, and the effective value."""
    lines = [f"**{row.name}** `{signature(row)}` {_dialect(row.dialect)}".rstrip(), tr(row.help)]
    facts = []
    if row.low is not None or row.high is not None:
        facts.append(tr("Useful range: {range}", range=_range(row)))
    if row.required:
        facts.append(tr("Required"))
    elif row.default is not None:
        default = tr("Default: `{value}`", value=row.default)
        facts.append(default + (f" (Motphys: `{row.mpex_default}`)" if row.mpex_default is not None else ""))
    if row.same_as is not None:
        facts.append(tr("Another spelling of `{name}`", name=row.same_as))
    if value is not None and value.origin is not ValueOrigin.FORMAT:
        facts.append(tr("In force: {value}", value=_shown(value)))
    if facts:
        lines.append("  \n".join(facts))
    return "\n\n".join(lines)


def signature(row: AttributeRow) -> str:
    """Type and unit in short: "real(3), m"."""
    kind = tr("name of {one}", one=one(row.refers)) if row.refers and not row.refers.startswith("@") else row.type_text
    return ", ".join(filter(None, [kind, row.unit]))


def source_of_value(value: InForce) -> str:
    """Where a value comes from: "written here", "default class arm, line 12", ..."""
    if value.origin is ValueOrigin.WRITTEN:
        return tr("written here")
    if value.origin is ValueOrigin.FORMAT:
        return tr("default of the format")
    if value.origin is ValueOrigin.COMPILER:
        return tr("computed by the compiler")
    assert value.where is not None
    node = value.where.node
    line, path = value.where.line, os.path.basename(node.source.path)
    if value.origin is ValueOrigin.SECTION:
        return tr("set by another <{tag}>, line {line} of {path}", tag=node.tag, line=line, path=path)
    if value.class_name:
        return tr("default class {name}, line {line} of {path}", name=value.class_name, line=line, path=path)
    return tr("default class {name}, line {line}", name=value.class_name, line=line)


def declared_text(spot: NameSpot, space: str, name: str) -> str:
    """The declaration of a name: kind, place and start tag."""
    line = spot.source.line_column(spot.start)[0]
    head = spot.source.text[spot.start : spot.start + min(spot.subtree.head, 400)]
    head = re.sub(r"\s+", " ", head).replace("`", "'")
    where = tr("line {line} of {path}", line=line, path=os.path.basename(spot.source.path))
    return f"**{space} {plain(name)}**, {where}\n\n```xml\n{head}\n```"


def plain(text: str) -> str:
    """Text of a model for use in Markdown, with its markup characters escaped."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~-])", r"\\\1", text)


def one(thing: str) -> str:
    """ "a joint", "an actuator"."""
    return tr("an {thing}", thing=tr(thing)) if thing[:1] in "aeiou" else tr("a {thing}", thing=tr(thing))


def number_text(value: float) -> str:
    """A bound of a range as text, without a trailing ".0"."""
    return f"{value:g}"


def _shown(value: InForce) -> str:
    if value.value is None:
        return source_of_value(value)
    text = value.value if len(value.value) <= 60 else value.value[:57] + "..."
    return f"`{text.replace('`', chr(39))}`, {source_of_value(value)}" if text else source_of_value(value)


def _range(row: AttributeRow) -> str:
    if row.high is None:
        return tr("{number} or more", number=number_text(row.low or 0))
    if row.low is None:
        return tr("at most {number}", number=number_text(row.high))
    return tr("{least} to {most}", least=number_text(row.low), most=number_text(row.high))


def _dialect(dialect: str) -> str:
    return f"({_DIALECTS[dialect]})" if dialect in _DIALECTS else ""
