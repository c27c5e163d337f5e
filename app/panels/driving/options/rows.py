"""The options of a simulation as rows, from the schema table: what each is, reads, sets and writes. No toolkit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from kinetree.engine.document.element_edit import ElementEdit, Insert, RemoveAttribute, SetAttribute
from kinetree.engine.mjcf import schema
from kinetree.engine.model import enums
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document

GROUPS = "actuatorgroupdisable"
"""The option that is a set of actuator groups."""

TITLES: dict[str, str] = {
    "timestep": marked("Time step"),
    "apirate": marked("API rate"),
    "impratio": marked("Friction impedance"),
    "tolerance": marked("Solver tolerance"),
    "ls_tolerance": marked("Line search tolerance"),
    "noslip_tolerance": marked("No-slip tolerance"),
    "ccd_tolerance": marked("Collision tolerance"),
    "gravity": marked("Gravity"),
    "wind": marked("Wind"),
    "magnetic": marked("Magnetic flux"),
    "density": marked("Fluid density"),
    "viscosity": marked("Fluid viscosity"),
    "o_margin": marked("Override margin"),
    "o_solref": marked("Override solref"),
    "o_solimp": marked("Override solimp"),
    "o_friction": marked("Override friction"),
    "integrator": marked("Integrator"),
    "cone": marked("Friction cone"),
    "jacobian": marked("Jacobian"),
    "solver": marked("Solver"),
    "iterations": marked("Solver iterations"),
    "ls_iterations": marked("Line search iterations"),
    "noslip_iterations": marked("No-slip iterations"),
    "ccd_iterations": marked("Collision iterations"),
    "sdf_iterations": marked("SDF iterations"),
    "sdf_initpoints": marked("SDF start points"),
    "actuatorgroupdisable": marked("Actuator groups off"),
    "flag.constraint": marked("Constraints"),
    "flag.equality": marked("Equalities"),
    "flag.frictionloss": marked("Dry joint friction"),
    "flag.limit": marked("Limits"),
    "flag.contact": marked("Contacts"),
    "flag.passive": marked("Passive forces"),
    "flag.gravity": marked("Gravity"),
    "flag.clampctrl": marked("Clamp controls"),
    "flag.warmstart": marked("Warm start"),
    "flag.filterparent": marked("Ignore parent contacts"),
    "flag.actuation": marked("Actuation"),
    "flag.refsafe": marked("Safe solref"),
    "flag.sensor": marked("Sensors"),
    "flag.midphase": marked("Collision mid-phase"),
    "flag.nativeccd": marked("Native convex collision"),
    "flag.eulerdamp": marked("Implicit Euler damping"),
    "flag.autoreset": marked("Automatic reset"),
    "flag.override": marked("Contact override"),
    "flag.energy": marked("Energy"),
    "flag.fwdinv": marked("Forward–inverse check"),
    "flag.invdiscrete": marked("Discrete inverse"),
    "flag.multiccd": marked("Several contact points"),
    "flag.island": marked("Islands"),
}
"""Key of a row -> its name in plain words, beside that of MJCF."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """An option, or a flag of it.

    name      of its attribute in `option`, or in `option/flag`
    kind      "number", "choice", "flag" or "groups"
    field     of `model.opt`; for a flag that of its bit, for groups that of their bits
    bit       of a flag, 0 without
    inverted  whether the bit switches the flag off
    """

    name: str
    kind: str
    field: str
    help: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    count: int = 1
    whole: bool = False
    least: float | None = None
    bit: int = 0
    inverted: bool = False

    @property
    def key(self) -> str:
        """Id of the row. It includes its kind, as an option and a flag are both called gravity."""
        return f"flag.{self.name}" if self.kind == "flag" else self.name

    @property
    def title(self) -> str:
        """Name in plain words, in English."""
        return TITLES[self.key]

    @property
    def attribute(self) -> str:
        """Name in MJCF, with the unit."""
        return f"{self.name}, {self.unit}" if self.unit else self.name

    def read(self, opt: Any) -> Any:
        """The value of the option in `model.opt` or `snapshot.opt`."""
        value = getattr(opt, self.field)
        return bool(int(value) & self.bit) != self.inverted if self.kind == "flag" else value

    def with_bit(self, flags: int, on: bool) -> int:
        """All flags of the field, with this one set."""
        return flags | self.bit if on != self.inverted else flags & ~self.bit

    def command(self, opt: Any, value: Any) -> tuple[str, Any]:
        """(field, value) that set the option."""
        if self.kind == "flag":
            return self.field, self.with_bit(int(getattr(opt, self.field)), bool(value))
        return self.field, value

    def refusal(self, value: float) -> str:
        """Why a number cannot be set, "" if it can."""
        if self.name == "timestep" and not value > 0.0:
            return tr("the time step must be greater than 0")
        if self.least is not None and value < self.least:
            return tr("{name} must be at least {least:g}", name=self.name, least=self.least)
        return ""

    def words(self, value: Any) -> str:
        """A value as the text of the model says it."""
        if self.kind == "flag":
            return "enable" if value else "disable"
        if self.kind == "groups":
            return " ".join(map(str, groups_of(value)))
        if self.kind == "choice":
            return self.choices[int(value)]
        return " ".join(as_text(each) for each in (value if self.count > 1 else [value]))


def groups_of(bits: Any) -> list[int]:
    """The actuator groups whose bits are set."""
    return [group for group in range(31) if int(bits) >> group & 1]


def as_text(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{float(value):.10g}"


def option_rows() -> list[OptionRow]:
    """All options, in the order of the schema table, then all flags."""
    rows = []
    for each in schema.ELEMENTS["option"].attributes.values():
        if each.name == GROUPS:
            rows.append(OptionRow(each.name, "groups", "disableactuator", each.help))
            continue
        count = len((each.default or "0").split())
        rows.append(
            OptionRow(
                each.name,
                "choice" if each.choices else "number",
                each.name,
                each.help,
                each.unit,
                tuple(each.choices),
                1 if each.choices else count,
                each.type == "int",
                0 if each.type == "int" else None,
            )
        )
    for each in schema.ELEMENTS["option.flag"].attributes.values():
        inverted = each.default == "enable"
        prefix, field = ("DSBL_", "disableflags") if inverted else ("ENBL_", "enableflags")
        bit = getattr(enums, prefix + each.name.upper())
        rows.append(OptionRow(each.name, "flag", field, each.help, bit=bit, inverted=inverted))
    return rows


def write_options(document: Document, rows: Sequence[OptionRow], opt: Any) -> list[ElementEdit]:
    """Write options with their values in `opt` into the text."""
    root = document.merged
    options = [node for node in root.children if node.tag == "option"]
    flags = [node for option in options for node in option.children if node.tag == "flag"]
    edits: list[ElementEdit] = []
    new: dict[str, list[str]] = {"option": [], "flag": []}
    for row in rows:
        value = row.words(row.read(opt))
        where, nodes = ("flag", flags) if row.kind == "flag" else ("option", options)
        holder = next((node for node in reversed(nodes) if node.get(row.name) is not None), None)
        holder = holder or (nodes[-1] if nodes else None)
        if not value:  # no groups
            edits += [RemoveAttribute(node, row.name) for node in nodes]
        elif holder is not None:
            edits.append(SetAttribute(holder, row.name, value))
        else:
            new[where].append(f"{row.name}={quoteattr(value)}")
    flag = f"<flag {' '.join(new['flag'])}/>" if new["flag"] else ""
    if options:
        return edits + ([Insert(options[-1], flag)] if flag else [])
    if new["option"] or flag:
        start = " ".join(["option", *new["option"]])
        edits.append(Insert(root, f"<{start}>{flag}</option>" if flag else f"<{start}/>", _place(root)))
    return edits


def _place(root: Any) -> int:
    """Behind the compiler settings, where people look for options."""
    return next((number + 1 for number, node in enumerate(root.children) if node.tag == "compiler"), 0)
