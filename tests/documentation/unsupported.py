"""docs/unsupported.md, about what Kinetree does not do yet, from `engine/model/unsupported.py`."""

from __future__ import annotations

from kinetree.engine.model.unsupported import NOT_DRAWN, NOT_SIMULATED, REFUSED, TABLE, UnsupportedRow

HEAD = """# Not done yet

<!-- Made by `python -m tests.documentation`: change engine/model/unsupported.py instead. -->

Everything else in MJCF and in the Motphys dialect is read, compiled, simulated and drawn. A model that has one of
these loads nevertheless, unless the section says otherwise, and a warning with file, line and column names it. SDF
geoms without a plugin for their shape are drawn, and refused where they may touch something.
"""
SECTIONS = {
    REFUSED: ("Not read", "An error: the model does not load."),
    NOT_SIMULATED: ("Not simulated", "The model is drawn; `kinetree.step` and `kinetree.forward` refuse it."),
    NOT_DRAWN: ("Not drawn", "The model moves; the picture lacks something."),
}
"""effect of a row -> (title, what it means)"""


def _line(row: UnsupportedRow) -> str:
    place = f"{row.element}/{row.attribute}" if row.attribute else row.element
    missing = row.missing.replace(" ({value})", "")
    return f"| `{place}` | {missing} | {row.remedy} |\n"


def page() -> str:
    """The page in Markdown: a section for each effect that a row has."""
    parts = [HEAD]
    for effect, (title, meaning) in SECTIONS.items():
        rows = [row for row in TABLE if row.effect == effect]
        if rows:
            parts.append(f"\n## {title}\n\n{meaning}\n\n| where | what | instead |\n|---|---|---|\n")
            parts += map(_line, rows)
    return "".join(parts)
