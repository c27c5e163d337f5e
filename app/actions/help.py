"""The F1 help, made from the table of actions."""

from __future__ import annotations

from html import escape

from app.actions.build import Actions, key_text
from app.actions.table import GESTURES, VIEWPORT


def help_columns(actions: Actions) -> list[list[tuple[str, list[tuple[str, str, bool | None]]]]]:
    """Columns of sections (title, rows); a row is (keys or mouse, what it does, state of a switch or None)."""
    sections: dict[str, list[tuple[str, str, bool | None]]] = {}
    for row in actions.rows.values():
        if not row.keys:
            continue
        title = row.menu.partition("/")[0] if not row.id.startswith("group.") else "Groups"
        state = actions[row.id].isChecked() if row.checkable else None
        sections.setdefault(title, []).append((key_text(row), row.text.rstrip("…"), state))
    groups = [row for row in actions.rows.values() if row.id.startswith("group.") and row.keys]
    if groups:
        sections["Groups"] = _groups(groups)
    mouse = [(gesture.mouse, gesture.help, None) for gesture in GESTURES]
    show = sections.pop("Show", [])
    half = (len(show) + 1) // 2
    left = [("Mouse", mouse), *[(name, sections[name]) for name in ("Simulation",) if name in sections]]
    middle = [
        (name, sections[name]) for name in ("File", "Camera", "View", "Help", "Groups") if name in sections
    ]
    return [left, middle, [("Show", show[:half])], [("", show[half:])]]


def _groups(rows) -> list[tuple[str, str, bool | None]]:
    kinds: dict[str, list] = {}
    for row in rows:
        kinds.setdefault(row.id.split(".")[1], []).append(row)
    return [
        (
            f"{key_text(these[0])}–{key_text(these[-1]).rpartition('+')[2]}",
            f"{kind.capitalize()} groups",
            None,
        )
        for kind, these in kinds.items()
    ]


def help_html(actions: Actions, key_colour: str, dim_colour: str) -> str:
    """The help as one HTML table."""
    cells = []
    for column in help_columns(actions):
        parts = []
        for title, rows in column:
            parts.append(f'<tr><td colspan="2"><b>{escape(title) or "&nbsp;"}</b></td></tr>')
            for keys, text, state in rows:
                mark = {None: "", True: " ●", False: " ○"}[state]
                parts.append(
                    f'<tr><td style="color:{key_colour}; padding-right:10px; white-space:nowrap">{escape(keys)}</td>'
                    f'<td style="white-space:nowrap">{escape(text)}<span style="color:{dim_colour}">{mark}</span></td></tr>'
                )
            parts.append('<tr><td colspan="2">&nbsp;</td></tr>')
        cells.append(
            f'<td style="padding-right:28px; vertical-align:top"><table cellspacing="1">{"".join(parts)}</table></td>'
        )
    note = (
        "Single keys act while the viewport has the focus: click it."
        if any(row.scope == VIEWPORT for row in actions.rows.values())
        else ""
    )
    return f'<table><tr>{"".join(cells)}</tr></table><span style="color:{dim_colour}">{note}</span>'
