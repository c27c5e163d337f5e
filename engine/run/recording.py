"""The stage that writes recorded numbers, after each step, inside the compiled call.

It follows `data.recorder` to a program in memory (engine/run/recorder.py): a header, then a row for each channel. The
program names fields by their slot in the table of Data, so that it holds when arrays grow.
"""

from __future__ import annotations

import math

from kinetree.engine.jit.addresses import bytes_at, doubles_at, field_address, floats_at, ints_at, words_at
from kinetree.engine.jit.kernel import exact_small, kernel, small, takes
from kinetree.engine.run.contact_recording import between, tally

# Words of the header. PLACE: row of the ring that is written next; WAIT: steps until then.
NEXT, COUNT, STEP, EVERY, CAPACITY, WIDTH, RING, CHANNELS, PLACE, WAIT = range(10)
HEADER = 10
# Words of a channel. LIMIT: slot of the cell that says how many rows are in use, -1 where all are.
SLOT, DTYPE, START, NUMBER, OPERATION, LIMIT, ROW, COLUMN = range(8)
CHANNEL = 8

F8, I8, I4, U1, F4 = range(5)
COPY, SUM, NORM, MIN, MAX, NOTHING, BETWEEN, TALLY = range(8)
# Words of a channel of BETWEEN, which has no field: the ranges of its two sides. Of TALLY: START and NUMBER are address
# and capacity of its table; it has no column.
LOW1, HIGH1, LOW2, HIGH2 = SLOT, DTYPE, START, LIMIT

OWN_COLUMNS = 2
"""Columns before those of the channels: time, step number."""


@small
def _value(dtype, address, i):
    if dtype == F8:
        return doubles_at(address, i + 1)[i]
    if dtype == I8:
        return float(words_at(address, i + 1)[i])
    if dtype == I4:
        return float(ints_at(address, i + 1)[i])
    if dtype == U1:
        return float(bytes_at(address, i + 1)[i])
    return float(floats_at(address, i + 1)[i])


@exact_small
def _channel(data, channel, row):
    """Write the numbers of one channel; entries beyond the rows in use are NaN, and left out of sums. NOTHING: NaN.
    Exact: a norm is the same to the bit as the one that Python computes."""
    if channel[OPERATION] == NOTHING:
        for i in range(channel[NUMBER]):
            row[channel[COLUMN] + i] = math.nan
        return
    if channel[OPERATION] == BETWEEN:
        between(data, channel[LOW1], channel[HIGH1], channel[LOW2], channel[HIGH2], row, channel[COLUMN])
        return
    if channel[OPERATION] == TALLY:
        tally(data, channel[START], channel[NUMBER], row[1])
        return
    address = field_address(data, channel[SLOT])
    start, number, operation = channel[START], channel[NUMBER], channel[OPERATION]
    dtype, column = channel[DTYPE], channel[COLUMN]
    end = start + number
    if channel[LIMIT] >= 0:
        end = min(end, channel[ROW] * words_at(field_address(data, channel[LIMIT]), 1)[0])
    if operation == COPY:
        if dtype == F8:
            source = doubles_at(address, end)
            for i in range(start, end):
                row[column + i - start] = source[i]
        else:
            for i in range(start, end):
                row[column + i - start] = _value(dtype, address, i)
        for i in range(max(start, end), start + number):
            row[column + i - start] = math.nan
        return
    total = 0.0 if operation <= NORM else math.nan
    for i in range(start, end):
        value = _value(dtype, address, i)
        if operation == SUM:
            total += value
        elif operation == NORM:
            total += value * value
        elif i == start or (value < total if operation == MIN else value > total):
            total = value
    row[column] = math.sqrt(total) if operation == NORM else total


@takes("Model", "Data")
@kernel
def record(model, data):
    """Stage: add a row to the ring of each recorder."""
    program = data.recorder
    while program != 0:
        header = words_at(program, HEADER)
        header[STEP] += 1
        header[WAIT] -= 1
        if header[WAIT] <= 0:
            header[WAIT] = header[EVERY]
            width = header[WIDTH]
            row = doubles_at(header[RING] + 8 * width * header[PLACE], width)
            header[PLACE] += 1
            if header[PLACE] == header[CAPACITY]:
                header[PLACE] = 0
            row[0] = data.time
            row[1] = float(header[STEP])
            for k in range(header[CHANNELS]):
                _channel(data, words_at(program + 8 * (HEADER + k * CHANNEL), CHANNEL), row)
            header[COUNT] += 1
        program = header[NEXT]
