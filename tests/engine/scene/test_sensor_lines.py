"""Lines that show measurements of distance sensors."""

import numpy as np

import kinetree
from kinetree.engine.scene.camera import default_free, view_of
from kinetree.engine.scene.decor.table import collect
from kinetree.engine.scene.options import VisOptions

BALLS = """<mujoco><worldbody><geom name="a" size="0.1"/><geom name="b" pos="0.3 0 0.4" size="0.2"/>
  <geom name="far" pos="9 0 0" size="0.1"/></worldbody>
<sensor><fromto name="near" geom1="a" geom2="b" cutoff="1"/><fromto geom1="a" geom2="far" cutoff="1"/></sensor></mujoco>"""


def lines(shown: bool) -> np.ndarray:
    model = kinetree.load_string(BALLS)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    view = view_of(default_free(model), model, data, 1.0)
    return collect(model, data, VisOptions(rangefinder=shown), None, view).rows


def test_a_line_joins_the_nearest_points_of_two_geoms():
    """Of the balls 0.5 m apart; the sensor of those beyond its cutoff shows none, as in MuJoCo."""
    (line,) = lines(True)
    along = np.array([0.6, 0.0, 0.8])
    ends = line["pos"] + np.outer([-line["half"], line["half"]], line["mat"][:, 2])
    np.testing.assert_allclose(ends, [0.1 * along, 0.3 * along], atol=1e-5)
    assert len(lines(False)) == 0
