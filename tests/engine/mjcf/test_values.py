"""Attribute text to values, text by text against the reference."""

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.diagnostics import Diagnostics, Severity
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf import schema, values
from kinetree.engine.mjcf.schema_rows import attribute
from tests.patience import work

GEOM = schema.ELEMENTS["body.geom"].attributes
POS, MASS, CONTYPE, SIZE = GEOM["pos"], GEOM["mass"], GEOM["contype"], GEOM["size"]


def load(attributes: str, top: str = "") -> mujoco.MjModel | str:
    """The reference's model with a geom of these attributes, or the first line of its error."""
    try:
        return mujoco.MjModel.from_xml_string(
            f"<mujoco>{top}<worldbody><geom size='1' {attributes}/></worldbody></mujoco>"
        )
    except ValueError as error:
        return str(error).strip().splitlines()[0]


def escape(text: str) -> str:
    return (
        text.replace("&", "&amp;")
        .replace('"', "&quot;")
        .replace("<", "&lt;")
        .replace("\n", "&#10;")
        .replace("\t", "&#9;")
    )


POSITIONS = [
    "1 2 3", " 1  2\t3\n", "1e0 2.5E+1 -3e-2", "1. .5 +3", "-0 0 -0.0", "inf 0 0", "-Inf 0 0", "infinity 0 0",
    "0x10 0 0", "0x1.8p1 0 0", "-0X1p-2 0 0", "0e5 0.0e-999 0", "1e-307 1e308 0", "", "   ",
    "1 2", "1 2 3 4", "1,2,3", "1, 2, 3", "1 2 3x", "1 2 x3", "a b c", "1e400 0 0", "1e-400 0 0", "1e-310 0 0", "4.9e-324 0 0",
    "1d0 0 0", "1_0 0 0", "\uff11 0 0", "1 2 3 ;", "+-1 0 0", "1e 2 3", "1\u00a02 3", "0x 1 2", "0xg 1 2", "1-2 3 4", "1e5.5 0 0",
    "--1 0 0", "1f 0 0", "1L 2 3", "#1 2 3", ". 1 2", "e 1 2", "-1e400 0 0",
]  # fmt: skip


@pytest.mark.parametrize("text", POSITIONS)
def test_reals_as_the_reference(text):
    theirs = load(f'pos="{escape(text)}"')
    ours, problem = values.read(text, POS)
    assert (problem is not None) == isinstance(theirs, str), theirs
    if problem is None:
        expected = theirs.geom_pos[0]
        np.testing.assert_array_equal(np.zeros(3) if ours is None else ours, expected)


@pytest.mark.parametrize("text", ["nan 0 0", "0 NaN -nan"])
def test_nan_is_a_warning(text):
    ours, problem = values.read(text, POS)
    assert problem.code == "nan" and np.isnan(ours).any() and ours.shape == (3,)


@pytest.mark.parametrize("text", ["1", " 2.5 ", "", " ", "1 2", "x", "1x", "1e400", "0x1p3", "inf"])
def test_single_reals_as_the_reference(text):
    theirs = load(f'fitscale="{escape(text)}"')
    ours, problem = values.read(text, GEOM["fitscale"])
    assert (problem is not None) == isinstance(theirs, str), theirs
    assert problem is not None or ours is None or isinstance(ours, float)


@pytest.mark.parametrize(
    "text",
    ["1", " 1 ", "+1", "-1", "010", "09", "2147483647", "-2147483648", "", " ", "1.0", "1.5", "1e0", "1 2", "x", "0x10",
     "99999999999", "2147483648", "-2147483649", "inf", "1.", "1_0", "\uff11", "--1"],
)  # fmt: skip
def test_integers_as_the_reference(text):
    theirs = load(f'contype="{escape(text)}"')
    ours, problem = values.read(text, CONTYPE)
    assert (problem is not None) == isinstance(theirs, str), theirs
    if problem is None:
        assert type(ours) is int and ours == theirs.geom_contype[0]


@pytest.mark.parametrize("text", ["1", "1 2 30", "010", "", " ", "1.5 2", "1.0", "0x10", "3 3000000000", "1,2"])
def test_integer_lists_as_the_reference(text):
    theirs = load("", f'<option actuatorgroupdisable="{text}"/>')
    ours, problem = values.read(text, schema.ELEMENTS["option"].attributes["actuatorgroupdisable"])
    assert (problem is not None) == isinstance(theirs, str), theirs
    if problem is None and ours is not None:
        assert ours.dtype == np.int32 and sum(1 << int(group) for group in ours) == theirs.opt.disableactuator


@pytest.mark.parametrize("text", ["64 33", "64.7 33.2", "64", "1 2 3", "a b", ""])
def test_resolution_is_read_as_real_and_cut_off(text):
    row = schema.ELEMENTS["body.camera"].attributes["resolution"]
    try:
        theirs = mujoco.MjModel.from_xml_string(
            f'<mujoco><worldbody><camera resolution="{text}"/></worldbody></mujoco>'
        ).cam_resolution[0]
    except ValueError:
        theirs = None
    ours, problem = values.read(text, row)
    assert (problem is not None) == (theirs is None)
    if ours is not None:
        assert ours.dtype == np.int32
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(
    "text", ["true", "false", "auto", "True", "TRUE", "1", "", " true", "true ", "truee", "yes"]
)  # fmt: skip
def test_bools_match_exactly(text):
    theirs = load("", f'<compiler autolimits="{text}"/>')
    ours, problem = values.read(text, schema.ELEMENTS["compiler"].attributes["autolimits"])
    assert (problem is not None) == isinstance(theirs, str)
    assert problem is not None or ours is (text == "true")


@pytest.mark.parametrize(
    "text",
    ["16M", "16m", " 16M", "16M ", "64K", "16777216", "+16M", "-1", "1G", "1.5M", "", "16MB", "16 M", "-2", "-1K", "100E", "K", "2X", "M16"],
)  # fmt: skip
def test_memory_as_the_reference(text):
    theirs = load("", f'<size memory="{text}"/>')
    ours, problem = values.read(text, schema.ELEMENTS["size"].attributes["memory"])
    # the reference takes +, and refuses too little memory only while simulating
    assert (problem is not None) == isinstance(theirs, str), theirs
    if problem is None and ours >= 0:
        assert ours == theirs.narena


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False), min_size=3, max_size=3))
def test_reals_come_back_as_written(numbers):
    ours, problem = values.read(" ".join(repr(number) for number in numbers), POS)
    assert problem is None
    np.testing.assert_array_equal(ours, numbers)


@given(st.text(alphabet="0123456789.eE+-xX naifINF\t", max_size=12))
def test_any_token_as_the_reference(text):
    theirs = load(f'pos="{escape(text)} 0 0"')
    # what the reference refuses while compiling (inf and nan sizes do not matter here) is not of interest
    refused = isinstance(theirs, str) and ("bad format" in theirs or "too large" in theirs or "data" in theirs)
    ours, problem = values.read(f"{text} 0 0", POS)
    assert (problem is not None and problem.code != "nan") == refused, (theirs, problem)
    if not refused and not isinstance(theirs, str):
        np.testing.assert_array_equal(ours, theirs.geom_pos[0])


@pytest.mark.parametrize(
    ("row", "text", "message"),
    [
        (POS, "1 2", "expects 3 numbers, found 2; add 1 number"),
        (POS, "1 2 3 4 5", "expects 3 numbers, found 5; remove 2 numbers"),
        (SIZE, "1 2 3 4", "expects 1 to 3 numbers, found 4; remove 1 number"),
        (MASS, "1 2", "expects 1 number, found 2; remove 1 number"),
        (POS, "1 abc 3", "not a number: 'abc'"),
        (POS, "1,2,3", "not a number: '1,2,3'; separate numbers by spaces, not commas"),
        (CONTYPE, "1.0", "not an integer: '1.0'; write 1"),
        (CONTYPE, "1.5", "not an integer: '1.5'; write a whole number"),
        (CONTYPE, "2147483648", "the integer 2147483648 does not fit 32 bits"),
        (schema.ELEMENTS["body.joint"].attributes["type"], "hinje", "'hinje' is not one of free, ball, slide, hinge; did you mean hinge?"),
        (schema.ELEMENTS["body.joint"].attributes["type"], "Slide", "'Slide' is not one of free, ball, slide, hinge; did you mean slide?"),
        (schema.ELEMENTS["body.joint"].attributes["limited"], "1", "'1' is not one of false, true, auto; did you mean true?"),
        (schema.ELEMENTS["asset.mesh"].attributes["vertex"], "1 2 3 4", "expects a multiple of 3 numbers, found 4; add 2 numbers or remove 1"),
        (schema.ELEMENTS["size"].attributes["memory"], "1 M", "'1 M' is no amount of memory; write a whole number with K, M, G, T, P or E, such as 64M"),
    ],
)  # fmt: skip
def test_messages_say_what_to_do(row, text, message):
    value, problem = values.read(text, row)
    assert value is None and problem is not None and problem.message == message


def test_errors_stand_at_the_value():
    root = Document.from_string(
        '<mujoco>\n <worldbody>\n  <geom pos="1 2"/>\n </worldbody>\n</mujoco>', name="m.xml"
    ).root
    attribute = root.find("worldbody").find("geom").attribute("pos")
    diagnostics = Diagnostics()
    assert values.parse(attribute, POS, diagnostics) is None
    [item] = diagnostics.items
    assert str(item) == "m.xml:3:14: error: pos: expects 3 numbers, found 2; add 1 number [wrong-count]"
    assert (item.end_line, item.end_column) == (3, 17)
    assert values.parse(attribute, POS) is None


def test_nan_warns_at_the_value_and_is_returned():
    root = Document.from_string('<mujoco><worldbody><geom pos="nan 0 0"/></worldbody></mujoco>').root
    diagnostics = Diagnostics()
    value = values.parse(root.find("worldbody").find("geom").attribute("pos"), POS, diagnostics)
    assert np.isnan(value[0]) and [item.severity for item in diagnostics] == [Severity.WARNING]


def test_arrays_are_float64_and_as_long_as_written():
    value, _ = values.read("1 2", SIZE)
    assert value.dtype == np.float64 and value.tolist() == [1, 2]
    assert values.fill(value, np.array([7.0, 8, 9])).tolist() == [1, 2, 9]
    assert values.fill(value, None) is value and values.fill(3.0, np.zeros(2)) == 3.0


def test_defaults_are_shared_and_read_only():
    value = values.default(GEOM["friction"])
    assert value is values.default(GEOM["friction"])
    with pytest.raises(ValueError, match="read-only"):
        value[0] = 2
    assert values.default(GEOM["mass"]) is None
    material = schema.ELEMENTS["asset.material"].attributes["emission"]
    assert values.default(material) == 0.0 and values.default(material, mpex=True).tolist() == [0, 0, 0, 0]


def test_motphys_counts_and_choices():
    emission = schema.ELEMENTS["asset.material"].attributes["emission"]
    assert values.read("0.5", emission) == (0.5, None)
    assert values.read("1 1 1 0.5", emission)[0].tolist() == [1, 1, 1, 0.5]
    assert values.read("1 1", emission)[1].message == "expects 1 or 4 numbers, found 2"
    assert values.read("dynamic", schema.ELEMENTS["asset.texture"].attributes["builtin"]) == ("dynamic", None)
    data = schema.ELEMENTS["sensor.contact"].attributes["data"]
    assert values.read("found force", data) == (["found", "force"], None)
    assert values.read("found farce", data)[1].message.endswith("did you mean force?")


def test_names_and_references():
    assert values.read("  spaced name ", GEOM["name"]) == ("  spaced name ", None)
    body = schema.ELEMENTS["deformable.flex"].attributes["body"]
    assert values.read("a b\nc", body) == (["a", "b", "c"], None)


def test_notation():
    row = attribute("x", "real(2..4)!", None, "Help.")
    assert (row.min_count, row.max_count, row.required, row.type_text) == (2, 4, True, "real(2..4)")
    assert attribute("x", "int(3*)", None, "Help.").type_text == "int(3*n)"
    assert attribute("x", "[p q]", "p", "Help.").type_text == "[p, q]"
    assert attribute("x", "ref:@kind", None, "Help.").refers == "@kind"
    with pytest.raises(ValueError, match="cannot read the type"):
        attribute("x", "real(3", None, "Help.")


def test_long_arrays_are_not_read_number_by_number():
    row = schema.ELEMENTS["asset.mesh"].attributes["vertex"]
    texts = [" ".join(f"{i * 1e-3:.6e}" for i in range(count)) for count in (300, 30000)]
    few, many = (work(lambda text=text: values.read(text, row)) for text in texts)
    assert many <= few
