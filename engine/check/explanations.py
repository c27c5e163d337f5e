"""The table of codes as text: what `kinetree check --list` and `--explain` print."""

from __future__ import annotations

import textwrap

from kinetree.engine.check.table import CHECKS, ERRORS, REMARKS, TABLE


def table() -> str:
    """One line for each code."""
    width = max(map(len, TABLE))
    rows = [(row.code, row.severity.value, row.help) for row in (*CHECKS, *REMARKS, *ERRORS)]
    return "".join(f"{code:<{width}}  {severity:<7}  {help}\n" for code, severity, help in rows)


def explain(code: str) -> str:
    """Everything about one code."""
    row = TABLE[code]
    text = f"{row.code} ({row.severity.value}): {row.help}"
    if row.text:
        text += "\n\n" + textwrap.fill(row.text, 100)
    return text


def long_table() -> str:
    """Everything about all codes."""
    return "\n\n".join(map(explain, TABLE)) + "\n"
