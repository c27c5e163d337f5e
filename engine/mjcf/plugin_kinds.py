"""Which elements can use which of MuJoCo's plugins (model/plugin of its repository)."""

from __future__ import annotations

_SHAPE = ("mesh.plugin", "geom.plugin")
USERS: dict[str, tuple[str, ...]] = {
    "mujoco.pid": ("actuator.plugin",),
    "mujoco.elasticity.cable": ("body.plugin", "composite.plugin"),
    "mujoco.sensor.touch_grid": ("sensor.plugin",),
    "mujoco.sensor.touch_stress": ("sensor.plugin",),
    **{f"mujoco.sdf.{shape}": _SHAPE for shape in ("bolt", "bowl", "gear", "nut", "torus", "sdflib")},
}
"""Plugin -> the kinds of <plugin> that can use it."""
