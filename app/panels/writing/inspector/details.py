"""Description of an attribute below its row: help, type, origin, and the compiled value. HTML with links.

Links: "go" (to where the value stands), "class" (set the value in the class), "convert:euler" and the like.
"""

from __future__ import annotations

from html import escape

from kinetree.app.panels.writing.inspector.inspection import (
    ORIENTATION,
    InspectedAttribute,
    Inspection,
    place_of,
    unit_of,
)
from kinetree.app.panels.writing.inspector.object_values import compiled_row, current_row
from kinetree.app.settings import theme
from kinetree.engine.assist.in_force import ValueOrigin, class_of
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.schema_rows import MPEX
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.translation import tr


def tooltip(found: Inspection, item: InspectedAttribute) -> str:
    """Help in a tooltip."""
    return f"<p><b>{item.row.name}</b> &nbsp;{escape(kind_text(found, item))}</p><p>{escape(tr(item.row.help))}</p>"


def kind_text(found: Inspection, item: InspectedAttribute) -> str:
    """Type, unit and useful range as text."""
    known = item.row
    parts = [known.type_text]
    unit = unit_of(found, known)
    if unit:
        parts.append(unit)
    if known.low is not None or known.high is not None:
        low = f"{known.low:g}" if known.low is not None else "…"
        high = f"{known.high:g}" if known.high is not None else "…"
        parts.append(tr("useful {low} to {high}", low=low, high=high))
    if known.required:
        parts.append(tr("required"))
    if known.dialect == MPEX:
        parts.append(tr("Motphys dialect"))
    return " · ".join(parts)


def details(found: Inspection, name: str, values: str = "") -> str:
    """Everything about an attribute; `values` says what was compiled and what it is now."""
    item = found.items[found.form if name == ORIENTATION else name]
    lines = [escape(tr(item.row.help)), escape(kind_text(found, item)), origin(found, item)]
    lines.append(values)
    link = class_link(found, item)
    lines.append(link)
    return "<br>".join(line for line in lines if line)


def origin(found: Inspection, item: InspectedAttribute) -> str:
    """Where the value comes from."""
    primary = item.primary
    place = _origin(found, item)
    return tr("{place} (they differ)", place=place) if item.text is None and primary.origin in _OWN else place


_OWN = ValueOrigin.WRITTEN, ValueOrigin.CLASS
"""Where several elements may have the same origin and other values."""


def _origin(found: Inspection, item: InspectedAttribute) -> str:
    primary = item.primary
    if primary.origin is ValueOrigin.WRITTEN:
        return tr("Written in {link}", link=_link("go", place_of(found.node)))
    where = place_of(primary.where.node) if primary.where is not None else ""
    if primary.origin is ValueOrigin.CLASS:
        label = tr("class {class_name}", class_name=primary.class_name) if primary.class_name else tr("its defaults")
        return tr("From {link} ({where})", link=_link("go", label), where=escape(where))
    if primary.origin is ValueOrigin.SECTION:
        return tr("From another &lt;{tag}&gt; ({link})", tag=escape(found.node.tag), link=_link("go", where))
    if primary.origin is ValueOrigin.COMPILER:
        return tr("Computed by the compiler")
    if not primary.value:
        return tr("Not set")
    return tr("Default of {language}: {value}", language=found.language.name, value=escape(primary.value))


def class_link(found: Inspection, item: InspectedAttribute) -> str:
    """The offer to set the value in the class; "" where no class can."""
    row = found.row
    if row is None or row.default is None or item.text in (None, ""):
        return ""
    if item.row.name not in schema.ELEMENTS[row.default].attributes or item.row.name == "class":
        return ""
    return _link("class", tr("Set in class {name} instead", name=class_of(found.document, found.node).name))


def values_text(name: str, model, snapshot, of: ObjectId | None) -> str:
    """The compiled value of an attribute and its present value; `snapshot` may be None."""
    if model is None or of is None:
        return ""
    lines = []
    row = compiled_row(model, of, name)
    if row is not None:
        text = row.text(model, model)
        lines += [tr("Compiled: {text}", text=escape(text))] if "\n" not in text else []
    row = current_row(model, of, name) if snapshot is not None and snapshot.model is model else None
    if row is not None:
        lines.append(tr("Now: {value} ({name})", value=escape(row.text(snapshot, model)), name=row.name))
    return "<br>".join(lines)


def _link(target: str, text: str) -> str:
    return f'<a href="{target}" style="color: {theme.current().accent}">{escape(text)}</a>'
