"""Machine code of kernels: what it calls, how it is kept, and that a start with a full cache needs no compiler."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from kinetree.engine.jit import compiler
from kinetree.engine.jit.cache import ENGINE
from kinetree.engine.jit.compiler import caller, compiled
from kinetree.engine.jit.kernel import kernel, takes
from kinetree.engine.jit.object_code import ObjectCode
from kinetree.engine.jit.targets import here
from kinetree.engine.run import warmup
from kinetree.engine.run.kernels import kernels

C_FUNCTIONS = {
    "acos", "asin", "atan", "atan2", "ceil", "cos", "exp", "floor", "fmod", "hypot", "log", "pow", "sin", "sqrt", "tan",
    "memcpy", "memmove", "memset", "log10", "log2", "exp2", "round", "tanh", "sinh", "cosh", "cbrt",
}  # fmt: skip


@pytest.mark.parametrize("name", kernels())
def test_a_kernel_calls_nothing_but_mathematics(name):
    """No memory is allocated, nothing of Python or numba is called."""
    signature = warmup.signature(name)
    compiler.compile_into_cache(name, signature)
    code = compiler.read_cached(name, signature, here())
    assert code is not None and set(code.calls) <= C_FUNCTIONS


@kernel
def _allocates(n):
    return np.empty(n).sum()


def test_a_kernel_that_allocates_does_not_compile():
    from numba.core.errors import NumbaError

    with pytest.raises(NumbaError, match="empty"):
        compiled(_allocates)(3)


@takes("f8[2]", "f8", ("i8", "b1"))
@kernel
def _many_types(a, b, c):
    a[1, 1] += b
    return c[0] + 1, c[1], (a[0, 0], a.shape[1])


def test_arguments_and_results_of_all_types():
    a = np.arange(6.0).reshape(2, 3)
    assert compiled(_many_types)(a, 0.5, (7, True)) == (8, True, (0.0, 3))
    assert caller(_many_types)(a, 0.5, (7, False)) == (8, False, (0.0, 3))
    assert a[1, 1] == 5.0
    with pytest.raises(TypeError, match="follow each other"):
        compiled(_many_types)(a[:, :2], 0.5, (7, True))
    with pytest.raises(TypeError, match="takes no str"):
        compiled(_many_types)(a, "0.5", (7, True))


def test_a_damaged_file_counts_as_none(tmp_path):
    code = ObjectCode("symbol", ["f8", None], ["sin"], b"\0code\n")
    code.write(tmp_path / "a" / "b")
    assert ObjectCode.read(tmp_path / "a" / "b") == code
    assert [file.name for file in (tmp_path / "a").iterdir()] == ["b"]
    for damaged in (b"", b"{}\ncode", b"no json\ncode", b'{"symbol": "x"}'):
        (tmp_path / "c").write_bytes(damaged)
        assert ObjectCode.read(tmp_path / "c") is None
    assert ObjectCode.read(tmp_path / "missing") is None


def test_a_warm_start_imports_no_compiler():
    program = """
        import sys, kinetree
        from kinetree.engine.run import recorder, warmup
        model = kinetree.load("resources/models/walker.xml")
        if len(sys.argv) > 1:
            assert warmup.warmup(model)
            recorder.prepare()
        assert all(warmup.is_compiled(name) for name in warmup.needed(model))
        assert warmup.warmup(model)
        recorder.prepare()
        kinetree.step(model, kinetree.Data(model), 3)
        print("numba" in sys.modules)
        """
    for arguments in (["first"], []):
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program), *arguments],
            cwd=ENGINE.parent,
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout.strip() == "False"
