"""Draws the flow charts of a page as nested lists: no script, and nothing from another host.

It knows what docs/architecture.md uses of mermaid: `a["text"] -->|"text"| b["text"]`, from the top down. A box that
several arrows lead to is drawn under the first of them, and named under the others.
"""

from __future__ import annotations

import re
from html import escape

_ARROW = re.compile(r'(\w+)(?:\["([^"]*)"\])? *-->(?:\|"([^"]*)"\|)? *(\w+)(?:\["([^"]*)"\])?')


def html(chart: str) -> str:
    """The chart as HTML. Raises ValueError for a line that it does not know."""
    texts: dict[str, str] = {}
    arrows: dict[str, list[tuple[str, str]]] = {}
    targets: set[str] = set()
    for line in filter(None, map(str.strip, chart.splitlines())):
        if line == "flowchart TD":
            continue
        match = _ARROW.fullmatch(line)
        if match is None:
            raise ValueError(f"packaging/pages/flow.py cannot draw {line!r}")
        source, source_text, label, target, target_text = match.groups("")
        for name, text in ((source, source_text), (target, target_text)):
            if text or name not in texts:
                texts[name] = text or name
        arrows.setdefault(source, []).append((label, target))
        targets.add(target)
    drawn: set[str] = set()

    def box(name: str) -> str:
        text = f"<span>{escape(texts[name])}</span>"
        following = [] if name in drawn else arrows.get(name, [])
        drawn.add(name)
        # inside each other where there is one way on, beside each other where there are several
        ways = "".join(f"<li><em>{escape(label)}</em>{box(target)}</li>" for label, target in following)
        return f"{text}<ul>{ways}</ul>" if ways else text

    first = [name for name in texts if name not in targets]
    return '<ul class="flow">' + "".join(f"<li>{box(name)}</li>" for name in first) + "</ul>"
