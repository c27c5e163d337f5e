"""Constraint rows: equalities, friction, limits, contacts; the islands that they make. Read first: constraint.py."""
