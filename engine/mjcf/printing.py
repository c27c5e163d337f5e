"""Layout of canonical XML: two spaces of indentation, lines of at most WIDTH columns, further attributes aligned."""

from __future__ import annotations

from dataclasses import dataclass, field

WIDTH = 120
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"})


@dataclass
class PrintedElement:
    """One element to be written: attributes (name, text) in order, and children."""

    tag: str
    attributes: list[tuple[str, str]] = field(default_factory=list)
    items: list[PrintedElement] = field(default_factory=list)


def text_of(root: PrintedElement) -> str:
    """The XML text of an element and all inside it, with a line break at the end."""
    lines: list[str] = []
    stack: list[tuple[PrintedElement | str, int]] = [(root, 0)]
    while stack:
        item, depth = stack.pop()
        if isinstance(item, str):
            lines.append(item)
            continue
        indent = "  " * depth
        lines += _start(item, indent)
        if item.items:
            stack.append((f"{indent}</{item.tag}>", depth))
            for i, inner in reversed(list(enumerate(item.items))):
                stack.append((inner, depth + 1))
                if depth == 0 and i:
                    stack.append(("", 0))  # an empty line between sections
    return "\n".join(lines) + "\n"


def _start(item: PrintedElement, indent: str) -> list[str]:
    end = ">" if item.items else "/>"
    head = f"{indent}<{item.tag}"
    margin = " " * (len(head) + 1)
    parts = []
    for name, value in item.attributes:
        text = value.translate(_ESCAPES)
        if len(text) > WIDTH - len(margin) - len(name) - 5 and " " in text and _numeric(text):
            text = _wrapped(text, indent + "  ")
        parts.append(f'{name}="{text}"')
    lines, line = [], head
    for part in parts:
        first, _, last = part.partition("\n")
        if len(line) + 1 + len(first) + len(end) > WIDTH and line.strip() != head.strip():
            lines.append(line)
            line = margin + first
        else:
            line += " " + first
        if last:
            *middle, last = last.split("\n")
            lines += [line, *middle]
            line = last
    lines.append(line + end)
    return lines


def _numeric(text: str) -> bool:
    """Whether white space only separates numbers, so that lines may be broken there."""
    return not text.strip("0123456789+-.e ")


def _wrapped(text: str, indent: str) -> str:
    """Numbers broken into lines."""
    room = max(40, WIDTH - len(indent))
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > room:
            lines.append(indent + line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n" + "\n".join([*lines, indent + line])
