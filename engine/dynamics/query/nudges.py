"""Runs of a list of stages from one start, each with a few numbers nudged, and the differences of their results.

This is the loop of `finite_difference.py`: one compiled call for many runs. Addresses in its tables are those of arrays
of one Data:

    copies    (_, 3) source, target, number of 64-bit words: the start state of each run
    places    (_, 2) of a nudge: where its numbers are written, how many; -1 for no run: the nominal results count
    values    (_, 4) its numbers
    results   (_, 3) outputs of a run: address, count, address of the values to subtract or 0

Nudges come in pairs: nudge 2 i up and nudge 2 i + 1 down give the differences in row i.
"""

from __future__ import annotations

from kinetree.engine.dynamics.integrate.integrate import differentiate_pos
from kinetree.engine.dynamics.run import run
from kinetree.engine.jit.addresses import doubles_at, words_at
from kinetree.engine.jit.kernel import exact, kernel, takes

RUN = ("f8", "i8[2]", "i8[2]", "f8[2]", "i8")
READ = ("i8[2]", "f8[1]", "f8[2]", "f8[1]", "b1", "f8[2]", "i8")


@takes("Data", *RUN)
@kernel
def start_run(data, time, copies, places, values, k):
    """Write the start with nudge k into the Data; whether there is anything to run."""
    count = places[k, 1]
    if count < 0:
        return False
    data.time = time
    for i in range(copies.shape[0]):
        number = copies[i, 2]
        source, target = words_at(copies[i, 0], number), words_at(copies[i, 1], number)
        for j in range(number):
            target[j] = source[j]
    numbers = doubles_at(places[k, 0], count)
    for j in range(count):
        numbers[j] = values[k, j]
    return True


@takes("i8[2]", "f8[1]")
@kernel
def read_results(results, into):
    """Copy the results of a run, one part after the other."""
    at = 0
    for i in range(results.shape[0]):
        count = results[i, 1]
        numbers = doubles_at(results[i, 0], count)
        for j in range(count):
            into[at + j] = numbers[j]
        if results[i, 2] != 0:
            numbers = doubles_at(results[i, 2], count)
            for j in range(count):
                into[at + j] -= numbers[j]
        at += count


@takes("Model", "b1", *READ)
@exact
def end_run(model, has_run, results, nominal, ends, widths, moves, rows, k):
    """Take the results of nudge k; after the second one of a pair its differences, over its width, go into a row.

    ends    (2, _) scratch for the results of a pair
    widths  size of both nudges of a pair together, 0 for none
    moves   whether the results begin with positions, whose difference is a velocity
    """
    up, down = ends[0], ends[1]
    end = down if k % 2 == 1 else up
    if has_run:
        read_results(results, end)
    else:
        for j in range(nominal.shape[0]):
            end[j] = nominal[j]
    if k % 2 == 0:
        return
    row, width = rows[k // 2], widths[k // 2]
    if width == 0.0:
        for j in range(row.shape[0]):
            row[j] = 0.0
        return
    nq = nv = 0
    if moves:
        nq, nv = model.nq, model.nv
        differentiate_pos(model, row, down, up, 1.0)
    for j in range(nv):
        row[j] /= width
    for j in range(nominal.shape[0] - nq):
        row[nv + j] = (up[nq + j] - down[nq + j]) / width


@takes("Model", "Data", "i8[1]", *RUN, *READ[:-1])
@kernel
def run_nudges(model, data, stages, time, copies, places, values, first, results, nominal, ends, widths, moves, rows):
    """All runs from nudge `first` on; how many nudges are done. Ends early where a run needs more memory: it is to be
    repeated once Data has grown.
    """
    for k in range(first, places.shape[0]):
        is_run = start_run(data, time, copies, places, values, k)
        if is_run and run(model, data, 1, stages, 0) == 0:
            return k
        end_run(model, is_run, results, nominal, ends, widths, moves, rows, k)
    return places.shape[0]
