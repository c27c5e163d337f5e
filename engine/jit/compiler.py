"""Compiles kernels with numba: what a Model and a Data are inside compiled code, and calls through addresses."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable
from types import FunctionType

from numba import njit, types
from numba.core import cgutils
from numba.core.caching import CacheImpl, _CacheLocator
from numba.core.dispatcher import Dispatcher
from numba.core.extending import infer_getattr, lower_getattr_generic, lower_setattr_generic
from numba.core.registry import cpu_target
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, intrinsic, models, register_model, typeof_impl, unbox
from numba.np.arrayobj import populate_array

from engine.jit import intrinsics
from engine.jit.cache import ROOT, cache_root, stamp_of
from engine.model import fields
from engine.model.memory import Table


class SourceHashLocator(_CacheLocator):
    """Numba's cache, under a folder of ours that a change of any source that matters renames.

    Numba itself does not notice a change of a function called from another file (numba#8375).
    """

    def __init__(self, function, file: pathlib.Path):
        self._stamp = stamp_of(file)
        self._name = f"{file.stem}{function.__code__.co_firstlineno}"

    def get_cache_path(self) -> str:
        return str(cache_root() / self._stamp)

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return self._name

    @classmethod
    def from_function(cls, function, file):
        path = pathlib.Path(file).resolve()
        if ROOT not in path.parents and ROOT.parent / "tests" not in path.parents:
            return None  # a test's own kernels hold the layout of Model and Data as well
        locator = cls(function, path)
        locator.ensure_cache_path()
        return locator


CacheImpl._locator_classes.insert(0, SourceHashLocator)

# ---- kernels as numba sees them -------------------------------------------------------------------


@functools.cache
def compiled(function: Callable) -> Dispatcher:
    """The numba dispatcher of a kernel: it compiles for the types of the arguments that it is called with."""
    return njit(**function.jit_options)(function)


@typeof_impl.register(FunctionType)
def _typeof_kernel(function, context):
    """A function that a kernel calls is compiled too: the kernel itself, or the form that stands for it."""
    form = getattr(function, "jit_form", function)
    if isinstance(form, str):
        return _intrinsic_type(function, form)
    return types.Dispatcher(compiled(form)) if hasattr(form, "jit_options") else None


@functools.cache
def _intrinsic_type(function, name: str):
    context = cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(intrinsics.BY_NAME[name])


# ---- Model and Data inside compiled code --------------------------------------------------------


class RefType(types.Type):
    """The numba type of a Model or a Data: one pointer to its table."""

    def __init__(self, kind: str):
        self.kind = kind
        super().__init__(name=f"Ref{kind}")


MODEL = RefType("Model")
DATA = RefType("Data")

register_model(RefType)(models.OpaqueModel)


@typeof_impl.register(Table)
def _typeof_table(value, context):
    return MODEL if value.kind == "Model" else DATA


@unbox(RefType)
def _unbox_ref(typ, obj, c):
    address = c.pyapi.object_getattr_string(obj, "address")
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(pointer, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


_SCALARS = {"f8": types.float64, "i8": types.int64, "i4": types.int32, "u1": types.uint8, "f4": types.float32}


@functools.cache
def _layout(kind: str) -> dict[str, tuple]:
    """Field -> (slot, what it is, numba type, inner dimensions)."""
    result = {}
    for slot, field in enumerate(fields.TABLES[kind]):
        scalar = _SCALARS[field.dtype]
        if field.kind == "array":
            inner = field.inner
            result[field.name] = (slot, "array", types.Array(scalar, 1 + len(inner), "C"), inner)
        else:
            result[field.name] = (slot, field.kind, scalar, ())
    return result


@infer_getattr
class RefAttributes(AttributeTemplate):
    key = RefType

    def generic_resolve(self, typ, attr):
        field = _layout(typ.kind).get(attr)
        return field and field[2]


def _word(context, builder, value, index, invariant=True):
    table = builder.bitcast(value, cgutils.ir.IntType(64).as_pointer())
    loaded = builder.load(cgutils.gep_inbounds(builder, table, index))
    if invariant:
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


@lower_getattr_generic(RefType)
def _lower_ref_getattr(context, builder, typ, value, attr):
    slot, kind, ty, inner = _layout(typ.kind)[attr]
    if kind == "size":
        return _word(context, builder, value, 2 * slot)
    address = _word(context, builder, value, 2 * slot)
    if kind == "cell":
        return builder.load(builder.inttoptr(address, context.get_data_type(ty).as_pointer()))
    word = cgutils.ir.IntType(64)
    array = context.make_array(ty)(context, builder)
    item = context.get_data_type(ty.dtype)
    size = context.get_abi_sizeof(item)
    pointer = builder.inttoptr(address, item.as_pointer())
    shape, strides = [_word(context, builder, value, 2 * slot + 1)], [size]
    for length in reversed(inner):
        strides.insert(0, strides[0] * length)
    shape += [word(length) for length in inner]
    populate_array(array, pointer, shape, [word(s) for s in strides], word(size), None)
    return array._getvalue()


@lower_setattr_generic(RefType)
def _lower_ref_setattr(context, builder, sig, args, attr):
    slot, kind, ty, _ = _layout(sig.args[0].kind)[attr]
    if kind != "cell":
        raise TypeError(f"{attr} is not a cell: only cells can be assigned in a kernel")
    pointer = builder.inttoptr(_word(context, builder, args[0], 2 * slot), context.get_data_type(ty).as_pointer())
    builder.store(args[1], pointer)


# ---- calls through addresses --------------------------------------------------------------------


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


STAGE = (MODEL, DATA)


def address_of(function: Callable, *argtypes) -> int:
    """Compile a kernel for these types (or load it from the cache) and return where its code is.

    Without types the kernel is a stage: (model, data).
    """
    signature = argtypes or STAGE
    dispatcher = compiled(function)
    dispatcher.compile(signature)
    made = dispatcher.overloads[signature]
    return made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
