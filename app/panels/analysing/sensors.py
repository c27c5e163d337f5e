"""The panel of sensors: by type and name, with values and units. They are dragged to plots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtWidgets import QWidget

from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import LiveRow, entries
from kinetree.app.panels.live.units_button import UnitsButton
from kinetree.app.workspace.selection import Selection
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import BY_OBJECT, name_of
from kinetree.engine.model.sensors import SENSORS, by_type
from kinetree.engine.run.expression_names import reference
from kinetree.engine.run.quantity_units import sensor_unit
from kinetree.engine.translation import tr


def type_title(model: Any, sensor: int) -> str:
    """Title of a sensor's type."""
    return tr(by_type().get(int(model.sensor_type[sensor]), SENSORS["user"]).title)


def sensed(model: Any, sensor: int) -> str:
    """The measured object and its reference frame: "site tip, in body base"; "" if the sensor measures no object."""
    parts = []
    for type_field, id_field, words in (
        ("sensor_objtype", "sensor_objid", tr("{kind} {name}")),
        ("sensor_reftype", "sensor_refid", tr("in {kind} {name}")),
    ):
        kind, id = int(getattr(model, type_field)[sensor]), int(getattr(model, id_field)[sensor])
        if kind != enums.OBJ_UNKNOWN and id >= 0 and kind in BY_OBJECT:
            row = BY_OBJECT[kind]
            name = name_of(model, row.name, id)
            parts.append(words.format(kind=tr(row.name), name=name.removeprefix(f"{row.name} ")))
    return ", ".join(parts)


class SensorsPanel(LivePanel):
    """Every sensor of the model, under its type. A sensor without a name gets the name of its object."""

    what = "sensor"
    made_of = (
        "names",
        "nsensor",
        "sensor_type",
        "sensor_objtype",
        "sensor_objid",
        "sensor_reftype",
        "sensor_refid",
        "sensor_adr",
        "sensor_dim",
        "jnt_type",
    )

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(workspace, settings, parent)
        self.top.addWidget(UnitsButton(self.units, self))

    def refresh(self) -> None:
        """Show the newest state; three numbers have room beside each other where the panel is wide."""
        is_new = self._is_stale
        super().refresh()
        model = self.simulation.model
        if is_new and model is not None and model.nsensor:
            numbers = min(3, int(model.sensor_dim.max()))
            width = self.fontMetrics().horizontalAdvance("  ".join(["-00.000"] * numbers)) + 12
            width = min(width, self.view.viewport().width() * 2 // 5)  # the names come first
            header = self.view.header()
            header.resizeSection(1, max(width, header.sectionSizeHint(1)))

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        order = sorted(range(model.nsensor), key=lambda sensor: type_title(model, sensor))
        for sensor in order:
            about = sensed(model, sensor)
            name = model.names["sensor"][sensor] or about or tr("sensor {sensor}", sensor=sensor)
            yield LiveRow(
                name,
                entries("sensordata", int(model.sensor_adr[sensor]), int(model.sensor_dim[sensor])),
                sensor_unit(model, sensor),
                Selection("sensor", sensor),
                reference(model, "sensor", sensor),
                type_title(model, sensor),
                about,
            )
