"""The compiler against the reference: the models of the repository, cases element by element, the corpus.

What differs on purpose: deliberate.py.
"""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.model import unsupported
from tests.corpus import listed

from .compiled import agree, differences

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KNOWN = HERE / "compiles.txt"
CASES = [
    line
    for path in sorted(HERE.glob("cases*.txt"))
    for line in path.read_text().splitlines()
    if line.startswith("<")
]
UNSUPPORTED: set[str] = set()
OURS = sorted([*ROOT.glob("resources/models/*.xml"), *ROOT.glob("tests/data/models/*.xml")])


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.stem)
def test_our_models(path):
    theirs = mujoco.MjModel.from_xml_path(str(path))
    if path.stem in UNSUPPORTED:
        with pytest.raises(engine.ModelError, match=unsupported.REFUSED):
            engine.load(path)
        return
    assert not differences(engine.load(path), theirs)


@pytest.mark.parametrize("name", ["humanoid/humanoid", "car/car", "replicate/stonehenge"])
def test_first_models(name, shared):
    path = shared / "corpus/mujoco/model" / f"{name}.xml"
    assert not differences(engine.load(path), mujoco.MjModel.from_xml_path(str(path)))


@pytest.mark.parametrize("text", CASES, ids=range(len(CASES)))
def test_case(text):
    agree(text)


# ---- random models ------------------------------------------------------------------------------------

_number = st.floats(-2, 2).map(lambda v: round(v, 3))
_positive = st.floats(0.05, 1).map(lambda v: round(v, 3))


def _numbers(count, of=_number):
    return st.lists(of, min_size=count, max_size=count).map(lambda v: " ".join(map(str, v)))


_pose = st.tuples(
    st.one_of(st.just(""), _numbers(3).map(lambda v: f'pos="{v}"')),
    st.one_of(
        st.just(""),
        _numbers(3, st.integers(-180, 180)).map(lambda v: f'euler="{v}"'),
        st.tuples(_numbers(3, st.integers(1, 5)), st.integers(-180, 180)).map(
            lambda v: f'axisangle="{v[0]} {v[1]}"'
        ),
        _numbers(4, st.integers(1, 5)).map(lambda v: f'quat="{v}"'),
        _numbers(3, st.integers(1, 5)).map(lambda v: f'zaxis="{v}"'),
        st.permutations(["1 2 0", "0 3 1"]).map(lambda v: f'xyaxes="{" ".join(v)}"'),
    ),
).map(" ".join)
_geom = st.tuples(
    st.sampled_from(["sphere", "capsule", "ellipsoid", "cylinder", "box"]),
    _numbers(3, _positive),
    _pose,
    st.sampled_from(
        ["", 'density="50"', 'mass="2"', 'shellinertia="true"', 'mass="0.5" group="3"', 'mass="0"']
    ),
).map(lambda g: f'<geom type="{g[0]}" size="{g[1]}" {g[2]} {g[3]}/>')
_joint = st.tuples(
    st.sampled_from(["hinge", "slide"]),
    _numbers(3, st.integers(-2, 2)),
    _numbers(3),
    st.sampled_from(
        ["", 'range="-10 20"', 'armature="0.1"', 'ref="5" springref="3"', 'springdamper=".1 .7"']
    ),
).map(
    lambda j: (
        f'<joint type="{j[0]}" axis="{j[1] if j[1] != "0 0 0" else "1 0 0"}" pos="{j[2]}" {j[3]} damping="0.1"/>'
    )
)


@st.composite
def _body(draw, depth=0):
    joints = draw(st.one_of(st.lists(_joint, max_size=2), st.just(['<joint type="ball"/>'])))
    if depth == 0 and draw(st.booleans()):
        joints = ["<freejoint/>"]
    geoms = draw(st.lists(_geom, min_size=1, max_size=3))
    rest = [f"<site {draw(_pose)}/>", f"<camera {draw(_pose)}/>", '<light pos="1 2 3" dir="1 2 -1"/>']
    inside = draw(st.lists(_body(depth=depth + 1), max_size=2)) if depth < 2 else []
    wrap = draw(st.sampled_from(["{}", '<frame pos="1 0 2" euler="30 0 20">{}</frame>']))
    return f"<body {draw(_pose)}>" + "".join(joints) + wrap.format("".join(geoms + rest + inside)) + "</body>"


@given(
    st.lists(_body(), min_size=1, max_size=2),
    st.sampled_from(
        ["", "<compiler balanceinertia='true'/>", "<compiler boundmass='1' boundinertia='.1' eulerseq='ZYx'/>",
         "<compiler settotalmass='5' inertiagrouprange='0 1'/>", "<compiler alignfree='true'/>"]
    ),
)  # fmt: skip
@settings(max_examples=60)
def test_random_trees(bodies, compiler):
    text = f"<mujoco>{compiler}<worldbody>{''.join(bodies)}</worldbody></mujoco>"
    theirs = mujoco.MjModel.from_xml_string(text) if _accepted(text) else None
    if (
        theirs is None
        or not np.isfinite(theirs.dof_invweight0).all()
        or np.abs(theirs.dof_invweight0).max(initial=0) > 1e6
    ):
        return
    bad = differences(engine.load_string(text), theirs)
    # inverse weights of nearly singular joints carry the rounding of either side
    bad = {k: v for k, v in bad.items() if not (k.endswith("invweight0") and v < 1e3)}
    moments = np.sort(theirs.body_inertia[1:], axis=1)
    if (np.diff(moments, axis=1) < 1e-9 * moments[:, 2:]).any():
        # equal moments: rounding decides which of the equivalent axes are chosen
        if "alignfree" in text:
            return
        for name in ("body_iquat", "body_sameframe", "body_simple", "geom_sameframe", "site_sameframe"):
            bad.pop(name, None)
        bad.pop("dof_simplenum", None)
    assert not bad, text


def _accepted(text):
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError:
        with pytest.raises(engine.ModelError):
            engine.load_string(text)
        return False
    return True


@given(
    st.lists(
        st.tuples(*[st.floats(-1, 1).map(lambda v: round(v, 2))] * 3), min_size=5, max_size=20, unique=True
    ),
    st.sampled_from(["legacy", "exact", "convex", "shell"]),
    st.sampled_from(["1 1 1", "2 .5 3", "-1 1 1"]),
)
@settings(max_examples=40)
def test_random_hulls(points, mode, scale):
    spread = np.linalg.svd(np.array(points) - np.mean(points, 0))[1]
    if spread[2] < 0.2 or (mode != "legacy" and scale.startswith("-")):
        return
    vertex = " ".join(f"{v}" for p in points for v in p)
    text = (
        f'<mujoco><asset><mesh name="m" inertia="{mode}" vertex="{vertex}" scale="{scale}"/></asset>'
        '<worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    )
    agree(text)


# ---- the corpus ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_corpus(shared, capsys):
    """Never anything but a model or a ModelError, never slow; and what passes keeps passing (compiles.txt grows)."""
    passed, counts, wrong = [], {}, []
    for path in [row.path for row in listed(shared / "corpus")]:
        name = str(path.relative_to(shared / "corpus"))
        start = time.perf_counter()
        try:
            ours = engine.load(path)
        except engine.ModelError as error:
            ours = error
        assert time.perf_counter() - start < 10, name
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                theirs = mujoco.MjModel.from_xml_path(str(path))
            except ValueError as error:
                theirs = str(error).splitlines()[0]
        if isinstance(ours, engine.ModelError):
            codes = {d.code for d in ours.diagnostics if d.severity.value == "error"}
            state = (
                "both refuse"
                if isinstance(theirs, str)
                else "not supported"
                if codes == {unsupported.REFUSED}
                else "refused"
            )
            if state == "refused":
                wrong.append(f"{name}: {ours}")
        elif isinstance(theirs, str):
            state = "accepted"
            wrong.append(f"{name}: {theirs}")
        else:
            bad = differences(ours, theirs)
            state = "differs" if bad else "pass"
            if bad:
                wrong.append(f"{name}: {bad}")
            else:
                passed.append(name)
        counts[state] = counts.get(state, 0) + 1
    with capsys.disabled():
        print("\n" + "\n".join(f"{count:5} {state}" for state, count in sorted(counts.items())))
        print("\n".join(wrong))
    assert "accepted" not in counts
    known = set(KNOWN.read_text().split())
    assert not known - set(passed)
