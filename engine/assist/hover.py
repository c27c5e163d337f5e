"""Hover: help for a place of a text, as Markdown.

found = hover(document, path, offset)
found.markdown     help of the element or attribute, type, unit, range, default; the effective value and its
                   origin; the declaration of a name
found.span         the characters that it describes
"""

from __future__ import annotations

import os
from typing import NamedTuple

from kinetree.engine.assist import describe
from kinetree.engine.assist.cursor import Cursor, Where, cursor_at
from kinetree.engine.assist.files import file_of
from kinetree.engine.assist.in_force import in_force
from kinetree.engine.assist.index import index_of
from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.assist.navigation import Subject, attached_at, has_copies, references, subject_at
from kinetree.engine.document.document import Document
from kinetree.engine.document.source import Span
from kinetree.engine.translation import counted, tr

__all__ = ["Hover", "hover"]


class Hover(NamedTuple):
    """The help for a stretch of the text."""

    span: Span
    markdown: str


def hover(document: Document, path: str, offset: int) -> Hover | None:
    """The help for an offset of a file; None where there is none. Raises KeyError for a file that is not part of the
    document.
    """
    cursor = cursor_at(document, path, offset)
    node = cursor.node
    if node is None or cursor.where in (Where.CONTENT, Where.NOTHING):
        return None
    row = language_of(document).row(node)
    if row is None:
        return None
    if cursor.where in (Where.TAG, Where.CLOSING):
        text = describe.element_text(row)
        subject = subject_at(document, path, offset)
        if subject is not None:
            uses = len(references(document, path, offset, declaration=False))
            text += "\n\n" + _references(uses, subject.space, describe.plain(subject.name))
        return Hover(Span(cursor.source, cursor.start, cursor.end), text)
    known = row.attributes.get(cursor.attribute)
    if known is None:
        return None
    parts = [describe.attribute_text(known, in_force(document, node).get(known.name))]
    span = Span(cursor.source, cursor.start, cursor.end)
    if cursor.where is Where.VALUE:
        subject = subject_at(document, path, offset)
        if subject is not None and not subject.declares:
            span = subject.span
            parts.insert(0, _referred(document, subject))
        elif known.type == "file":
            span = Span(cursor.source, *cursor.value)
            parts.insert(0, _file(document, cursor, node.get(known.name) or ""))
        elif known.type not in ("keyword", "reference"):
            span = Span(cursor.source, *cursor.value)
    return Hover(span, "\n\n---\n\n".join(filter(None, parts)))


def _references(count: int, space: str, name: str) -> str:
    if not count:
        return tr("Nothing refers to the {space} {name}.", space=space, name=name)
    return counted(
        "{count} reference to the {space} {name}.",
        "{count} references to the {space} {name}.",
        count,
        space=space,
        name=name,
    )


def _referred(document: Document, subject: Subject) -> str:
    """Describes the declaration of a name."""
    space, name = subject.space, subject.name
    spots = index_of(document).names(space).get(name)
    if spots:
        return describe.declared_text(spots[0], space, name)
    attached = attached_at(document, subject)
    if attached is not None:
        return describe.declared_text(attached.spot, space, name)
    if name in (language_of(document).grammar.implicit or {}).get(space, ()):
        return tr("**{space} {name}** exists without being declared.", space=space, name=describe.plain(name))
    made = names_of(document).meant(space, name) if has_copies(document) else []
    if made:
        origin = made[0]
        return tr(
            "**{space} {name}**, a copy or a part of {origin}, line {line} of {path}",
            space=space,
            name=describe.plain(name),
            origin=describe.plain(origin.name),
            line=origin.node.line,
            path=os.path.basename(origin.node.source.path),
        )
    return tr("No element declares {one} with the name {name}.", one=describe.one(space), name=describe.plain(name))


def _file(document: Document, cursor: Cursor, value: str) -> str:
    assert cursor.node is not None
    row = language_of(document).row(cursor.node)
    if not value.strip() or row is None:
        return ""
    parsed = document.includes.get(cursor.node.id)
    path = document.path_of(parsed.source) if parsed is not None else file_of(document, row, value)
    if path is None:
        return tr("There is no file {name}.", name=describe.plain(value))
    try:
        size = os.path.getsize(path)
    except OSError:
        return describe.plain(path)
    return f"{describe.plain(path)}, {_bytes(size)}"


def _bytes(size: int) -> str:
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1000:.3g} kB" if size < 1e6 else f"{size / 1e6:.3g} MB"
