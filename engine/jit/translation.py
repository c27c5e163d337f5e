"""Translates kernels to object code with numba and LLVM: the only module that uses what numba does not document.

    (code,) = translate(kernel, ("Model", "Data", "i8"), [here()])

numba reads the Python function, infers types and writes LLVM code, one library for each function. Here these libraries
are linked unoptimised into one module for each kernel, which is optimised and turned into machine code for each target
(`engine/jit/targets.py`). What numba writes does not depend on the target. Nothing
but the kernel itself can be called from outside, and nothing is made that Python would need to call it: that is the
work of `engine/jit/compiler.py`.

Kernels are translated without numba's memory management: what allocates, like `np.empty`, is refused.
"""

from __future__ import annotations

import collections
import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import llvmlite.binding as llvm
from numba import njit, types
from numba.core import (
    cgutils,
    compiler,
    compiler_machinery,
    config,
    errors,
    funcdesc,
    typed_passes,
    untyped_passes,
)
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.extending import infer_getattr, lower_getattr_generic, lower_setattr_generic
from numba.core.llvm_bindings import create_pass_builder
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.typing.templates import AttributeTemplate
from numba.extending import models, register_model, typeof_impl
from numba.np.arrayobj import populate_array

from kinetree.engine.jit.kernel import name_of
from kinetree.engine.jit.object_code import ObjectCode
from kinetree.engine.jit.targets import Target
from kinetree.engine.model import fields

# ---- one library for each function, optimised only as part of a kernel ---------------------------------------------


class _Library(CPUCodeLibrary):
    """The LLVM code of one function, as numba wrote it. Other libraries link it; it is never compiled on its own."""

    converts = False
    """Whether a float becomes an integer, in it or in a function of numba's that it calls."""

    def add_ir_module(self, ir_module: Any) -> None:
        text = str(ir_module)
        self.converts |= _CONVERSION.search(text) is not None
        module = llvm.parse_assembly(cgutils.normalize_ir_text(text))
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)

    def finalize(self) -> None:
        self._finalized = True

    def all_linked(self) -> Iterator[Any]:
        """The libraries that this one needs, directly or not, each once."""
        seen, todo = {id(rtsys.library)}, list(self._linking_libraries)
        while todo:
            library = todo.pop(0)
            if id(library) not in seen:
                seen.add(id(library))
                todo += library._linking_libraries
                yield library


_CONVERSION = re.compile(r"\bfpto[su]i\b")


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(typed_passes.NativeLowering):
    """numba's last pass, which ends with LLVM code: without machine code for each function."""

    _name = "kinetree_lowering"

    def run_pass(self, state: Any) -> bool:
        library, context = state.library, state.targetctx
        flags = state.flags
        description = funcdesc.PythonFunctionDescriptor.from_specialized_function(
            state.func_ir,
            state.typemap,
            state.return_type,
            state.calltypes,
            mangler=context.mangler,
            inline=flags.forceinline,
            noalias=flags.noalias,
            abi_tags=[flags.get_mangle_string()],
        )
        with context.push_code_library(library):
            lower = self.lowering_class(context, library, description, state.func_ir, metadata=state.metadata)
            lower.lower()
            _refuse_conversions(state)
            environment, helper = lower.env, lower.call_helper
        key = [].clear  # numba wants a built-in function, each time another one, that stands for the machine code
        context.insert_user_function(key, description, [library])
        state["cr"] = compiler._LowerResult(description, helper, cfunc=key, env=environment)
        return True


def _refuse_conversions(state: Any) -> None:
    """Raise for a function, just lowered, that turns a float into an integer; see engine/jit/rounding.py."""
    library, function = state.library, state.func_ir.func_id.func
    if hasattr(function, "jit_converts"):
        library.converts = False
    elif library.converts or any(map(_converts, library._linking_libraries)):
        raise errors.UnsupportedError(
            f"{function.__qualname__} turns a float into an integer, which is a wrong one for NaN, infinity and large "
            "numbers; use to_int and floor of engine/jit/rounding.py",
            state.func_ir.loc,
        )


@functools.cache
def _converts(library: CPUCodeLibrary) -> bool:
    """Whether a float becomes an integer in a function that a kernel calls, as numba's own `int` makes it."""
    if isinstance(library, _Library):
        return library.converts
    text = str(library._get_module_for_linking())
    return _CONVERSION.search(text) is not None or any(map(_converts, library._linking_libraries))


class _Compiler(compiler.CompilerBase):
    """numba's passes, with our library and our last pass."""

    def __init__(self, typing_context, context, library, args, return_type, flags, locals):
        library = library or _Library(context.codegen(), "kernel")
        super().__init__(typing_context, context, library, args, return_type, flags, locals)

    def define_pipelines(self):
        """numba's passes, without those for closures, `with`, array expressions, parallel loops."""
        manager = compiler_machinery.PassManager("kernel")
        for one in _PASSES:
            manager.add_pass(one, one.__name__)
        manager.finalize()
        return [manager]


_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.NoPythonSupportedFeatureValidation,
    typed_passes.IRLegalization,
    _Lowering,
    typed_passes.NoPythonBackend,
)


_OPTIONS = {"_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _Compiler}


@functools.cache
def _dispatcher(function: Callable) -> Dispatcher:
    """numba's dispatcher of a kernel."""
    dispatcher = njit(**function.jit_options, **_OPTIONS)(function)
    if hasattr(function, "jit_apart"):
        _apart.append(dispatcher)
    return dispatcher


_apart: list[Dispatcher] = []
"""Functions that are not inlined."""


@typeof_impl.register(type(_dispatcher.__wrapped__))
def _typeof_kernel(function, context):
    """A function that a kernel calls is compiled too: the kernel itself, or the form that stands for it."""
    form = getattr(function, "jit_form", function)
    if isinstance(form, str):
        return _intrinsic_type(function, form)
    return types.Dispatcher(_dispatcher(form)) if hasattr(form, "jit_options") else None


@functools.cache
def _intrinsic_type(function, name: str):
    from kinetree.engine.jit import intrinsics  # it needs this module

    context = cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(intrinsics.BY_NAME[name])


# ---- Model and Data inside compiled code --------------------------------------------------------


class RefType(types.Type):
    """The numba type of a Model or a Data: one pointer to its table."""

    def __init__(self, kind: str):
        self.kind = kind
        super().__init__(name=f"Ref{kind}")


REFERENCES = {kind: RefType(kind) for kind in fields.TABLES}

register_model(RefType)(models.OpaqueModel)

_SCALARS = {
    "f8": types.float64,
    "i8": types.int64,
    "i4": types.int32,
    "u1": types.uint8,
    "f4": types.float32,
    "b1": types.boolean,
}


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
    item = context.get_data_type(ty.dtype)
    size = context.get_abi_sizeof(item)
    pointer = builder.inttoptr(address, item.as_pointer())
    shape, strides = [_word(context, builder, value, 2 * slot + 1)], [size]
    for length in reversed(inner):
        strides.insert(0, strides[0] * length)
    shape += [word(length) for length in inner]
    return view_of(context, builder, ty, pointer, shape, [word(s) for s in strides], word(size))


@lower_setattr_generic(RefType)
def _lower_ref_setattr(context, builder, sig, args, attr):
    slot, kind, ty, _ = _layout(sig.args[0].kind)[attr]
    if kind != "cell":
        raise TypeError(f"{attr} is not a cell: only cells can be assigned in a kernel")
    pointer = builder.inttoptr(_word(context, builder, args[0], 2 * slot), context.get_data_type(ty).as_pointer())
    builder.store(args[1], pointer)


# ---- from a kernel to object code -------------------------------------------------------------------


def _type(word: Any) -> types.Type:
    """The numba type of a word of a signature (engine/jit/compiler.py)."""
    if isinstance(word, tuple):
        return types.Tuple([_type(part) for part in word])
    if word in REFERENCES:
        return REFERENCES[word]
    scalar, dimensions = re.fullmatch(r"(\w+)(?:\[(\d)\])?", word).groups()
    return types.Array(_SCALARS[scalar], int(dimensions), "C") if dimensions else _SCALARS[scalar]


def _word_of(result: types.Type) -> Any:
    """The word, or tuple of words, for the type of a result; None for no result."""
    if isinstance(result, types.BaseTuple):
        return [_word_of(part) for part in result]
    if isinstance(result, types.Literal):
        result = result.literal_type
    return next((word for word, scalar in _SCALARS.items() if scalar == result), None)


def translate(function: Callable, signature: tuple, targets: Sequence[Target]) -> list[ObjectCode]:
    """The object code of a kernel for arguments of these types, for each target. Raises what numba raises for code it
    cannot compile.
    """
    with global_compiler_lock:
        dispatcher = _dispatcher(function)
        argument_types = tuple(_type(word) for word in signature)
        dispatcher.compile(argument_types)
        made = dispatcher.overloads[argument_types]
        result = _word_of(made.signature.return_type)
        codes = []
        for target in targets:
            module = _linked(made.library)
            main = module.get_function(made.fndesc.llvm_func_name)
            if "<" not in function.__qualname__:  # else several functions may have this name
                main.name = f"{name_of(function)} {signature}"
            codes.append(_generate(module, main.name, result, target))
        return codes


def _linked(library: _Library) -> llvm.ModuleRef:
    """One module with a function and all that it calls."""
    module = library._final_module.clone()
    for other in library.all_linked():
        module.link_in(other._get_module_for_linking(), preserve=True)
    return module


def _generate(module: llvm.ModuleRef, symbol: str, result: Any, target: Target) -> ObjectCode:
    """Optimise a module in place, in which only one function is called from outside, and generate its code."""
    machine = _machine(target)
    if any(function.name == RELAX for function in module.functions):
        module.link_in(llvm.parse_assembly(_RELAX[target.triple.partition("-")[0]]))
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    for item in (*module.functions, *module.global_variables):
        if not item.is_declaration and item.name != symbol:
            item.linkage = "internal"
    apart = {made.fndesc.llvm_func_name for dispatcher in _apart for made in dispatcher.overloads.values()}
    for function in module.functions:
        if function.name in apart:
            function.add_function_attribute("noinline")
    options = {"loop_vectorize": config.LOOP_VECTORIZE, "slp_vectorize": config.SLP_VECTORIZE}
    builder = create_pass_builder(machine, opt=config.OPT, **options)
    builder.getModulePassManager().run(module, builder)
    _rename(module)
    calls = sorted(
        function.name
        for function in module.functions
        if function.is_declaration and not function.name.startswith("llvm.")
    )
    return ObjectCode(symbol, result, calls, machine.emit_object(module))


def _rename(module: llvm.ModuleRef) -> None:
    """Number what cannot be called from outside: numba's names count what a process compiled before."""
    for number, item in enumerate((*module.functions, *module.global_variables)):
        if item.linkage == llvm.Linkage.internal:
            item.name = f"internal{number}"


@functools.cache
def _machine(target: Target) -> llvm.TargetMachine:
    """LLVM's generator of code that `engine/jit/object_code.py` loads."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    # LLVM's linker for running processes needs code for x86 without indirections.
    reloc = "static" if target.triple.startswith("x86") else "default"
    return llvm.Target.from_triple(target.triple).create_target_machine(
        target.cpu, target.features, opt=config.OPT, reloc=reloc, codemodel="jitdefault", jit=True
    )


RELAX = "kinetree_relax"
"""The function that tells the processor that a thread waits in a loop: the one instruction that each has its own of."""

_HINT = """
declare void @{name}({type})
define void @kinetree_relax() alwaysinline {{
  call void @{name}({argument})
  ret void
}}
"""
_RELAX = collections.defaultdict(
    lambda: "define void @kinetree_relax() alwaysinline { ret void }",
    x86_64=_HINT.format(name="llvm.x86.sse2.pause", type="", argument=""),
    aarch64=_HINT.format(name="llvm.aarch64.hint", type="i32", argument="i32 1"),
)


# ---- for other modules -----------------------------------------------------------------------------------------------


def view_of(context: Any, builder: Any, ty: types.Array, pointer: Any, shape: list, strides: list, size: Any) -> Any:
    """numba's structure of an array for memory that something else owns; `size`: of an item, bytes."""
    array = context.make_array(ty)(context, builder)
    populate_array(array, pointer, shape, strides, size, None)
    return array._getvalue()


def add_symbols() -> None:
    """Let LLVM's linker find numba's own C functions."""
    _ = cpu_target.target_context
