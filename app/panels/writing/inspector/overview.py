"""Content of the inspector without a selection: facts about the model. HTML with links to elements."""

from __future__ import annotations

import os
from html import escape

from kinetree.app.panels.writing.inspector.object_values import number
from kinetree.app.settings import theme
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf import schema
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import KINDS
from kinetree.engine.translation import marked, tr

HINT = marked("Select something in the model tree or in the viewport to see and edit its attributes.")
LONGEST = 30  # characters of a name
SECTIONS = ("compiler", "option", "size", "statistic", "visual", "default")
"""Elements that belong to the model as a whole; a link selects each."""


def overview(path: str, document: Document | None, model) -> str:
    """The facts as HTML; a link "select:ID" names an element."""
    if model is None and document is None:
        return f'<p align="center" style="color: {theme.current().dim}">{tr("No model is open.")}</p>'
    name = (document.root.get("model") or document.root.get("name") or "") if document is not None else ""
    file = os.path.basename(path)
    lines = [f"<p><b>{escape(_short(name or file))}</b>{f'<br>{escape(_short(file))}' if name else ''}</p>"]
    if model is not None:
        lines.append(_table(_facts(model)))
    if document is not None and document.root.tag == schema.ROOT.tag:
        links = [
            f'<a href="select:{node.id}" style="color: {theme.current().accent}">{node.tag}</a>'
            for node in document.root.children
            if node.tag in SECTIONS
        ]
        if links:
            lines.append(f"<p>{tr('Settings: {links}', links=', '.join(links))}</p>")
    lines.append(f"<p>{tr(HINT)}</p>")
    return "".join(lines)


def _short(name: str) -> str:
    """A name that a narrow panel has room for: its words are not broken."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST // 2]}…{name[-LONGEST // 2 + 1 :]}"


def _facts(model) -> list[tuple[str, str]]:
    """Rows of (what, value)."""
    mass = float(model.body_subtreemass[0]) if model.nbody else 0.0
    integrator = _word("INT_", "integrator", int(model.opt.integrator))
    solver = _word("SOL_", "solver", int(model.opt.solver))
    facts = [
        (tr("Degrees of freedom"), f"{model.nv:,}"),
        (tr("Mass"), f"{number(mass)} kg"),
        (tr("Time step"), f"{number(float(model.opt.timestep))} s" + (f", {integrator}" if integrator else "")),
        (
            tr("Solver"),
            tr("{solver}, {number} iterations", solver=solver, number=int(model.opt.iterations)).lstrip(", "),
        ),
        (tr("Gravity"), " ".join(number(value) for value in model.opt.gravity) + " m/s²"),
    ]
    counts = [(tr(kind.plural.capitalize()), f"{kind.count(model):,}") for kind in KINDS.values() if kind.name != "dof"]
    return facts + [(label, count) for label, count in counts if count != "0"]


def _word(prefix: str, attribute: str, value: int) -> str:
    """The keyword of an option."""
    found = (name for name, number_ in vars(enums).items() if name.startswith(prefix) and number_ == value)
    name = next(found, "").removeprefix(prefix)
    known = schema.ELEMENTS["option"].attributes[attribute]
    return next((choice for choice in known.all_choices if choice.upper() == name), name.lower())


def _table(rows: list[tuple[str, str]]) -> str:
    dim = theme.current().dim
    label = f'<td style="color: {dim}; padding-right: 8px">'
    cells = "".join(
        f"<tr>{label}{escape(what).replace(' ', '&nbsp;')}</td><td>{escape(value)}</td></tr>" for what, value in rows
    )
    return f"<table>{cells}</table>"
