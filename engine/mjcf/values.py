"""Attribute text to typed values, by row, with the tolerance of MuJoCo 3.3.4.

What was found by trying the reference:
  - numbers are separated by any white space, leading and trailing space is fine, commas are not;
  - reals may be hexadecimal, "inf" or "nan" (a warning); what overflows or underflows a double is refused;
  - integers are decimal, must fit 32 bits, and take no fraction, except where the row says reads_real;
  - an array or a real that is empty or blank counts as not given; an empty integer, keyword or memory is refused;
  - an array may end early only where its row's least count says so;
  - keywords, true and false match exactly: no spaces, no other case.

Types returned: real -> float, real(n) -> ndarray float64 (k,), int -> int, int(n) -> ndarray int32 (k,),
bool -> bool, keyword -> str, keywords(n) -> list[str], memory -> int bytes (-1: not chosen), names and references ->
str or list[str], file and directory -> str. Arrays have as many values as were written, not filled up:
`fill` completes them, and Defaults.values does so from the classes. `write` is the way back to text.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kinetree.engine.diagnostics import meant
from kinetree.engine.mjcf.schema import nearest
from kinetree.engine.mjcf.schema_rows import AttributeRow
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.document.tree import Attribute

__all__ = ["ValueProblem", "default", "equal", "fill", "is_blank", "number", "parse", "read", "trim", "write"]

_INT_MIN, _INT_MAX = -(2**31), 2**31 - 1
_SMALLEST = 2.2250738585072014e-308
_MEMORY_UNITS = {"K": 10, "M": 20, "G": 30, "T": 40, "P": 50, "E": 60}


class ValueProblem(NamedTuple):
    """Why a text is no value of its row's type: a code for the diagnostic and a sentence that says what to do."""

    code: str
    message: str
    facts: tuple[str, ...] = ()


def parse(attribute: Attribute, row: AttributeRow, diagnostics: Diagnostics | None = None) -> Any:
    """The typed value of an attribute, or None if it is unset (blank numbers) or wrong.

    A wrong value gives one error at the value; NaN gives a warning there and is returned.
    """
    text = attribute.value
    if len(text) <= SHORT:
        value, problem = read(text, row)
    else:
        kept = attribute.typed
        if kept is None or kept[0] is not row:
            kept = attribute.typed = row, *read(text, row)
        _, value, problem = kept
    if problem is None:
        return value
    if diagnostics is not None:
        if problem.code == "nan":
            diagnostics.warning(attribute, problem.code, f"{attribute.name}: {problem.message}")
        else:
            diagnostics.error(attribute, problem.code, f"{attribute.name}: {problem.message}", problem.facts)
    return value


def read(text: str, row: AttributeRow) -> tuple[Any, ValueProblem | None]:
    """(value, None), or (None, problem); for NaN (value, problem with code "nan"); unset: (None, None).

    Arrays are read-only: an attribute is read when it is checked and again when it is used, most of the texts of a
    model come more than once, and nearly all of them again when it is loaded after an edit.
    """
    if len(text) <= SHORT and row.type in _REMEMBERED:
        return _remembered(text, row)
    return _read(text, row)


_REMEMBERED = frozenset({"real", "int", "bool", "memory"})
SHORT = 100
"""Longer texts are not remembered; their values stay with the attribute."""


@lru_cache(maxsize=16384)
def _remembered(text: str, row: AttributeRow) -> tuple[Any, ValueProblem | None]:
    found = _read(text, row)
    if isinstance(found[0], np.ndarray):
        found[0].flags.writeable = False
    return found


def _read(text: str, row: AttributeRow) -> tuple[Any, ValueProblem | None]:
    kind = row.type
    if kind == "real":
        return _read_reals(text, row)
    if kind == "int":
        return _read_integers(text, row)
    if kind in ("keyword", "bool"):
        return _read_keyword(text, row)
    if kind == "memory":
        return _read_memory(text)
    if row.max_count == 1:
        return text, None
    words = _split(text)
    return words, None if words or not row.required else ValueProblem("wrong-count", tr("expects at least one name"))


def is_blank(text: str, row: AttributeRow) -> bool:
    """Whether the text leaves the attribute unset, so that a default class or the row's default holds."""
    return (not text or text.isspace()) and (
        row.type == "real" or (row.type == "int" and (row.max_count != 1 or row.required))
    )


@lru_cache(maxsize=4096)
def default(row: AttributeRow, mpex: bool = False) -> Any:
    """The typed default of a row, None if it has none. `mpex`: the Motphys default where that differs.

    Arrays are shared and read-only.
    """
    text = row.default
    if mpex and row.mpex_default is not None and not means_default(row, float(row.mpex_default.split()[0])):
        text = row.mpex_default
    if text is None:
        return None
    value, problem = read(text, row)
    if problem is not None:
        raise ValueError(tr("default of '{name}': {message}", name=row.name, message=problem.message))
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    return value


def means_default(row: AttributeRow, value: Any) -> bool:
    """Whether a value in the Motphys dialect means that nothing is said, and MuJoCo's default holds: 0 for an angle of
    view or a clipping distance."""
    return row.mpex_default is not None and row.low is not None and bool(np.all(value < row.low))


def fill(value: Any, below: Any) -> Any:
    """An array of fewer values than `below` has, completed from it; anything else unchanged."""
    if isinstance(value, np.ndarray) and isinstance(below, np.ndarray) and len(value) < len(below):
        complete = below.astype(value.dtype)
        complete[: len(value)] = value
        return complete
    return value


# ------------------------------------------------------------------------------------------------ to text


def write(value: Any, row: AttributeRow) -> str:
    """The text of a typed value, not escaped: `read` gives exactly the same value again."""
    if isinstance(value, np.ndarray):
        return " ".join(map(number, value.tolist()))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return " ".join(item if isinstance(item, str) else number(item) for item in value)
    if row.type == "memory" and value > 0:
        units = [(shift, unit) for unit, shift in _MEMORY_UNITS.items() if not value % (1 << shift)]
        return f"{value >> max(units)[0]}{max(units)[1]}" if units else str(value)
    return value if isinstance(value, str) else number(value)


def number(value: float) -> str:
    """The shortest decimal that is read as this very number."""
    if isinstance(value, int | np.integer):
        return str(int(value))
    if value == 0:
        return "0"
    mantissa, _, exponent = repr(float(value)).partition("e")
    mantissa = mantissa.removesuffix(".0")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def trim(value: Any, below: Any, row: AttributeRow) -> Any:
    """An array without the last values that `fill` adds from `below`; anything else unchanged."""
    if not isinstance(value, np.ndarray) or row.max_count is None or row.min_count == row.max_count:
        return value
    if not isinstance(below, np.ndarray) or len(below) != len(value):
        return value
    least = max(row.min_count, 1)
    differs = np.flatnonzero(value != below)
    return value[: max(least, int(differs[-1]) + 1 if len(differs) else least)]


def finite(value: Any) -> bool:
    """Whether every number in a typed value is finite."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind != "f" or bool(np.isfinite(value).all())
    return not isinstance(value, float) or math.isfinite(value)


def equal(a: Any, b: Any) -> bool:
    """Whether two typed values are the same."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.ndim(a) == np.ndim(b) and np.shape(a) == np.shape(b) and bool(np.all(a == b))
    return a == b


# ------------------------------------------------------------------------------------------------ numbers


def _split(text: str) -> list[str]:
    """The parts between ASCII white space, which alone separates values."""
    return (
        text.split()
        if text.isascii()
        else [part.decode("utf-8", "surrogatepass") for part in text.encode("utf-8", "surrogatepass").split()]
    )


def _read_reals(text: str, row: AttributeRow) -> tuple[Any, ValueProblem | None]:
    tokens = _split(text)
    if not tokens:
        return None, None
    if row.max_count == 1 and len(tokens) == 1:
        number = _real(tokens[0])
        if isinstance(number, ValueProblem):
            return None, number
        return number, _nan() if number != number else None
    problem = _count_problem(len(tokens), row)
    try:
        if "_" in text or not text.isascii():
            raise ValueError
        numbers = list(map(float, tokens))
        array = np.array(numbers)
    except ValueError:
        array = np.empty(len(tokens))
        suspects: Any = range(len(tokens))
    else:
        powers = "e" in text or "E" in text
        if not powers and math.isfinite(sum(numbers)):
            suspects = ()
        else:
            size = np.abs(array)
            normal = size < np.inf
            if powers:
                normal &= size >= _SMALLEST
            suspects = () if normal.all() else np.flatnonzero(~normal)
    for index in suspects:
        number = _real(tokens[index])
        if isinstance(number, ValueProblem):
            return None, number
        array[index] = number
    if problem is not None:
        return None, problem
    return array, _nan() if len(suspects) and np.isnan(array).any() else None


def _nan() -> ValueProblem:
    return ValueProblem("nan", tr("the value is not a number (NaN); check that this is meant"))


def _real(token: str) -> float | ValueProblem:
    """One real by C's rules: decimal, hexadecimal, inf, nan; overflow and underflow are refused."""
    try:
        if not token.isascii() or "_" in token:
            raise ValueError
        try:
            number = float(token)
        except ValueError:
            if token.lstrip("+-")[:2] not in ("0x", "0X"):
                raise
            number = float.fromhex(token)
    except (ValueError, OverflowError):
        message = tr("not a number: '{short}'", short=_short(token))
        return ValueProblem("not-a-number", _with_number_hint(message, token))
    if math.isinf(number) and "n" not in token and "N" not in token:
        return ValueProblem(
            "number-range", tr("the number {short} is too large for a double; use at most 1.8e308", short=_short(token))
        )
    if abs(number) < _SMALLEST and _is_not_zero(token):
        return ValueProblem(
            "number-range", tr("the number {short} is too small for a double; write 0", short=_short(token))
        )
    return number


def _is_not_zero(token: str) -> bool:
    mantissa = token.lower().partition("p" if "x" in token.lower() else "e")[0]
    return any(digit in mantissa.partition("x")[2] or digit in mantissa.partition("x")[0] for digit in "123456789")


def _with_number_hint(message: str, token: str) -> str:
    if "," in token:
        return tr("{message}; separate numbers by spaces, not commas", message=message)
    return message


def _read_integers(text: str, row: AttributeRow) -> tuple[Any, ValueProblem | None]:
    tokens = _split(text)
    if not tokens:
        if row.max_count != 1 or row.required:
            return None, None
        return None, ValueProblem(
            "not-an-integer", tr("expects an integer, found nothing; write a number or remove the attribute")
        )
    if row.reads_real:
        value, problem = _read_reals(text, row)
        if value is None or problem is not None:
            return None, problem
        return np.trunc(value).astype(np.int32), None
    numbers = []
    try:
        if "_" in text or not text.isascii():
            raise ValueError
        numbers = list(map(int, tokens))
        if not (_INT_MIN <= min(numbers) and max(numbers) <= _INT_MAX):
            raise ValueError
        tokens = []  # done
    except ValueError:
        numbers.clear()
    for token in tokens:
        try:
            if not token.isascii() or "_" in token:
                raise ValueError
            number = int(token)
        except ValueError:
            return None, ValueProblem(
                "not-an-integer", _with_integer_hint(tr("not an integer: '{short}'", short=_short(token)), token)
            )
        if not _INT_MIN <= number <= _INT_MAX:
            return None, ValueProblem(
                "number-range", tr("the integer {short} does not fit 32 bits", short=_short(token))
            )
        numbers.append(number)
    problem = _count_problem(len(numbers), row)
    if problem is not None:
        return None, problem
    if row.max_count == 1:
        return numbers[0], None
    return np.array(numbers, dtype=np.int32), None


def _with_integer_hint(message: str, token: str) -> str:
    number = _real(token)
    if isinstance(number, ValueProblem):
        return _with_number_hint(message, token)
    if math.isfinite(number) and number == int(number):
        return tr("{message}; write {number}", message=message, number=int(number))
    return tr("{message}; write a whole number", message=message)


def _count_problem(found: int, row: AttributeRow) -> ValueProblem | None:
    least = row.min_count
    most = row.max_count
    if row.mpex_max_count is not None and most is not None:
        most = max(most, row.mpex_max_count)
    if most is not None and found > most:
        return ValueProblem(
            "wrong-count",
            tr(
                "expects {expected}, found {found}; remove {numbers}",
                expected=_expected(row),
                found=found,
                numbers=_numbers(found - most),
            ),
        )
    if row.multiple > 1 and found % row.multiple:
        return ValueProblem(
            "wrong-count",
            tr(
                "expects a multiple of {numbers}, found {found}; add {numbers2} or remove {number}",
                numbers=_numbers(row.multiple),
                found=found,
                numbers2=_numbers(-found % row.multiple),
                number=found % row.multiple,
            ),
        )
    if found < least:
        return ValueProblem(
            "wrong-count",
            tr(
                "expects {expected}, found {found}; add {numbers}",
                expected=_expected(row),
                found=found,
                numbers=_numbers(least - found),
            ),
        )
    if row.mpex_max_count is not None and row.max_count is not None and row.max_count < found < row.mpex_max_count:
        return ValueProblem(
            "wrong-count", tr("expects {expected}, found {found}", expected=_expected(row), found=found)
        )
    return None


def _expected(row: AttributeRow) -> str:
    if row.max_count is None:
        return tr("at least {numbers}", numbers=_numbers(row.min_count))
    if row.mpex_max_count is not None and row.mpex_max_count != row.max_count:
        return tr("{count} or {other} numbers", count=row.max_count, other=row.mpex_max_count)
    if row.min_count == row.max_count:
        return _numbers(row.max_count)
    return tr("{least} to {most} numbers", least=row.min_count, most=row.max_count)


def _numbers(count: int) -> str:
    return counted("{count} number", "{count} numbers", count)


# ------------------------------------------------------------------------------------------------ words


def _read_keyword(text: str, row: AttributeRow) -> tuple[Any, ValueProblem | None]:
    choices = row.choices
    if row.max_count == 1:
        if text in choices or text in row.mpex_choices:
            return (text == "true" if row.type == "bool" else text), None
        return None, _choice_problem(text, row)
    words = text.split()
    for word in words:
        if word not in choices and word not in row.mpex_choices:
            return None, _choice_problem(word, row)
    if (row.max_count is not None and len(words) > row.max_count) or len(words) < row.min_count:
        return None, ValueProblem(
            "wrong-count",
            tr(
                "expects {least} to {most} words, found {count}",
                least=row.min_count,
                most=row.max_count or tr("any number of"),
                count=len(words),
            ),
        )
    return words, None


_BOOL_WORDS = {"1": "true", "yes": "true", "on": "true", "0": "false", "no": "false", "off": "false"}


def _choice_problem(word: str, row: AttributeRow) -> ValueProblem:
    choices = row.all_choices
    message = tr("'{word}' is not one of {names}", word=_short(word), names=", ".join(choices))
    guess = nearest(word, choices)
    if guess is None and "true" in choices:
        guess = _BOOL_WORDS.get(word.strip().lower())
    if guess is not None:
        message = tr("{message}; did you mean {guess}?", message=message, guess=guess)
    return ValueProblem("bad-choice", message, meant(word, guess))


def _read_memory(text: str) -> tuple[Any, ValueProblem | None]:
    word = text.strip()
    if word == "-1":
        return -1, None
    shift = _MEMORY_UNITS.get(word[-1:].upper(), 0)
    digits = word[:-1] if shift else word
    if digits[:1] == "+":
        digits = digits[1:]
    if digits.isascii() and digits.isdigit():
        value = int(digits) << shift
        if value < 2**64:
            return value, None
        return None, ValueProblem(
            "number-range", tr("{short} of memory is more than can be addressed", short=_short(word))
        )
    return None, ValueProblem(
        "not-an-amount",
        tr(
            "'{short}' is no amount of memory; write a whole number with K, M, G, T, P or E, such as 64M",
            short=_short(word),
        ),
    )


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
