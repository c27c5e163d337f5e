"""Change: what a panel or a gizmo edits (set this attribute, insert an element) as edits of the text.

Each function gives `Changes`: for each source's path the edits of its present text, ready for
`Document.with_edits`. The edits go to the source that a node stands in, which may be an included file; nodes
of a document's `merged` tree serve as well as those of a file's own tree. Nothing outside the changed spans
is touched: quotes, spacing, line breaks and indentation follow what is there.

ValueError says that a edit cannot be written at all (a bad name, a character that XML has not); KeyError
that there is no such attribute.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.layout import reindented, unit_of
from kinetree.engine.document.scanner import is_name
from kinetree.engine.document.source import Source
from kinetree.engine.document.tree import Node, parse
from kinetree.engine.translation import tr

Changes = dict[str, list[Edit]]
"""path of a source -> edits of its text"""

_SPACE = " \t\r\n\v\f"
_REST_OF_LINE = re.compile(r"[ \t]*(?:<!--(?:[^-\r\n]|-(?!->))*-->[ \t]*)*(?=[\r\n]|\Z)")
_BLANK_TO_BREAK = re.compile(r"[ \t]*(\r\n|\n|\r|\Z)")
_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udc7f\udd00-\udfff]")


def combine(*changes: Changes) -> Changes:
    """Several changes of one version of a document as one."""
    result: Changes = {}
    for change in changes:
        for path, edits in change.items():
            result.setdefault(path, []).extend(edits)
    return result


def escape(value: str, quote: str, source: Source) -> str:
    """A value as it is written between quotes in a source. Line breaks become the file's; a character that
    the file's encoding has not becomes a reference. Raises ValueError for a character that XML cannot
    hold."""
    bad = _UNWRITABLE.search(value)
    if bad is not None:
        raise ValueError(tr("the character {bad!a} is not allowed in XML", bad=bad[0]))
    value = value.replace("&", "&amp;").replace("<", "&lt;")
    value = value.replace(quote, "&quot;" if quote == '"' else "&apos;").replace("\r", "&#13;")
    if "\n" in value:
        value = value.replace("\n", _line_break(source.text, 0))
    if not source.encoding.startswith("utf"):
        value = "".join(c if _encodable(c, source) else f"&#x{ord(c):X};" for c in value)
    return value


# Attributes


def set_attribute(node: Node, name: str, value: str) -> Changes:
    """Give an attribute a value: only the value's span changes if it is there, else it is added after the
    last attribute, on a line of its own where the others are."""
    source = node.source
    attribute = node.attribute(name)
    if attribute is not None:
        start, end = attribute.value_span.start, attribute.value_span.end
        if attribute.quote:
            if attribute.value == value:
                return {}
            return _edit(source, start, end, escape(value, attribute.quote, source))
        if source.text[start - 1] in "\"'":
            start -= 1
        return _edit(source, start, end, f'"{escape(value, chr(34), source)}"')
    _require_name(name, source)
    if not node.attributes:
        at, separator, equals, quote = node.tag_span.end, " ", "=", '"'
    else:
        last = node.attributes[-1]
        at, quote = last.span.end, last.quote or '"'
        separator, equals = _separator(node), _equals(node)
    after = "" if source.text[at : at + 1] in tuple(_SPACE + "/>") else " "
    text = f"{separator}{name}{equals}{quote}{escape(value, quote, source)}{quote}{after}"
    return _edit(source, at, at, text)


def remove_attribute(node: Node, name: str) -> Changes:
    """Remove an attribute and the white space before it. Raises KeyError if it is not there."""
    attribute = node.attribute(name)
    if attribute is None:
        raise KeyError(name)
    text = node.source.text
    start, end = attribute.span.start, attribute.span.end
    while text[start - 1] in _SPACE:
        start -= 1
    after = "" if text[end : end + 1] in tuple(_SPACE + "/>") else " "
    return _edit(node.source, start, end, after)


def rename_attribute(node: Node, name: str, new: str) -> Changes:
    """Give an attribute another name. Raises KeyError if it is not there, ValueError if the new one is."""
    attribute = node.attribute(name)
    if attribute is None:
        raise KeyError(name)
    if new == name:
        return {}
    _require_name(new, node.source)
    if node.attribute(new) is not None:
        raise ValueError(tr('there is already an attribute "{new}" in <{tag}>', new=new, tag=node.tag))
    return _edit(node.source, attribute.name_span.start, attribute.name_span.end, new)


# Elements


def rename_element(node: Node, tag: str) -> Changes:
    """Give an element another tag, in its start tag and its end tag."""
    if tag == node.tag:
        return {}
    _require_name(tag, node.source)
    edits = [Edit(node.tag_span.start, node.tag_span.end, tag)]
    tail = node.tail_span
    if tail.end > tail.start:
        start = node.source.text.find(node.tag, tail.start, tail.end)
        if start >= 0:
            edits.append(Edit(start, start + len(node.tag), tag))
    return {node.source.path: edits}


def insert_element(
    parent: Node, tag: str, attributes: Mapping[str, str] | None = None, index: int | None = None
) -> Changes:
    """Insert <tag attributes/> as the child number `index` of `parent` (as the last one if not given),
    indented like its siblings. In a merged tree it goes to the parent's own file if one of its neighbours
    stands there."""
    source = _place_of(parent, index)
    _require_name(tag, source)
    text = f"<{tag}"
    for name, value in (attributes or {}).items():
        _require_name(name, source)
        text += f' {name}="{escape(value, chr(34), source)}"'
    return _insert(parent, text + "/>", index)


def insert_fragment(parent: Node, xml: str, index: int | None = None) -> Changes:
    """Insert a piece of XML (elements, comments) as the child number `index` of `parent`. Its lines after the first are
    indented like the first one, in the steps of the file. Raises ValueError if it is not well-formed.
    """
    found = Diagnostics()
    parse(Source("<fragment>", None, f"<fragment>{xml}</fragment>", parent.source.base), found)
    if found.has_errors:
        raise ValueError(found.errors[0].message)
    return _insert(parent, xml, index)


def remove_element(node: Node) -> Changes:
    """Remove an element, and its lines where nothing else stands on them. Raises ValueError for the root."""
    if node.parent is None:
        raise ValueError(tr("the root element cannot be removed"))
    return _edit(node.source, *_lines_of(node), "")


def move_element(node: Node, parent: Node, index: int | None = None) -> Changes:
    """Move an element with all that it holds to be a child of `parent`, before the child that is now number
    `index` (to the end if not given), indented for its new place. Raises ValueError for the root, and for a
    place inside the element itself."""
    if node.parent is None:
        raise ValueError(tr("the root element cannot be moved"))
    if parent is node or any(ancestor is node for ancestor in parent.ancestors()):
        raise ValueError(tr("an element cannot be moved into itself"))
    if any(beside is not None and beside.id == node.id for beside in _neighbours(parent, index)):
        return {}
    text = node.span.text
    indent = _line_indent(node.source.text, node.start)
    lines = [
        line[len(indent) :] if i and line.startswith(indent) else line for i, line in enumerate(_LINE_BREAK.split(text))
    ]
    step = None if parent.source is node.source else indentation_step(node)
    return combine(remove_element(node), _insert(parent, "\n".join(lines), index, step))


# Where things go


def _edit(source: Source, start: int, end: int, text: str) -> Changes:
    return {source.path: [Edit(start, end, text)]}


def _require_name(name: str, source: Source) -> None:
    if not is_name(name) or not _encodable(name, source) or _UNWRITABLE.search(name):
        raise ValueError(tr("{name!a} cannot be the name of an element or attribute", name=name))


def _encodable(text: str, source: Source) -> bool:
    try:
        text.encode(source.encoding, "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _separator(node: Node) -> str:
    """White space to write before one more attribute: a line break and indentation if every attribute but
    perhaps the first has one before it, else a space."""
    text = node.source.text
    gaps = []
    position = node.tag_span.end
    for attribute in node.attributes:
        gaps.append(text[position : attribute.name_span.start])
        position = attribute.span.end
    last = gaps[-1]
    if last.isspace() and all(_LINE_BREAK.search(gap) for gap in gaps[1:] or gaps):
        return last
    return " "


def _equals(node: Node) -> str:
    """The equals sign with the spaces that the element's last attribute has around it."""
    last = node.attributes[-1]
    between = node.source.text[last.name_span.end : last.value_span.start - 1]
    return between if re.fullmatch(r"[ \t]*=[ \t]*", between) else "="


def _neighbours(parent: Node, index: int | None) -> tuple[Node | None, Node | None]:
    count = parent.child_count
    index = count if index is None else max(0, min(index, count))
    before = parent.child(index - 1) if index > 0 else None
    after = parent.child(index) if index < count else None
    return before, after


def _anchor(parent: Node, index: int | None) -> tuple[Node | None, bool]:
    """(sibling to insert beside, whether after it); (None, False) where `parent` has no children."""
    before, after = _neighbours(parent, index)
    if before is not None and before.source is parent.source:
        return before, True
    if after is not None and after.source is parent.source:
        return after, False
    return (before, True) if before is not None else (after, False)


def _place_of(parent: Node, index: int | None) -> Source:
    sibling = _anchor(parent, index)[0]
    return (sibling or parent).source


def _insert(parent: Node, xml: str, index: int | None, step: str | None = None) -> Changes:
    """Insert XML, with the indentation of the file that it goes to. `step`: that of a file which shows none."""
    sibling, behind = _anchor(parent, index)
    if sibling is None:
        return _insert_only(parent, xml, step)
    text = sibling.source.text
    xml = reindented(xml, indentation_step(sibling) or step)
    if not _first_on_line(sibling):
        # Elements one after another on a line: one more of them, with the space that they have between them.
        start = sibling.start
        while text[start - 1] in _SPACE:
            start -= 1
        gap = text[start : sibling.start] if text[start - 1] == ">" else ""
        xml = _indented(xml, _line_break(text, sibling.start) + _line_indent(text, sibling.start))
        if behind:
            return _edit(sibling.source, sibling.end, sibling.end, gap + xml)
        return _edit(sibling.source, sibling.start, sibling.start, xml + gap)
    indent = _indent(sibling)
    line_break = _line_break(text, sibling.start)
    xml = _indented(xml, line_break + indent)
    after_line = sibling.end if behind else None
    if not behind and sibling.source is parent.source and sibling is parent.child(0):
        # Right after the parent's start tag, so that a comment above the sibling stays with it.
        after_line = parent.head_span.end
    if after_line is not None:
        rest = _REST_OF_LINE.match(text, after_line)
        if rest is not None:
            after_line = rest.end()
        if rest is not None or behind:
            return _edit(sibling.source, after_line, after_line, line_break + indent + xml)
    return _edit(sibling.source, sibling.start, sibling.start, xml + line_break + indent)


def _insert_only(parent: Node, xml: str, step: str | None) -> Changes:
    """Insert into an element without children."""
    source = parent.source
    text = source.text
    content = parent.content_span
    outer = _line_indent(text, parent.start)
    step = indentation_step(parent) or step or unit_of(xml) or "  "
    inner, xml = outer + step, reindented(xml, step)
    line_break = _line_break(text, parent.start)
    one_line = _LINE_BREAK.search(text) is None
    opening = "" if one_line else line_break + inner
    closing = "" if one_line else line_break + outer
    xml = _indented(xml, opening or "\n")
    if parent.self_closing:
        start = parent.head_span.end - 2
        while text[start - 1] in _SPACE:
            start -= 1
        return _edit(source, start, parent.end, f">{opening}{xml}{closing}</{parent.tag}>")
    if parent.tail_span.start == parent.tail_span.end:
        return _edit(source, parent.head_span.end, parent.head_span.end, opening + xml)
    filled = content.text.rstrip(_SPACE)
    at = content.start + len(filled)
    rest = text[at : content.end]
    if filled:
        # After the comments or the text that it holds.
        line = _line_start(text, at)
        if line > content.start and not one_line:
            opening = line_break + _line_indent(text, at)
        return _edit(source, at, at, opening + xml + ("" if _LINE_BREAK.search(rest) else closing))
    if _LINE_BREAK.search(rest):
        return _edit(source, at, at, opening + xml)
    return _edit(source, at, content.end, opening + xml + closing)


def _lines_of(node: Node) -> tuple[int, int]:
    """The element's span, or that of its lines if nothing else stands on them."""
    text = node.source.text
    if not _first_on_line(node):
        return node.start, node.end
    rest = _BLANK_TO_BREAK.match(text, node.end)
    if rest is None:
        return node.start, node.end
    start = _line_start(text, node.start)
    if rest[1]:
        return start, rest.end()
    # The last line of the text, without a line break: take the one before it.
    if text.endswith("\r\n", 0, start):
        return start - 2, rest.end()
    return max(start - 1, 0), rest.end()


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _line_indent(text: str, offset: int) -> str:
    line = text[_line_start(text, offset) : offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _first_on_line(node: Node) -> bool:
    text = node.source.text
    start = _line_start(text, node.start)
    # On the first line of a text nothing says how elements are laid out.
    return start > 0 and not text[start : node.start].strip(" \t")


def _indent(node: Node) -> str:
    return node.source.text[_line_start(node.source.text, node.start) : node.start]


def indentation_step(node: Node) -> str | None:
    """One step of indentation in the file of an element, from the nearest ancestors that show it, else from the start
    of the file; None where nothing shows it."""
    child = node
    for parent in node.ancestors():
        if parent.source is not node.source:
            break
        if _first_on_line(child):
            outer, inner = _line_indent(parent.source.text, parent.start), _indent(child)
            if inner.startswith(outer) and len(inner) > len(outer):
                return inner[len(outer) :]
        child = parent
    for sibling in map(child.child, range(child.child_count)):
        if sibling.source is node.source and _first_on_line(sibling) and _indent(sibling):
            return _indent(sibling)
    return unit_of(node.source.text)


def _line_break(text: str, offset: int) -> str:
    """The kind of line break in use near a place: the last one before it, else the first one of the text."""
    start = _line_start(text, offset)
    if start > 0:
        return "\r\n" if text.endswith("\r\n", 0, start) else text[start - 1]
    found = _LINE_BREAK.search(text)
    return found[0] if found is not None else "\n"


def _indented(xml: str, line_break_and_indent: str) -> str:
    return line_break_and_indent.join(_LINE_BREAK.split(xml)) if _LINE_BREAK.search(xml) else xml
