"""Navigation: from a name to its declaration and references; renaming.

subject = subject_at(document, path, offset)     the name at a place, None where there is none
definitions(document, path, offset)              where it is declared, or the file that it names
references(document, path, offset, users)        every place with the name
references_everywhere(document, path, offset, survey)   also those in other models with the same file
highlights(document, path, offset)               those of the same file
rename_at(document, path, offset)             the name that would be renamed
rename_edits(document, path, offset, new)     the edits of all files
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from kinetree.engine.assist.attached import attached_names, names_in_model
from kinetree.engine.assist.cursor import Cursor, Where, attributes_at, cursor_at
from kinetree.engine.assist.describe import one
from kinetree.engine.assist.files import file_of
from kinetree.engine.assist.index import NameSpot, index_of
from kinetree.engine.assist.kept import kept
from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import CannotRename, Names, names_of, rename
from kinetree.engine.assist.renaming import rename_everywhere
from kinetree.engine.assist.surroundings import FolderSurvey
from kinetree.engine.document import change
from kinetree.engine.document.change import Changes
from kinetree.engine.document.document import Document
from kinetree.engine.document.source import Source, Span
from kinetree.engine.document.tree import Attribute, Node
from kinetree.engine.mjcf import exceptions
from kinetree.engine.mjcf.references import attached_uses
from kinetree.engine.translation import tr

__all__ = [
    "Renamed",
    "Subject",
    "around",
    "definitions",
    "find_names",
    "highlights",
    "name_span",
    "references",
    "references_everywhere",
    "rename_at",
    "rename_edits",
    "subject_at",
]

_COPYING = tuple(f"<{id.rpartition('.')[2]}" for id in (*exceptions.COPYING, *exceptions.MADE_NAMES))


@dataclass(frozen=True, slots=True)
class Subject:
    """A name at a place of a text.

    space     its namespace
    name      the name
    span      the characters of the name; the tag of an element whose name is derived
    declares  whether this is a declaration, else a reference
    node      that element
    """

    space: str
    name: str
    span: Span
    declares: bool
    node: Node


def subject_at(document: Document, path: str, offset: int) -> Subject | None:
    """The name at an offset of a file, declared or referred to; at the tag of an element, its own name. Raises KeyError
    for a file that is not part of the document.
    """
    cursor = cursor_at(document, path, offset)
    node = cursor.node
    if node is None:
        return None
    language = language_of(document)
    if cursor.where in (Where.TAG, Where.CLOSING):
        declared, name = language.declares(node), language.name_of(node)
        if declared is None or not name:
            return None
        span = Span(cursor.source, cursor.start, cursor.end)
        return Subject(declared[1], name, span, True, node)
    if cursor.where is not Where.VALUE or cursor.value[0] == cursor.value[1]:
        return None
    row = language.row(node)
    known = None if row is None else row.attributes.get(cursor.attribute)
    if row is None or known is None:
        return None
    declared = language.declares(node, row)
    whole = Span(cursor.source, *cursor.value)
    value = node.get(cursor.attribute) or ""
    if declared is not None and declared[0].name == cursor.attribute:
        return Subject(declared[1], value, whole, True, node) if value else None
    space = language.refers_by(node, row, known)
    if row.id in exceptions.ATTACHING and cursor.attribute == exceptions.ATTACHING[row.id][1]:
        space = exceptions.ATTACHING[row.id][2]
    if space is None:
        return None
    if known.max_count == 1:
        return Subject(space, value, whole, False, node)
    word = Span(cursor.source, cursor.start, cursor.end)
    return Subject(space, word.text, word, False, node) if word.text else None


def definitions(document: Document, path: str, offset: int) -> list[Span | str]:
    """The declarations of the name at an offset, or the path of the file that a value names."""
    subject = subject_at(document, path, offset)
    if subject is not None:
        found = attached_at(document, subject)
        return list(declared_at(document, subject.space, subject.name)) or ([] if found is None else [found.span])
    cursor = cursor_at(document, path, offset)
    file = _file_at(document, cursor)
    return [file] if file is not None else []


def references(
    document: Document, path: str, offset: int, declaration: bool = True, users: Iterable[Document] = ()
) -> list[Span]:
    """Every place with the name at an offset, in all files: the references, and the declarations if `declaration`.
    Copies and generated parts of an element count.

    users  other documents, some of which may attach this one: their references count too
    """
    subject = subject_at(document, path, offset)
    if subject is None:
        return []
    found = declared_at(document, subject.space, subject.name) if declaration else []
    attached = attached_at(document, subject) if declaration and not found else None
    if attached is not None:
        found = [attached.span]
    for user in users:
        for each in names_of(document).declaring(subject.space, subject.name):
            for attribute, reference, _, _ in attached_uses(user, document, each):
                several = reference is not None and reference.row.max_count != 1
                found.append(_word(attribute, reference.name if reference is not None else "", several))
    if has_copies(document):
        names = names_of(document)
        referring = [
            _word(reference.attribute, reference.name, reference.row.max_count != 1)
            for each in names.meant(subject.space, subject.name)
            for reference, _ in names.of(each)
        ]
        if referring:
            return _once([*found, *referring])
    spots = index_of(document).references(subject.space, subject.name)
    return _once([*found, *(name_span(spot, subject.name) for spot in spots)])


def references_everywhere(
    document: Document, path: str, offset: int, declaration: bool, survey: FolderSurvey
) -> list[Span]:
    """Like `references`, also in the other models that share the file or attach it."""
    survey.take(document)
    models = {each.main_file: each for each in (document, *survey.models(path).documents)}
    found: dict[tuple[str, int, int], Span] = {}
    for each in models.values():
        users = [user for user in survey.attaching(each.main_file).documents if user.main_file != each.main_file]
        for span in references(each, path, offset, declaration, users):
            found.setdefault((span.source.path, span.start, span.end), span)
    return list(found.values())


def highlights(document: Document, path: str, offset: int) -> list[Span]:
    """The places in the same file with the name at an offset."""
    source = document.source_of(path)
    return [span for span in references(document, path, offset) if span.source is source]


def declared_at(document: Document, space: str, name: str) -> list[Span]:
    """The declarations of a name. For the name of a copy or a generated part, the declaration of its origin."""
    spots = index_of(document).names(space).get(name, [])
    if spots or not has_copies(document):
        return [name_span(spot, spot_name(spot, name)) for spot in spots]
    return [_declaring(each.node, each.row.name) for each in names_of(document).meant(space, name)]


class Attached(NamedTuple):
    """A declaration in an attached model: that model, the place, and its characters."""

    document: Document
    spot: NameSpot
    span: Span


def attached_at(document: Document, subject: Subject) -> Attached | None:
    """The declaration in an attached model that a reference means."""
    row = language_of(document).row(subject.node)
    if row is not None and row.id in exceptions.ATTACHING and not subject.declares:
        found = names_in_model(document, subject.node, row.id).get(subject.name)
    else:
        found = None
    found = found or attached_names(document, subject.space).get(subject.name)
    return None if found is None else Attached(found.document, found.spot, name_span(found.spot, subject.name))


@kept
def has_copies(document: Document) -> bool:
    """Whether elements may have generated names (of copies and parts), which the index does not know."""
    return any(tag in source.text for source in document.sources.values() for tag in _COPYING)


def find_names(documents: Iterable[Document], query: str, most: int = 500) -> list[tuple[Document, str, NameSpot]]:
    """The names of some documents that contain a text, ignoring case: names that begin with it come first."""
    wanted = query.lower()
    found: dict[tuple[str, int, str], tuple[Document, str, NameSpot]] = {}
    for document in documents:
        for name, spot in index_of(document).all_names():
            if wanted in name.lower():
                found.setdefault((document.path_of(spot.source), spot.start, name), (document, name, spot))
    ranked = sorted(found.values(), key=lambda each: (not each[1].lower().startswith(wanted), each[1].lower()))
    return ranked[:most]


def around(document: Document, path: str, offset: int) -> list[tuple[int, int]]:
    """Nested ranges around an offset, the largest first: the elements, the content of the innermost one, its start tag,
    an attribute, its value, a word of it.
    """
    source = document.source_of(path)
    node = document.trees[source.path].at(offset)
    cursor = cursor_at(document, path, offset)
    found = []
    for each in [node, *node.ancestors()] if node is not None else ():
        content = each.content_span
        if content.start <= offset <= content.end and content.end > content.start:
            found.append((content.start, content.end))
        if each is node and offset < each.head_span.end:
            found.insert(0, (each.head_span.start, each.head_span.end))
        found.append((each.start, each.end))
    inner = []
    if cursor.where in (Where.ATTRIBUTE, Where.VALUE) and cursor.node is not None:
        attribute = cursor.node.attribute(cursor.attribute)
        if attribute is not None:
            inner.append((attribute.span.start, attribute.span.end))
    if cursor.where is Where.VALUE:
        inner.append(cursor.value)
    if cursor.end > cursor.start:
        inner.append((cursor.start, cursor.end))
    result: list[tuple[int, int]] = []
    for start, end in [*reversed(found), *inner]:
        if not result or (result[-1] != (start, end) and result[-1][0] <= start and end <= result[-1][1]):
            result.append((start, end))
    return result


# ---- renaming ---------------------------------------------------------------------------------------


class Renamed(NamedTuple):
    """The subject of a rename.

    here      the name at that place
    document  the document that declares it; another one where the name comes from an attached model
    span      the name in that document, or here if it is the same document
    prefix    the prefix that an <attach> adds to the name
    """

    here: Subject
    document: Document
    span: Span
    prefix: str = ""


def rename_at(document: Document, path: str, offset: int) -> Renamed:
    """The name at an offset, if it can be renamed. Right before an element, where the caret is after selecting it
    elsewhere, it is the name of that element. Raises CannotRename.
    """
    subject = subject_at(document, path, offset) or _named_behind(document, path, offset)
    if subject is None:
        raise CannotRename(
            tr("there is no name here: put the cursor on the name of an element, or on a reference to one")
        )
    if not subject.declares and not index_of(document).names(subject.space).get(subject.name):
        attached = attached_at(document, subject)
        if attached is not None:
            prefix = subject.name.removesuffix(spot_name(attached.spot, subject.name))
            return Renamed(subject, attached.document, attached.span, prefix)
        _renamed(document, subject)
    return Renamed(subject, document, subject.span)


def _named_behind(document: Document, path: str, offset: int) -> Subject | None:
    """The declared name of the element that begins at an offset."""
    node = document.trees[document.source_of(path).path].at(offset)
    declared = None if node is None or node.start != offset else language_of(document).declares(node)
    attribute = None if node is None or declared is None else node.attribute(declared[0].name)
    if node is None or declared is None or attribute is None or not attribute.value:
        return None
    return Subject(declared[1], attribute.value, attribute.value_span, True, node)


def rename_edits(document: Document, path: str, offset: int, new: str, survey: FolderSurvey | None = None) -> Changes:
    """The edits in all files that rename the element whose name is at an offset.

    survey  finds the other models that include or attach the same files: their references change with it. Without one,
            only this document is changed

    Raises CannotRename.
    """
    subject = subject_at(document, path, offset)
    if subject is None:
        raise CannotRename(
            tr("there is no name here: put the cursor on the name of an element, or on a reference to one")
        )
    node = _renamed(document, subject)
    edits = rename(document, node, new) if survey is None else rename_everywhere(document, node, new, survey)
    return change.combine(*(change.set_attribute(edit.node, edit.name, edit.value) for edit in edits))


def _renamed(document: Document, subject: Subject) -> Node:
    """The element that a name means."""
    names: Names = names_of(document)
    declared = names.declaring(subject.space, subject.name)
    if subject.declares:
        return next((each.node for each in declared if each.node.id == subject.node.id), subject.node)
    if not declared:
        made = names.meant(subject.space, subject.name)
        if made:
            raise CannotRename(
                tr(
                    "'{name}' is a copy or a part of '{name2}' in line {line}: rename that",
                    name=subject.name,
                    name2=made[0].name,
                    line=made[0].node.line,
                )
            )
        if subject.name in names.implicit.get(subject.space, ()):
            raise CannotRename(tr("the {space} '{name}' always has that name", space=subject.space, name=subject.name))
        raise CannotRename(
            tr("nothing declares {one} with the name '{name}'", one=one(subject.space), name=subject.name)
        )
    return declared[0].node


# ---- places -----------------------------------------------------------------------------------------


def name_span(spot: NameSpot, name: str) -> Span:
    """The characters that are a name at a spot; the tag where the name is not written."""
    for each, _, start, end in attributes_at(spot.source, spot.start):
        if each == spot.attribute.name:
            if spot.attribute.refers is not None and spot.attribute.max_count != 1:
                return _word_span(spot.source, start, end, name)
            return Span(spot.source, start, end)
    start = spot.start + spot.subtree.name_at
    return Span(spot.source, start, start + len(spot.subtree.tag))


def spot_name(spot: NameSpot, name: str) -> str:
    """The written name at a place that declares it."""
    return spot.get(spot.attribute.name) or name


def _declaring(node: Node, name: str) -> Span:
    attribute = node.attribute(name)
    return node.tag_span if attribute is None else attribute.location


def _word(attribute: Attribute, name: str, is_list: bool) -> Span:
    span = attribute.value_span
    return _word_span(span.source, span.start, span.end, name) if is_list else span


def _word_span(source: Source, start: int, end: int, name: str) -> Span:
    """The range of one word in a list; of the whole list where its text is not the normal form."""
    found = re.compile(rf"(?<!\S){re.escape(name)}(?!\S)").search(source.text[start:end])
    return Span(source, start, end) if found is None else Span(source, start + found.start(), start + found.end())


def _once(spans: Iterable[Span]) -> list[Span]:
    return list(dict.fromkeys(spans))


def _file_at(document: Document, cursor: Cursor) -> str | None:
    node = cursor.node
    if cursor.where is not Where.VALUE or node is None:
        return None
    row = language_of(document).row(node)
    known = None if row is None else row.attributes.get(cursor.attribute)
    if row is None or known is None or known.type != "file":
        return None
    parsed = document.includes.get(node.id)
    if parsed is not None:
        return document.path_of(parsed.source)
    return file_of(document, row, node.get(cursor.attribute) or "")
