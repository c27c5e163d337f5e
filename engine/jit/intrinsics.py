"""LLVM forms of the functions marked `@compiled_as("name")`: views of arrays, vectors of four doubles, rounding, arrays
at an address, calls through an address.

LLVM turns a <4 x double> into what the processor has: one AVX register, or two of SSE or NEON. Bounds are checked only
where numba checks those of all arrays: `tests/bounds.py` sees to that.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from kinetree.engine.jit.simd import WIDTH
from kinetree.engine.jit.translation import RELAX, view_of

_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
_INDEX = ir.IntType(32)


class Vector(types.Type):
    """The numba type of four doubles."""

    def __init__(self):
        super().__init__(name="Vector4")


V4 = Vector()


@register_model(Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, _VECTOR)


def _check(context, builder, start, count, total):
    """That there are entries start to start + count among so many, where numba checks bounds."""
    if context.enable_boundscheck:
        with builder.if_then(builder.icmp_signed("!=", count, count.type(0))):
            cgutils.do_boundscheck(context, builder, start, total)
            last = builder.sub(builder.add(start, count), count.type(1))
            cgutils.do_boundscheck(context, builder, last, total)


def _pointer(context, builder, array_type, array, index):
    source = context.make_array(array_type)(context, builder, array)
    _check(context, builder, index, index.type(WIDTH), source.nitems)
    return builder.bitcast(builder.gep(source.data, [index], inbounds=True), _VECTOR.as_pointer())


@intrinsic
def view(typingctx, array, start, count):
    """array[start:start + count] of a 1-D array, without clamping and without a reference."""

    def codegen(context, builder, signature, args):
        ty = signature.args[0]
        source = context.make_array(ty)(context, builder, args[0])
        _check(context, builder, args[1], args[2], source.nitems)
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(ty.dtype)))
        first = builder.gep(source.data, [args[1]], inbounds=True)
        return view_of(context, builder, ty, first, [args[2]], [size], size)

    return array(array, types.intp, types.intp), codegen


@intrinsic
def vload(typingctx, array, index):
    """array[index:index + 4]"""

    def codegen(context, builder, signature, args):
        return builder.load(_pointer(context, builder, signature.args[0], args[0], args[1]), align=8)

    return V4(array, types.intp), codegen


@intrinsic
def vstore(typingctx, array, index, value):
    """array[index:index + 4] = value"""

    def codegen(context, builder, signature, args):
        builder.store(args[2], _pointer(context, builder, signature.args[0], args[0], args[1]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, V4), codegen


@intrinsic
def vset(typingctx, number):
    """The number four times."""

    def codegen(context, builder, signature, args):
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), args[0], _INDEX(0))
        mask = ir.Constant(ir.VectorType(_INDEX, WIDTH), [0] * WIDTH)
        return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), mask)

    return V4(types.float64), codegen


@intrinsic
def vfma(typingctx, a, b, c):
    """a b + c"""

    def codegen(context, builder, signature, args):
        name = f"llvm.fmuladd.v{WIDTH}f64"
        function_type = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        function = builder.module.globals.get(name) or ir.Function(builder.module, function_type, name)
        return builder.call(function, args)

    return V4(V4, V4, V4), codegen


@intrinsic
def vmul(typingctx, a, b):
    """a b"""

    def codegen(context, builder, signature, args):
        return builder.fmul(*args)

    return V4(V4, V4), codegen


@intrinsic
def vadd(typingctx, a, b):
    """a + b"""

    def codegen(context, builder, signature, args):
        return builder.fadd(*args)

    return V4(V4, V4), codegen


@intrinsic
def vsum(typingctx, a):
    """The sum of the four numbers."""

    def codegen(context, builder, signature, args):
        part = [builder.extract_element(args[0], _INDEX(k)) for k in range(WIDTH)]
        return builder.fadd(builder.fadd(part[0], part[2]), builder.fadd(part[1], part[3]))

    return types.float64(V4), codegen


@intrinsic
def floor(typingctx, number):
    """The greatest whole number that is not above a number, as a float."""

    def codegen(context, builder, signature, args):
        function_type = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()])
        return builder.call(cgutils.get_or_insert_function(builder.module, function_type, "llvm.floor.f64"), args)

    return types.float64(types.float64), codegen


# ---- addresses ------------------------------------------------------------------------------------------------------

_WORD = ir.IntType(64)


def _array_at(dtype: types.Type):
    """An intrinsic (address, count) -> 1-D array of that type, which does not own its memory."""

    @intrinsic
    def array_at(typingctx, address, count):
        ty = types.Array(dtype, 1, "C")

        def codegen(context, builder, signature, args):
            item = context.get_data_type(dtype)
            size = context.get_constant(types.intp, context.get_abi_sizeof(item))
            pointer = builder.inttoptr(args[0], item.as_pointer())
            return view_of(context, builder, ty, pointer, [args[1]], [size], size)

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
            table = builder.bitcast(args[0], _WORD.as_pointer())
            place = builder.add(builder.shl(args[1], _WORD(1)), _WORD(part))
            return builder.load(builder.gep(table, [place], inbounds=True))

        return types.int64(data, types.int64), codegen

    return entry


field_address, field_length = _entry(0), _entry(1)


@intrinsic
def call_c(typingctx, address, first, second):
    """Call the C function at an address with two 64-bit integers; it returns a 32-bit integer."""

    def codegen(context, builder, signature, args):
        function_type = ir.FunctionType(ir.IntType(32), [_WORD, _WORD])
        return builder.call(builder.inttoptr(args[0], function_type.as_pointer()), args[1:])

    return types.int32(types.int64, types.int64, types.int64), codegen


def _call(context, builder, address, restype, argtypes, args):
    function_type = context.call_conv.get_function_type(restype, argtypes)
    function = builder.inttoptr(address, function_type.as_pointer())
    status, result = context.call_conv.call_function(builder, function, restype, argtypes, args)
    with builder.if_then(status.is_error, likely=False):
        context.call_conv.return_status_propagate(builder, status)
    return result


@intrinsic
def call_stage(typingctx, address, model, data):
    """Call the stage(model, data) -> None at an address."""

    def codegen(context, builder, signature, args):
        _call(context, builder, args[0], types.none, signature.args[1:], args[1:])
        return context.get_dummy_value()

    return types.void(address, model, data), codegen


@intrinsic
def call_int(typingctx, address, arguments):
    """Call the function at an address with a tuple of arguments; it returns an int64.

    The types in the tuple must be those that its address was asked for with.
    """

    def codegen(context, builder, signature, args):
        parts = cgutils.unpack_tuple(builder, args[1], len(signature.args[1]))
        return _call(context, builder, args[0], types.int64, tuple(signature.args[1]), parts)

    return types.int64(address, arguments), codegen


# ---- threads --------------------------------------------------------------------------------------------------------


@intrinsic
def address_of_task(typingctx, task, model, data):
    """Address of the code of a kernel task(model, data, int64) -> None, which is compiled with the caller."""

    def codegen(context, builder, signature, args):
        argtypes = (*signature.args[1:], types.int64)
        dispatcher = signature.args[0].dispatcher
        dispatcher.compile(argtypes)
        made = dispatcher.overloads[argtypes]
        context.active_code_library.add_linking_library(made.library)
        return builder.ptrtoint(context.declare_function(builder.module, made.fndesc), _WORD)

    return types.int64(task, model, data), codegen


@intrinsic
def address_of_table(typingctx, table):
    """The address that a Model or a Data is in compiled code."""

    def codegen(context, builder, signature, args):
        return builder.ptrtoint(args[0], _WORD)

    return types.int64(table), codegen


@intrinsic
def call_task(typingctx, address, model, data, k):
    """Call the task(model, data, k) at an address, where model and data are addresses too. Kernels raise nothing."""

    def codegen(context, builder, signature, args):
        function_type = context.call_conv.get_function_type(types.none, signature.args[1:])
        function = builder.inttoptr(args[0], function_type.as_pointer())
        context.call_conv.call_function(builder, function, types.none, signature.args[1:], args[1:])
        return context.get_dummy_value()

    return types.void(*[types.int64] * 4), codegen


def _word_at(builder, address):
    return builder.inttoptr(address, _WORD.as_pointer())


@intrinsic
def load_word(typingctx, address):
    """The 64-bit integer at an address, with all that was written before it."""

    def codegen(context, builder, signature, args):
        return builder.load_atomic(_word_at(builder, args[0]), "acquire", 8)

    return types.int64(types.int64), codegen


@intrinsic
def store_word(typingctx, address, value):
    """Set the 64-bit integer at an address after all that was written before."""

    def codegen(context, builder, signature, args):
        builder.store_atomic(args[1], _word_at(builder, args[0]), "release", 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


@intrinsic
def add_word(typingctx, address, value):
    """Add to the 64-bit integer at an address; what was there before."""

    def codegen(context, builder, signature, args):
        return builder.atomic_rmw("add", _word_at(builder, args[0]), args[1], "acq_rel")

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def swap_word(typingctx, address, old, new):
    """Set the 64-bit integer at an address to `new` if it is `old`; whether it was."""

    def codegen(context, builder, signature, args):
        result = builder.cmpxchg(_word_at(builder, args[0]), args[1], args[2], "acq_rel", "acquire")
        return builder.extract_value(result, 1)

    return types.boolean(types.int64, types.int64, types.int64), codegen


@intrinsic
def relax(typingctx):
    """Tell the processor that this thread waits in a loop."""

    def codegen(context, builder, signature, args):
        waits = ir.FunctionType(ir.VoidType(), [])
        builder.call(cgutils.get_or_insert_function(builder.module, waits, RELAX), [])
        return context.get_dummy_value()

    return types.void(), codegen


_ADDRESSES = (
    call_c,
    call_stage,
    call_int,
    address_of_task,
    address_of_table,
    call_task,
    load_word,
    store_word,
    add_word,
    swap_word,
    relax,
)

BY_NAME = {form.__name__: form for form in (view, vload, vstore, vset, vfma, vmul, vadd, vsum, floor, *_ADDRESSES)} | {
    "bytes_at": bytes_at,
    "words_at": words_at,
    "doubles_at": doubles_at,
    "floats_at": floats_at,
    "ints_at": ints_at,
    "field_address": field_address,
    "field_length": field_length,
}
