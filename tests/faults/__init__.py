"""Faults of the disk and of memory while something is saved: `scenarios.py` lists what is saved, `trials.py` fails one
call after the other, `python -m tests.benchmark.faults` prints what comes of it.
"""
