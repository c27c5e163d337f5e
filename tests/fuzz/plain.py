"""Mutations without feedback, from a seed: what the test-suite runs, and a campaign where there is no atheris."""

from __future__ import annotations

import re
import struct
from random import Random

_NUMBER = re.compile(rb"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
NUMBERS = (
    b"0", b"-1", b"1e308", b"-1e308", b"1e999", b"nan", b"-inf", b"1e-320", b"2147483647", b"-2147483649", b"4294967296",
    b"18446744073709551615", b"99999999999999999999", b"1e19", b"65536", b"0x10", b"",
)  # fmt: skip
INTEGERS = (0, 1, -1, 2, 127, 255, 256, 65535, 2**31 - 1, -(2**31), 2**32 - 1)
FLOATS = (0.0, float("nan"), float("inf"), float("-inf"), 1e30, -1e-40, 3.4e38)


def mutated(data: bytes, others: list[bytes], words: tuple[bytes, ...], random: Random) -> bytes:
    """One input, from a seed of a target."""
    for _ in range(random.choice((1, 1, 2, 3, 6))):
        data = random.choice(_WAYS)(data, others, words, random)
    return data


def _span(data: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.choice((0, 1, 2, 4, 8, 40, 400)))


def _byte(data, others, words, random):
    at = random.randrange(len(data) + 1)
    return data[:at] + bytes([random.choice((0, 0x20, 0x7F, 0xFF, random.randrange(256)))]) + data[at + 1 :]


def _cut(data, others, words, random):
    start, end = _span(data, random)
    return data[:start] + data[end:]


def _repeated(data, others, words, random):
    start, end = _span(data, random)
    return data[:end] + data[start:end] * random.choice((1, 1, 3, 50)) + data[end:]


def _moved(data, others, words, random):
    start, end = _span(data, random)
    at = random.randint(0, len(data))
    return data[:at] + data[start:end] + data[at:]


def _shorter(data, others, words, random):
    return data[: random.randint(0, len(data))]


def _packed(data, others, words, random):
    at = random.randrange(len(data) + 1)
    kind = random.choice("bBhHiIqdf")
    if kind in "df":
        value = struct.pack("<" + kind, random.choice(FLOATS))
    else:
        size = struct.calcsize(kind)
        value = (random.choice(INTEGERS) % (1 << 8 * size)).to_bytes(size, random.choice(("little", "little", "big")))
    return data[:at] + value + data[at + len(value) :]


def _number(data, others, words, random):
    found = list(_NUMBER.finditer(data[:20_000]))
    if not found:
        return data
    match = random.choice(found)
    return data[: match.start()] + random.choice(NUMBERS) + data[match.end() :]


def _word(data, others, words, random):
    start, end = _span(data, random)
    return data[:start] + (random.choice(words) if words else b"") + data[random.choice((start, end)) :]


def _mixed(data, others, words, random):
    other = random.choice(others)
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


_WAYS = (_byte, _byte, _cut, _repeated, _moved, _shorter, _packed, _packed, _number, _number, _word, _word, _mixed)
