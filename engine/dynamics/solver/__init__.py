"""Solvers of the constraint forces: Newton and CG (primal.py), PGS and noslip (dual.py)."""
