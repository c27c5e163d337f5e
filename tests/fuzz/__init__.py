"""Fuzzing of everything that reads bytes of users: `targets.py` lists the readers, `judge.py` says what may come of an
input, `__main__.py` runs campaigns, docs/testing.md tells how.
"""
