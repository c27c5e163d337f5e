"""Velocities and forces: passive ones, the medium, actuators; the acceleration without constraints."""
