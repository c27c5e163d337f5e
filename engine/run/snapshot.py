"""What the window sees of a running simulation: immutable copies of the arrays that scene and panels need.

The simulation thread makes a Snapshot between two steps and puts it where the window finds it by one assignment;
nobody waits for anybody. A snapshot has MuJoCo's field names, so that the scene builder, the picker and the panels
take a snapshot where they take a Data.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from engine.model.data import Data
from engine.model.fields import by_name
from engine.model.model import Model

ARRAYS: tuple[str, ...] = tuple(
    """
    qpos qvel act ctrl qfrc_applied xfrc_applied eq_active mocap_pos mocap_quat qacc sensordata
    xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat
    light_xpos light_xdir flexvert_xpos subtree_com cvel ten_wrapadr ten_wrapnum ten_length ten_velocity wrap_obj wrap_xpos
    actuator_length actuator_velocity actuator_force qfrc_actuator energy warning
    """.split()  # noqa: SIM905
)
"""Arrays that are copied whole, besides contacts and constraint forces."""

CONTACT: tuple[str, ...] = tuple(name for name in by_name("Data") if name.startswith("contact_"))
EFC: tuple[str, ...] = ("efc_type", "efc_id", "efc_pos", "efc_force", "efc_state")
CELLS: tuple[str, ...] = tuple(field.name for field in by_name("Data").values() if field.kind == "cell")


class Snapshot:
    """One moment of a simulation, read-only.

    model       the model that the arrays belong to (the same object that the simulation steps)
    serial      increases by one with each snapshot of a simulation
    wall        when it was made, as `time.perf_counter()`, s
    running     whether the simulation was playing
    ready       whether physics is compiled; before that only the kinematics are up to date
    speed       simulated seconds per wall second asked for
    rate        the same as achieved, None while unknown or paused
    overloaded  whether simulated time was dropped within the last second
    steps       steps done since the model was loaded
    cost        wall time of one step, s, 0 while unknown
    generation  counts models and reloads: which `load` command the arrays come from
    behind      how many recorded states before the newest one this is, while stepping back

    Everything in `ARRAYS`, `CONTACT` (the first ncon rows; also as `.contact.dist` ...), `EFC` (the first nefc
    rows) and `CELLS` is there under its name in Data.
    """

    def __init__(
        self,
        model: Model,
        data: Data,
        *,
        serial: int = 0,
        wall: float = 0.0,
        running: bool = False,
        ready: bool = True,
        speed: float = 1.0,
        rate: float | None = None,
        overloaded: bool = False,
        steps: int = 0,
        cost: float = 0.0,
        generation: int = 0,
        behind: int = 0,
    ):
        self.model = model
        self.serial = serial
        self.wall = wall
        self.running = running
        self.ready = ready
        self.speed = speed
        self.rate = rate
        self.overloaded = overloaded
        self.steps = steps
        self.cost = cost
        self.generation = generation
        self.behind = behind
        values = self.__dict__
        for name in CELLS:
            values[name] = getattr(data, name)
        for name in ARRAYS:
            values[name] = _frozen(getattr(data, name))
        contact = {}
        for name in CONTACT:
            values[name] = contact[name.removeprefix("contact_")] = _frozen(getattr(data, name))
        for name in EFC:
            values[name] = _frozen(getattr(data, name))
        self.contact = SimpleNamespace(**contact)


def _frozen(array: np.ndarray) -> np.ndarray:
    copied = array.copy()
    copied.flags.writeable = False
    return copied
