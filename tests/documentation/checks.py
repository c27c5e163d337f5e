"""docs/checks.md, from the tables of diagnostics and of their fixes, `engine/check/table.py` and
`engine/editing/fixes/table.py`."""

from __future__ import annotations

import textwrap
from inspect import getdoc

from kinetree.engine.check.table import CHECKS, ERRORS, REMARKS
from kinetree.engine.editing.fixes import FIXES

_HEAD = """\
# Findings about models

<!-- Made by `python -m tests.documentation`: change engine/check/table.py or
engine/editing/fixes instead. -->

`kinetree check MODEL.xml ...` lists everything as `file:line:column: severity: message [code]`, or with `--json` as one
JSON object a line. The exit code is 0 if every model can be loaded, 1 if one has errors (with `--strict`: or warnings),
2 for a mistake in the arguments. The window's problems panel shows the same.

Of each kind the first ones in the text are listed; the last of them counts the others ("and 99900 more of
this kind"). `--all` lists every one; so does `--select` for the elements that it selects, up to 100 of a kind.

Errors keep a model from being loaded. Warnings and remarks do not, and each kind can be switched off:

- on the command line: `--disable CODE,CODE`, or `--enable CODE,CODE` for these alone; `--select XPATH` shows findings
  about some elements only, such as `--select "//body[@name='arm']"`;
- in a model, for one element and all that it holds, with a comment in it:
  `<body name="arm"> <!-- kinetree: disable=overlap-at-rest --> ...`;
- for the whole model, with such a comment outside the root element or directly in it, or with
  `<custom><text name="kinetree:disable" data="overlap-at-rest unused-asset"/></custom>`, which other programs keep; `all`
  stands for every code;
- in the window: right-click a problem, "Hide Problems of This Kind"; the line below the table brings them back.

`kinetree check --list` lists the codes, `kinetree check --explain CODE` says more about one.

Many findings have a quick fix: a small edit of the text after which the finding is gone, and which can be undone. The
problems panel has a "Fix" in the row of such a finding, and "Fix All" for equal ones; its menu lists all fixes. In the
text, Alt+Return lists the fixes at the caret. Other editors get them as code actions of the language
server ([editors.md](editors.md)). The list below says what each does.
"""


def fix_of(code: str) -> str:
    """Description of the quick fixes of a code; "" for one that has none."""
    return " Or: ".join(" ".join((getdoc(make) or "").split()) for make in FIXES.get(code, ()))


def page() -> str:
    """The documentation in Markdown."""
    parts = [_HEAD, "\n## Checks\n"]
    for row in CHECKS:
        parts.append(f"\n### {row.code}\n\n*{row.severity.value}*: {row.help}\n\n{textwrap.fill(row.text, 120)}\n")
        if fix := fix_of(row.code):
            parts.append(f"\n{textwrap.fill(f'*Quick fix*: {fix}', 120)}\n")
    for title, rows in (("Warnings and remarks of the compiler", REMARKS), ("Errors", ERRORS)):
        parts.append(f"\n## {title}\n\n| code | what it says | quick fix |\n|---|---|---|\n")
        parts += [f"| `{row.code}` | {row.help} | {fix_of(row.code)} |\n" for row in rows]
    return "".join(parts)
