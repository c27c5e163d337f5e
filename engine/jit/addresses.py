"""Addresses inside compiled code: arrays at an address, fields of Data by their number, calls of C functions.

Kernels name the fields they read (`data.qpos`). What chooses fields while the program runs (a reset, the recorder), or
asks the system for the time, uses these functions. Nothing is checked: a wrong address or count reads or writes
foreign memory.
"""

from __future__ import annotations

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array


def _array_at(dtype: types.Type):
    """An intrinsic (address, count) -> 1-D array of that type, which does not own its memory."""

    @intrinsic
    def array_at(typingctx, address, count):
        ty = types.Array(dtype, 1, "C")

        def codegen(context, builder, signature, args):
            result = context.make_array(ty)(context, builder)
            item = context.get_data_type(dtype)
            size = context.get_constant(types.intp, context.get_abi_sizeof(item))
            pointer = builder.inttoptr(args[0], item.as_pointer())
            populate_array(result, pointer, [args[1]], [size], size, None)
            return result._getvalue()

        return ty(types.int64, types.int64), codegen

    return array_at


bytes_at = _array_at(types.uint8)
words_at = _array_at(types.int64)
doubles_at = _array_at(types.float64)
floats_at = _array_at(types.float32)
ints_at = _array_at(types.int32)


def _entry(part: int):
    """An intrinsic (data, slot) -> one of the two words that the table of a Model or Data holds for a field."""

    @intrinsic
    def entry(typingctx, data, slot):
        def codegen(context, builder, signature, args):
            table = builder.bitcast(args[0], cgutils.ir.IntType(64).as_pointer())
            place = builder.add(builder.shl(args[1], cgutils.ir.IntType(64)(1)), cgutils.ir.IntType(64)(part))
            return builder.load(builder.gep(table, [place], inbounds=True))

        return types.int64(data, types.int64), codegen

    return entry


field_address = _entry(0)
"""field_address(data, slot): address of the array or cell in a row of `TABLES`; of a size, its value."""
field_length = _entry(1)
"""field_length(data, slot): number of rows of an array with inner dimensions, else of entries."""


@intrinsic
def call_c(typingctx, address, first, second):
    """Call the C function at an address with two 64-bit integers; it returns a 32-bit integer."""

    def codegen(context, builder, signature, args):
        word = cgutils.ir.IntType(64)
        function_type = cgutils.ir.FunctionType(cgutils.ir.IntType(32), [word, word])
        return builder.call(builder.inttoptr(args[0], function_type.as_pointer()), args[1:])

    return types.int32(types.int64, types.int64, types.int64), codegen
