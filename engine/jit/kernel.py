"""Compiled code: how a function becomes a kernel, what it sees of a Model and a Data, how stages are called.

Read first for anything under `dynamics/` and `collision/`.

- `@kernel` compiles a function, `@small` one that is inlined where it is called. No object mode, the GIL is
  released, nothing is allocated. A small vector is a tuple, a large one lives in Model or Data.
- Inside a kernel a Model or a Data is ONE pointer to a table of (address, length). `data.xpos` is a borrowed
  array, `model.nbody` a constant, `data.ncon` (a cell) a number that can also be assigned. The names and types
  come from `engine/model/fields.py`.
- `view(a, start, n)` is `a[start:start + n]` of a 1-D array without the bounds clamp and the test for negatives.
- `address_of(kernel, *types)` gives a compiled function's address; `call_stage` and `call_int` call through it.
  Addresses are the boundaries between what is compiled separately: a stage that a model does not use is never
  compiled.
- Compiled code is cached per user, in folders named by a hash of the sources that it was made from, the numba
  version and the processor.
- `interpreted(kernel)` is the same function run by Python: for a first look while nothing is compiled yet.
"""

from __future__ import annotations

import ast
import atexit
import functools
import hashlib
import logging
import os
import pathlib
import shutil
import tempfile
import types as pytypes

import llvmlite.binding
import numba
from numba import njit, types
from numba.core import cgutils
from numba.core.caching import CacheImpl, _CacheLocator
from numba.core.dispatcher import Dispatcher
from numba.core.extending import infer_getattr, lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, intrinsic, models, register_model, typeof_impl, unbox
from numba.np.arrayobj import populate_array

from engine.model import fields
from engine.model.memory import Table

ROOT = pathlib.Path(__file__).resolve().parent.parent
log = logging.getLogger("kinetree")

# ---- cache ------------------------------------------------------------------------------------


@functools.cache
def cache_root() -> pathlib.Path:
    """The per-user folder of compiled code: $KINETREE_CACHE, else the XDG cache folder.

    Where it cannot be written: a temporary one, for this process and those that it starts.
    """
    chosen = os.environ.get("KINETREE_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    root = pathlib.Path(chosen) if chosen else pathlib.Path(base) / "kinetree"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError as error:
        ours = pathlib.Path(tempfile.mkdtemp(prefix="kinetree-"))
        atexit.register(shutil.rmtree, ours, ignore_errors=True)
        os.environ["KINETREE_CACHE"] = str(ours)
        log.warning(
            "compiled physics cannot be kept in %s (%s), so that each start takes long; let KINETREE_CACHE name a "
            "folder that can be written",
            root,
            error.strerror,
        )
        return ours


def _imports(path: pathlib.Path) -> set[pathlib.Path]:
    """The engine's own files that the file imports, at the top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] != ROOT.name:
                continue
            target = ROOT.joinpath(*parts[1:])
            for file in (target.with_suffix(".py"), target / "__init__.py"):
                if file.is_file():
                    found.add(file)
    return found


@functools.cache
def sources_of(path: pathlib.Path) -> tuple[pathlib.Path, ...]:
    """The file and every engine file that it reaches through imports: all that its machine code can hold."""
    seen, todo = set(), [path]
    while todo:
        file = todo.pop()
        if file not in seen:
            seen.add(file)
            todo += _imports(file)
    return tuple(sorted(seen))


@functools.cache
def stamp_of(path: pathlib.Path) -> str:
    """A hash of what the compiled code of a file depends on: sources, numba, llvm and the processor."""
    digest = hashlib.sha256()
    for file in sources_of(path):
        digest.update(str(file.relative_to(ROOT.parent)).encode())
        digest.update(file.read_bytes())
    for fact in (numba.__version__, llvmlite.__version__, *_processor()):
        digest.update(fact.encode())
    return digest.hexdigest()[:20]


@functools.cache
def _processor() -> tuple[str, str]:
    name = os.environ.get("NUMBA_CPU_NAME") or llvmlite.binding.get_host_cpu_name()
    features = os.environ.get("NUMBA_CPU_FEATURES") or llvmlite.binding.get_host_cpu_features().flatten()
    return name, features


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

_OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy", "fastmath": {"contract"}}

kernel = njit(**_OPTIONS)
small = njit(**_OPTIONS, forceinline=True)
exact = njit(**{**_OPTIONS, "fastmath": False})  # no fused multiply-add
exact_small = njit(**{**_OPTIONS, "fastmath": False}, forceinline=True)
dense = njit(**{**_OPTIONS, "fastmath": {"contract", "reassoc"}})  # dot products that may be vectorised
dense_small = njit(**{**_OPTIONS, "fastmath": {"contract", "reassoc"}}, forceinline=True)


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
    pointer = builder.inttoptr(
        _word(context, builder, args[0], 2 * slot), context.get_data_type(ty).as_pointer()
    )
    builder.store(args[1], pointer)


@intrinsic
def view(typingctx, array, start, count):
    """array[start:start + count] of a 1-D array, without clamping and without a reference."""

    def codegen(context, builder, signature, args):
        ty = signature.args[0]
        source = context.make_array(ty)(context, builder, args[0])
        result = context.make_array(ty)(context, builder)
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(ty.dtype)))
        populate_array(
            result, builder.gep(source.data, [args[1]], inbounds=True), [args[2]], [size], size, None
        )
        return result._getvalue()

    return array(array, types.intp, types.intp), codegen


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


def address_of(function: Dispatcher, *argtypes) -> int:
    """Compile a kernel for these types (or load it from the cache) and return where its code is.

    Without types the kernel is a stage: (model, data).
    """
    signature = argtypes or STAGE
    function.compile(signature)
    compiled = function.overloads[signature]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


# ---- the same code without compiling --------------------------------------------------------------

# What stands for an intrinsic where kernels are run by Python.
PYTHON = {"view": lambda array, start, count: array[start : start + count]}


@functools.cache
def interpreted(function: Dispatcher) -> pytypes.FunctionType:
    """The kernel as plain Python, with everything that it calls: slow, and there at once."""
    source = function.py_func
    names = dict(source.__globals__)
    twin = pytypes.FunctionType(
        source.__code__, names, source.__name__, source.__defaults__, source.__closure__
    )
    for name in source.__code__.co_names:
        value = names.get(name)
        if name in PYTHON:
            names[name] = PYTHON[name]
        elif isinstance(value, Dispatcher):
            names[name] = twin if value is function else interpreted(value)
    return twin
