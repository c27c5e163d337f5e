"""The functions of arithmetic keep rows apart, and number fields and plots compute the same."""

import numpy as np
import pytest

from kinetree.engine.arithmetic import BINARY, FUNCTIONS, is_number, parsed
from kinetree.engine.editing.expression import evaluate
from kinetree.engine.run.expression import parse
from kinetree.engine.storage.loading import load

ARGUMENTS = {"asin": "0.3", "acos": "0.3", "atan2": "1.5, 0.4", "hypot": "3, 4, 12", "log": "9, 3"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_row_is_the_same_alone_and_among_others(name):
    row = FUNCTIONS[name]
    for count in {row.least, min(row.most, 3)}:
        values = [np.linspace(0.1, 0.9, 12).reshape(4, 3) + number for number in range(count)]
        if name in ("asin", "acos"):
            values = [value * 0.5 for value in values]
        whole = row.compute(*values)
        alone = np.concatenate([row.compute(*(value[k : k + 1] for value in values)) for k in range(4)])
        assert np.array_equal(whole, alone)


@pytest.mark.parametrize(
    "text",
    [
        f"{name}({ARGUMENTS.get(name, ', '.join(['1.5', '2.25', '0.75'][: row.least]))})"
        for name, row in FUNCTIONS.items()
    ]
    + ["2 + 3 * 4", "7 // 2", "-7 % 3", "2 ** 0.5", "-(1 - 3) / 4", "+pi - e"],
)
def test_a_number_field_and_a_plot_compute_the_same(text, tiny):
    expression = parse(load(tiny("cone_elliptic")), text)
    assert not expression.channels
    assert evaluate(text) == expression.of_columns(np.empty((1, 0))).item()


def test_the_parts_of_a_syntax_tree():
    tree = parsed("1if 2else 3")  # Python itself would warn of how this is written
    assert is_number(parsed("1.5")) and not is_number(tree)
    assert not any(is_number(parsed(text)) for text in ("True", "'a'", "x", "None"))
    assert type(parsed("1 // 2").op) in BINARY and type(parsed("1 & 2").op) not in BINARY
