"""Contact forces between two objects as recorded quantities, and sums over all pairs, against what Python reads."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.query.contact_force import contact_force, contact_forces, contact_keys, contact_sides
from kinetree.engine.run.capture import Capture
from kinetree.engine.run.contact_tally import ContactTally, joined
from kinetree.engine.run.expression import ExpressionError, parse
from kinetree.engine.run.expression_completion import complete
from kinetree.engine.run.expression_names import follow
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.quantity_units import is_count, units_of
from kinetree.engine.run.recorder import step

TEXT = """<mujoco><option cone="CONE"/><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="low" pos="0 0 .1"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body>
  <body name="high" pos="0.05 0 .5"><freejoint/>
    <geom name="cap" type="capsule" size=".05" fromto="0 0 0 .3 0 0" condim="6"/><geom name="tip" size=".03" pos="0 0 .1"/>
  </body>
</worldbody></mujoco>"""
TEXTS = (
    'contact("floor", "box").normal', 'contact("box").force', 'contact(body("low"), body("high")).friction',
    'contact("cap", "box").count', 'contact("box", "floor").force[2]', 'contact("cap").distance', "contact(1).force",
)  # fmt: skip


@pytest.fixture(scope="module", params=["pyramidal", "elliptic"])
def model(request):
    return kinetree.load_string(TEXT.replace("CONE", request.param))


def by_hand(model, data, first, second):
    """(normal, friction, force on the second in the world, count) of the contacts between two sets of geoms."""
    normal = friction = 0.0
    force, count = np.zeros(3), 0
    for i in range(data.ncon):
        a, b = data.contact.geom[i].tolist()
        sign = 1.0 if a in first and b in second else -1.0 if b in first and a in second else 0.0
        if sign:
            mine = contact_force(model, data, i)
            normal, friction, count = normal + mine[0], friction + np.hypot(*mine[1:3]), count + 1
            force += sign * contact_force(model, data, i, "world")[:3]
    return normal, friction, force, count


def test_every_step_is_recorded_as_the_state_reads_to_the_bit(model):
    expressions = {text: parse(model, text) for text in TEXTS}
    capture, data, other = Capture(model, expressions), kinetree.Data(model), kinetree.Data(model)
    step(model, data, 300, [capture.recorder])
    rows = capture.read().values
    touched = 0
    for row in rows:
        kinetree.step(model, other)
        expected = np.concatenate([each.of_state(other) for each in expressions.values()])
        np.testing.assert_array_equal(row, expected)
        touched += other.ncon > 3
    assert touched > 100
    everything = set(range(model.ngeom))
    normal, *_ = by_hand(model, other, {0}, {1})
    *_, force, _count = by_hand(model, other, everything, {1})
    _, friction, _, _ = by_hand(model, other, {1}, {2, 3})
    got = [each.of_state(other) for each in expressions.values()]
    assert got[0][0] == pytest.approx(normal) and normal > 1
    assert got[1] == pytest.approx(force, abs=1e-9) and got[6] == pytest.approx(got[1])
    assert got[2][0] == pytest.approx(friction)
    assert got[4][0] == pytest.approx(-normal)


def test_vectorised_forces_are_those_of_each_contact(model):
    data = kinetree.Data(model)
    kinetree.step(model, data, 200)
    expected = [contact_force(model, data, i) for i in range(data.ncon)]
    np.testing.assert_allclose(contact_forces(data), expected, rtol=1e-13, atol=1e-13)
    keys = contact_keys(contact_sides(data))
    assert len(set(keys)) == data.ncon and keys[0] == (0, 1, 0)


def test_infinite_forces_of_a_state_that_diverges_give_no_warning(model):
    data = kinetree.Data(model)
    kinetree.step(model, data, 200)
    data.efc_force[:] = np.inf
    forces = contact_forces(data)
    np.testing.assert_array_equal(forces, [contact_force(model, data, i) for i in range(data.ncon)])
    assert np.isinf(forces[:, 0]).all() and not np.isfinite(forces[:, 1]).any()


def test_units_counts_and_labels(model):
    found = {text: parse(model, text) for text in TEXTS}
    assert units_of(model, found['contact("box").force']) == ["N"] * 3
    assert found['contact("box").force'].labels[2] == 'contact("box").force[2]'
    assert units_of(model, found['contact("cap").distance']) == ["m"]
    assert is_count(found['contact("cap", "box").count']) and not is_count(found['contact("floor", "box").normal'])


def test_texts_and_recorders_follow_renamed_and_deleted_geoms(model):
    expression = parse(model, 'contact("floor", "box").normal')
    capture, data = Capture(model, {0: expression}), kinetree.Data(model)
    renamed = kinetree.load_string(TEXT.replace("CONE", "elliptic").replace('name="box"', 'name="crate"'))
    matching = Matching(model, renamed)
    assert follow(expression, matching) == 'contact("floor", "crate").normal'
    capture.recorder.follow(matching)
    other = kinetree.Data(renamed)
    step(renamed, other, 100, [capture.recorder])
    row = capture.recorder.read().values[-1]
    assert row[0] == parse(renamed, 'contact("floor", "crate").normal').of_state(other)[0] > 0
    gone = kinetree.load_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    capture.recorder.follow(Matching(renamed, gone))
    step(gone, kinetree.Data(gone), 1, [capture.recorder])
    assert np.isnan(capture.recorder.read().values[-1]).all()
    assert data.ncon == 0


@pytest.mark.parametrize(("text", "message"), [
    ('contact("floor", "nobody").normal', "no geom is named"), ("contact()", "name one or two geoms"),
    ('contact("floor")', "which number of these contacts"), ('contact("floor").mass', "contacts have no .mass"),
    ('contact(model.opt.timestep).normal', "a side of a contact is"), ("contact(99).normal", "numbered from 0"),
])  # fmt: skip
def test_what_is_wrong_is_said(model, text, message):
    with pytest.raises(ExpressionError, match=message.replace("(", r"\(")):
        parse(model, text)


def test_completion_offers_geoms_and_attributes(model):
    assert [each.text for each in complete(model, 'contact("fl', 11)] == ['"floor", ']
    assert [each.text for each in complete(model, 'contact("floor", "ca', 20)] == ['"cap")']
    assert "normal" in [each.text for each in complete(model, 'contact("floor", "cap").', 24)]
    text = 'contact(body("low")).fr'
    assert [each.text for each in complete(model, text, len(text))] == ["friction"]


def test_sums_over_all_pairs_are_those_of_each_step(model):
    tally, data, other = ContactTally(model), kinetree.Data(model), kinetree.Data(model)
    step(model, data, 120, [tally])
    first = tally.take()
    step(model, data, 80, [tally])
    found = joined([first, tally.take()])
    normal, friction, touched, peak = (dict[tuple[int, int], float]() for _ in range(4))
    force: dict[tuple[int, int], np.ndarray] = {}
    for _ in range(200):
        kinetree.step(model, other)
        for pair in {tuple(sorted(pair)) for pair in other.contact.geom.tolist()}:
            n, f, on_second, _count = by_hand(model, other, {pair[0]}, {pair[1]})
            for table, value in ((normal, n), (friction, f), (touched, 1)):
                table[pair] = table.get(pair, 0.0) + value
            peak[pair] = max(peak.get(pair, 0.0), n)
            force[pair] = force.get(pair, np.zeros(3)) + on_second
    assert found.steps == 200 and found.left_out == 0
    assert [tuple(pair) for pair in found.sides.tolist()] == sorted(normal)
    for k, pair in enumerate(sorted(normal)):
        assert found.normal[k] == pytest.approx(normal[pair])
        assert found.friction[k] == pytest.approx(friction[pair], abs=1e-12)
        assert found.force[k] == pytest.approx(force[pair], abs=1e-9)
        assert found.touched[k] == touched[pair] and found.peak[k] == pytest.approx(peak[pair])
    assert joined([]).steps == 0


def test_more_pairs_than_memory_are_counted():
    bodies = "".join(f'<body pos="0 0 {i * 1e-3}"><freejoint/><geom size=".5"/></body>' for i in range(110))
    crowd = kinetree.load_string(
        f'<mujoco><option><flag constraint="disable"/></option><worldbody>{bodies}</worldbody></mujoco>'
    )
    crowd.opt.disableflags = 0
    tally, data = ContactTally(crowd), kinetree.Data(crowd)
    crowd.opt.iterations = 1
    step(crowd, data, 1, [tally])
    found = tally.take()
    assert data.ncon == 110 * 109 // 2
    assert found.left_out > 0 and found.contacts.sum() + found.left_out == data.ncon
