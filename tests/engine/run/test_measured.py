"""CSV files of instruments are read with their columns, clocks and units; a mistake is told with its line."""

import math
import re

import numpy as np
import pytest

from kinetree.engine.progress import Cancelled, reported
from kinetree.engine.run.measured import ColumnMapping, decimated, difference, mapped, preview, read, unit_of


@pytest.fixture
def written(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "log.csv"
        path.write_bytes(text.encode())
        return str(path)

    return write


FILES = {
    "comma": ("time,knee\n0,1\n0.5,2\n", ("time", "knee"), 0),
    "semicolon and decimal comma": ("Zeit [s];Winkel\n0,0;1,0\n0,5;2,0\n", ("Zeit [s]", "Winkel"), 0),
    "tab": ("knee\tt\n1\t0\n2\t0.5\n", ("knee", "t"), 1),
    "spaces, without names": ("# log of today\n0  1\n0.5  2\n", ("column 1", "column 2"), 0),
    "quoted names, byte order mark, Windows": ('\ufeff"t, s","knee (deg)"\r\n0,1\r\n\r\n0.5,2\r\n', ("t, s", "knee (deg)"), 0),
    "twice the same name": ("time,a,a\n0,9,1\n0.5,9,2\n", ("time", "a", "a (3)"), 0),
    "our own export": ("run,step,time,qpos[0]\n1,1,0,1\n1,2,0.5,2\n", ("run", "step", "time", "qpos[0]"), 2),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_tables_of_many_makers_are_read(written, name):
    text, columns, time = FILES[name]
    path = written(text)
    table = preview(path)
    assert (table.columns, table.time) == (columns, time)
    value = columns[0] if time == len(columns) - 1 and len(columns) == 2 else columns[-1]
    data = read(path, table, columns[time], value)
    assert (data.times.tolist(), data.values.tolist()) == ([0.0, 0.5], [1.0, 2.0])


WRONG = {
    "": "has no rows",
    "# only\n": "has no rows",
    "time,knee\n": "log.csv:1: there are names, but no numbers",
    "1\n2\n": "log.csv:1: there is one column",
    "time,knee\n0,1\n1,two\n": "log.csv:3: 'two' in the column 'knee' is not a number",
    "time,knee\n0,1\n1\n": "log.csv:3: there are 1 cells, and 'knee' is the number 2",
    "time,knee\n0,1\n,3\n": "log.csv:3: there is no time",
    "time,knee\n1,1\n\n0,3\n": "log.csv:4: the time 0 is before 1",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_mistake_is_told_with_its_line(written, text):
    path = written(text)
    with pytest.raises(ValueError, match=re.escape(WRONG[text])):
        read_first_columns(path)


def read_first_columns(path: str) -> None:
    table = preview(path)
    read(path, table, table.columns[0], table.columns[1])


def test_what_is_no_text_and_what_is_gone_is_told(tmp_path):
    path = tmp_path / "picture.csv"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(ValueError, match="is not a text"):
        preview(str(path))
    with pytest.raises(ValueError, match="cannot be read"):
        preview(str(tmp_path / "none.csv"))


def test_empty_cells_are_gaps(written):
    path = written("t,a\n0,1\n1,\n2,3\n")
    assert np.isnan(read(path, preview(path), "t", "a").values).tolist() == [False, True, False]


def test_units_are_read_from_names():
    names = ("knee [deg]", "knee (mm)", "t_ms", "time us", "force", "x[0]")
    assert [unit_of(name) for name in names] == ["deg", "mm", "ms", "µs", "", "0"]


def test_times_and_values_are_mapped(written):
    path = written("t_ms,knee (deg)\n1000,0\n1500,180\n")
    data = read(path, preview(path), "t_ms", "knee (deg)")
    x, y = mapped(data, ColumnMapping(path, "t_ms", "knee (deg)", -1.0, 1e-3, math.pi / 180, "rad"))
    np.testing.assert_allclose(x, [0.0, 0.5])
    np.testing.assert_allclose(y, [0.0, math.pi])


def test_the_difference_is_of_the_common_times():
    simulated_times = np.linspace(0.0, 2.0, 2001)
    times = np.linspace(-1.0, 1.0, 50)
    found = difference(times, np.sin(times) + 0.25, simulated_times, np.sin(simulated_times))
    assert found is not None
    assert found.rms == pytest.approx(0.25, rel=1e-4) and found.count == 25
    assert difference(times - 9.0, times, simulated_times, simulated_times) is None


def test_long_data_is_drawn_with_its_peaks():
    times = np.arange(100_000) * 1e-3
    values = np.zeros(100_000)
    values[54_321] = 7.0
    x, y = decimated(times, values, 10.0, 90.0, 1000)
    assert len(x) <= 1000 and y.max() == 7.0
    assert 9.9 < x[0] <= 10.0 and 89.8 < x[-1]


def test_a_long_file_can_be_given_up(written):
    path = written("t,a\n" + "".join(f"{k},1\n" for k in range(20_000)))

    def give_up(_fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled), reported(give_up):
        read(path, preview(path), "t", "a")
