"""Panels that show what a simulation does: plots, contacts, sensors, facts, profiler, log and others."""
