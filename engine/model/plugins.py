"""Slots of MuJoCo's own plugins in model.plugin. The engine computes them itself; nothing of a plugin is executed."""

PLUGIN_PID = 0
PLUGIN_CABLE = 1
PLUGIN_TOUCH_GRID = 2
PLUGIN_TOUCH_STRESS = 3
PLUGIN_BOLT = 4
PLUGIN_BOWL = 5
PLUGIN_GEAR = 6
PLUGIN_NUT = 7
PLUGIN_TORUS = 8
PLUGIN_SDFLIB = 9

CABLE_VMAX = 3
"""Place in plugin_prm of a cable: the torque that is drawn in red, N m; 0: it keeps its colours."""
