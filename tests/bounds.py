"""The tests with kernels that check each index: an access out of bounds ends the process and reports the place.

    python -m pytest -p tests.bounds tests/engine tests/oracle

Compiled kernels check nothing: a write beside an array damages whatever lies there, and something else fails, much
later and by chance. Here numba's checks are switched on (a negative index counts from the end, as in Python), and those
of views and vectors. The code is kept in a cache of its own; compiling it again takes some minutes, the tests twice
their time. The message goes to standard error as it was before pytest took it: `OUT OF BOUNDS in add_rows
engine/dynamics/solver/dual.py (331): index 132 of 132`.
"""

import os
import sys
import tempfile

os.environ["KINETREE_CACHE"] = os.path.join(tempfile.gettempdir(), "kinetree-checked-bounds")

from llvmlite import ir
from numba.core import cgutils

from kinetree.engine.jit import translation

OUTPUT = 99  # file descriptor for messages: a fixed number, as it is part of the cached code
os.dup2(2, OUTPUT)
INT, LONG, TEXT = ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()
_checks = iter(range(sys.maxsize))


def _place() -> str:
    """The function and line that numba is writing code for."""
    frame = sys._getframe()
    while frame is not None:
        lowering = frame.f_locals.get("self")
        if hasattr(lowering, "func_ir") and hasattr(lowering, "loc"):
            return f"{lowering.func_ir.func_id.func_qualname} {lowering.loc}"
        frame = frame.f_back
    return "a function"


def _checked(_context, builder, index, length, axis=None) -> None:
    """Code that ends the process for an index outside of 0 to length."""
    outside = builder.or_(
        builder.icmp_signed(">=", index, length), builder.icmp_signed("<", index, ir.Constant(index.type, 0))
    )
    with cgutils.if_unlikely(builder, outside):
        text = bytearray(f"OUT OF BOUNDS in {_place()}: index %lld of %lld\n\0".encode())
        message = cgutils.global_constant(builder, f".bounds{next(_checks)}", cgutils.make_bytearray(text))
        write, stop = ir.FunctionType(INT, [INT, TEXT], var_arg=True), ir.FunctionType(ir.VoidType(), [])
        numbers = [builder.sext(one, LONG) if one.type.width < 64 else one for one in (index, length)]
        arguments = [ir.Constant(INT, OUTPUT), builder.bitcast(message, TEXT), *numbers]
        builder.call(cgutils.get_or_insert_function(builder.module, write, "dprintf"), arguments)
        builder.call(cgutils.get_or_insert_function(builder.module, stop, "abort"), [])


cgutils.do_boundscheck = _checked
translation._OPTIONS["boundscheck"] = True
