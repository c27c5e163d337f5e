"""Vectors of four doubles for the inner loops of dense kernels.

A loop over chunks of four needs no tests for aliasing and no remainder, which is what costs most where rows are short:
rows are padded with zeros to a multiple of four instead. Compiled, a chunk may reach up to three numbers past its row,
into the padding; nothing checks bounds. The compiled forms are in `engine/jit/intrinsics.py`.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.jit.kernel import compiled_as, small

WIDTH = 4


@small
def padded(n):
    """n rounded up to a multiple of the width."""
    return (n + 3) // 4 * 4


@compiled_as("vload")
def vload(array, index):
    """array[index:index + 4]; shorter at the end of the array, where zeros take the place"""
    result = np.zeros(WIDTH)
    part = array[index : index + WIDTH]
    result[: len(part)] = part
    return result


@compiled_as("vstore")
def vstore(array, index, value):
    """array[index:index + 4] = value"""
    count = min(WIDTH, len(array) - index)
    array[index : index + count] = value[:count]


@compiled_as("vset")
def vset(number):
    """The number four times."""
    return np.full(WIDTH, float(number))


@compiled_as("vfma")
def vfma(a, b, c):
    """a b + c"""
    return a * b + c


@compiled_as("vmul")
def vmul(a, b):
    """a b"""
    return a * b


@compiled_as("vadd")
def vadd(a, b):
    """a + b"""
    return a + b


@compiled_as("vsum")
def vsum(a):
    """The sum of the four numbers."""
    return (a[0] + a[2]) + (a[1] + a[3])
