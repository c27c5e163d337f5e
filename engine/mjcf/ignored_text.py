"""Text between the tags of a model: no format reads it, as the reference does not, and it is mostly a slip."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.document.tree import Node

__all__ = ["report_text"]

SHOWN = 40
"""Characters of a piece that its message shows."""


def report_text(nodes: Iterable[Node], diagnostics: Diagnostics) -> None:
    """Warn of the text directly in some elements, unless it is invisible, such as a space of no width."""
    for node in {each.id: each for each in nodes}.values():
        for span in node.text_spans:
            if not any(each.isprintable() and not each.isspace() for each in span.text):
                continue
            words = " ".join(span.text.split())
            message = tr(
                "the text '{text}' in '{tag}' is not read: remove it, or make it a comment",
                text=words if len(words) <= SHOWN else f"{words[:SHOWN]}...",
                tag=node.tag,
            )
            diagnostics.warning(span, "ignored-text", message)
