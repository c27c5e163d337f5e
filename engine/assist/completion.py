"""Completion: proposals for a place of a text, which may be broken while it is being typed.

    found = complete(document, path, offset)
    found.items[0].label, .text, .start, .end     replace the characters [start, end) of the file by the text

Proposals are the elements that the schema still allows there, attributes, keywords, declared names, default classes,
files, and the end tag of the enclosing element. The best come first; `stops` are the placeholders in the new text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from kinetree.engine import formats
from kinetree.engine.assist import describe
from kinetree.engine.assist.attached import Found, attached_names, names_in_model
from kinetree.engine.assist.cursor import Cursor, Where, cursor_at, element_around
from kinetree.engine.assist.files import files_for
from kinetree.engine.assist.in_force import InForce, in_force, is_mpex
from kinetree.engine.assist.index import NameSpot, index_of
from kinetree.engine.assist.language import MJCF, Language, grammar_of, language_of
from kinetree.engine.assist.tags import is_open
from kinetree.engine.document.change import escape
from kinetree.engine.document.document import Document
from kinetree.engine.document.layout import indent_at, indent_unit, line_break
from kinetree.engine.document.tree import Node
from kinetree.engine.mjcf import exceptions, schema
from kinetree.engine.mjcf.schema_rows import MPEX, MUJOCO, AttributeRow, ElementRow
from kinetree.engine.translation import tr

__all__ = ["Completion", "CompletionKind", "Completions", "complete"]

LIMIT = 200
"""Most items that are offered at once; typing more letters gives the others."""

MISFIT = 4

_USUALLY_EMPTY = frozenset(
    {
        "lengthrange", "flag", "plugin", "layer", "config", "edge", "elasticity", "contact", "pin", "color", "texture",
        "bone", "omc",
    }
)  # fmt: skip
"""Elements that are rarely wanted where they are allowed. An element that allows only these is written <tag/>."""


class CompletionKind(Enum):
    """Kind of a completion item."""

    ELEMENT = "element"
    END_TAG = "end tag"
    ATTRIBUTE = "attribute"
    KEYWORD = "keyword"
    VALUE = "value"
    NAME = "name"
    CLASS = "class"
    FILE = "file"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Completion:
    """One proposal.

    label       the text that the user sees and types
    kind        see Kind
    start, end  the characters of the file that it replaces; they include the place of the completion
    text        the new text
    stops       placeholders (start, end) in `text`, in order; the last one is the final position of the cursor
    detail      a few words beside the label: the type of an attribute, the place of a name
    help        Markdown
    again       whether to complete again at the first stop
    """

    label: str
    kind: CompletionKind
    start: int
    end: int
    text: str
    stops: tuple[tuple[int, int], ...] = ()
    detail: str = ""
    help: str = ""
    again: bool = False


@dataclass(frozen=True, slots=True)
class Completions:
    """The items, the best first. `incomplete`: there are more, which more letters would show."""

    items: tuple[Completion, ...] = ()
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An item that is not yet matched against the typed text. `rank`: smaller is better."""

    label: str
    rank: int
    make: Callable[[], Completion]


def complete(document: Document, path: str, offset: int, limit: int = LIMIT) -> Completions:
    """Proposals for an offset of a file of the document. Raises KeyError for a file that is not part of the
    document.
    """
    cursor = cursor_at(document, path, offset)
    language = language_of(document)
    typed = cursor.typed
    if cursor.where in (Where.CONTENT, Where.TAG):
        candidates = list(_elements(document, language, cursor))
    elif cursor.where is Where.CLOSING:
        candidates = list(_end_tags(cursor))
    elif cursor.where is Where.ATTRIBUTE:
        candidates = list(_attributes(document, language, cursor))
    elif cursor.where is Where.VALUE:
        row = _row_of(language, cursor)
        known = None if row is None else row.attributes.get(cursor.attribute)
        if row is None or known is None:
            return Completions()
        values = _Values(document, language, cursor, row, known, limit)
        typed = values.typed
        candidates = list(values.candidates())
    else:
        return Completions()
    fitting = [
        (fit, each.rank, order, each)
        for order, each in enumerate(candidates)
        if (fit := _fit(each.label, typed)) < MISFIT
    ]
    fitting.sort(key=lambda item: item[:3])
    return Completions(tuple(each.make() for *_, each in fitting[:limit]), len(fitting) > limit)


def _fit(label: str, typed: str) -> int:
    """How well a label fits what was typed: 0 to 3, MISFIT for not at all."""
    if label.startswith(typed):
        return 0
    lower, label = typed.lower(), label.lower()
    if label.startswith(lower):
        return 1
    if lower in label:
        return 2
    letters = iter(label)
    return 3 if all(letter in letters for letter in lower) else MISFIT


# ---- elements ---------------------------------------------------------------------------------------


def _elements(document: Document, language: Language, cursor: Cursor) -> Iterator[_Candidate]:
    in_tag = cursor.where is Where.TAG
    if in_tag:
        parent = element_around(document.trees[cursor.source.path], cursor.tag_start)
    else:
        parent = cursor.node
    if parent is None:
        root = document.trees[cursor.source.path]
        if not root.tag or (in_tag and root is cursor.node) or root.start >= cursor.start:
            for tag in (schema.ROOT.tag, *formats.ROOTS):
                row = grammar_of(tag).root
                yield _Candidate(tag, 0, lambda row=row: _element(cursor, row))
        return
    for tag, row in language.children(parent, cursor.node if in_tag else None).items():
        rank = 0 if row.multiplicity == "!" else 1
        rank += 4 * (row is schema.INCLUDE) + 2 * (row.dialect != MUJOCO and not is_mpex(document))
        yield _Candidate(tag, rank, lambda row=row: _element(cursor, row))
    if not in_tag and is_open(parent):
        yield _Candidate(f"/{parent.tag}", -1 if not cursor.typed else 5, lambda: _end_tag(cursor, parent))


def _element(cursor: Cursor, row: ElementRow) -> Completion:
    """Proposes an element: only its tag if attributes or an end tag follow already, else with its required
    attributes.
    """
    source = cursor.source
    if cursor.where is Where.TAG and _goes_on(cursor):
        return Completion(
            row.tag, CompletionKind.ELEMENT, cursor.start, cursor.end, row.tag, (), "", describe.element_text(row)
        )
    opening = "" if cursor.where is Where.TAG else "<"
    text = opening + row.tag
    stops = []
    for known in row.attributes.values():
        if known.required:
            text += f' {known.name}="'
            stops.append((len(text), len(text)))
            text += '"'
    if _holds_elements(row):
        at = cursor.tag_start if cursor.where is Where.TAG else cursor.start
        end = line_break(source.text) + indent_at(source.text, at)
        text += ">"
        if row.attributes and not stops:
            stops.append((len(text) - 1, len(text) - 1))
        text += end + indent_unit(source.text)
        stops.append((len(text), len(text)))
        text += f"{end}</{row.tag}>"
    else:
        if row.attributes and not stops:
            text += " "
            stops.append((len(text), len(text)))
        text += "/>"
        stops.append((len(text), len(text)))
    end = cursor.end if cursor.where is Where.TAG else cursor.offset
    return Completion(
        row.tag,
        CompletionKind.ELEMENT,
        cursor.start,
        end,
        text,
        tuple(stops),
        "",
        describe.element_text(row),
        bool(row.attributes),
    )


def _holds_elements(row: ElementRow) -> bool:
    tags = {child.rpartition(".")[2] for child in row.children}
    return bool(tags) and (not row.attributes or not tags <= _USUALLY_EMPTY)


def _goes_on(cursor: Cursor) -> bool:
    """Whether more of the tag follows the name."""
    node = cursor.node
    if node is None:
        return False
    return bool(node.attributes) or cursor.source.text[node.start + node.subtree.head - 1] == ">"


def _end_tags(cursor: Cursor) -> Iterator[_Candidate]:
    node = cursor.node
    if node is None:
        return
    text = cursor.source.text
    close = "" if text[cursor.end : cursor.end + 20].lstrip().startswith(">") else ">"

    def make() -> Completion:
        return Completion(node.tag, CompletionKind.END_TAG, cursor.start, cursor.end, node.tag + close)

    yield _Candidate(node.tag, 0, make)


def _end_tag(cursor: Cursor, node: Node) -> Completion:
    return Completion(f"/{node.tag}", CompletionKind.END_TAG, cursor.start, cursor.offset, f"</{node.tag}>")


# ---- attributes -------------------------------------------------------------------------------------


def _row_of(language: Language, cursor: Cursor) -> ElementRow | None:
    return None if cursor.node is None else language.row(cursor.node)


def _attributes(document: Document, language: Language, cursor: Cursor) -> Iterator[_Candidate]:
    node, row = cursor.node, _row_of(language, cursor)
    if node is None or row is None:
        return
    if (
        cursor.offset == cursor.start
    ):  # the cursor is before a name: propose a further attribute, not another name for that one
        cursor = replace(cursor, end=cursor.start, attribute="")
    there = {each.name for each in node.attributes if not cursor.attribute or each.name_span.start != cursor.start}
    excluded = {
        name
        for names, _ in exceptions.EXCLUSIVE.get(row.id, ())
        if language.grammar is MJCF and there & set(names)
        for name in names
    }
    values = in_force(document, node)
    for name, known in row.attributes.items():
        if name in there or name in excluded:
            continue
        foreign = known.dialect == MPEX and not is_mpex(document)
        rank = 0 if known.required else 3 if known.same_as is not None else 2 if foreign else 1
        yield _Candidate(name, rank, lambda known=known: _attribute(cursor, known, values.get(known.name)))


def _attribute(cursor: Cursor, row: AttributeRow, value: InForce | None) -> Completion:
    text = cursor.source.text
    help = describe.attribute_text(row, value)
    after = text[cursor.end : cursor.end + 20].lstrip()
    if after.startswith("="):
        detail = describe.signature(row)
        return Completion(row.name, CompletionKind.ATTRIBUTE, cursor.start, cursor.end, row.name, (), detail, help)
    before = "" if text[cursor.start - 1 : cursor.start].isspace() else " "
    new = f'{before}{row.name}="'
    given = value.value if value is not None and row.type in ("real", "int") and value.value else ""
    given = given if len(given) <= 40 else ""
    stop = (len(new), len(new) + len(given))
    new += f'{given}"'
    if text[cursor.end : cursor.end + 1] not in ("", " ", "\t", "\n", "\r", "/", ">"):
        new += " "
    again = not given and row.type not in ("string", "real", "int", "memory")
    return Completion(
        row.name,
        CompletionKind.ATTRIBUTE,
        cursor.start,
        cursor.end,
        new,
        (stop, (len(new.rstrip()), len(new.rstrip()))),
        describe.signature(row),
        help,
        again,
    )


# ---- values -----------------------------------------------------------------------------------------


class _Values:
    """Proposals for the value of an attribute, or for one word of a list."""

    def __init__(
        self, document: Document, language: Language, cursor: Cursor, row: ElementRow, known: AttributeRow, limit: int
    ) -> None:
        assert cursor.node is not None
        self.document, self.language, self.cursor = document, language, cursor
        self.node, self.row, self.known, self.limit = cursor.node, row, known, limit
        is_list = known.max_count != 1 and known.type in ("keyword", "reference")
        self.span = (cursor.start, cursor.end) if is_list else cursor.value
        self.typed = cursor.source.text[self.span[0] : cursor.offset]

    def candidates(self) -> Iterator[_Candidate]:
        known = self.known
        space = self.language.refers_by(self.node, self.row, known)
        if space is not None:
            yield from self.names(space)
        elif self.row.id in exceptions.ATTACHING and known.name == exceptions.ATTACHING[self.row.id][1]:
            for name, found in names_in_model(self.document, self.node, self.row.id).items():
                yield self.attached(name, CompletionKind.NAME, found)
        elif known.type in ("keyword", "bool"):
            yield from self.keywords()
        elif known.type in ("file", "directory"):
            yield from self.files()
        elif known.declares is not None:
            yield from self.free_name(known.declares)
        else:
            for word in self.language.grammar.words.get((self.row.id, known.name), ()):
                yield self.candidate(word, CompletionKind.VALUE)
            yield from self.numbers()

    def candidate(
        self, value: str, kind: CompletionKind, rank: int = 0, detail: str = "", help: str | Callable[[], str] = ""
    ) -> _Candidate:
        return _Candidate(value, rank, lambda: self.item(value, kind, detail, help))

    def item(self, value: str, kind: CompletionKind, detail: str, help: str | Callable[[], str]) -> Completion:
        cursor = self.cursor
        start, end = self.span
        quote = cursor.quote or '"'
        text = escape(value, quote, cursor.source)
        if not cursor.quote:
            text = f"{quote}{text}{quote}"
        elif cursor.source.text[cursor.value[1] : cursor.value[1] + 1] != quote and kind is not CompletionKind.FOLDER:
            text += quote
        stop = len(text) - (not cursor.quote)
        if not isinstance(help, str):
            help = help()
        return Completion(value, kind, start, end, text, ((stop, stop),), detail, help, kind is CompletionKind.FOLDER)

    def keywords(self) -> Iterator[_Candidate]:
        known = self.known
        foreign = set(known.mpex_choices) if not is_mpex(self.document) else set()
        for choice in known.all_choices:
            detail = "default" if choice == known.default else "Motphys" if choice in foreign else ""
            yield self.candidate(choice, CompletionKind.KEYWORD, int(choice in foreign), detail)

    def names(self, space: str) -> Iterator[_Candidate]:
        kind = CompletionKind.CLASS if space == "class" else CompletionKind.NAME
        names = index_of(self.document).names(space)
        best = 0
        for name, spots in names.items():
            fit = _fit(name, self.typed)
            if fit == MISFIT or spots[0].subtree.id == self.node.id:
                continue
            yield self.candidate(name, kind, 0, spots[0].subtree.tag, self.described(spots[0], space, name))
            best += fit == 0
            if best > self.limit:  # no later candidate can rank higher
                return
        for name, found in attached_names(self.document, space).items():
            if name not in names:
                yield self.attached(name, kind, found)
        for name in (self.language.grammar.implicit or {}).get(space, ()):
            if name not in names:
                yield self.candidate(name, kind, 1, space)

    def attached(self, name: str, kind: CompletionKind, found: Found) -> _Candidate:
        tag = found.spot.subtree.tag
        detail = f"{tag} of {os.path.basename(found.spot.source.path)}"
        return self.candidate(name, kind, 1, detail, self.described(found.spot, tag, name))

    def described(self, spot: NameSpot, space: str, name: str) -> Callable[[], str]:
        return lambda: describe.declared_text(spot, space, name)

    def files(self) -> Iterator[_Candidate]:
        for each in files_for(self.document, self.row, self.known, self.typed):
            yield self.candidate(
                each.value, CompletionKind.FOLDER if each.is_folder else CompletionKind.FILE, int(each.is_folder)
            )

    def free_name(self, space: str) -> Iterator[_Candidate]:
        """An unused name, derived from the enclosing element."""
        if self.typed:
            return
        parent = self.language.parent(self.node)
        around = self.language.name_of(parent) if parent is not None else None
        base = f"{around}_{self.row.tag}" if around else self.row.tag
        names = index_of(self.document).names(space)
        number = 1
        name = base
        while name in names:
            number += 1
            name = f"{base}{number}"
        yield self.candidate(name, CompletionKind.VALUE, 0, tr("free name of {one}", one=describe.one(space)))

    def numbers(self) -> Iterator[_Candidate]:
        known = self.known
        if self.typed or known.type not in ("real", "int", "memory"):
            return
        value = in_force(self.document, self.node).get(known.name)
        given: dict[str, str] = {}
        if value is not None and value.value and value.class_name:
            given[value.value] = describe.source_of_value(value)
        if known.default:
            given.setdefault(known.default, tr("default of the format"))
        for text, detail in given.items():
            yield self.candidate(text, CompletionKind.VALUE, 0, detail)
