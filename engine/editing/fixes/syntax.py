"""Fixes of the XML itself: tags, quotes, characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kinetree.engine.assist.language import language_of
from kinetree.engine.document.tree import Node
from kinetree.engine.editing.fixes.fix import FindingPlace, Fix, fix
from kinetree.engine.translation import tr

_SECOND = re.compile(r"""[^\s=]+\s*=\s*("[^"]*"|'[^']*')""")
_BLANK = re.compile(r"\s*")
_END_TAG = re.compile(r"</\s*([^\s<>/]+)[^<>]*>?")


def space(at: FindingPlace) -> Iterator[Fix]:
    """Adds a space before the attribute."""
    yield fix(tr("Add a space"), at.replaced(at.start, at.start, " "))


def quotes(at: FindingPlace) -> Iterator[Fix]:
    """Puts the value into quotes."""
    value = at.text[at.start : at.end]
    if value and '"' not in value:
        yield fix(tr("Put the value into quotes"), at.replaced(at.start, at.end, f'"{value}"'))


def closing_quote(at: FindingPlace) -> Iterator[Fix]:
    """Adds the closing quote."""
    quote = at.text[at.start : at.start + 1]
    if quote in ("'", '"') and at.end > at.start:
        yield fix(tr("Add the closing quote"), at.replaced(at.end, at.end, quote))


def without_second(at: FindingPlace) -> Iterator[Fix]:
    """Removes the second attribute of that name."""
    found = _SECOND.match(at.text, at.start)
    if found is not None:
        start = len(at.text[: at.start].rstrip())
        yield fix(tr("Remove the second one"), at.replaced(start, found.end(), ""))


def ampersand(at: FindingPlace) -> Iterator[Fix]:
    """Writes &amp;."""
    if at.text.startswith("&", at.start):
        yield fix(tr("Write {text}", text="&amp;"), at.replaced(at.start, at.start + 1, "&amp;"))


def less_than(at: FindingPlace) -> Iterator[Fix]:
    """Writes &lt;."""
    if at.text.startswith("<", at.start):
        yield fix(tr("Write {text}", text="&lt;"), at.replaced(at.start, at.start + 1, "&lt;"))


def without_space(at: FindingPlace) -> Iterator[Fix]:
    """Removes the white space between "<" and the name."""
    blank = _BLANK.match(at.text, at.start + 1)
    if blank is not None and blank[0] and at.text.startswith("<", at.start):
        yield fix(tr("Remove the white space"), at.replaced(at.start + 1, blank.end(), ""))


def end_tag(at: FindingPlace) -> Iterator[Fix]:
    """Writes the end tag with nothing but the name."""
    found = _END_TAG.match(at.text, at.text.rfind("<", 0, at.start + 1))
    if found is not None:
        text = f"</{found[1]}>"
        yield fix(tr("Write {text}", text=text), at.replaced(found.start(), found.end(), text))
    elif at.end > at.start:
        yield fix(tr("Remove it"), at.replaced(at.start, at.end, ""))


def closed_tag(at: FindingPlace) -> Iterator[Fix]:
    """Ends the tag with ">", or "/>" for an element that holds nothing."""
    if at.text.startswith("</", at.start):
        yield fix(tr("Write {text}", text=">"), at.replaced(at.end, at.end, ">"))
        return
    node = at.node
    if node is None:
        return
    ends = [">", "/>"] if _can_hold(at, node) and f"</{node.tag}" in at.text[at.end :] else ["/>", ">"]
    for end in ends:
        yield fix(tr("End the tag with {text}", text=end), at.replaced(at.end, at.end, end))


def other_end_tag(at: FindingPlace) -> Iterator[Fix]:
    """Writes the end tag of the element that is open, or removes it."""
    node, found = at.node, _END_TAG.match(at.text, at.start)
    if node is None or found is None:
        return
    text, tail = f"</{node.tag}>", node.tail_span
    if tail.start == at.start or tail.start == tail.end:  # the element has no other end tag
        yield fix(tr("Write {text}", text=text), at.replaced(at.start, at.end, text))
    if tail.start != at.start:
        yield fix(tr("Remove {name}", name=found[0]), at.replaced(at.start, at.end, ""))


def end_of_element(at: FindingPlace) -> Iterator[Fix]:
    """Writes the missing end tag, or ends the start tag with "/>"."""
    node = at.node
    if node is None or at.start != node.start:
        return
    head, tag = node.head_span, f"</{node.tag}>"
    fixes = [fix(tr("Write {text}", text=tag), at.replaced(node.end, node.end, tag))]
    if at.text.endswith(">", head.start, head.end) and not at.text.endswith("/>", head.start, head.end):
        fixes.append(fix(tr("End the tag with {text}", text="/>"), at.replaced(head.end - 1, head.end, "/>")))
    if not _can_hold(at, node):
        fixes.reverse()
    yield from fixes


def removed(at: FindingPlace) -> Iterator[Fix]:
    """Removes it."""
    if at.end > at.start:
        yield fix(tr("Remove it"), at.replaced(at.start, at.end, ""))


def commented(at: FindingPlace) -> Iterator[Fix]:
    """Makes the text a comment."""
    text = at.text[at.start : at.end].strip()
    if text and "--" not in text:
        start = at.text.index(text, at.start)
        yield fix(tr("Make it a comment"), at.replaced(start, start + len(text), f"<!-- {text} -->"))


def _can_hold(at: FindingPlace, node: Node) -> bool:
    """Whether the element that is not closed was meant to hold what follows it."""
    allowed = language_of(at.document).allowed(node)
    children = [child.tag for child in node.subtree.children]
    return bool(allowed) and all(tag in allowed for tag in children) and (bool(children) or len(allowed) > 3)
