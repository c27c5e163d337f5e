"""Kernels that sum up the forces of contacts at each recorded step: between two chosen sides, or of every pair that
touches. `engine/run/recording.py` calls them for channels of these two kinds.

A side of a contact is a number: a geom by its id, a flex as -1 - id. A chosen side is a range of such numbers: one
geom, the geoms of a body (they are neighbours), one flex, or anything.
"""

from __future__ import annotations

import math

from kinetree.engine.jit.addresses import doubles_at
from kinetree.engine.jit.kernel import exact, exact_small
from kinetree.engine.model import enums

ANYTHING = (-(1 << 31), 1 << 31)
"""The range of a side that may be any object."""

# Columns of a channel: sum of the normal forces, sum of the lengths of the friction forces, force on the second side in
# world axes, number of contacts, least distance (nan without contacts).
NORMAL, FRICTION, FORCE, COUNT, DISTANCE = 0, 1, 2, 5, 6
WIDTH = 7

# Words of a row of the table of pairs. TOUCHED: steps with a contact; PRESENT: normal force in the step LAST so far.
(USED, FIRST, SECOND, LAST, TOUCHED, CONTACTS, SUM_NORMAL, SUM_FRICTION, SUM_X, SUM_Y, SUM_Z, PRESENT, PEAK, LEAST) = (
    range(14)
)
ROW_WORDS = 14
HEADER_WORDS = 14
# Words of the header: steps, contacts of pairs that the table had no room for.
STEPS, LEFT_OUT = 0, 1


@exact_small
def side(data, c, k):
    """The side k of contact c."""
    geom = data.contact_geom[c, k]
    return geom if geom >= 0 else -1 - data.contact_flex[c, k]


@exact_small
def force_of(data, c):
    """(normal, along tangent 1, along tangent 2) of contact c, N; zeros without constraint rows."""
    row = data.contact_efc_address[c]
    if row < 0:
        return 0.0, 0.0, 0.0
    dim = data.contact_dim[c]
    force = data.efc_force
    if data.efc_type[row] != enums.CNSTR_CONTACT_PYRAMIDAL:
        if dim < 3:
            return force[row], 0.0, 0.0
        return force[row], force[row + 1], force[row + 2]
    normal = 0.0
    for k in range(2 * (dim - 1)):
        normal += force[row + k]
    friction = data.contact_friction
    first = friction[c, 0] * (force[row] - force[row + 1])
    return normal, first, friction[c, 1] * (force[row + 2] - force[row + 3])


@exact_small
def along(data, c, force, k):
    """Entry k of the force of contact c in world axes."""
    frame = data.contact_frame
    return force[0] * frame[c, k] + force[1] * frame[c, 3 + k] + force[2] * frame[c, 6 + k]


@exact
def between(data, low1, high1, low2, high2, row, column):
    """Write the WIDTH numbers of the contacts between two sides, ranges [low, high), to row[column:]."""
    for k in range(WIDTH):
        row[column + k] = 0.0
    least = math.nan
    for c in range(data.ncon):
        a, b = side(data, c, 0), side(data, c, 1)
        sign = 0.0
        if low1 <= a < high1 and low2 <= b < high2:
            sign = 1.0
        elif low1 <= b < high1 and low2 <= a < high2:
            sign = -1.0
        if sign == 0.0:
            continue
        force = force_of(data, c)
        row[column + NORMAL] += force[0]
        row[column + FRICTION] += math.sqrt(force[1] * force[1] + force[2] * force[2])
        for k in range(3):
            row[column + FORCE + k] += sign * along(data, c, force, k)
        row[column + COUNT] += 1.0
        distance = data.contact_dist[c]
        if not least <= distance:
            least = distance
    row[column + DISTANCE] = least


@exact
def tally(data, address, capacity, step):
    """Add the contacts of a step to the table of pairs at an address: a header, then `capacity` rows, found by hashing.
    The force is that on the side with the greater number."""
    header = doubles_at(address, HEADER_WORDS)
    header[STEPS] += 1.0
    rows = doubles_at(address + 8 * HEADER_WORDS, capacity * ROW_WORDS)
    for c in range(data.ncon):
        a, b = side(data, c, 0), side(data, c, 1)
        sign = 1.0
        if a > b:
            a, b, sign = b, a, -1.0
        place = ((a * 73856093) ^ (b * 19349663)) & (capacity - 1)
        tries = 0
        k = place * ROW_WORDS
        while rows[k + USED] != 0.0 and not (rows[k + FIRST] == a and rows[k + SECOND] == b) and tries < 64:
            place = (place + 1) & (capacity - 1)
            k = place * ROW_WORDS
            tries += 1
        if tries == 64:
            header[LEFT_OUT] += 1.0
            continue
        if rows[k + USED] == 0.0:
            rows[k + USED], rows[k + FIRST], rows[k + SECOND] = 1.0, a, b
            rows[k + LAST] = -1.0
            rows[k + LEAST] = math.inf
        if rows[k + LAST] != step:
            rows[k + LAST] = step
            rows[k + TOUCHED] += 1.0
            rows[k + PRESENT] = 0.0
        force = force_of(data, c)
        rows[k + CONTACTS] += 1.0
        rows[k + SUM_NORMAL] += force[0]
        rows[k + SUM_FRICTION] += math.sqrt(force[1] * force[1] + force[2] * force[2])
        rows[k + SUM_X] += sign * along(data, c, force, 0)
        rows[k + SUM_Y] += sign * along(data, c, force, 1)
        rows[k + SUM_Z] += sign * along(data, c, force, 2)
        rows[k + PRESENT] += force[0]
        rows[k + PEAK] = max(rows[k + PEAK], rows[k + PRESENT])
        rows[k + LEAST] = min(rows[k + LEAST], data.contact_dist[c])
