"""The one table of features that a model may use and Kinetree does not support yet. To support something, remove its
row.

A row names an element, or an attribute with a condition on its value, what is missing, and the remedy. Its effect:

REFUSED        the compiler cannot do it: an error
NOT_SIMULATED  it compiles and is drawn; the physics cannot do it: a warning, and `kinetree.step` refuses the model
NOT_DRAWN      it compiles and moves; the renderer does not show it: a warning

An option that may be changed on a live model has `used`, which reads the Model instead of the text. Pairs of geom types
without a collision function are derived from the table of those functions (`engine/collision/table.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from kinetree.engine.model import enums
from kinetree.engine.translation import marked, tr

REFUSED = "not-supported"
NOT_SIMULATED = "not-simulated"
NOT_DRAWN = "not-drawn"

CONSTRAINTS, CONVEX_CONTACTS = "constraints", "convex contacts"
"""Further conditions on a model for an option to matter (`engine/dynamics/unsimulated.py` decides)."""


@dataclass(frozen=True)
class UnsupportedRow:
    """Something that is not supported.

    effect     one of the three above; it is also the code of the diagnostic
    element    id of the schema row
    attribute  "" for the element as a whole
    missing    what is missing, for the message; "{value}" stands for the attribute's value
    remedy     what the user can do
    given      condition on the attribute's typed value
    used       for live options: condition on a Model
    requires   for live options: what else the model must have, "" for nothing
    in_file    what reads the file finds it there, and asks for the row by this name; "" for all other rows
    """

    effect: str
    element: str
    attribute: str
    missing: str
    remedy: str = "remove the element to simulate the model"
    given: Callable[[Any], bool] | None = None
    used: Callable[[Any], bool] | None = None
    requires: str = ""
    in_file: str = ""

    def __reduce__(self):
        return _row, (self.element, self.attribute, self.missing)

    def message(self, value: Any = None) -> str:
        """The text of the diagnostic."""
        return tr(MESSAGES[self.effect], missing=tr(self.missing, value=value), remedy=tr(self.remedy))


MESSAGES = {
    REFUSED: marked("Kinetree does not support {missing} yet; {remedy}"),
    NOT_SIMULATED: marked("{missing} cannot be simulated yet; {remedy}"),
    NOT_DRAWN: marked("{missing} are not drawn yet; {remedy}"),
}


def _is(*words: str) -> Callable[[Any], bool]:
    return lambda value: value in words


def _flag(bit: int) -> Callable[[Any], bool]:
    return lambda model: bool(model.opt_enableflags & bit)


def _has_colliding_mesh(model: Any) -> bool:
    masks = model.geom_contype | model.geom_conaffinity
    return bool(((model.geom_type == enums.GEOM_MESH) & (masks != 0)).any())


def _has_mesh_geoms(model: Any) -> bool:
    touching = (model.geom_contype | model.geom_conaffinity) != 0
    return bool((touching & (model.geom_type == enums.GEOM_MESH)).any())


def _ktx(what: str, missing: str, remedy: str, attribute: str = "file") -> UnsupportedRow:
    return UnsupportedRow(REFUSED, "asset.texture", attribute, missing, remedy, in_file=f"ktx {what}")


_PIXELS = "use channels of 8 or 16 bits, half or float, or BC1 to BC5 or BC7"

TABLE: tuple[UnsupportedRow, ...] = (
    UnsupportedRow(REFUSED, "compiler", "coordinate", "global coordinates", "use local coordinates", _is("global")),
    # what a KTX texture may hold
    _ktx("layers", "KTX textures of several layers (arrays)", "write one layer a file"),
    _ktx("dimensions", "KTX textures of one or three dimensions", "write a 2D or cube texture"),
    _ktx("format", "the pixel format of a KTX texture ({value})", _PIXELS),
    _ktx("basis", "Basis Universal ({value}) in KTX textures", "unpack it: ktx transcode --target rgba8"),
    _ktx("scheme", "the supercompression of a KTX texture ({value})", "use Zstandard, zlib or none"),
    _ktx("primaries", "colour primaries of KTX textures other than BT.709 ({value})", "convert its colours to sRGB"),
    _ktx("alpha", "premultiplied alpha in KTX textures", "write alpha that is not premultiplied"),
    _ktx("flip", "hflip and vflip of KTX textures", "write the orientation into the file (KTXorientation)", "hflip"),
    _ktx("grid", "grids in KTX textures", "write the six sides as a cube map", "gridsize"),
    _ktx("side", "KTX textures as one side of a cube", "write the six sides as one KTX cube map, or as PNG", "fileright"),
    # elements
    UnsupportedRow(
        NOT_SIMULATED, "flexcomp.plugin", "", "plugins of deformable objects",
        "remove the plugin; MuJoCo's only plugin for elasticity, the cable, is for bodies"
    ),
    # options, which may be changed on a live model
    UnsupportedRow(
        NOT_SIMULATED, "option.flag", "multiccd", "several contacts of meshes whose flat faces were not compiled",
        "write multiccd='enable' into the model's text and load it again",
        used=lambda m: _flag(enums.ENBL_MULTICCD)(m) and m.nmeshpoly == 0 and _has_colliding_mesh(m),
        requires=CONVEX_CONTACTS,
    ),
    UnsupportedRow(
        NOT_SIMULATED, "option.flag", "invdiscrete", "the comparison with discrete inverse dynamics (fwdinv, invdiscrete) under RK4",
        "disable one of the flags",
        used=lambda model: model.opt_integrator == enums.INT_RK4 and _flag(enums.ENBL_FWDINV)(model) and _flag(enums.ENBL_INVDISCRETE)(model),
    ),
    # pictures
    UnsupportedRow(NOT_DRAWN, "asset.texture", "builtin", "dynamic textures", "the texture is flat", _is("dynamic")),
)  # fmt: skip


def _row(element: str, attribute: str, missing: str) -> UnsupportedRow:
    """A row of the table, for pickles: its conditions are functions, which have no names."""
    return next(row for row in TABLE if (row.element, row.attribute, row.missing) == (element, attribute, missing))


def live_options() -> list[UnsupportedRow]:
    """The rows that read the options of a Model, which may change while it is simulated."""
    return [row for row in TABLE if row.used is not None]


@cache
def _by_place() -> dict[tuple[str, str], list[UnsupportedRow]]:
    """(element, attribute) -> rows that are decided by the text."""
    found: dict[tuple[str, str], list[UnsupportedRow]] = {}
    for row in TABLE:
        if row.used is None and not row.in_file:
            found.setdefault((row.element, row.attribute), []).append(row)
    return found


def of_file(what: str) -> UnsupportedRow:
    """The row about something that a file may hold."""
    return next(row for row in TABLE if row.in_file == what)


def elements() -> Iterable[str]:
    """Ids of the elements that have a row as a whole."""
    return [element for element, attribute in _by_place() if not attribute]


def attributes(element: str) -> set[str]:
    """Attributes of an element whose values have a row."""
    return {attribute for id, attribute in _by_place() if id == element and attribute}


def of_element(element: str) -> UnsupportedRow | None:
    """The row about an element as a whole."""
    rows = _by_place().get((element, ""))
    return rows[0] if rows else None


def of_value(element: str, attribute: str, value: Any) -> UnsupportedRow | None:
    """The first row whose condition the value of an attribute meets."""
    for row in _by_place().get((element, attribute), ()):
        if row.given is None or row.given(value):
            return row
    return None


def effect(element: str, attribute: str) -> str:
    """The effect that a value of an attribute may have, "" if there is no row about it or its element."""
    for row in (*_by_place().get((element, ""), ()), *_by_place().get((element, attribute), ())):
        return row.effect
    return ""
