"""State of a running simulation for the window: an immutable copy of the fields that scene and panels need.

The simulation thread makes a Snapshot between two steps and puts it where the window finds it by one assignment; nobody
waits for anybody. A snapshot has MuJoCo's field names, so that the scene builder, the picker and the panels take a
snapshot where they take a Data. Its fields are marked in `engine/model/fields.py`.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.model.contact import Contacts
from kinetree.engine.model.data import Data
from kinetree.engine.model.fields import select
from kinetree.engine.model.kinds import KEY_FIELDS
from kinetree.engine.model.model import Model, Options
from kinetree.engine.run.timeline import Course

CELLS: tuple[str, ...] = tuple(f.name for f in select(lambda f: f.snapshot and f.kind == "cell"))
ROWS: tuple[str, ...] = tuple(f.name for f in select(lambda f: f.snapshot and f.grows))
"""Arrays of contacts and constraint rows; only the rows in use are copied."""


class Snapshot:
    """One moment of a simulation, read-only.

    model       the model that the arrays belong to, with the options of its text
    opt         the options at this moment: .timestep, .gravity ...
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
    step        number of this moment among the steps that the history keeps
    first, last the oldest and the newest step that can be sought
    poses       how many poses set by hand can be taken back, and how many set again (engine/run/poses.py)
    at_limit    joints at an end of their range that hold back the body which is posed
    behind      how many recorded steps before the newest one this is, while stepping back
    motion      the name of the recorded motion that is shown in place of the simulation, "" without one
    until       where the run stops by itself, "" where it does not
    said        how many remarks for the user there were, and the last one
    course      the time of each step that the history keeps, and what happened when

    Every row of the table with `snapshot` is there under its name in Data, contacts also as `.contact.dist` ... Arrays
    of fixed size are one block of memory, copied at once.
    """

    def __init__(
        self,
        model: Model,
        data: Data,
        *,
        opt: Options | None = None,
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
        step: int = 0,
        first: int = 0,
        last: int = 0,
        poses: tuple[int, int] = (0, 0),
        at_limit: tuple[int, ...] = (),
        course: Course | None = None,
        motion: str = "",
        until: str = "",
        said: tuple[int, str] = (0, ""),
    ):
        self.model = model
        self.opt = opt if opt is not None else Options(model)
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
        self.step, self.first, self.last = step, first, last
        self.behind = last - step
        self.poses, self.at_limit = poses, at_limit
        self.course = course or Course()
        self.motion, self.until, self.said = motion, until, said
        values = self.__dict__
        for name in CELLS:
            values[name] = getattr(data, name)
        self._block = data.copy_block("snapshot")
        for name in ROWS:
            copied = values[name] = getattr(data, name).copy()
            copied.flags.writeable = False

    def key(self) -> int | None:
        """The keyframe of the model that this state is, within the digits of its text; None: none."""
        model = self.model
        for key in np.flatnonzero(np.abs(model.key_time - self.time) < 0.5 * self.opt.timestep).tolist():
            if all(
                np.allclose(getattr(self, field).ravel(), getattr(model, f"key_{name}")[key].ravel(), 1e-6, 1e-9)
                for name, field in KEY_FIELDS.items()
            ):
                return key
        return None

    @property
    def contact(self) -> Contacts:
        """The contacts, under their names in Data."""
        return Contacts(self)

    def __getattr__(self, name: str) -> np.ndarray:
        try:
            array = self.__dict__[name] = self.__dict__["_block"][name]
        except KeyError:
            raise AttributeError(f"a snapshot has no {name!r}") from None
        return array

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, bytes."""
        return self._block.memory.nbytes + sum(self.__dict__[name].nbytes for name in ROWS)
