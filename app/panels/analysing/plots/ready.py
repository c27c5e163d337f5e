"""The table of ready plots: what people look at first, each a click away."""

from __future__ import annotations

from dataclasses import dataclass

from kinetree.engine.translation import marked


@dataclass(frozen=True)
class ReadyPlot:
    """A plot of the menu.

    texts    its expressions
    needs    size of the model without which it is empty, "" for none
    enables  a flag of the options that has to be on for it, "" for none: ENBL_ of it
    """

    title: str
    help: str
    texts: tuple[str, ...]
    needs: str = ""
    enables: str = ""
    mode: str = "time"


READY: tuple[ReadyPlot, ...] = (
    ReadyPlot(
        marked("Energy"),
        marked("Potential, kinetic and total energy"),
        ("energy[0]", "energy[1]", "energy[0] + energy[1]"),
        enables="ENERGY",
    ),
    ReadyPlot(
        marked("Contacts"),
        marked("Number of contacts, and of constraint rows by kind"),
        ("ncon", "nefc", "ne", "nf", "nl"),
    ),
    ReadyPlot(
        marked("Constraint Forces"),
        marked("Forces of contacts, limits and equalities: sum and greatest; deepest penetration"),
        ("sum(efc_force)", "max(efc_force)", "min(contact.dist)"),
    ),
    ReadyPlot(
        marked("Solver"),
        marked("Iterations of the constraint solver, constraint rows, islands"),
        ("sum(solver_niter)", "nefc", "nisland"),
    ),
    ReadyPlot(marked("Joint Positions"), marked("Positions of all joints"), ("qpos",), "nq"),
    ReadyPlot(marked("Joint Velocities"), marked("Velocities of all joints"), ("qvel",), "nv"),
    ReadyPlot(
        marked("Joint Forces"),
        marked("Forces of actuators and constraints on all joints"),
        ("qfrc_actuator", "qfrc_constraint"),
        "nv",
    ),
    ReadyPlot(marked("Controls"), marked("All controls"), ("ctrl",), "nu"),
    ReadyPlot(marked("Actuator Forces"), marked("Forces of all actuators"), ("actuator_force",), "nu"),
    ReadyPlot(marked("Sensors"), marked("All sensors"), ("sensordata",), "nsensordata"),
)
