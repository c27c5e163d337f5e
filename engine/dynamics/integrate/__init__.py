"""Integrators: the state after the step."""
